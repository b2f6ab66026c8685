from __future__ import annotations

import pytest

from core.evaluation.progress import Progress, words
from core.evaluation.record import ResultRow


def rows(*right: bool | None) -> list[ResultRow]:
    return [
        ResultRow(id="a", place="", system="s", question="", right=mark, error="" if mark is not None else "no")
        for mark in right
    ]


def test_rate_and_time_left_come_from_this_stretch() -> None:
    now = 0.0
    progress = Progress(10, clock=lambda: now)
    progress.add(rows(True, False), earlier=True)
    assert (progress.done, progress.right, progress.marked, progress.errors) == (2, 1, 2, 0)
    assert progress.per_minute is None and progress.seconds_left is None
    now = 30.0
    progress.add(rows(True, None))
    assert progress.per_minute == pytest.approx(4)  # two in half a minute
    assert progress.seconds_left == pytest.approx(90)  # six at that rate
    assert progress.errors == 1
    now = 1000.0  # a pause
    progress.start()
    assert progress.per_minute is None
    now = 1010.0
    progress.add(rows(True, True, True))
    assert progress.per_minute == pytest.approx(18)
    progress.add(rows(True, True, True))
    assert progress.done == progress.total and progress.seconds_left == 0


def test_lengths_of_time_as_people_say_them() -> None:
    assert [words(seconds) for seconds in (4.4, 89, 91, 3600, 10_000)] == ["4 s", "89 s", "2 min", "60 min", "2.8 h"]
