"""The results of one set as they are looked at: rows, selections, analyses, each worked out once."""

from __future__ import annotations

from collections import Counter, OrderedDict
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.evaluation.analyses import Analysis, groups_of
from core.evaluation.loss import STAGES
from core.evaluation.table import MARKS, SetTable, mark_of, open_table
from core.evaluation.table_view import Labelled, Query, View, group_values

_SELECTIONS = 16  # kept a table, so that a step does not filter and sort again
Labels = tuple[float, Labelled]
"""When the labels last changed, and what they say."""


@dataclass(eq=False)
class OpenSet:
    """The results of one set as they were when they were read."""

    key: str
    """Id of a set, or the name of one that ships with the page."""
    name: str
    folder: Path
    shipped: bool
    version: tuple[int, int]
    """Of the file of results: when it was written, and its size."""
    read: float
    """When they were read, by the monotonic clock."""
    facts: tuple[tuple[str, str], ...] = ()
    """(what, value), for heads and reports."""
    selections: OrderedDict[str, NDArray[np.int64]] = field(default_factory=OrderedDict)
    analyses: dict[str, Analysis] = field(default_factory=dict)
    """What was computed of these results, by name."""

    @cached_property
    def table(self) -> SetTable:
        """The rows."""
        return open_table(self.folder)

    @cached_property
    def view(self) -> View:
        """The rows, prepared for searching and sorting."""
        return View(self.table)

    @cached_property
    def numbers(self) -> dict[str, int]:
        """Id → number of a question."""
        return {rows[0].id: number for number, rows in enumerate(self.table.questions)}

    @cached_property
    def flow(self) -> dict[tuple[str, str, str], int]:
        """(system, stage, mark) → answers; stages and marks in their own order."""
        counts = Counter((row.system, row.lost_at, mark_of(row)) for row in self.table.rows)
        keys = [(s, stage, mark) for s in self.table.systems for stage in STAGES for mark in MARKS]
        return {key: counts[key] for key in keys if key in counts}

    @cached_property
    def groups(self) -> dict[str, tuple[str, ...]]:
        """Name of each group that answers can be told apart by → its values."""
        values = group_values(self.table)
        return {name: values[name] for name in groups_of(self.table)}

    def select(self, query: Query, labels: Labels) -> NDArray[np.int64]:
        """Numbers of the questions that are shown, in order; the last few selections are kept."""
        key = f"{labels[0]} {query.model_dump_json()}"
        if key not in self.selections:
            self.selections[key] = self.view.select(query, labels[1])
        self.selections.move_to_end(key)
        while len(self.selections) > _SELECTIONS:
            self.selections.popitem(last=False)
        return self.selections[key]
