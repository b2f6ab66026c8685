"""BM25 reorder: documents by lexical relevance, best first, then one reply.

Source: BM25 as a retrieval baseline of DuQUAD (App. A). The question's own documents are the whole collection;
bm25s with Lucene's idf, which is never negative, where rank_bm25's can be on so few. Title and text are read;
ties go to the earlier document (rank_bm25's favour later ones, a bias of place).
"""

from __future__ import annotations

from collections.abc import Iterator

from core.baselines.reading import Scores, rank_and_read, titled
from core.models.calls import CallLog
from core.models.lexical import bm25_scores
from core.models.profile import Models
from core.models.protocol import Stop
from core.records import Request, RunRecord, Step


def run(request: Request, models: Models, run_id: str, stop: Stop) -> Iterator[Step]:
    """Runs one request. Raises ModelError, Cancelled."""
    return rank_and_read(request, models, run_id, stop, score, "Counting the question's words")


def score(record: RunRecord, models: Models, log: CallLog, stop: Stop) -> Scores:
    """BM25 of each document (N,); no model is asked."""
    return bm25_scores(record.question.text, [titled(document) for document in record.documents])
