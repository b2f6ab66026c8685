"""Single attention heads: how well each finds the moved document over sweeps, and which set to take."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.duquad.bias import Grid, ranks
from core.duquad.contrast import contrast, head_attention
from core.settings.methods import HeadPairs


@dataclass(frozen=True, eq=False)
class Readings:
    """Prompts with one known document, of one sweep or of many."""

    grid: Grid
    """Attention in prompt order: (P, L, H, N)."""
    at: tuple[int, ...]
    """Place of the known document in each."""

    def __add__(self, other: Readings) -> Readings:
        """Both, with the same number of documents."""
        return Readings(np.concatenate([self.grid, other.grid]), self.at + other.at)


def found_ranks(attention: Grid, at: Sequence[int]) -> NDArray[np.int64]:
    """Rank of the known document by contrast, from 1: (P, ...) of attention (P, ..., N)."""
    spikes = contrast(attention)
    rows = [ranks(spikes[row], place) for row, place in enumerate(at)]
    return np.array(rows, dtype=np.int64).reshape(attention.shape[:-1])


def head_ranks(readings: Readings) -> NDArray[np.int64]:
    """The same by each head alone: (P, L, H)."""
    return found_ranks(readings.grid, readings.at)


def head_recall(rank: NDArray[np.int64], k: int) -> Grid:
    """Share of prompts in which a head alone puts the document among the first k: (L, H) of (P, L, H)."""
    return (rank <= k).mean(axis=0)  # type: ignore[no-any-return]


def head_mean_rank(rank: NDArray[np.int64]) -> Grid:
    """Mean rank of the document by a head alone: (L, H) of (P, L, H)."""
    return rank.mean(axis=0)  # type: ignore[no-any-return]


def first_head(rank: NDArray[np.int64], k: int) -> tuple[int, int]:
    """The head (layer, head) that finds the document most often; of equal ones that with the best mean rank."""
    best = int(np.lexsort((head_mean_rank(rank).ravel(), -head_recall(rank, k).ravel()))[0])
    return best // rank.shape[2], best % rank.shape[2]


def best_heads(rank: NDArray[np.int64], count: int) -> HeadPairs:
    """The heads with the lowest mean rank, of equal ones the earlier; best first."""
    mean = head_mean_rank(rank)
    order = np.argsort(mean, axis=None, kind="stable")[:count]
    return tuple((int(i) // mean.shape[1], int(i) % mean.shape[1]) for i in order)


def set_ranks(readings: Readings, pairs: HeadPairs) -> NDArray[np.int64]:
    """Rank of the known document by contrast of a head set's mean attention, from 1: (P,). Raises ValueError."""
    return found_ranks(head_attention(readings.grid, pairs), readings.at)


def grown_heads(readings: Readings, count: int) -> HeadPairs:
    """A head set grown one head at a time, each time the one with which the set ranks the document best.

    Heads that see the same evidence add little to each other, which a list of the best single heads does not
    see. What is lowered is the mean logarithm of the rank: the first places count most, and no place is free.
    Our choice.
    """
    layers, heads = readings.grid.shape[1:3]
    flat = readings.grid.reshape(len(readings.at), layers * heads, -1)  # (P, L·H, N)
    total = np.zeros_like(flat[:, 0])  # (P, N)
    left, chosen = list(range(layers * heads)), []
    for _ in range(min(count, layers * heads)):
        losses = np.log(found_ranks(total[:, None] + flat[:, left], readings.at)).mean(axis=0)
        best = left.pop(int(losses.argmin()))
        chosen.append((best // heads, best % heads))
        total += flat[:, best]
    return tuple(chosen)
