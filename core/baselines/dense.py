"""Dense reorder: documents by the cosine of their embedding with the question's, best first, then one reply.

Source: Qwen3-Embedding as DuQUAD's dense retriever (App. A; the size is not public, our choice is 0.6B). The query
goes behind the embedder's own instruction, documents stay bare; padding and pooling are the model's. Other profiles
take their own embedder. Φsem is this very score, so the ranking is that of the single signal ``by_semantic``.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from core.baselines.reading import Scores, rank_and_read
from core.duquad.signals import semantic_relevance
from core.models.calls import CallLog
from core.models.profile import Models
from core.models.protocol import Stop
from core.records import Request, RunRecord, Step


def run(request: Request, models: Models, run_id: str, stop: Stop) -> Iterator[Step]:
    """Runs one request. Raises ModelError, Cancelled."""
    return rank_and_read(request, models, run_id, stop, score, "Embedding question and documents")


def score(record: RunRecord, models: Models, log: CallLog, stop: Stop) -> Scores:
    """Cosine of each document (N,)."""
    return np.array(semantic_relevance(models, record.question.text, record.documents, log, stop))
