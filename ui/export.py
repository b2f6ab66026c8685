"""A record as files: exactly what is shown."""

from __future__ import annotations

import csv
import io

from core.records import RunRecord
from ui.derived import Derived
from ui.tables import Cell, Table, calls_rows, documents_rows, pool_rows

_FORMULA = (
    "=",
    "+",
    "-",
    "@",
    "\t",
    "\r",
    "＝",
    "＋",
    "－",
    "＠",
)  # what a spreadsheet would run; OWASP, CSV injection


def record_json(record: RunRecord) -> bytes:
    """The record under its documented names, UTF-8; ``RunRecord.from_json`` opens it again."""
    return record.to_json().encode()


def documents_csv(record: RunRecord, derived: Derived | None) -> str:
    """One line per document."""
    return csv_text(documents_rows(record, derived))


def pool_csv(record: RunRecord, derived: Derived | None) -> str:
    """One line per candidate."""
    return csv_text(pool_rows(record, derived))


def calls_csv(record: RunRecord) -> str:
    """One line per use of a model."""
    return csv_text(calls_rows(record))


def csv_text(table: Table) -> str:
    """A table as CSV; text that a spreadsheet would run is made harmless."""
    headers, rows = table
    file = io.StringIO()
    writer = csv.writer(file)
    writer.writerow(headers)
    writer.writerows([[cell_text(cell) for cell in row] for row in rows])
    return file.getvalue()


def cell_text(cell: Cell) -> str:
    """A cell as text; text that a spreadsheet would take for a formula gets a leading apostrophe."""
    if cell is None:
        return ""
    if isinstance(cell, str) and (cell.startswith(_FORMULA) or cell.lstrip().startswith(_FORMULA)):
        return f"'{cell}"
    return str(cell)
