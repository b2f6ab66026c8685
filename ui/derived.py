"""What the page shows of one record under settings that may move: pure, and fast enough for a slider."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from core.duquad.contrast import Vector, attention_share, chosen_attention, contrast, trend
from core.duquad.fusion import fuse
from core.duquad.path import attention_ranks
from core.duquad.pruning import regate, snippets
from core.records import PoolEntry, Ranked, RunRecord, Snippet
from core.settings.methods import RunSettings


@dataclass(frozen=True, eq=False)
class Derived:
    """The curve, the ranking and the pool of one record under one choice of settings."""

    settings: RunSettings
    attention: Vector
    """Share of attention per document, summing to 1: (N,)."""
    raw_attention: Vector
    """A, mean per token, under the settings' layers and heads: (N,)."""
    trend: Vector
    """What the place alone would draw, in the unit of ``attention``: (N,)."""
    contrast: Vector
    """Φcont of the raw attention: (N,)."""
    ranking: tuple[Ranked, ...]
    """By SFS, best first."""
    pool: tuple[PoolEntry, ...]
    """The recorded candidates under these settings' gate, the kept ones with their snippets; empty before
    they are scored."""
    place: dict[int, int]
    """Document → place by SFS, from 1."""
    attention_rank: tuple[int, ...]
    """Rank by attention of each document, from 1."""
    stale: bool
    """The Local Agent would see other documents, or another order, than the record's did."""

    @property
    def contrast_share(self) -> Vector:
        """Φcont in the unit of ``attention``: (N,)."""
        total = self.raw_attention.sum()
        return self.contrast / total if total > 0 else np.zeros_like(self.contrast)


@lru_cache(maxsize=8)
def _grid(attention: tuple[tuple[tuple[float, ...], ...], ...]) -> NDArray[np.float64]:
    grid = np.array(attention, dtype=np.float64)  # (L, H, N)
    grid.setflags(write=False)  # shared between callers
    return grid


def derive(record: RunRecord, settings: RunSettings | None = None) -> Derived | None:
    """The record's figures under other settings (its own by default); None before it has signals.

    Raises:
        ValueError: the settings name a layer or head that the recorded model does not have.
    """
    if record.signals is None:
        return None
    settings = settings or record.settings
    attention = chosen_attention(_grid(record.signals.attention), settings)
    total = attention.sum()
    phi = contrast(attention)
    ranking = fuse(np.array(record.signals.semantic), np.array(record.signals.query_nll), phi, settings)
    return Derived(
        settings=settings,
        attention=attention_share(attention),
        raw_attention=attention,
        trend=trend(attention) / total if total > 0 else np.zeros_like(attention),
        contrast=phi,
        ranking=ranking,
        pool=_pool(record, settings),
        place={ranked.document: place for place, ranked in enumerate(ranking, start=1)},
        attention_rank=tuple(attention_ranks(attention)),
        stale=_stale(record, ranking[: settings.k]),
    )


def _pool(record: RunRecord, settings: RunSettings) -> tuple[PoolEntry, ...]:
    """The gate again; a record holds snippets of what its own gate kept, so they are chosen anew where needed."""
    return tuple(
        entry
        if entry.kept == before.kept
        else entry.model_copy(update={"snippets": _quoted(record, entry) if entry.kept else ()})
        for before, entry in zip(record.pool or (), regate(record.pool or (), settings), strict=True)
    )


def _quoted(record: RunRecord, entry: PoolEntry) -> tuple[Snippet, ...]:
    return _snippets(record.documents[entry.document].text, entry.answer, record.question.text)


_snippets = lru_cache(maxsize=64)(snippets)  # splitting a long document takes longer than a slider's step


def _stale(record: RunRecord, read: tuple[Ranked, ...]) -> bool:
    local = record.agents.local if record.agents else None
    return local is not None and tuple(ranked.document for ranked in read) != local.documents_shown


def fate(record: RunRecord, derived: Derived | None, document: int) -> str:
    """What became of a document, in a word or two: as far as the run has come."""
    pool = derived.pool if derived else record.pool or ()
    entry = next((entry for entry in pool if entry.document == document), None)
    if entry:
        return "quoted" if entry.kept else "pruned"
    if record.agents is not None:
        replies = (record.agents.local, record.agents.global_)
        return "chosen" if any(reply and document in reply.important_documents for reply in replies) else "not chosen"
    if derived is None:
        return ""
    return "in the local view" if derived.place[document] <= derived.settings.k else "below the cut"
