"""Exactly the questions that are shown as files that the browser makes: nothing is written on the server."""

from __future__ import annotations

import time
from base64 import b64encode
from typing import Any

from core.evaluation.export import as_csv, as_jsonl, as_parquet, shown
from core.evaluation.labels_record import LabelError
from core.evaluation.report import Heading, report
from ui.errors_state import ErrorsView
from ui.set_library import Sets
from ui.set_open import OpenSet

_WAYS = {
    "csv": ("csv", "text/csv;charset=utf-8", as_csv),
    "jsonl": ("jsonl", "application/jsonl", as_jsonl),
    "parquet": ("parquet", "application/vnd.apache.parquet", as_parquet),
}


def exported(what: str, found: OpenSet, view: ErrorsView, sets: Sets) -> dict[str, Any]:
    """Name, type and content of one export. ``stamp`` makes each a new value, so that a file can be saved twice."""
    numbers = found.select(view.query, sets.labelled(view.key))
    try:
        store = sets.existing_labels(view.key)
        labels = store.current() if store else {}
    except LabelError:
        labels = {}
    if what == "report":
        kind, mime = "html", "text/html;charset=utf-8"
        data = report(Heading(found.name, found.facts), found.table, numbers, labels)
    else:
        kind, mime, write = _WAYS[what]
        data = write(shown(found.table, numbers, labels))
    name = "".join(char for char in found.key if char.isalnum() or char in "-_")[:40] or "set"
    content = (
        {"base64": b64encode(data).decode("ascii")} if kind == "parquet" else {"text": data.decode("utf-8", "replace")}
    )
    return {"name": f"w-lens-answers-{name}.{kind}", "type": mime, **content, "stamp": time.time_ns()}
