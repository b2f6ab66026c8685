"""A run over a PDF as files that the browser makes: nothing is written on the server."""

from __future__ import annotations

import time
from typing import Any

from core.records import RunRecord
from ui import export
from ui.derived import derive
from ui.read_tables import citation_rows, clue_rows, page_rows

EXPORTS = {
    "record": "Record (JSON)",
    "citations": "Citations (CSV)",
    "clues": "Clues (CSV)",
    "pages": "Pages (CSV)",
    "documents": "Signals (CSV)",
    "calls": "Calls (CSV)",
}


def exported(what: str, record: RunRecord | None) -> dict[str, Any] | None:
    """Name, type and text of one export. ``stamp`` makes each a new value, so that a file can be saved twice."""
    if record is None:
        return None
    makers = {
        "record": lambda: export.record_json(record).decode(),
        "citations": lambda: export.csv_text(citation_rows(record)),
        "clues": lambda: export.csv_text(clue_rows(record)),
        "pages": lambda: export.csv_text(page_rows(record)),
        "documents": lambda: export.documents_csv(record, derive(record)),
        "calls": lambda: export.calls_csv(record),
    }
    kind, mime = ("json", "application/json") if what == "record" else ("csv", "text/csv;charset=utf-8")
    name = "".join(char for char in record.run_id if char.isalnum() or char in "-_")[:40] or "draft"
    return {
        "name": f"w-lens-{name}-{what}.{kind}",
        "type": mime,
        "text": makers[what](),
        "stamp": time.time_ns(),
    }
