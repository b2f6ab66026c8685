"""A synthetic sweep of twenty documents, some of them hostile; no model runs."""

from __future__ import annotations

import numpy as np

from core.records import SweepPlace, SweepRecord
from core.settings import RunSettings
from tests.ui.sample import SCRIPT, sample

LAYERS, HEADS = 6, 4
SEEING = (2, 3)
"""Layers whose heads follow the evidence; the others follow the place alone."""


def sweep_sample(n: int = 20, places: int | None = None, dummy: bool = True) -> SweepRecord:
    """Gold moved through the first ``places`` places (all by default) of ``n`` documents: two high ends, a spike."""
    record = sample(n)
    assert record.signals
    gold = record.question.gold[0]
    read = range(n if places is None else places)
    return SweepRecord(
        run_id="sample-sweep",
        created="2026-01-05T10:00:00Z",
        question=record.question,
        documents=record.documents,
        gold=gold,
        models={"profile": "embedded", "backbone": "SmolLM2-135M-Instruct", "device": "cpu"},
        settings=RunSettings(),
        places=tuple(_place(n, place, spike=1.0) for place in read),
        semantic=record.signals.semantic,
        query_nll=record.signals.query_nll,
        query_nll_empty=4.4,
        dummy=tuple(_place(n, place, spike=0.0, answer=False) for place in read) if dummy else (),
        warnings=(f"Repaired {SCRIPT}",),
    )


def _place(n: int, place: int, spike: float, answer: bool = True) -> SweepPlace:
    rng = np.random.default_rng(100 + place)
    at = np.arange(n)
    valley = 3 + 9 * np.exp(-at / 1.6) + 7 * np.exp(-(n - 1 - at) / 1.3)
    grid = 1e-4 * valley * rng.lognormal(0, 0.12, (LAYERS, HEADS, n))
    for layer in SEEING:
        grid[layer, :, place] *= 1 + spike * (3.2 + 0.3 * layer)
    right = place < 3 or place > n - 4 or place % 5 == 0
    return SweepPlace(
        place=place,
        attention=tuple(tuple(tuple(float(f"{v:.4g}") for v in head) for head in layer) for layer in grid),
        answer=("Gayla Peevey" if right else f"Brenda Lee {SCRIPT}") if answer else "",
        right=right if answer else None,
    )
