"""Exactly what is shown, as files: the same questions in the same order, in CSV, JSON lines and parquet."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from core.evaluation.analyses_record import Analysis
from core.evaluation.labels_record import Answer, SavedLabel
from core.evaluation.record import ResultRow
from core.evaluation.table import SetTable, mark_of
from core.harmless import Cell, csv_text, plain

Labels = Mapping[Answer, Sequence[SavedLabel]]
_SEPARATOR = " | "  # between accepted answers, and between the labels of several reviewers


@dataclass(frozen=True)
class Shown:
    """The rows of the master table as they are shown."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    """As long as the columns; None where a system has no answer to the question."""


def shown(
    table: SetTable,
    questions: Sequence[int] | NDArray[np.int64],
    labels: Labels | None = None,
    systems: Sequence[str] = (),
) -> Shown:
    """The master table.

    Args:
        table: the set.
        questions: numbers of the questions, in the order in which they are shown (``View.select``).
        labels: what reviewers said.
        systems: the systems whose columns are shown; all by default.
    """
    names = tuple(systems) or table.systems
    parts = ("answer", "mark", "lost at", "seconds", "error", "verdict", "failure", "corrected", "note", "reviewer")
    columns = ["place", "id", "question", "accepted answers"]
    columns += [f"group: {name}" for name in table.groups]
    columns += [f"{name}: {part}" for name in names for part in parts]
    rows = [_row(table.questions[int(number)], table.groups, names, labels or {}) for number in questions]
    return Shown(tuple(columns), tuple(rows))


def _row(rows: Sequence[ResultRow], groups: Sequence[str], systems: Sequence[str], labels: Labels) -> tuple[Cell, ...]:
    first, own = rows[0], {row.system: row for row in rows}
    cells: list[Cell] = [first.place, first.id, first.question, _SEPARATOR.join(first.answers)]
    cells += [first.meta.get(name) for name in groups]
    for system in systems:
        row = own.get(system)
        if row is None:
            cells += [None] * 10
            continue
        said = labels.get((row.id, system), ())
        cells += [row.answer, mark_of(row), row.lost_at, row.seconds, row.error or None]
        cells += [_joined(said, name) for name in ("verdict", "failure", "corrected", "note", "reviewer")]
    return tuple(cells)


def _joined(labels: Sequence[SavedLabel], name: str) -> str | None:
    """One field of all reviewers, in the same order for each field."""
    values = [str(getattr(label, name)) for label in labels]
    return _SEPARATOR.join(values) if any(values) else None


def as_csv(table: Shown) -> bytes:
    """UTF-8; text that a spreadsheet would run is made harmless, and hidden characters are shown."""
    rows = ([plain(cell) if isinstance(cell, str) else cell for cell in row] for row in table.rows)
    return csv_text(table.columns, rows).encode()


def as_jsonl(table: Shown) -> bytes:
    """One object a question, under the names of the columns; texts as they are."""
    lines = (json.dumps(dict(zip(table.columns, row, strict=True)), ensure_ascii=False) for row in table.rows)
    return "".join(f"{line}\n" for line in lines).encode(errors="replace")


def as_parquet(table: Shown) -> bytes:
    """The same columns; texts as they are."""
    columns = zip(table.columns, zip(*table.rows, strict=True) if table.rows else repeat(()), strict=False)
    frame = pd.DataFrame({name: _column(name, list(values)) for name, values in columns})
    file = io.BytesIO()
    frame.to_parquet(file, index=False)
    return file.getvalue()


def _column(name: str, values: list[Cell]) -> pd.Series[Any]:
    """Seconds as numbers, all else as text, also where a column is empty."""
    if name.endswith(": seconds"):
        return pd.Series(values, dtype="float64")
    return pd.Series([None if value is None else str(value) for value in values], dtype="string")


def analysis_csv(analysis: Analysis) -> bytes:
    """An analysis's table."""
    return csv_text(analysis.columns, analysis.rows).encode()


def analysis_json(analysis: Analysis) -> bytes:
    """An analysis with its note and how it is drawn."""
    return analysis.model_dump_json(exclude_none=False).encode()
