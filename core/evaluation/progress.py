"""How fast a set comes along, and how long it still takes."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable

from core.evaluation.record import ResultRow

_WINDOW = 50  # questions that the rate is taken over: enough to be steady, few enough to notice a change


class Progress:
    """Counts answers; the rate is that of the questions since the last start or pause."""

    def __init__(self, total: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.total = total
        """Answers that are asked for."""
        self.done = 0
        """Answers that there are, those of earlier stretches included."""
        self.errors = 0
        self.right = 0
        self.marked = 0
        """Answers that could be marked."""
        self._clock = clock
        self._ticks: deque[tuple[float, int]] = deque(maxlen=_WINDOW + 1)
        self.start()

    def start(self) -> None:
        """A stretch of running begins: what lies before it says nothing about the rate."""
        self._ticks.clear()
        self._ticks.append((self._clock(), 0))

    def add(self, rows: Iterable[ResultRow], earlier: bool = False) -> None:
        """Counts the answers of one question, or those of earlier stretches, which say nothing about the rate."""
        added = 0
        for row in rows:
            added += 1
            self.errors += bool(row.error)
            self.marked += row.right is not None
            self.right += bool(row.right)
        self.done += added
        if not earlier:
            self._ticks.append((self._clock(), added))

    @property
    def per_minute(self) -> float | None:
        """Answers a minute; None before the first."""
        seconds = self._ticks[-1][0] - self._ticks[0][0]
        answers = sum(added for _, added in list(self._ticks)[1:])
        return 60 * answers / seconds if answers and seconds > 0 else None

    @property
    def seconds_left(self) -> float | None:
        """At the present rate; None before the first answer."""
        rate = self.per_minute
        return 60 * max(0, self.total - self.done) / rate if rate else None


def words(seconds: float) -> str:
    """A length of time as a person says it."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = seconds / 60
    return f"{minutes:.0f} min" if minutes < 90 else f"{minutes / 60:.1f} h"
