"""Hybrid RRF: BM25's and the dense ranking fused by reciprocal rank, then one reply.

Source: Cormack, Clarke & Büttcher, SIGIR 2009; k = 60 as DuQUAD (App. A). Ranks count from 1; ties, in a list and
in the sum, go to the earlier document.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from core.baselines import bm25, dense
from core.baselines.reading import Scores, rank_and_read
from core.models.calls import CallLog
from core.models.lexical import best_first
from core.models.profile import Models
from core.models.protocol import Stop
from core.records import Request, RunRecord, Step
from core.settings.methods import RRF_K


def run(request: Request, models: Models, run_id: str, stop: Stop) -> Iterator[Step]:
    """Runs one request. Raises ModelError, Cancelled."""
    return rank_and_read(request, models, run_id, stop, score, "Fusing words and meaning")


def score(record: RunRecord, models: Models, log: CallLog, stop: Stop) -> Scores:
    """Fused score of each document (N,)."""
    lists = [scorer(record, models, log, stop) for scorer in (bm25.score, dense.score)]
    return fused([best_first(scores) for scores in lists])


def fused(lists: Sequence[Sequence[int]]) -> Scores:
    """Σ 1 / (60 + rank) over the lists, each the same N documents best first: (N,)."""
    total = np.zeros(len(lists[0]) if lists else 0)
    for documents in lists:
        for rank, document in enumerate(documents, start=1):
            total[document] += 1 / (RRF_K + rank)
    return total
