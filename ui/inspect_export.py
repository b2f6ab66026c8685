"""A record as a file that the browser makes: nothing is written on the server."""

from __future__ import annotations

import time
from typing import Any

from core.records import RunRecord
from ui import export
from ui.derived import derive
from ui.inspect_views import explain
from ui.inspect_whatif import Values


def exported(what: str, record: RunRecord | None, values: Values) -> dict[str, Any] | None:
    """Name, type and text of one export; tables follow the what-if values, the record is what was run.

    ``stamp`` makes each export a new value, so that the same file can be saved twice.
    """
    if record is None:
        return None
    settings, _ = explain(values, record)
    derived = derive(record, settings) if what in ("documents", "pool") else None
    makers = {
        "record": lambda: export.record_json(record).decode(),
        "documents": lambda: export.documents_csv(record, derived),
        "pool": lambda: export.pool_csv(record, derived),
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
