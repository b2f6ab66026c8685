"""MoLoRAG's page graph, the walk on it, and the score that it walks by. Pure functions; no model."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from core.settings.pages import PDF_PEERS

Links = Mapping[int, frozenset[int]]
"""Page → the pages that it is linked with."""


def links(means: NDArray[np.float64]) -> Links:
    """Each page with its nearest ones by cosine, where close enough; a link holds in both directions.

    Args:
        means: (P, dim), the mean of each page's vectors; a row with NaN or of length 0 is linked with none.
    """
    count = len(means)
    found: dict[int, set[int]] = {page: set() for page in range(count)}
    if count > PDF_PEERS.linkless:
        lengths = np.linalg.norm(means, axis=1, keepdims=True)  # (P, 1)
        known = lengths[:, 0] > 0  # False for NaN
        unit = np.where(known[:, None], means, 0) / np.where(known[:, None], lengths, 1)
        cosines = np.round(unit @ unit.T, 9)  # (P, P); the last bits decide no bound and no tie
        np.fill_diagonal(cosines, -np.inf)
        for page in range(count):
            nearest = np.argsort(-cosines[page], kind="stable")[: PDF_PEERS.linked]
            for other in nearest[cosines[page, nearest] >= PDF_PEERS.link_cosine].tolist():
                found[page].add(other)
                found[other].add(page)
    return {page: frozenset(others) for page, others in found.items()}


def scaled(scores: Sequence[float | None]) -> list[float]:
    """Scores brought to [0, 1] inside the document; all of them 1 where they are equal, 0 for a page without one."""
    known = [score for score in scores if score is not None]
    low, high = min(known, default=0.0), max(known, default=0.0)
    return [0.0 if score is None else 1.0 if high == low else (score - low) / (high - low) for score in scores]


def logical(rating: float) -> float:
    """A rating of 1 to 5 as a score in [0, 1]."""
    return (rating - 1) / 4


def combined(semantic: float, logic: float) -> float:
    """Alpha · semantic + (1 - alpha) · logical."""
    return PDF_PEERS.alpha * semantic + (1 - PDF_PEERS.alpha) * logic


def walk(
    semantic: Sequence[float], start: Sequence[int], linked: Links, rate: Callable[[list[int]], list[float]]
) -> dict[int, float]:
    """The combined score of every page that was visited, in the order of visits.

    Args:
        semantic: of each page, in [0, 1].
        start: the pages of the first beam.
        linked: the graph.
        rate: logical scores of pages, in their order; asked once for each page.
    """
    visited: dict[int, float] = {}
    beam = list(start)
    for hop in range(PDF_PEERS.hops + 1):
        if hop:
            beam = sorted({other for page in beam for other in linked.get(page, ())} - visited.keys())
        if not beam:
            break
        scores = [combined(semantic[page], logic) for page, logic in zip(beam, rate(beam), strict=True)]
        visited |= zip(beam, scores, strict=True)
        beam = sorted(beam, key=lambda page: (-visited[page], page))[: PDF_PEERS.beam]
    return visited


def kept(visited: Mapping[int, float], most: int) -> list[int]:
    """The visited pages that reach the bar, best first, at most ``most``; ties go to the lower page."""
    reached = [page for page, score in visited.items() if round(score, 9) >= PDF_PEERS.keep]
    return sorted(reached, key=lambda page: (-visited[page], page))[:most]
