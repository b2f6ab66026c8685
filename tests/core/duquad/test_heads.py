"""Heads whose quality is known are ranked and chosen accordingly."""

from __future__ import annotations

import numpy as np
import pytest

from core.duquad.heads import (
    Readings,
    best_heads,
    found_ranks,
    grown_heads,
    head_mean_rank,
    head_ranks,
    head_recall,
    set_ranks,
)


def readings(seed: int = 0, prompts: int = 40, n: int = 10) -> Readings:
    """3 layers of 2 heads: (1, 0) and (2, 1) see gold in every second prompt, in turn; the others are noise."""
    rng = np.random.default_rng(seed)
    at = tuple(int(place) for place in rng.integers(0, n, prompts))
    grid = rng.uniform(1, 1.2, (prompts, 3, 2, n))
    for row, place in enumerate(at):
        layer, head = ((1, 0), (2, 1))[row % 2]
        grid[row, layer, head, place] += 2
    return Readings(grid, at)


def test_ranks_by_hand() -> None:
    grid = np.array([[[[1, 5, 1, 1], [2, 1, 1, 3]]], [[[1, 1, 4, 1], [9, 1, 1, 1]]]], dtype=float)
    found = head_ranks(Readings(grid, (1, 0)))
    assert found.tolist() == [[[1, 3]], [[2, 1]]]
    assert head_mean_rank(found).tolist() == [[1.5, 2.0]]
    assert head_recall(found, 1).tolist() == [[0.5, 0.5]]
    assert best_heads(found, 5) == ((0, 0), (0, 1))


def test_heads_that_see_are_found_first() -> None:
    found = head_ranks(readings())
    assert set(best_heads(found, 2)) == {(1, 0), (2, 1)}
    recall = head_recall(found, 1)
    assert recall[1, 0] > 0.45 and recall[2, 1] > 0.45 and recall[0].max() < 0.4


def test_a_set_is_better_than_its_heads_and_holds_on_other_prompts() -> None:
    chosen = grown_heads(readings(), 2)
    assert set(chosen) == {(1, 0), (2, 1)}
    assert (set_ranks(readings(1), chosen) == 1).all()
    assert (set_ranks(readings(1), chosen[:1]) == 1).mean() < 0.8


def test_growing_prefers_a_head_that_adds_something() -> None:
    one = readings()
    grid = one.grid.copy()
    grid[:, 0, 0] = grid[:, 1, 0]  # a twin of a head that sees
    grid[:, 2, 1] = 1 + (grid[:, 2, 1] - 1) * 0.9  # the other eye is a little weaker
    assert set(grown_heads(Readings(grid, one.at), 2)) in ({(0, 0), (2, 1)}, {(1, 0), (2, 1)})


def test_sets_end_with_the_heads_there_are() -> None:
    one = readings(prompts=3)
    assert sorted(grown_heads(one, 99)) == [(layer, head) for layer in range(3) for head in range(2)]
    assert len(best_heads(head_ranks(one), 99)) == 6


@pytest.mark.parametrize("n", [1, 2, 3])
def test_few_documents_and_no_spread(n: int) -> None:
    flat = Readings(np.ones((n, 1, 2, n)), tuple(range(n)))
    assert head_ranks(flat)[:, 0, 0].tolist() == list(range(1, n + 1))
    assert grown_heads(flat, 1) == best_heads(head_ranks(flat), 1) == ((0, 0),)


def test_readings_are_put_together() -> None:
    both = readings() + readings(1)
    assert both.grid.shape[0] == len(both.at) == 80
    assert found_ranks(both.grid.mean(axis=(1, 2)), both.at).shape == (80,)
