from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.backend.turns import place_of


@pytest.mark.parametrize(
    ("owner", "waiting", "running", "place"),
    [
        ("b", "", None, 0),
        ("b", "aaaa", "a", 0),  # every one of these is a's second turn or later
        ("b", "aaaa", None, 1),  # the first of them is a's first turn, and came before
        ("a", "bbb", "a", 2),  # second turns both, and b's came first
        ("a", "ab", "c", 2),
        ("c", "aba", "a", 2),  # b came first, and a's request before it is behind the running one
        ("a", "bcd", None, 3),
        ("b", "cab", "a", 3),
    ],
)
def test_the_place_in_the_queue(owner: str, waiting: str, running: str | None, place: int) -> None:
    assert place_of(owner, list(waiting), running) == place


@given(st.text("ab", max_size=12), st.sampled_from([None, "a", "b"]))
def test_a_newcomer_waits_for_one_request_of_each_at_most(arrivals: str, running: str | None) -> None:
    waiting: list[str] = []
    for owner in arrivals:
        waiting.insert(place_of(owner, waiting, running), owner)
    ahead = waiting[: place_of("new", waiting, running)]
    assert all(ahead.count(owner) + (running == owner) <= 1 for owner in "ab")
