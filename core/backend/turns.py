"""Whose request comes next: turns between owners, as a pure function."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence


def place_of(owner: str, waiting: Sequence[str], running: str | None) -> int:
    """Index in the queue at which a request of this owner belongs: behind all whose turn is not later than its own.

    A request's turn is the number of its owner's requests before it, the running one counted. So a person's first
    request waits for no more than one of another's, however many those are, and one that has waited for its turn is
    not overtaken again.

    Args:
        owner: of the new request.
        waiting: owners of the requests that wait, in the order in which they will run.
        running: owner of the request that runs; None where none does.
    """
    turns = Counter([running] if running else [])
    own = turns[owner] + sum(other == owner for other in waiting)
    place = 0
    for index, other in enumerate(waiting, start=1):
        if turns[other] <= own:
            place = index
        turns[other] += 1
    return place
