"""One answer of a set in full: the views of Inspect and of Read a PDF, drawn of its record."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from core.records import RunRecord
from ui import inspect_views, read_views
from ui.errors_state import ErrorsView
from ui.figures_base import message
from ui.inspect_draft import draft_of
from ui.inspect_whatif import values_of
from ui.pages_files import Files
from ui.parts import plotted
from ui.read_state import fitted


class Run(NamedTuple):
    """The values of the views of one run, in the order of the page's components."""

    answer: str
    first_head: str
    first: str
    reader: str
    second_head: str
    second: str
    parts: str
    third_head: str
    third: str
    rest: str


def section(name: str, said: str = "") -> str:
    """A heading inside the panel; both are our own words."""
    told = f'<p class="wl-sub">{said}</p>' if said else ""
    return f'<div class="wl wl-section"><h3>{name}</h3>{told}</div>'


def nothing(said: str, dark: bool) -> Run:
    """The panel without a run; ``said`` is HTML."""
    blank = plotted(message("Nothing is open.", dark), "Nothing is open.")
    return Run(said, "", blank, "", "", blank, "", "", blank, "")


def documents_run(record: RunRecord, view: ErrorsView) -> Run:
    """A run over documents, as Inspect shows it."""
    draft = draft_of(record.question, record.documents)
    drawn = inspect_views.draw(record, draft, values_of(record.settings), view.document, view.dark)
    return Run(
        answer=drawn.answer,
        first_head=section("The W-curve", "Attention of the question on each document."),
        first=drawn.curve,
        reader=drawn.document,
        second_head=drawn.said + section("Ranking", "Documents by SFS, best first."),
        second=drawn.ranking,
        parts=section("Two agents") + drawn.agents,
        third_head=section("Pool", "The documents they named, each scored alone."),
        third=drawn.pool,
        rest=drawn.pool_cards + section("Model calls") + drawn.calls,
    )


def pages_run(record: RunRecord, view: ErrorsView, files: Files) -> tuple[Run, ErrorsView, dict[str, object] | None]:
    """A run over a PDF, as Read a PDF shows it; the view with a page that is there, and that page's picture."""
    read = fitted(replace(view.read, dark=view.dark), record)
    layout = picture = None
    if record.source and read.page is not None:
        sha = record.source.sha256
        layout, uri = files.layout(sha, read.page), files.picture(sha, read.page, make=True)
        picture = {"key": sha, "page": read.page, "uri": uri} if uri else None
    drawn = read_views.draw(record, read, layout, picture is not None)
    run = Run(
        answer=drawn.answer,
        first_head=section("Pages", "Score of each page; candidates carry their label."),
        first=drawn.scores,
        reader=f"{drawn.bar}{drawn.page}",
        second_head=section("Citations") + drawn.citations + section("Clues") + drawn.clues + section("W-curve"),
        second=drawn.curve,
        parts=section("Difficulty") + drawn.difficulty + section("Candidates") + drawn.candidates,
        third_head=section("Ranking", "Candidates by SFS, where it was computed."),
        third=drawn.ranking,
        rest=section("Model calls") + drawn.calls,
    )
    return run, replace(view, read=read), picture
