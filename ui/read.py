"""Tab Read a PDF: one question over a long document. Wires the components to ``ReadFlow``."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import gradio as gr

from core.ingest.page_store import PageStore
from core.ingest.pdf import PdfError
from core.settings.app import AppSettings
from core.settings.methods import PdfSettings
from ui.inspect_inputs import open_record
from ui.inspect_run import KNOWN, notice, progress_html
from ui.pages_files import Files
from ui.parts import FAST, KEPT_SECONDS, QUIET, asked
from ui.read_export import exported
from ui.read_flow import ReadFlow, ReadPage
from ui.read_inputs import Upload, name_of, row_of, settings_of
from ui.read_layout import layout
from ui.read_state import ReadView
from ui.read_views import Drawn
from ui.state import Follow, Library

Updates = list[Any]


class Tab:
    """The tab, built into the Blocks that surround the call."""

    def __init__(self, library: Library, settings: AppSettings) -> None:
        self.flow = ReadFlow(library, Files(PageStore(settings.cache), library.samples.pdfs))
        self.view = gr.State(ReadView(), time_to_live=KEPT_SECONDS)
        self.follow = gr.State(Follow(), time_to_live=KEPT_SECONDS)
        self.upload = gr.State(Upload(), time_to_live=KEPT_SECONDS)
        self.ui = ui = layout(library.samples, settings)
        self.seen = [self.view, ui.address, ui.picture, *(ui.drawn[name] for name in Drawn._fields)]
        """What changes when something is chosen."""
        self.page = [
            *(*self.seen, self.follow, ui.question, *ui.controls),
            *(ui.run, ui.cancel, ui.progress, ui.notice, ui.timer, ui.again),
        ]
        """All that changes when something is opened or run."""
        ui.bridge.opened(self.opened, None, self.page, queue=False, **QUIET)
        self._wire_opening()
        self._wire_running()
        self._wire_choosing()

    # ---- what is opened

    def _wire_opening(self) -> None:
        ui, state = self.ui, [self.view, self.follow]
        locks = [self.upload, ui.password, ui.unlock]
        slow: dict[str, Any] = {**QUIET, "show_progress": "minimal", "show_progress_on": ui.file}
        ui.file.upload(self.take_in, [ui.file, *state], [*self.page, *locks], **slow)
        for event in (ui.unlock.click, ui.password.submit):
            event(self.unlock, [self.upload, ui.password, *state], [*self.page, *locks], **slow)
        ui.record.upload(self.open_record, [ui.record, *state], self.page, **QUIET)

    def opened(self, event: gr.EventData) -> Updates:
        """The tab is shown for the first time: as its address says."""
        return self._updates(self.flow.load(asked(event), bool(event.dark)))

    def take_in(self, path: str, view: ReadView, follow: Follow) -> Updates:
        """A PDF was uploaded."""
        return self._taken(Upload(path), "", view, follow)

    def unlock(self, upload: Upload, password: str, view: ReadView, follow: Follow) -> Updates:
        """A password was given for it."""
        return self._taken(upload, password, view, follow)

    def _taken(self, upload: Upload, password: str, view: ReadView, follow: Follow) -> Updates:
        """The page with the PDF; or what is wrong with it, and a place for a password where one is missing."""
        try:
            source = self.flow.files.take_in(Path(upload.path), name_of(upload.path), password)
        except PdfError as error:
            locked = error.kind == "encrypted"
            return [*self._only_notice(error), upload if locked else Upload(), *_locks(locked)]
        return [*self._updates(self.flow.taken(source, view, follow)), Upload(), *_locks(False)]

    def open_record(self, path: str, view: ReadView, follow: Follow) -> Updates:
        """An exported record was chosen."""
        try:
            return self._updates(self.flow.opened(open_record(path), view, follow))
        except KNOWN as error:
            return self._only_notice(error)

    # ---- running

    def _wire_running(self) -> None:
        ui, state = self.ui, [self.view, self.follow]
        ui.run.click(self.run, [*state, ui.question, *ui.controls], self.page, **QUIET)
        ui.again.click(self.again, state, self.page, **QUIET)
        ui.cancel.click(self.cancel, self.follow, ui.progress, queue=False, **QUIET)
        ui.timer.tick(self.tick, state, self.page, queue=False, **QUIET)

    def run(self, view: ReadView, follow: Follow, question: str, *values: Any) -> Updates:
        """Run was pressed."""
        try:
            settings = settings_of(PdfSettings(), values)
        except ValueError as error:
            return self._only_notice(error)
        return self._updates(self.flow.run(view, follow, question, settings))

    def again(self, view: ReadView, follow: Follow) -> Updates:
        """Decide again was pressed."""
        return self._updates(self.flow.again(view, follow))

    def cancel(self, follow: Follow) -> str:
        """Cancel was pressed; the run's last event says when it has stopped."""
        try:
            self.flow.library.backend.cancel(follow.run_id)
        except KNOWN as error:
            return notice(error)
        return '<p class="wl wl-sub" role="status">Stopping…</p>'

    def tick(self, view: ReadView, follow: Follow) -> Updates:
        """The clock of a run: what is new, or only how far it is."""
        page = self.flow.tick(view, follow)
        if isinstance(page, ReadPage):
            return self._updates(page, asked=False)
        known: dict[int, Any] = {id(self.follow): page} if page else {}
        last = page.last if page else follow.last
        known |= {id(self.ui.progress): progress_html(last)} if last else {}
        return [known.get(id(component), gr.skip()) for component in self.page]

    # ---- what is chosen

    def _wire_choosing(self) -> None:
        bridge, state = self.ui.bridge, [self.view, self.follow]
        bridge.act(self.act, state, self.page, **{**QUIET, "queue": False, "trigger_mode": "multiple"})
        bridge.theme(self.theme, state, self.seen, **FAST)
        bridge.thumbs(self.thumbs, state, self.ui.thumbs, **QUIET, trigger_mode="multiple", concurrency_limit=2)
        for what, button in self.ui.exports.items():
            button.click(self._export(what), self.view, self.ui.download, **QUIET)

    def act(self, view: ReadView, follow: Follow, event: gr.EventData) -> Updates:
        """A button of the tab, or a bar of a figure, was clicked."""
        page = self.flow.act(view, follow, event.what, event.value)
        if event.what in ("example", "run"):
            return self._updates(page)
        same = (page.view.page, page.view.key) == (view.page, view.key)
        seen = self._seen(page, pictured=not same)
        return [*seen, *[gr.skip()] * (len(self.page) - len(seen) - 1), self._again(page)]

    def theme(self, view: ReadView, follow: Follow, event: gr.EventData) -> Updates:
        """Light became dark, or dark light."""
        dark = replace(view, dark=bool(event.dark))
        return self._seen(self.flow.act(dark, follow, None, None), pictured=False)

    def thumbs(self, view: ReadView, follow: Follow, event: gr.EventData) -> dict[str, object] | None:
        """Pages came into sight."""
        return self.flow.thumbs(view, follow, event.pages)

    def _export(self, what: str) -> Any:
        def export(view: ReadView) -> dict[str, Any] | None:
            return exported(what, self.flow.record(view))

        return export

    # ---- values for components

    def _seen(self, page: ReadPage, pictured: bool = True) -> Updates:
        """Values for ``seen``; the browser keeps a picture that it has."""
        return [page.view, page.view.address, page.picture if pictured else gr.skip(), *page.drawn]

    def _updates(self, page: ReadPage, asked: bool = True) -> Updates:
        """Values for ``page``; what the person is writing stays where it was not ``asked`` for."""
        on = bool(page.follow.run_id)
        form = [page.question, *row_of(page.pdf)]
        return [
            *(*self._seen(page), page.follow, *(form if asked else [gr.skip()] * len(form))),
            *(gr.Button(visible=not on), gr.Button(visible=on), page.progress, page.notice, gr.Timer(active=on)),
            self._again(page),
        ]

    def _again(self, page: ReadPage) -> gr.Button:
        """Nothing is decided again while a run goes on, or before there was a decision."""
        record = self.flow.record(page.view)
        return gr.Button(interactive=not page.follow.run_id and record is not None and record.final is not None)

    def _only_notice(self, error: Exception) -> Updates:
        """Values for ``page`` that change nothing but the notice."""
        return [notice(error) if component is self.ui.notice else gr.skip() for component in self.page]


def _locks(locked: bool) -> Updates:
    """The place for a password, and its button."""
    return [gr.Textbox(visible=locked, value=""), gr.Button(visible=locked)]
