"""The results of a set as a table, read from its folder: one row a question and system, and their numbers beside."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Literal, TypeVar, get_args

import numpy as np
import pandas as pd
from pydantic import ValidationError

from core.evaluation.loss import STAGES
from core.evaluation.numbers import NUMBERS_FILE, Numbers
from core.evaluation.record import ResultRow
from core.evaluation.store import RESULTS_FILE
from core.records import Record
from core.settings.limits import LIMITS

Mark = Literal["right", "wrong", "lucky", "error", "unmarked"]
"""Lucky: right although gold evidence did not arrive. Unmarked: no accepted answer is known."""
MARKS: tuple[Mark, ...] = get_args(Mark)
Line = TypeVar("Line", bound=Record)


def mark_of(row: ResultRow) -> Mark:
    """What a row's answer came to, in a word."""
    if row.error:
        return "error"
    if row.right is None:
        return "unmarked"
    return ("lucky" if row.lucky else "right") if row.right else "wrong"


@dataclass(frozen=True, eq=False)
class SetTable:
    """The finished rows of a set; of two with the same question and system the first one counts."""

    folder: Path
    rows: tuple[ResultRow, ...]
    """In the order in which their questions first appear, systems in the order in which they do."""
    damaged: int = 0
    """Lines of ``results.jsonl`` that cannot be read; they are passed over."""
    systems: tuple[str, ...] = field(default=())
    """In order of appearance."""

    @cached_property
    def frame(self) -> pd.DataFrame:
        """The rows as columns.

        ``question`` numbers the questions from 0; ``right`` is 1, 0 or NaN; ``mark`` and ``lost_at`` are categories;
        metrics are columns called ``score:accuracy``, groups are columns called ``meta:hops``, NaN where absent.
        """
        rows = self.rows
        order = {name: number for number, name in enumerate(dict.fromkeys(row.id for row in rows))}
        columns: dict[str, object] = {
            "question": np.fromiter((order[row.id] for row in rows), dtype=np.int64, count=len(rows)),
            "id": [row.id for row in rows],
            "system": pd.Categorical([row.system for row in rows], categories=list(self.systems)),
            "right": np.array([np.nan if row.right is None else float(row.right) for row in rows], dtype=np.float64),
            "mark": pd.Categorical([mark_of(row) for row in rows], categories=list(MARKS)),
            "lost_at": pd.Categorical([row.lost_at for row in rows], categories=list(STAGES)),
            "no_answer": np.array([row.no_answer for row in rows], dtype=bool),
        }
        for name in ("calls", "prompt_tokens", "new_tokens", "seconds"):
            columns[name] = np.array([getattr(row, name) for row in rows], dtype=np.float64)
        for name in self.metrics:
            columns[f"score:{name}"] = np.array([row.scores.get(name, np.nan) for row in rows], dtype=np.float64)
        for name in self.groups:
            columns[f"meta:{name}"] = pd.Series([row.meta.get(name) for row in rows], dtype=object)
        return pd.DataFrame(columns)

    @cached_property
    def metrics(self) -> tuple[str, ...]:
        """The names of all metrics, in order of appearance."""
        return tuple(dict.fromkeys(name for row in self.rows for name in row.scores))

    @cached_property
    def groups(self) -> tuple[str, ...]:
        """The names of all that questions can be grouped by."""
        return tuple(dict.fromkeys(name for row in self.rows for name in row.meta))

    @cached_property
    def questions(self) -> tuple[tuple[ResultRow, ...], ...]:
        """The rows of each question, in the order of ``frame``'s numbers."""
        found: dict[str, list[ResultRow]] = {}
        for row in self.rows:
            found.setdefault(row.id, []).append(row)
        return tuple(tuple(rows) for rows in found.values())

    @cached_property
    def numbers(self) -> dict[tuple[str, str], Numbers]:
        """(question id, system) → what the analyses need; only of rows that are in the table."""
        known = {(row.id, row.system) for row in self.rows}
        found = {(line.id, line.system): line for line in _lines(self.folder / NUMBERS_FILE, Numbers) if line}
        return {key: line for key, line in found.items() if key in known}


def open_table(folder: Path) -> SetTable:
    """The results that lie in a set's folder so far; empty where there are none yet.

    Raises:
        OSError: the file is there and cannot be read.
    """
    found: dict[tuple[str, str], ResultRow] = {}
    damaged = 0
    for row in _lines(folder / RESULTS_FILE, ResultRow):
        if row is None:
            damaged += 1
        else:
            found.setdefault((row.id, row.system), row)
    systems = tuple(dict.fromkeys(system for _, system in found))
    return SetTable(folder, tuple(found.values()), damaged, systems)


def _lines(path: Path, kind: type[Line]) -> Iterator[Line | None]:
    """Each line as a record, None for one that is damaged (a torn last line, after a crash) or too long."""
    if not path.exists():
        return
    with path.open("rb") as file:
        while line := file.readline(LIMITS.line_chars):
            try:
                yield kind.model_validate_json(line)
            except ValidationError:
                yield None
