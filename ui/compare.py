"""Tab Compare: one question put to several systems. Wires the components to ``CompareFlow``."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import gradio as gr

from core.ingest.page_store import PageStore
from core.settings.app import AppSettings
from ui import inspect_inputs as inputs
from ui.compare_export import exported
from ui.compare_flow import CompareFlow, ComparePage
from ui.compare_layout import layout
from ui.compare_state import CompareView, Comparisons
from ui.compare_views import Drawn
from ui.inspect_inputs import Chosen
from ui.inspect_run import KNOWN, cancel, notice, progress_html
from ui.pages_files import Files
from ui.parts import FAST, KEPT_SECONDS, QUIET, asked
from ui.state import Follow, Library

Updates = list[Any]


class Tab:
    """The tab, built into the Blocks that surround the call."""

    def __init__(self, library: Library, settings: AppSettings) -> None:
        self.flow = CompareFlow(Comparisons(library), Files(PageStore(settings.cache), library.samples.pdfs), settings)
        self.view = gr.State(CompareView(), time_to_live=KEPT_SECONDS)
        self.follow = gr.State(Follow(), time_to_live=KEPT_SECONDS)
        self.chosen = gr.State(Chosen(), time_to_live=KEPT_SECONDS)
        self.ui = ui = layout(self.flow.comparisons, settings)
        self.seen = [self.view, ui.address, *(ui.drawn[name] for name in Drawn._fields)]
        """What changes when something is chosen."""
        self.page = [*self.seen, self.follow, ui.run, ui.cancel, ui.progress, ui.notice, ui.timer]
        """All that changes when something is opened or run."""
        ui.bridge.opened(self.opened, None, self.page, queue=False, **QUIET)
        self._wire_opening()
        self._wire_running()
        self._wire_choosing()

    # ---- what is opened

    def _wire_opening(self) -> None:
        ui, state = self.ui, [self.view, self.follow]
        form = [ui.question, ui.answers, ui.documents]
        ui.use.click(self.use_pasted, [*state, *form], self.page, **QUIET)
        ui.record.upload(self.open_record, [ui.record, *state], self.page, **QUIET)
        ui.file.upload(self.choose_file, ui.file, [self.chosen, ui.rows, ui.search, ui.notice], **QUIET)
        ui.search.change(self.search, [self.chosen, ui.search], ui.rows, **FAST)
        ui.bridge.row(self.open_row, [self.chosen, *state], self.page, **QUIET)

    def opened(self, event: gr.EventData) -> Updates:
        """The tab is shown for the first time: as its address says."""
        return self._updates(self.flow.load(asked(event), bool(event.dark)))

    def use_pasted(self, view: CompareView, follow: Follow, question: str, answers: str, documents: str) -> Updates:
        """Pasted text is what will be compared."""
        try:
            draft, said = inputs.pasted(question, answers, documents)
        except KNOWN as error:
            return self._only_notice(error)
        return self._updates(self.flow.fresh(draft, view, follow, said))

    def open_record(self, path: str, view: CompareView, follow: Follow) -> Updates:
        """An exported record was chosen."""
        try:
            return self._updates(self.flow.opened(path, view, follow))
        except KNOWN as error:
            return self._only_notice(error)

    def choose_file(self, path: str) -> Updates:
        """A question file was chosen: its rows, a search box, and what was wrong."""
        chosen = Chosen(path)
        try:
            file = inputs.rows_of(chosen)
        except KNOWN as error:
            return [Chosen(), "", gr.Textbox(visible=False), notice(error)]
        return [chosen, _rows(inputs.rows_html(file, "")), gr.Textbox(visible=len(file.items) > 1, value=""), ""]

    def search(self, chosen: Chosen, text: str) -> str:
        """The rows that fit the search."""
        try:
            return _rows(inputs.rows_html(inputs.rows_of(chosen), text))
        except KNOWN as error:
            return notice(error)

    def open_row(self, chosen: Chosen, view: CompareView, follow: Follow, event: gr.EventData) -> Updates:
        """A row of the question file was clicked."""
        try:
            return self._updates(self.flow.fresh(inputs.row_draft(chosen, event.row), view, follow))
        except KNOWN as error:
            return self._only_notice(error)

    # ---- running

    def _wire_running(self) -> None:
        ui, state = self.ui, [self.view, self.follow]
        ui.run.click(self.run, state, self.page, **QUIET)
        ui.cancel.click(self.cancel, self.follow, ui.progress, queue=False, **QUIET)
        ui.timer.tick(self.tick, state, self.page, queue=False, **QUIET)

    def run(self, view: CompareView, follow: Follow) -> Updates:
        """Compare was pressed."""
        return self._updates(self.flow.run(view, follow))

    def cancel(self, follow: Follow) -> str:
        """Cancel was pressed; the run's last event says when it has stopped."""
        try:
            cancel(self.flow.comparisons.library.backend, follow.run_id)
        except KNOWN as error:
            return notice(error)
        return '<p class="wl wl-sub" role="status">Stopping…</p>'

    def tick(self, view: CompareView, follow: Follow) -> Updates:
        """The clock of a run: what is new, or only the time left."""
        page = self.flow.tick(view, follow)
        if page:
            return self._updates(page)
        told = progress_html(follow.last) if follow.last else gr.skip()
        return [told if component is self.ui.progress else gr.skip() for component in self.page]

    # ---- what is chosen

    def _wire_choosing(self) -> None:
        bridge, state = self.ui.bridge, [self.view, self.follow]
        one_by_one = {**QUIET, "trigger_mode": "multiple", "concurrency_id": "compare", "concurrency_limit": 1}
        bridge.act(self.act, state, self.page, **one_by_one)
        bridge.theme(self.theme, state, self.seen, **FAST)
        for what, button in self.ui.exports.items():
            button.click(self._export(what), self.view, self.ui.download, **QUIET)

    def act(self, view: CompareView, follow: Follow, event: gr.EventData) -> Updates:
        """A button of the tab, a system's box, or a point of the chart was clicked."""
        page = self.flow.act(view, follow, event.what, event.value)
        if event.what in ("example", "run"):
            return self._updates(page)
        seen = self._seen(page)
        return [*seen, *[gr.skip()] * (len(self.page) - len(seen))]

    def theme(self, view: CompareView, follow: Follow, event: gr.EventData) -> Updates:
        """Light became dark, or dark light."""
        return self._seen(self.flow.act(replace(view, dark=bool(event.dark)), follow, None, None))

    def _export(self, what: str) -> Any:
        def export(view: CompareView) -> dict[str, Any] | None:
            return exported(what, self.flow.record(view))

        return export

    # ---- values for components

    def _seen(self, page: ComparePage) -> Updates:
        return [page.view, page.view.address, *page.drawn]

    def _updates(self, page: ComparePage) -> Updates:
        on = bool(page.follow.run_id)
        buttons = [gr.Button(visible=not on), gr.Button(visible=on)]
        return [*self._seen(page), page.follow, *buttons, page.progress, page.notice, gr.Timer(active=on)]

    def _only_notice(self, error: Exception) -> Updates:
        return [notice(error) if component is self.ui.notice else gr.skip() for component in self.page]


def _rows(found: str) -> str:
    """The rows of a question file, whose clicks belong to this tab."""
    return found.replace(' data-row="', ' data-compare-row="')
