"""What one visitor looks at in the tab "Errors": small, frozen, and written in the page's address."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import get_args

from core.evaluation.loss import STAGES
from core.evaluation.record import ResultRow
from core.evaluation.table import MARKS, mark_of
from core.evaluation.table_view import Query, SortKey
from ui.read_acts import number
from ui.read_state import ReadView

NONE = -1
"""The document that stands for none: it was closed."""
PAGE = 50  # questions of the table that are on the page at once


@dataclass(frozen=True, eq=False)
class ErrorsView:
    """``eq=False``: Gradio compares states by hash, and identity is the cheap one."""

    key: str = ""
    """Id of the open set, or the name of one that ships with the page; empty for none."""
    query: Query = field(default_factory=Query)
    """What is shown."""
    page: int = 0
    """Which fifty of it, from 0."""
    question: int | None = None
    """Number of the question that is open."""
    system: str = ""
    """Whose run is open; empty for the first system's."""
    other: str = ""
    """The system that stands beside it; empty for none."""
    document: int | None = None
    """The selected document, 0-based; None before one was chosen, ``NONE`` once it was closed."""
    read: ReadView = field(default_factory=ReadView)
    """What is selected in a run over a PDF."""
    dark: bool = False

    def selecting(self, document: int) -> ErrorsView:
        """The view with this document selected."""
        return replace(self, document=document)

    def opened(self, question: int | None, system: str = "") -> ErrorsView:
        """The view with another question open, at whatever it opens on."""
        return replace(self, question=question, system=system or self.system, document=None, read=ReadView())

    @property
    def address(self) -> dict[str, str]:
        """What stands in the page's address; questions count from 1."""
        if not self.key:
            return {}
        parts = {"set": self.key}
        parts |= {"q": str(self.question + 1)} if self.question is not None else {}
        parts |= {"by": self.system} if self.system else {}
        parts |= {"stage": ",".join(self.query.stages)} if self.query.stages else {}
        return parts | ({"mark": ",".join(self.query.marks)} if self.query.marks else {})


def read_address(query: Mapping[str, str], dark: bool) -> ErrorsView:
    """The view that an address asks for; what makes no sense is left out."""
    place = number(query.get("q", ""))
    asked = Query(
        stages=tuple(stage for stage in STAGES if stage in query.get("stage", "").split(",")),
        marks=tuple(mark for mark in MARKS if mark in query.get("mark", "").split(",")),
    )
    question = place - 1 if place else None
    return ErrorsView(query.get("set", ""), asked, question=question, system=query.get("by", ""), dark=dark)


def matching(query: Query, rows: Sequence[ResultRow], preferred: str = "") -> ResultRow:
    """The answer to a question that the filters are about: the preferred system's where it fits, else the first."""
    fitting = [
        row
        for row in rows
        if query.system in ("", row.system)
        and (not query.marks or mark_of(row) in query.marks)
        and (not query.stages or row.lost_at in query.stages)
    ]
    return next((row for row in fitting if row.system == preferred), (fitting or rows)[0])


def filtered(query: Query, what: str, value: str) -> Query:
    """The query after one act on the filters; what makes no sense changes nothing."""
    update: dict[str, object] = {}
    match what:
        case "mark":
            update["marks"] = tuple(mark for mark in MARKS if (mark in query.marks) != (mark == value))
        case "stage":
            update["stages"] = tuple(stage for stage in STAGES if (stage in query.stages) != (stage == value))
        case "filter_system":
            update["system"] = value
        case "label":
            update["labels"] = (value,) if value else ()
        case "disagree":
            update["disagree"] = not query.disagree
        case "search":
            update["search"] = value[:500]
        case "sort":
            return _sorted(query, value)
        case _ if what.startswith("group:"):
            groups = {**query.groups, what.removeprefix("group:"): (value,) if value else ()}
            update["groups"] = {name: values for name, values in groups.items() if values}
    return query.model_copy(update=update)


def _sorted(query: Query, value: str) -> Query:
    """By another column; by the same one the other way round."""
    key: SortKey | None = next((key for key in SORT_KEYS if key == value), None)
    if key is None:
        return query
    return query.model_copy(update={"sort": key, "descending": query.sort == key and not query.descending})


SORT_KEYS: tuple[SortKey, ...] = get_args(SortKey)
"""What the table can be sorted by."""
