"""The lab's callbacks as plain methods: what a visitor has on the page in, what the page then shows out."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from core.backend.protocol import UnknownRun
from core.records import Event, RecordError, Request
from ui.inspect_run import KNOWN, ended, notice, progress_html, submit
from ui.lab_acts import act, enter
from ui.lab_cards import going_on
from ui.lab_numbers import Sweep
from ui.lab_own import Choice, arranged, own_request
from ui.lab_state import LabView, read_address
from ui.lab_sweeps import Sweeps
from ui.lab_views import Drawn, draw, moved
from ui.state import Follow

LESSONS = ("length", "fix")
"""The systems whose runs are lessons about the sweep on the page."""

_log = logging.getLogger(__name__)


class LabPage(NamedTuple):
    """Everything that may change when something is opened, chosen or run."""

    view: LabView
    follow: Follow
    drawn: Drawn
    progress: str = ""
    notice: str = ""


@dataclass(frozen=True)
class LabFlow:
    """Each method answers one kind of event. Errors that a person can act on become a notice."""

    sweeps: Sweeps

    def load(self, query: Mapping[str, str], dark: bool) -> LabPage:
        """The lab as its address says: a run, a recorded sweep, or the first recorded one."""
        asked = query if query.get("tab") == "lab" else {}
        page = self._loaded(read_address(asked, dark), asked)
        for part in LESSONS:
            if run_id := asked.get(part):
                page = self._attach_lesson(page, part, run_id)
        return page

    def _loaded(self, view: LabView, asked: Mapping[str, str]) -> LabPage:
        if run_id := asked.get("run"):
            return self.attach(run_id, view)
        name = asked.get("sweep", "")
        if name and name not in self.sweeps.names():
            return self._first(view, notice("There is no recorded sweep of this name."))
        return self._opened(replace(view, kind="sweep", key=name), asked) if name else self._first(view, "", asked)

    def attach(self, run_id: str, view: LabView) -> LabPage:
        """A sweep of this server, finished or not; the first recorded one, with the reason, where there is none."""
        library = self.sweeps.library
        try:
            events = library.backend.events(run_id)
            request = library.request(run_id)
            if library.sweep(run_id) is None and request is None:
                raise UnknownRun("What was asked in this run cannot be read any more. Run it again.")
            if request is not None and request.system != "sweep":
                raise RecordError("This run is not a sweep of the position lab: open it in the tab Inspect.")
        except KNOWN as error:
            return self._first(view, notice(error))
        last = events[-1] if events else None
        view = replace(view, kind="run", key=run_id, asked=request)
        going = Follow() if last and last.final else Follow(run_id, last)
        page = self._page(self._fitted(view), going)
        return page._replace(progress=progress_html(last), notice=ended(last) if last else "")

    def act(self, view: LabView, follow: Follow, what: object, value: object) -> LabPage:
        """A button of the lab, or a point of a figure, was clicked."""
        if what == "sweep":
            name = value if isinstance(value, str) and value in self.sweeps.names() else ""
            page = (
                self._opened(replace(view, kind="sweep", key=name, length="", fix=""), {})
                if name
                else self._page(view, follow)
            )
            return page._replace(notice=going_on(follow.run_id)) if name and follow.run_id else page
        if what == "run" and isinstance(value, str):
            return self.attach(value, view)
        if what == "live" and value in LESSONS:
            return self.live(view, follow, str(value))
        return self._page(act(view, self.sweep(view), what, value), follow)

    def move(self, view: LabView, place: int) -> LabPage:
        """Gold was moved to a place, 0-based."""
        sweep = self.sweep(view)
        count = sweep.count if sweep else 1
        view = replace(view, place=min(max(place, 0), count - 1))
        return LabPage(view, Follow(), moved(sweep, view) if sweep else {})

    def advance(self, view: LabView) -> LabPage | None:
        """One step of Play; None at the last place."""
        sweep = self.sweep(view)
        later = [place for place in sweep.places if place > view.place] if sweep else []
        return self.move(view, later[0]) if later else None

    def run(self, view: LabView, follow: Follow, choice: Choice, asked: Request | None = None) -> LabPage:
        """Hands a sweep to the back end and follows it: of ``asked``, or of what the page shows.

        The page keeps what it shows if that fails.
        """
        try:
            asked = asked or self.sweeps.request(view, self.sweep(view))
            if asked is None:
                raise RecordError("There is no question with a known gold document to run.")
            asked = arranged(asked, choice)
            run_id = submit(self.sweeps.library.backend, asked)
        except KNOWN as error:
            return self._page(view, follow)._replace(notice=notice(error))
        view = replace(view, kind="run", key=run_id, asked=asked, place=0, heads=(), focus=None, length="", fix="")
        waiting = progress_html(Event(kind="queued", message="Waiting for the worker"))
        return self._page(view, Follow(run_id))._replace(progress=waiting)

    def live(self, view: LabView, follow: Follow, part: str) -> LabPage:
        """Hands the run that a lesson needs to the back end and follows it; the sweep on the page stays."""
        try:
            asked = self.sweeps.lesson_request(part, view, self.sweep(view))
            if asked is None:
                raise RecordError("There is no question with a known gold document to run.")
            run_id = submit(self.sweeps.library.backend, asked)
        except KNOWN as error:
            return self._page(view, follow)._replace(notice=notice(error))
        waiting = progress_html(Event(kind="queued", message="Waiting for the worker"))
        return self._page(_with_lesson(view, part, run_id), Follow(run_id))._replace(progress=waiting)

    def _attach_lesson(self, page: LabPage, part: str, run_id: str) -> LabPage:
        """The page with the run of a lesson, finished or not."""
        library = self.sweeps.library
        try:
            events, request = library.backend.events(run_id), library.request(run_id)
            if request is not None and request.system != part:
                raise RecordError("This run is another one than the step of the lab asks for.")
        except KNOWN as error:
            return page._replace(notice=notice(error))
        last = events[-1] if events else None
        going = page.follow if last and last.final else Follow(run_id, last)
        found = self._page(_with_lesson(page.view, part, run_id), going)
        if last is None or going.run_id != run_id:
            return found._replace(progress=page.progress, notice=page.notice)
        return found._replace(progress=progress_html(last))

    def run_own(self, view: LabView, follow: Follow, choice: Choice, *form: Any) -> LabPage:
        """The same of a person's documents: question, accepted answers, documents, number of the gold one."""
        try:
            asked = own_request(*form)
        except KNOWN as error:
            return self._page(view, follow)._replace(notice=notice(error))
        return self.run(view, follow, choice, asked)

    def tick(self, view: LabView, follow: Follow) -> LabPage | None:
        """What has happened to the followed run since the last tick; None when nothing has."""
        if not follow.run_id or follow.run_id not in (view.key, view.length, view.fix):
            return None
        try:
            events = self.sweeps.library.backend.events(follow.run_id, follow.last.seq if follow.last else 0)
        except KNOWN as error:
            return self._page(view, Follow())._replace(notice=notice(error))
        if not events:
            return None
        last, sweep = events[-1], self.sweep(view)
        follow = Follow() if last.final else Follow(follow.run_id, last)
        if sweep and not last.final and follow.run_id == view.key:  # gold walks as its places are read
            view = replace(view, place=sweep.places[-1])
        return self._page(view, follow)._replace(progress=progress_html(last), notice=ended(last))

    def sweep(self, view: LabView) -> Sweep | None:
        """The view's sweep; None where it has read nothing, or cannot be opened any more."""
        try:
            return self.sweeps.open(view)
        except KNOWN as error:
            _log.warning("a sweep cannot be shown: %s", error)
            return None

    def _page(self, view: LabView, follow: Follow) -> LabPage:
        sweep = self.sweep(view)
        return LabPage(view, follow, draw(sweep, view, self.sweeps.names(), self.sweeps.lessons(view, sweep)))

    def _opened(self, view: LabView, asked: Mapping[str, str]) -> LabPage:
        """A recorded sweep; gold stands where it stood in the documents unless the address says otherwise."""
        sweep = self.sweep(view)
        if sweep and "place" not in asked:
            view = replace(view, place=sweep.record.gold if sweep.record.gold in sweep.places else sweep.places[0])
        if sweep and "step" in asked and "place" not in asked:
            view = enter(view, sweep)
        return self._page(self._fitted(view), Follow())

    def _fitted(self, view: LabView) -> LabView:
        """Without what the address asked for and the sweep does not have."""
        sweep = self.sweep(view)
        if sweep is None:
            return view
        heads = tuple((layer, head) for layer, head in view.heads if layer < sweep.layers and head < sweep.heads)
        return replace(view, heads=heads, place=min(view.place, sweep.count - 1))

    def _first(self, view: LabView, said: str, asked: Mapping[str, str] | None = None) -> LabPage:
        name = self.sweeps.first()
        page = self._opened(replace(view, kind="sweep", key=name), asked or {}) if name else self._page(view, Follow())
        return page._replace(notice=said)


def _with_lesson(view: LabView, part: str, run_id: str) -> LabView:
    return replace(view, length=run_id) if part == "length" else replace(view, fix=run_id)
