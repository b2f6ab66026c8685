"""MoLoRAG's graph, walk and score on numbers that were computed by hand."""

from __future__ import annotations

import numpy as np
import pytest

from core.baselines.pdf_page_graph import combined, kept, links, logical, scaled, walk


def at(*degrees: float) -> np.ndarray:
    """Vectors of the plane at these angles."""
    angles = np.radians(degrees)
    return np.stack([np.cos(angles), np.sin(angles)], axis=1)


def test_pages_are_linked_from_a_cosine_of_08_on() -> None:
    # cos 36° = 0.809, cos 40° = 0.766, cos 76° = 0.242.
    assert links(at(0, 36, 76, 180)) == {0: {1}, 1: {0}, 2: set(), 3: set()}


def test_the_bound_itself_counts() -> None:
    means = np.array([[1.0, 0.0], [0.8, 0.6], [-1.0, 0.0], [0.0, -1.0]])
    assert links(means)[0] == {1}


def test_a_link_holds_both_ways_though_only_one_page_is_among_the_nearest() -> None:
    # Page 6 has five pages nearer to its nearest; they do not choose it, it chooses them.
    found = links(at(0, 1, 2, 3, 4, 5, 20))
    assert found[6] == {1, 2, 3, 4, 5}
    assert 6 in found[5] and found[0] == {1, 2, 3, 4, 5}


def test_equal_pages_go_by_number() -> None:
    found = links(at(0, 0, 0, 0, 0, 0, 0))
    assert found[6] == {0, 1, 2, 3, 4} and found[0] == {1, 2, 3, 4, 5, 6}


@pytest.mark.parametrize("count", [1, 2, 3])
def test_small_documents_have_no_graph(count: int) -> None:
    assert links(at(*[0.0] * count)) == {page: frozenset() for page in range(count)}


def test_a_page_without_vectors_is_linked_with_none() -> None:
    means = np.vstack([at(0, 0, 0, 0), [[np.nan, np.nan], [0.0, 0.0]]])
    found = links(means)
    assert found[4] == found[5] == frozenset() and found[0] == {1, 2, 3}


def test_scores_are_scaled_inside_the_document() -> None:
    assert scaled([2.0, None, 6.0, 4.0]) == [0.0, 0.0, 1.0, 0.5]
    assert scaled([3.0, 3.0]) == [1.0, 1.0] and scaled([None]) == [0.0] and scaled([]) == []


def test_the_combined_score() -> None:
    assert [logical(rating) for rating in (1, 3, 5)] == [0.0, 0.5, 1.0]
    assert combined(1.0, 0.0) == pytest.approx(0.4) and combined(0.5, 0.75) == pytest.approx(0.65)


def test_the_walk_goes_on_from_the_best_three_of_a_hop() -> None:
    linked = {0: frozenset({1, 2, 3, 4}), 1: frozenset({5}), 2: frozenset({0, 6}), 3: frozenset(), 4: frozenset({7})}
    logic = {0: 0.0, 1: 0.2, 2: 1.0, 3: 0.8, 4: 0.6, 6: 0.1, 7: 0.5}
    asked: list[list[int]] = []

    def rate(pages: list[int]) -> list[float]:
        asked.append(pages)
        return [logic[page] for page in pages]

    visited = walk([0.0] * 8, [0], linked, rate)
    assert asked == [[0], [1, 2, 3, 4], [6, 7]]  # page 1 is the fourth of its hop, so page 5 is not reached
    assert visited == pytest.approx({0: 0, 1: 0.12, 2: 0.6, 3: 0.48, 4: 0.36, 6: 0.06, 7: 0.3})
    assert kept(visited, 5) == [2, 3, 4, 7] and kept(visited, 2) == [2, 3] and kept({0: 0.29}, 5) == []


def test_the_walk_ends_after_four_hops() -> None:
    chain = {page: frozenset({page - 1, page + 1}) for page in range(1, 9)} | {0: frozenset({1})}
    assert list(walk([0.0] * 10, [0], chain, lambda pages: [1.0] * len(pages))) == [0, 1, 2, 3, 4]


def test_ties_go_to_the_lower_page() -> None:
    assert kept({3: 0.5, 1: 0.5, 2: 0.5}, 2) == [1, 2]
