"""The tab's callbacks as plain methods: what a visitor has on the page in, what the page then shows out."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from core.backend.protocol import UnknownRun
from core.ingest.questions import InputError
from core.records import CompareRecord, Event, RecordError, Request
from core.settings.app import AppSettings
from core.settings.methods import MOST_COMPARED
from core.systems import System
from ui.compare_asking import example_request, pdf_of, read_record
from ui.compare_state import DEFAULT, DEFAULT_PDF, CompareView, Comparisons, asked_place
from ui.compare_views import Drawn, asked, choices, draw, units
from ui.inspect_draft import Draft
from ui.inspect_run import KNOWN, ended, notice, progress_html, submit
from ui.markup import escape
from ui.pages_files import Files
from ui.state import Follow

_log = logging.getLogger(__name__)


class ComparePage(NamedTuple):
    """Everything that may change when something is opened, chosen or run."""

    view: CompareView
    follow: Follow
    drawn: Drawn
    progress: str = ""
    notice: str = ""


@dataclass(frozen=True)
class CompareFlow:
    """Each method answers one kind of event. Errors that a person can act on become a notice."""

    comparisons: Comparisons
    files: Files
    own: AppSettings

    # ---- what is opened

    def load(self, query: Mapping[str, str], dark: bool) -> ComparePage:
        """The tab as its address says: a run, an example, or the first recorded comparison."""
        found = query if query.get("tab") == "compare" else {}
        view = CompareView(selected=asked_place(found), dark=dark)
        if run_id := found.get("run"):
            return self.attach(run_id, view)
        slug = found.get("example", "")
        if slug and slug not in self.comparisons.slugs():
            return self._first(view, notice("There is no example of this name. Choose one below."))
        return self.example(slug, view, Follow()) if slug else self._first(view)

    def attach(self, run_id: str, view: CompareView) -> ComparePage:
        """A comparison of this server, finished or not; the first one, with the reason, where there is none."""
        library = self.comparisons.library
        try:
            events = library.backend.events(run_id)
            compared, request = library.comparison(run_id), library.request(run_id)
            if compared is None and request is None:
                raise UnknownRun("What was asked in this run cannot be read any more. Compare again.")
            if compared is None and request is not None and request.system != "compare":
                raise RecordError("This run is not a comparison: open it in the tab Inspect.")
        except KNOWN as error:
            return self._first(view, notice(error))
        last = events[-1] if events else None
        names = [column.system for column in compared.systems] if compared else request.systems if request else ()
        view = self._selecting(
            replace(view, kind="run", key=run_id, asked=request, held=None, chosen=tuple(names) or view.chosen)
        )
        page = self._page(view, Follow() if last and last.final else Follow(run_id, last))
        return page._replace(progress=progress_html(last), notice=ended(last) if last else "")

    def example(self, slug: str, view: CompareView, follow: Follow) -> ComparePage:
        """An example: its recorded comparison where there is one, else its documents or PDF, ready to compare."""
        try:
            request = example_request(slug, self.comparisons.library.samples, self.files)
        except InputError as error:
            return self._page(view, follow)._replace(notice=notice(error))
        if request is None:
            return self._page(view, follow)
        view = self._fitting(replace(view, kind="example", key=slug, asked=request, held=None))
        recorded = self.comparisons.recorded(slug)
        if recorded:
            view = replace(view, chosen=tuple(column.system for column in recorded.systems))
        return self._left(follow, self._page(self._selecting(view), Follow()))

    def _fitting(self, view: CompareView) -> CompareView:
        """The view with systems that fit what it asks: a choice over documents is none over a PDF."""
        known = {system.name for system, _ in self._systems(view)}
        chosen = tuple(name for name in view.chosen if name in known)
        pdf = view.asked is not None and view.asked.pdf is not None
        return view if chosen else replace(view, chosen=DEFAULT_PDF if pdf else DEFAULT)

    def fresh(self, draft: Draft, view: CompareView, follow: Follow, said: str = "") -> ComparePage:
        """Documents that have not been compared yet."""
        question = draft.question.model_copy(update={"gold": draft.gold})
        request = Request(system="compare", question=question, documents=draft.documents)
        view = self._fitting(replace(view, kind="held", key="", asked=request, held=None, selected=None))
        page = self._left(follow, self._page(self._selecting(view), Follow()))
        return page._replace(notice=page.notice + said)

    def opened(self, path: str, view: CompareView, follow: Follow) -> ComparePage:
        """An exported comparison; of another record, its question and documents.

        Raises:
            RecordError: it cannot be opened, or its fields do not make a comparison that can be drawn.
        """
        found = read_record(Path(path))
        held = found if isinstance(found, CompareRecord) else None
        request = Request(system="compare", question=found.question, documents=found.documents, pdf=pdf_of(found))
        chosen = tuple(column.system for column in held.systems) if held else view.chosen
        view = replace(view, kind="held", key="", asked=request, held=held, chosen=chosen, selected=None)
        view = self._fitting(view)
        try:
            return self._left(follow, self._page(self._selecting(view), Follow()))
        except Exception as error:  # the file is foreign: whatever its content breaks is the file's fault
            _log.warning("an opened comparison cannot be drawn", exc_info=error)
            raise RecordError("This comparison cannot be drawn: its numbers do not fit together.") from None

    # ---- what is chosen

    def act(self, view: CompareView, follow: Follow, what: object, value: object) -> ComparePage:
        """A button of the tab, a system's box, or a point of the chart was clicked."""
        match what, value:
            case "example", str():
                return self.example(value, replace(view, selected=None), follow)
            case "run", str():
                return self.attach(value, view)
            case "toggle", str():
                view = replace(view, chosen=self._toggled(view, value))
            case "document", str() | int():
                view = replace(view, selected=self._picked(view, value))
            case "go", "next" | "previous" | "none":
                view = replace(view, selected=self._stepped(view, str(value)))
        return self._page(view, follow)

    def _toggled(self, view: CompareView, name: str) -> tuple[str, ...]:
        """The choice with one system more or less, in the order of the list; a seventh is not taken."""
        chosen = view.chosen
        wanted = set(chosen) ^ {name}
        if len(wanted) > max(MOST_COMPARED, len(chosen)):
            return chosen
        return tuple(system.name for system, why in self._systems(view) if system.name in wanted and not why)

    def _picked(self, view: CompareView, value: str | int) -> int | None:
        text = str(value)
        place = int(text) if text.isascii() and text.isdecimal() and len(text) < 6 else -1
        return place if 0 <= place < units(self.record(view), view) and place != view.selected else None

    def _stepped(self, view: CompareView, to: str) -> int | None:
        count = units(self.record(view), view)
        if to == "none" or not count:
            return None
        if view.selected is None:
            return 0 if to == "next" else count - 1
        return min(max(view.selected + (1 if to == "next" else -1), 0), count - 1)

    # ---- running

    def run(self, view: CompareView, follow: Follow) -> ComparePage:
        """Hands the comparison to the back end and follows it; the page keeps what it shows if that fails."""
        try:
            if view.asked is None:
                raise RecordError("There is nothing to compare yet: choose an example, or paste documents.")
            if len(view.chosen) < 2:
                raise RecordError("Choose at least two systems.")
            request = view.asked.model_copy(update={"system": "compare", "systems": view.chosen})
            run_id = submit(self.comparisons.library.backend, request)
        except KNOWN as error:
            return self._page(view, follow)._replace(notice=notice(error))
        view = replace(view, kind="run", key=run_id, asked=request, held=None)
        waiting = progress_html(Event(kind="queued", message="Waiting for the worker"))
        return self._page(view, Follow(run_id))._replace(progress=waiting)

    def tick(self, view: CompareView, follow: Follow) -> ComparePage | None:
        """What has happened to the followed run since the last tick; None when nothing has."""
        if not follow.run_id or follow.run_id != view.key:
            return None
        try:
            events = self.comparisons.library.backend.events(follow.run_id, follow.last.seq if follow.last else 0)
        except KNOWN as error:
            return self._page(view, Follow())._replace(notice=notice(error))
        if not events:
            return None
        last = events[-1]
        follow = Follow() if last.final else Follow(follow.run_id, last)
        return self._page(view, follow)._replace(progress=progress_html(last), notice=ended(last))

    def record(self, view: CompareView) -> CompareRecord | None:
        """The view's comparison; None where it has not begun, or cannot be opened any more."""
        try:
            return self.comparisons.open(view)
        except KNOWN as error:
            _log.warning("a comparison cannot be shown: %s", error)
            return None

    # ---- the page

    def _systems(self, view: CompareView) -> list[tuple[System, str]]:
        pdf = view.asked is not None and view.asked.pdf is not None
        return choices(self.comparisons.library.backend.status().profile, self.own, pdf)

    def _page(self, view: CompareView, follow: Follow) -> ComparePage:
        return ComparePage(view, follow, draw(self.record(view), view, self._systems(view), bool(follow.run_id)))

    def _selecting(self, view: CompareView) -> CompareView:
        """The view with the asked-for document, or the first gold one, selected."""
        compared = self.record(view)
        question, documents = asked(compared, view)
        if view.selected is not None and view.selected < units(compared, view):
            return view
        marked = [i for i, document in enumerate(documents) if document.gold]
        known = ((*question.gold, *marked) if documents else question.gold_pages) if question else ()
        return replace(view, selected=next(iter(known), None))

    def _first(self, view: CompareView, said: str = "") -> ComparePage:
        slug = self.comparisons.first()
        page = self.example(slug, view, Follow()) if slug else self._page(view, Follow())
        return page._replace(notice=said)

    def _left(self, follow: Follow, page: ComparePage) -> ComparePage:
        """The page, with the way back to a comparison that goes on while another is shown."""
        if not follow.run_id:
            return page
        run = f'data-compare="run" data-value="{escape(follow.run_id)}"'
        back = f'<button type="button" class="wl-link" {run}>Show it</button>'
        return page._replace(notice=notice("Your comparison goes on in the background.", "info", back))
