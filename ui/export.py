"""A record as files: exactly what is shown."""

from __future__ import annotations

from core import harmless
from core.harmless import cell_text as cell_text
from core.records import RunRecord
from ui.derived import Derived
from ui.tables import Table, calls_rows, documents_rows, pool_rows


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
    return harmless.csv_text(*table)
