"""What the lab shows of one sweep under a choice of heads: pure, and fast enough for a slider."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.duquad.bias import Grid, Numbers, grids, sweep_numbers
from core.duquad.heads import Readings, first_head, grown_heads, head_ranks, head_recall
from core.records import SweepRecord
from core.settings.methods import HeadPairs

_KEPT = 8  # choices of heads whose numbers are kept


class Sweep:
    """A sweep record that has read at least one place, with its numbers as arrays."""

    def __init__(self, record: SweepRecord) -> None:
        self.record = record
        self.rows = record.places
        self.places = tuple(row.place for row in record.places)
        self.count = len(record.documents)
        self._numbers: dict[HeadPairs, Numbers] = {}

    @cached_property
    def readings(self) -> Readings:
        """Attention of all prompts, and where gold stands in each."""
        return Readings(grids(self.rows), self.places)

    @property
    def layers(self) -> int:
        """How many layers the model has."""
        return int(self.readings.grid.shape[1])

    @property
    def heads(self) -> int:
        """How many heads a layer has."""
        return int(self.readings.grid.shape[2])

    @cached_property
    def _head_ranks(self) -> NDArray[np.int64]:
        return head_ranks(self.readings)

    @cached_property
    def found(self) -> Grid:
        """At how many places a head's contrast alone puts gold among the first k: (L, H)."""
        return np.rint(head_recall(self._head_ranks, self.record.settings.k) * len(self.places))

    @cached_property
    def first_head(self) -> tuple[int, int]:
        """The head that finds gold at most places; of equal ones that with the best mean rank."""
        return first_head(self._head_ranks, self.record.settings.k)

    def best(self, count: int) -> HeadPairs:
        """A set of heads that together find gold best, chosen on all places."""
        return self._chosen(count, range(len(self.places)))

    def trained(self, count: int) -> HeadPairs:
        """The same chosen on every second place alone."""
        return self._chosen(count, range(0, len(self.places), 2))

    def _chosen(self, count: int, rows: range) -> HeadPairs:
        key = (count, rows)
        if key not in self._sets:
            part = Readings(self.readings.grid[list(rows)], tuple(self.places[row] for row in rows))
            self._sets[key] = tuple(sorted(grown_heads(part, count)))
        return self._sets[key]

    @cached_property
    def _sets(self) -> dict[tuple[int, range], HeadPairs]:
        return {}

    def numbers(self, heads: HeadPairs = ()) -> Numbers:
        """The numbers under a choice of heads, all of them where it is empty. Raises ValueError for others."""
        if heads not in self._numbers:
            if len(self._numbers) >= _KEPT:
                self._numbers.clear()
            settings = self.record.settings
            settings = settings.model_copy(update={"head_set": heads}) if heads else settings
            self._numbers[heads] = sweep_numbers(self.record, settings, grid=self.readings.grid)
        return self._numbers[heads]

    def row_of(self, place: int) -> int | None:
        """The row of a place of gold; None where it has not been read yet."""
        return self.places.index(place) if place in self.places else None
