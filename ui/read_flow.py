"""The tab's callbacks as plain methods: what a visitor has on the page in, what the page then shows out."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from core.backend.protocol import UnknownRun
from core.ingest.questions import InputError
from core.records import Event, Question, RecordError, Request, RunRecord, Source
from core.settings.methods import PdfSettings
from ui.inspect_run import KNOWN, ended, notice, progress_html, submit
from ui.pages_files import Files
from ui.read_acts import act
from ui.read_asking import going_on, grown, readable, request, undecided, unrun
from ui.read_state import ReadView, back_of, fitted, own_back, read_address
from ui.read_views import Drawn, draw
from ui.state import Follow, Library

_log = logging.getLogger(__name__)


class ReadPage(NamedTuple):
    """Everything that may change when something is opened, chosen or run."""

    view: ReadView
    follow: Follow
    drawn: Drawn
    picture: dict[str, object] | None
    """The picture of the open page, for the browser to keep; None where there is none."""
    question: str
    pdf: PdfSettings
    progress: str = ""
    notice: str = ""


@dataclass(frozen=True)
class ReadFlow:
    """Each method answers one kind of event. Errors that a person can act on become a notice."""

    library: Library
    files: Files

    # ---- what is opened

    def load(self, query: Mapping[str, str], dark: bool) -> ReadPage:
        """The tab as its address says: a run, an example, or the first recorded one."""
        asked = query if query.get("tab") == "pdf" else {}
        view = read_address(asked, dark)
        if run_id := asked.get("run"):
            return self.attach(run_id, view)
        slug = asked.get("example", "")
        if slug and slug not in self.library.samples.readings:
            return self._first(view, notice("There is no example of this name. Choose one below."))
        return self.example(slug, view, Follow()) if slug else self._first(view)

    def attach(self, run_id: str, view: ReadView) -> ReadPage:
        """A run of this server, finished or not; the first example, with the reason, where there is none."""
        try:
            events = self.library.backend.events(run_id)
            record, asked = self.library.run(run_id), self.library.request(run_id)
            if record is None and asked is None:
                raise UnknownRun("What was asked in this run cannot be read any more. Ask again.")
            if (record is None or record.source is None) and (asked is None or asked.pdf is None):
                raise RecordError("This run was not about a PDF: open it in the tab Inspect.")
        except KNOWN as error:
            return self._first(view, notice(error))
        last = events[-1] if events else None
        view = replace(view, kind="run", key=run_id, held=self._held(asked, run_id))
        page = self._page(view, Follow() if last and last.final else Follow(run_id, last))
        return page._replace(progress=progress_html(last), notice=ended(last) if last else "")

    def example(self, slug: str, view: ReadView, follow: Follow) -> ReadPage:
        """An example: its recorded run where there is one, else its PDF and question, ready to run."""
        reading = self.library.samples.readings.get(slug)
        if reading is None:
            return self._page(view, follow)
        held = None
        if self.library.samples.reading(slug) is None:
            try:
                held = unrun(reading.question, self.files.example(reading.file))
            except InputError as error:
                return self._page(ReadView(dark=view.dark), Follow())._replace(notice=notice(error))
        return self._left(follow, self._page(replace(view, kind="example", key=slug, held=held), Follow()))

    def opened(self, record: RunRecord, view: ReadView, follow: Follow) -> ReadPage:
        """A record out of a file, for this session alone.

        Raises:
            RecordError: it is not of a PDF, or its fields are valid and do not make a run that can be drawn.
        """
        record = readable(record)
        try:
            return self._left(follow, self._page(ReadView("held", held=record, dark=view.dark), Follow()))
        except Exception as error:  # the file is foreign: whatever its content breaks is the file's fault
            _log.warning("an opened record cannot be drawn", exc_info=error)
            raise RecordError("This run record cannot be drawn: its numbers do not fit together.") from None

    def taken(self, source: Source, view: ReadView, follow: Follow) -> ReadPage:
        """A PDF that was taken in, not asked about yet."""
        held = unrun(Question(text=""), source)
        return self._left(follow, self._page(ReadView("held", held=held, page=0, mine=True, dark=view.dark), Follow()))

    # ---- running

    def run(self, view: ReadView, follow: Follow, question: str, settings: PdfSettings) -> ReadPage:
        """Asks about the open PDF and follows the run; the page keeps what it shows if that fails."""
        return self._submitted(view, follow, question, settings, None)

    def again(self, view: ReadView, follow: Follow) -> ReadPage:
        """The decision again, over the pages that were put back as well."""
        record = self.record(view)
        back = back_of(view, record)
        if record is None or record.final is None or set(back) == set(own_back(record)):
            said = notice("Nothing has changed: put a page back in the table of candidate pages first.")
            return self._page(view, follow)._replace(notice=said)
        settings = record.settings.pdf.model_copy(update={"put_back": back})
        return self._submitted(view, follow, record.question.text, settings, record)

    def _submitted(
        self, view: ReadView, follow: Follow, question: str, settings: PdfSettings, resume: RunRecord | None
    ) -> ReadPage:
        record = self.record(view)
        try:
            if record is None or record.source is None:
                raise InputError("There is no PDF yet: choose an example, or upload one.")
            asked = request(record, question, settings, resume)
            if self._shown(view) is None or not self.files.there(record.source.sha256):
                raise InputError("The PDF of this record is not on this server: upload it, then ask again.")
            run_id = submit(self.library.backend, asked)
        except KNOWN as error:
            kept = self._page(view, follow)
            return kept._replace(question=question, pdf=settings, notice=notice(error))
        held = undecided(resume, run_id) if resume else unrun(asked.question, record.source, run_id, asked.settings)
        view = ReadView("run", run_id, held, page=view.page, first=view.first, dark=view.dark)
        waiting = progress_html(Event(kind="queued", message="Waiting for the worker"))
        return self._page(view, Follow(run_id))._replace(progress=waiting)

    def tick(self, view: ReadView, follow: Follow) -> ReadPage | Follow | None:
        """What the followed run found since the last tick; only the new event where there is nothing to draw."""
        if not follow.run_id or follow.run_id != view.key:
            return None
        try:
            events = self.library.backend.events(follow.run_id, follow.last.seq if follow.last else 0)
        except KNOWN as error:
            return self._page(view, Follow())._replace(notice=notice(error))
        if not events:
            return None
        last = events[-1]
        if not any(event.final or event.kind == "record" for event in events):
            return Follow(follow.run_id, last)
        if not view.chosen:  # what was opened before is no choice: the best that is known by now is
            view = replace(view, page=None, cite=None, clue=None)
        page = self._page(view, Follow() if last.final else Follow(follow.run_id, last))
        return page._replace(progress=progress_html(last), notice=ended(last))

    # ---- what is chosen

    def act(self, view: ReadView, follow: Follow, what: object, value: object) -> ReadPage:
        """A button of the tab, or a bar of a figure, was clicked."""
        if what == "example" and value in self.library.samples.readings:
            return self.example(str(value), ReadView(dark=view.dark), follow)
        if what == "run" and isinstance(value, str):
            return self.attach(value, ReadView(dark=view.dark))
        return self._page(act(view, self.record(view), what, value), follow)

    def thumbs(self, view: ReadView, follow: Follow, pages: object) -> dict[str, object] | None:
        """The small pictures of pages that came into sight; those that there are none of are drawn first."""
        source = self._shown(view)
        if source is None or not isinstance(pages, list):
            return None
        wanted = [page for page in pages[:200] if type(page) is int and 0 <= page < source.pages]
        if not follow.run_id:  # a run draws the pages itself
            self.files.make(source.sha256, wanted)
        found = self.files.thumbs(source.sha256, wanted)
        return {"key": source.sha256, "uris": {str(page): uri for page, uri in found.items()}}

    # ---- what is drawn

    def record(self, view: ReadView) -> RunRecord | None:
        """The view's record; what stood in for it where its file cannot be opened any more."""
        try:
            if view.kind == "example":
                return self.library.samples.reading(view.key) or view.held
            return grown(self.library.run(view.key) if view.kind == "run" else None, view.held)
        except KNOWN as error:
            _log.warning("a record cannot be shown: %s", error)
            return view.held

    def _page(self, view: ReadView, follow: Follow) -> ReadPage:
        record = self.record(view)
        view, source = fitted(view, record), self._shown(view)
        layout = picture = None
        if source is not None and view.page is not None:
            layout = self.files.layout(source.sha256, view.page)
            uri = self.files.picture(source.sha256, view.page, make=not follow.run_id)
            picture = {"key": source.sha256, "page": view.page, "uri": uri} if uri else None
        drawn = draw(record, view, layout, picture is not None)
        question = record.question.text if record else ""
        return ReadPage(view, follow, drawn, picture, question, record.settings.pdf if record else PdfSettings())

    def _shown(self, view: ReadView) -> Source | None:
        """The file whose pages may be shown: not one with a password, to who opened no more than a record of it."""
        record = self.record(view)
        source = record.source if record else None
        if source is None or (view.kind == "held" and not view.mine and self.files.locked(source.sha256)):
            return None
        return source

    def _held(self, asked: Request | None, run_id: str) -> RunRecord | None:
        """What stands in for a run that has found nothing yet."""
        if asked is None or asked.pdf is None:
            return None
        if asked.resume is not None:
            return undecided(asked.resume, run_id)
        source = self.files.source(asked.pdf.sha256)
        return unrun(asked.question, source, run_id, asked.settings) if source else None

    def _first(self, view: ReadView, said: str = "") -> ReadPage:
        slug = self.library.samples.first_reading()
        plain = ReadView(dark=view.dark)
        page = self.example(slug, plain, Follow()) if slug else self._page(plain, Follow())
        return page._replace(notice=said + page.notice)

    def _left(self, follow: Follow, page: ReadPage) -> ReadPage:
        return page._replace(notice=going_on(follow.run_id)) if follow.run_id else page
