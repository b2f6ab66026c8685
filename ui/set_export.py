"""A set's analyses and its report as files that the browser makes: nothing is written on the server."""

from __future__ import annotations

import time
from typing import Any

from core.evaluation.analyses import everything
from core.evaluation.export import analysis_csv, analysis_json
from core.evaluation.report import Heading, report
from core.evaluation.table_view import Query
from ui.set_numbers import analysed, offered, opening, worth
from ui.set_open import Labels, OpenSet
from ui.set_state import SetView

_NOTES = (
    "Made by W-Lens. Marks are those of the set's own metric; how a system fares depends on the model and on the set.",
)


def exported(what: str, found: OpenSet | None, view: SetView, labels: Labels) -> dict[str, Any] | None:
    """Name, type and text of one export; None of what does not exist.

    ``stamp`` makes each a new value, so that a file can be saved twice.
    """
    if found is None:
        return None
    if what == "report":
        return part(found, "report", "html", "text/html;charset=utf-8", whole_report(found, labels))
    name = view.analysis if view.analysis in offered(found) else opening(found)
    analysis = analysed(found, name)
    if what == "csv":
        return part(found, name, "csv", "text/csv;charset=utf-8", analysis_csv(analysis))
    return part(found, name, "json", "application/json", analysis_json(analysis))


def whole_report(found: OpenSet, labels: Labels) -> bytes:
    """Every analysis, and every question of the set as far as a report lists them."""
    heading = Heading(found.name, found.facts, _NOTES)
    shown = found.select(Query(), labels)
    return report(heading, found.table, shown, None, (*everything(found.table), worth(found.table)))


def part(found: OpenSet, what: str, kind: str, mime: str, data: bytes) -> dict[str, Any]:
    """One file for the browser; its name says which set it is of."""
    name = "".join(char for char in found.key if char.isalnum() or char in "-_")[:40] or "set"
    about = "".join(char for char in what if char.isalnum() or char in "-_")[:40]
    file = f"w-lens-set-{name}-{about}.{kind}"
    return {"name": file, "type": mime, "text": data.decode("utf-8", "replace"), "stamp": time.time_ns()}
