"""The master table: which questions are shown, in which order, and which comes next. Pure, over a ``SetTable``."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from core.evaluation.loss import STAGES
from core.evaluation.record import LossStage
from core.evaluation.table import MARKS, Mark, SetTable, mark_of
from core.records import Record

Mask = NDArray[np.bool_]
UNLABELLED = "unlabelled"
SORTS = ("place", "question", "answer", "mark", "stage", "seconds", "label")
SortKey = Literal["place", "question", "answer", "mark", "stage", "seconds", "label"]


class Query(Record):
    """What is shown. Every condition must hold; an empty one holds always."""

    search: str = Field("", max_length=500)
    """Words, each of which must stand in the question, an accepted answer, an answer or the id."""
    system: str = ""
    """The system that marks, stages and sorting look at; empty for any of them."""
    marks: tuple[Mark, ...] = ()
    """One of these."""
    stages: tuple[LossStage, ...] = ()
    """Evidence was lost at one of these."""
    groups: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    """Name of a group → one of these values; a question with several values is in each of them."""
    labels: tuple[str, ...] = ()
    """One of these verdicts or failure types; ``unlabelled`` for none."""
    disagree: bool = False
    """Only questions that some systems have right and others wrong."""
    sort: SortKey = "place"
    """``place`` is the order of the file."""
    descending: bool = False


@dataclass(frozen=True)
class Labelled:
    """What reviewers said, for filtering: (question id, system) → verdicts and failure types."""

    said: Mapping[tuple[str, str], frozenset[str]] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class View:
    """A table that is looked at: its questions by number, prepared for searching and sorting."""

    table: SetTable

    def select(self, query: Query, labelled: Labelled | None = None) -> NDArray[np.int64]:
        """Numbers of the questions that are shown, in order."""
        shown = self._rows_mask(query, labelled or Labelled())
        kept = np.zeros(len(self.table.questions), dtype=bool)
        kept[self._question[shown]] = True
        kept &= self._found(query.search)
        if query.disagree:
            kept &= self._disagree
        numbers = np.flatnonzero(kept)
        return numbers[self._order(numbers, query, labelled or Labelled())]

    @cached_property
    def _question(self) -> NDArray[np.int64]:
        sizes = [len(rows) for rows in self.table.questions]
        return np.repeat(np.arange(len(sizes), dtype=np.int64), sizes)

    @cached_property
    def _marks(self) -> NDArray[np.int64]:
        return np.array([MARKS.index(mark_of(row)) for rows in self.table.questions for row in rows], dtype=np.int64)

    @cached_property
    def _stages(self) -> NDArray[np.int64]:
        return np.array([STAGES.index(row.lost_at) for rows in self.table.questions for row in rows], dtype=np.int64)

    @cached_property
    def _systems(self) -> NDArray[np.str_]:
        return np.array([row.system for rows in self.table.questions for row in rows], dtype=np.str_)

    @cached_property
    def _texts(self) -> list[str]:
        """What a search looks through, one text a question."""
        return [
            "\n".join((rows[0].id, rows[0].question, *rows[0].answers, *(row.answer for row in rows))).casefold()
            for rows in self.table.questions
        ]

    @cached_property
    def _disagree(self) -> Mask:
        return np.array([{row.right for row in rows} >= {True, False} for rows in self.table.questions], dtype=bool)

    def _found(self, search: str) -> Mask:
        words = search.casefold().split()
        if not words:
            return np.ones(len(self.table.questions), dtype=bool)
        return np.array([all(word in text for word in words) for text in self._texts], dtype=bool)

    def _rows_mask(self, query: Query, labelled: Labelled) -> Mask:
        """Which rows meet what is asked of a single answer; mark, stage and label are of the same answer."""
        mask = np.ones(len(self._question), dtype=bool)
        if query.system:
            mask &= self._systems == query.system
        if query.marks:
            mask &= np.isin(self._marks, [MARKS.index(mark) for mark in query.marks])
        if query.stages:
            mask &= np.isin(self._stages, [STAGES.index(stage) for stage in query.stages])
        rows = [row for found in self.table.questions for row in found]
        for name, values in query.groups.items():
            if values:
                wanted = frozenset(values)
                mask &= np.array([bool(wanted & set(parts(row.meta.get(name, "")))) for row in rows], dtype=bool)
        if query.labels:
            asked, none = frozenset(query.labels), frozenset({UNLABELLED})
            said = (labelled.said.get((row.id, row.system)) or none for row in rows)
            mask &= np.fromiter((bool(asked & found) for found in said), dtype=bool, count=len(rows))
        return mask

    def _order(self, numbers: NDArray[np.int64], query: Query, labelled: Labelled) -> NDArray[np.int64]:
        """Places in ``numbers``; equal keys keep the order of the file, also when descending."""
        if query.sort == "place":
            return np.arange(len(numbers))[:: -1 if query.descending else 1]
        keys = [self._key(int(number), query, labelled) for number in numbers]
        order = sorted(range(len(keys)), key=keys.__getitem__, reverse=query.descending)
        return np.array(order, dtype=np.int64)

    def _key(self, number: int, query: Query, labelled: Labelled) -> tuple[object, ...]:
        rows = self.table.questions[number]
        row = next((row for row in rows if row.system == query.system), rows[0])
        if query.sort == "question":
            return natural(row.question)
        if query.sort == "answer":
            return natural(row.answer)
        if query.sort == "mark":
            return (MARKS.index(mark_of(row)),)
        if query.sort == "stage":
            return (STAGES.index(row.lost_at),)
        if query.sort == "seconds":
            return (row.seconds,)
        return tuple(sorted(labelled.said.get((row.id, row.system), ())))


def parts(value: str) -> list[str]:
    """The values of a group entry, which are apart by ``; ``."""
    return [part for part in value.split("; ") if part]


def natural(text: str) -> tuple[tuple[int, int, str], ...]:
    """Sorts "line 9" before "line 10", without regard to case and accents."""
    bare = unicodedata.normalize("NFKD", text[:200].casefold())
    found = re.findall(r"\d{1,18}|\D+", "".join(mark for mark in bare if not unicodedata.combining(mark)))
    return tuple((0, int(part), "") if part.isdecimal() else (1, 0, part) for part in found)


def neighbour(shown: Sequence[int] | NDArray[np.int64], current: int | None, by: int) -> int | None:
    """The question ``by`` steps further on in what is shown; stays at the ends. None where nothing is shown.

    From a question that is not shown (a filter has taken it away) stepping begins at the first one.
    """
    if len(shown) == 0:
        return None
    at = np.flatnonzero(np.asarray(shown) == (-1 if current is None else current))
    if len(at) == 0:
        return int(shown[0])
    return int(shown[min(max(int(at[0]) + by, 0), len(shown) - 1)])


def group_values(table: SetTable) -> dict[str, tuple[str, ...]]:
    """Name of each group → its values, for the filters; natural order."""
    found: dict[str, set[str]] = {}
    for rows in table.questions:
        for name, value in rows[0].meta.items():
            found.setdefault(name, set()).update(parts(value))
    return {name: tuple(sorted(values, key=natural)) for name, values in found.items()}
