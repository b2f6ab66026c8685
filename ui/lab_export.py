"""A sweep as files that the browser makes: nothing is written on the server."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from core.duquad.bias import SIGNALS
from ui.export import csv_text
from ui.lab_lessons import NONE, Lessons
from ui.lab_numbers import Sweep
from ui.lab_state import LabView
from ui.lab_words_lessons import table_fix, table_length
from ui.markup import plain
from ui.tables import Table

LESSON_TABLES: dict[str, Callable[[Lessons], Table]] = {
    "length": lambda lessons: table_length(lessons.length),
    "fix": lambda lessons: table_fix(lessons.fix),
}
"""The lessons that are runs of their own, each as a table."""


def sweep_rows(sweep: Sweep, view: LabView) -> Table:
    """One row per place of gold and document, under the chosen heads; gold's ranks on gold's rows."""
    numbers = sweep.numbers(view.heads)
    headers = ["gold at", "place", "document", "title", "gold", "attention (%)", "bias (%)", "evidence (points)"]
    headers += ["contrast (points)", *(f"rank by {signal}" for signal in SIGNALS), "answer", "right"]
    rows = []
    for i, row in enumerate(sweep.rows):
        for place, document in enumerate(sweep.record.order(row.place)):
            gold = place == row.place
            shares = (numbers.share[i], numbers.bias, numbers.evidence[i], numbers.contrast[i])
            rows.append(
                [
                    *(row.place + 1, place + 1, document + 1, plain(sweep.record.documents[document].title)),
                    "gold" if gold else "",
                    *(round(100 * float(share[place]), 4) for share in shares),
                    *(numbers.ranks[signal][i] if gold else None for signal in SIGNALS),
                    plain(row.answer) if gold else None,
                    row.right if gold else None,
                ]
            )
    return headers, rows


def exported(what: str, sweep: Sweep | None, view: LabView, lessons: Lessons = NONE) -> dict[str, Any] | None:
    """Name, type and text of one export; None of what was not read.

    ``stamp`` makes each a new value, so that a file can be saved twice.
    """
    if sweep is None or (what in LESSON_TABLES and getattr(lessons, what) is None):
        return None
    name = "".join(char for char in view.key if char.isalnum() or char in "-_")[:40] or "sweep"
    if what == "json":
        kind, mime, text = "json", "application/json", sweep.record.to_json()
    else:
        table = LESSON_TABLES[what](lessons) if what in LESSON_TABLES else sweep_rows(sweep, view)
        kind, mime, text = "csv", "text/csv;charset=utf-8", csv_text(table)
    about = what if what in LESSON_TABLES else "sweep"
    return {"name": f"w-lens-{about}-{name}.{kind}", "type": mime, "text": text, "stamp": time.time_ns()}
