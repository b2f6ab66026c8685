"""The tab's callbacks as plain methods: what a visitor has on the page in, what the page then shows out."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from core.backend.protocol import UnknownRun
from core.records import Event, RecordError, RunRecord
from core.settings.methods import RunSettings
from ui import inspect_draft as drafts
from ui.inspect_draft import Draft, draft_of, unrun
from ui.inspect_run import KNOWN, ended, notice, progress_html, still_running, submit
from ui.inspect_views import Drawn, draw
from ui.inspect_whatif import Values, values_of
from ui.state import Follow, Library, View

_log = logging.getLogger(__name__)


class Page(NamedTuple):
    """Everything that may change when something is opened or run."""

    view: View
    draft: Draft
    follow: Follow
    drawn: Drawn
    values: Values
    progress: str
    notice: str


@dataclass(frozen=True)
class Flow:
    """Each method answers one kind of event. Errors that a person can act on become a notice."""

    library: Library

    def load(self, query: Mapping[str, str], dark: bool) -> Page:
        """The page as its address says: a run, an example, or the first recorded example."""
        before, selected = View(dark=dark), _place(query.get("doc", ""))
        if run_id := query.get("run"):
            return self.attach(run_id, before, Follow(), selected)
        slug = query.get("example")
        if slug and slug not in self.library.samples.examples:
            return self._first(before, notice("There is no example of this name. Choose one below."))
        return self.example(slug, before, Follow(), selected) if slug else self._first(before)

    def attach(self, run_id: str, before: View, follow: Follow, selected: int | None = None) -> Page:
        """A run of this server, finished or not; the page as it opens, with the reason, where there is none."""
        try:
            events = self.library.backend.events(run_id)
            record = self.library.run(run_id)
            asked = record or self.library.request(run_id)
            if asked is None:
                raise UnknownRun("What was asked in this run cannot be read any more. Ask again.")
        except KNOWN as error:
            return self._first(before, notice(error))
        last = events[-1] if events else None
        draft = draft_of(asked.question, asked.documents)
        view = View("run", run_id, unrun(draft, run_id), _default(draft, selected), before.dark)
        going = Follow() if last and last.final else Follow(run_id, last)
        page = self._page(view, draft, going)
        return page._replace(progress=progress_html(last), notice=ended(last) if last else "")

    def example(self, slug: str, before: View, follow: Follow, selected: int | None = None) -> Page:
        """An example: its recorded run where there is one, else its documents, ready to run."""
        example = self.library.samples.examples.get(slug)
        if example is None:
            return self._first(before)
        record = self.library.samples.recorded(slug)
        shown = record or example
        draft = draft_of(shown.question, shown.documents)
        chosen = _default(draft, selected)
        view = View("example", slug, unrun(draft), chosen, before.dark)
        return self._left(follow, self._page(view, draft, Follow()))

    def opened(self, record: RunRecord, before: View, follow: Follow) -> Page:
        """A record out of a file, for this session alone.

        Raises:
            RecordError: its fields are valid, but do not make a run that can be drawn.
        """
        draft = draft_of(record.question, record.documents)
        view = View("held", held=record, selected=_default(draft, None), dark=before.dark)
        try:
            return self._left(follow, self._page(view, draft, Follow()))
        except Exception as error:  # the file is foreign: whatever its content breaks is the file's fault
            _log.warning("an opened record cannot be drawn", exc_info=error)
            raise RecordError("This run record cannot be drawn: its numbers do not fit together.") from None

    def fresh(self, draft: Draft, before: View, follow: Follow, said: str = "") -> Page:
        """Documents that have not been run yet."""
        view = View("held", held=unrun(draft), selected=_default(draft, None), dark=before.dark)
        page = self._left(follow, self._page(view, draft, Follow()))
        return page._replace(notice=page.notice + said)

    def run(self, view: View, draft: Draft, follow: Follow, question: str, values: Values) -> Page:
        """Hands the draft to the back end and follows it; the page keeps what it shows if that fails."""
        try:
            asked = drafts.request(draft, question, values.settings(self._base(view)))
            run_id = submit(self.library.backend, asked)
        except (*KNOWN, ValueError) as error:
            return Page(view, draft, follow, self.draw(view, draft, values), values, "", notice(error))
        selected = _moved(draft, view.selected)
        text = draft.question.model_copy(update={"text": question})
        draft = replace(draft, question=text, shown=draft.order)
        view = View("run", run_id, unrun(draft, run_id), _default(draft, selected), view.dark)
        waiting = progress_html(Event(kind="queued", message="Waiting for the worker"))
        return Page(view, draft, Follow(run_id), self.draw(view, draft, values), values, waiting, "")

    def tick(self, view: View, draft: Draft, follow: Follow, values: Values) -> Page | None:
        """What has happened to the followed run since the last tick; None when nothing has."""
        if not follow.run_id or follow.run_id != view.key:
            return None
        try:
            events = self.library.backend.events(follow.run_id, follow.last.seq if follow.last else 0)
        except KNOWN as error:
            return Page(view, draft, Follow(), self.draw(view, draft, values), values, "", notice(error))
        if not events:
            return None
        last = events[-1]
        follow = Follow() if last.final else Follow(follow.run_id, last)
        drawn = self.draw(view, draft, values)
        return Page(view, draft, follow, drawn, values, progress_html(last), ended(last))

    def pick(self, view: View, document: object) -> View:
        """Selects a document, or lets go of it when it is picked again."""
        chosen = document if isinstance(document, int) and 0 <= document < self._count(view) else None
        return replace(view, selected=None if chosen == view.selected else chosen)

    def go(self, view: View, to: object) -> View:
        """Selects the next or the previous document, or none."""
        count = self._count(view)
        if to not in ("next", "previous") or not count:
            return replace(view, selected=None)
        if view.selected is None:
            return replace(view, selected=0 if to == "next" else count - 1)
        step = 1 if to == "next" else -1
        return replace(view, selected=min(max(view.selected + step, 0), count - 1))

    def draw(self, view: View, draft: Draft, values: Values) -> Drawn:
        """All views again, under the what-if values."""
        return draw(self.record(view), draft, values, view.selected, view.dark)

    def own_values(self, view: View) -> Values:
        """The what-if values of the run's own settings."""
        return values_of(self._base(view))

    def record(self, view: View) -> RunRecord | None:
        """The view's record; what stood in for it where its file cannot be opened any more."""
        try:
            return self.library.record(view)
        except KNOWN as error:
            _log.warning("a record cannot be shown: %s", error)
            return view.held

    def _base(self, view: View) -> RunSettings:
        record = self.record(view)
        return record.settings if record else RunSettings()

    def _count(self, view: View) -> int:
        record = self.record(view)
        return len(record.documents) if record else 0

    def _first(self, before: View, said: str = "") -> Page:
        slug = self.library.samples.first()
        page = (
            self.example(slug, before, Follow()) if slug else self._page(View(dark=before.dark), drafts.EMPTY, Follow())
        )
        return page._replace(notice=said)

    def _page(self, view: View, draft: Draft, follow: Follow) -> Page:
        values = self.own_values(view)
        return Page(view, draft, follow, self.draw(view, draft, values), values, "", "")

    def _left(self, follow: Follow, page: Page) -> Page:
        return page._replace(notice=still_running(follow.run_id)) if follow.run_id else page


def _place(text: str) -> int | None:
    """A document's number in an address (from 1) as its index."""
    return int(text) - 1 if text.isdecimal() and len(text) < 6 and int(text) else None


def _default(draft: Draft, selected: int | None) -> int | None:
    """The selection to open with: the asked-for document, else the first gold one."""
    if selected is not None and 0 <= selected < len(draft.order):
        return selected
    return draft.gold[0] if draft.gold else None


def _moved(draft: Draft, selected: int | None) -> int | None:
    """Where the selected document of the record stands in the next run."""
    if selected is None or selected >= len(draft.shown) or draft.shown[selected] not in draft.order:
        return None
    return draft.order.index(draft.shown[selected])
