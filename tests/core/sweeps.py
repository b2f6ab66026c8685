"""Sweep records made by hand."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.records import Document, Question, SweepPlace, SweepRecord
from core.settings.methods import RunSettings


def place_of(place: int, attention: np.ndarray | Sequence[Sequence[Sequence[float]]], **more: object) -> SweepPlace:
    """One place with an (L, H, N) attention."""
    return SweepPlace.model_validate({"place": place, "attention": np.asarray(attention).tolist(), **more})


def sweep_of(curves: dict[int, Sequence[float]], gold: int = 0, **more: object) -> SweepRecord:
    """A sweep of a model with one head: place of the moved document → attention in prompt order."""
    n = len(next(iter(curves.values())))
    fields: dict[str, object] = {
        "run_id": "id",
        "created": "2026-01-01T00:00:00+00:00",
        "question": Question(text="q", answers=("a",), gold=(gold,)),
        "documents": tuple(Document(id=str(i), title=f"T{i}", text=f"text {i}", gold=i == gold) for i in range(n)),
        "gold": gold,
        "models": {"profile": "embedded"},
        "settings": RunSettings(),
        "places": tuple(place_of(place, [[curve]]) for place, curve in sorted(curves.items())),
        "semantic": tuple(float(i == gold) for i in range(n)),
        "query_nll": tuple(3.0 - (i == gold) for i in range(n)),
        "query_nll_empty": 4.0,
    }
    return SweepRecord.model_validate(fields | more)
