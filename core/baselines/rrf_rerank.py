"""Hybrid RRF + reranker: a cross-encoder reads each document with the question, then one reply.

Source: DuQUAD (App. A): Hybrid RRF and a Jina reranker, whose version is not public. The reranker's scores decide
(our choice: all N are reranked, so the fused list decides ties alone). A profile without a reranker says so.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from core.baselines import rrf
from core.baselines.reading import Scores, rank_and_read, titled
from core.models.calls import CallLog
from core.models.profile import Models
from core.models.protocol import Stop
from core.records import Request, RunRecord, Step


def run(request: Request, models: Models, run_id: str, stop: Stop) -> Iterator[Step]:
    """Runs one request. Raises ModelError (also where there is no reranker), Cancelled."""
    return rank_and_read(request, models, run_id, stop, score, "Reranking the fused list")


def score(record: RunRecord, models: Models, log: CallLog, stop: Stop) -> Scores:
    """Score of each document by the reranker, and by the fused list for ties (2, N)."""
    reranker = models.reranker()  # before anything is measured: it may be missing
    fused = rrf.score(record, models, log, stop)
    with log.call("rerank", reranker.name, "score") as usage:
        texts = [titled(document) for document in record.documents]
        scores, usage.prompt_tokens = reranker.rerank(record.question.text, texts, stop)
        usage.sequences = len(texts)
    return np.stack([scores, fused])
