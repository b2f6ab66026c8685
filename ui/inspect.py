"""Tab Inspect: one question over many documents. Wires the components to ``Flow``; each function here translates."""

from __future__ import annotations

from typing import Any

import gradio as gr

from core.settings.app import AppSettings
from ui import inspect_draft as drafts
from ui import inspect_inputs as inputs
from ui.inspect_draft import Draft
from ui.inspect_export import exported
from ui.inspect_flow import Flow, Page
from ui.inspect_inputs import Chosen
from ui.inspect_layout import layout
from ui.inspect_outputs import Outputs, Updates, gold_slider
from ui.inspect_run import KNOWN, cancel, notice
from ui.inspect_views import Drawn
from ui.inspect_whatif import Values
from ui.parts import FAST, KEPT_SECONDS, QUIET, asked
from ui.state import Follow, Library, View

"""For what only redraws: no queue, and of many moves of one control the last counts."""
_ONE_BY_ONE: dict[str, Any] = {**QUIET, "trigger_mode": "multiple", "concurrency_id": "edit", "concurrency_limit": 1}
"""For what changes the draft: no click is lost, and each sees what the one before it did."""


class Tab:
    """The tab, built into the Blocks that surround the call."""

    def __init__(self, library: Library, settings: AppSettings) -> None:
        self.flow = Flow(library)
        self.view = gr.State(View(), time_to_live=KEPT_SECONDS)
        self.draft = gr.State(drafts.EMPTY, time_to_live=KEPT_SECONDS)
        self.follow = gr.State(Follow(), time_to_live=KEPT_SECONDS)
        self.chosen = gr.State(Chosen(), time_to_live=KEPT_SECONDS)
        self.ui = layout(library.samples, settings)
        self.out = Outputs(self.ui, self.view, self.draft, self.follow)
        self.values = self.ui.panel.values
        self._wire_opening()
        self._wire_running()
        self._wire_selecting()
        self._wire_editing()
        self._wire_whatif()

    # ---- what is opened

    def _wire_opening(self) -> None:
        ui, sources, state = self.ui, self.ui.sources, [self.view, self.follow]
        ui.bridge.opened(self.opened, None, self.out.page, queue=False, **QUIET)
        ui.bridge.example(self.open_example, state, self.out.page, queue=False, **QUIET)
        ui.bridge.run_link(self.open_run, state, self.out.page, queue=False, **QUIET)
        form = [sources.question, sources.answers, sources.documents]
        sources.use.click(self.use_pasted, [*state, *form], self.out.page, **QUIET)
        sources.record.upload(self.open_record, [sources.record, *state], self.out.page, **QUIET)
        found = [self.chosen, sources.rows, sources.search, ui.notice]
        sources.file.upload(self.choose_file, sources.file, found, **QUIET)
        sources.search.change(self.search, [self.chosen, sources.search], sources.rows, **FAST)
        ui.bridge.row(self.open_row, [self.chosen, *state], self.out.page, **QUIET)

    def _opened(self, page: Page) -> Updates:
        return self.out.page_updates(page, self.flow.record(page.view))

    def opened(self, event: gr.EventData) -> Updates:
        """The tab is shown for the first time: as its address says."""
        query = asked(event)
        found = self.flow.load(query if query.get("tab", "inspect") == "inspect" else {}, bool(event.dark))
        return self._opened(found)

    def open_example(self, view: View, follow: Follow, event: gr.EventData) -> Updates:
        """A card was clicked."""
        return self._opened(self.flow.example(str(event.slug), view, follow))

    def open_run(self, view: View, follow: Follow, event: gr.EventData) -> Updates:
        """The way back to a running run was clicked."""
        return self._opened(self.flow.attach(str(event.run), view, follow))

    def use_pasted(self, view: View, follow: Follow, question: str, answers: str, documents: str) -> Updates:
        """Pasted text becomes the draft."""
        try:
            draft, said = inputs.pasted(question, answers, documents)
        except KNOWN as error:
            return self.out.only_notice(error)
        return self._opened(self.flow.fresh(draft, view, follow, said))

    def open_record(self, path: str, view: View, follow: Follow) -> Updates:
        """An exported record was chosen."""
        try:
            return self._opened(self.flow.opened(inputs.open_record(path), view, follow))
        except KNOWN as error:
            return self.out.only_notice(error)

    def choose_file(self, path: str) -> Updates:
        """A question file was chosen: its rows, a search box, and what was wrong."""
        chosen = Chosen(path)
        try:
            file = inputs.rows_of(chosen)
        except KNOWN as error:
            return [Chosen(), "", gr.Textbox(visible=False), notice(error)]
        return [chosen, inputs.rows_html(file, ""), gr.Textbox(visible=len(file.items) > 1, value=""), ""]

    def search(self, chosen: Chosen, text: str) -> str:
        """The rows that fit the search."""
        try:
            return inputs.rows_html(inputs.rows_of(chosen), text)
        except KNOWN as error:
            return notice(error)

    def open_row(self, chosen: Chosen, view: View, follow: Follow, event: gr.EventData) -> Updates:
        """A row of the question file was clicked."""
        try:
            return self._opened(self.flow.fresh(inputs.row_draft(chosen, event.row), view, follow))
        except KNOWN as error:
            return self.out.only_notice(error)

    # ---- running

    def _wire_running(self) -> None:
        left, ui = self.ui.panel, self.ui
        asked = [self.view, self.draft, self.follow, left.question, *self.values]
        for button in (left.run, left.rerun):
            button.click(self.run, asked, self.out.page, **QUIET)
        left.cancel.click(self.cancel, self.follow, left.progress, queue=False, **QUIET)
        watched = [self.view, self.draft, self.follow, *self.values]
        ui.timer.tick(self.tick, watched, [*self.out.running, *self.out.drawn], queue=False, **QUIET)

    def run(self, view: View, draft: Draft, follow: Follow, question: str, *values: Any) -> Updates:
        """Run, or Re-run, was pressed."""
        return self._opened(self.flow.run(view, draft, follow, question, Values(*values)))

    def cancel(self, follow: Follow) -> str:
        """Cancel was pressed; the run's last event says when it has stopped."""
        try:
            cancel(self.flow.library.backend, follow.run_id)
        except KNOWN as error:
            return notice(error)
        return '<p class="wl wl-sub" role="status">Stopping…</p>'

    def tick(self, view: View, draft: Draft, follow: Follow, *values: Any) -> Any:
        """The clock of a run."""
        page = self.flow.tick(view, draft, follow, Values(*values))
        if page:
            return [*self.out.running_updates(page), *page.drawn]
        return self.out.only_progress(follow)

    # ---- one selection

    def _wire_selecting(self) -> None:
        bridge, seen = self.ui.bridge, [self.view, self.draft, *self.values]
        outputs = [self.view, self.ui.address, *self.out.drawn]
        bridge.pick(self.pick, seen, outputs, **FAST)
        bridge.go(self.go, seen, outputs, **FAST)
        bridge.theme(self.theme, seen, outputs, **FAST)

    def pick(self, view: View, draft: Draft, event: gr.EventData, *values: Any) -> Updates:
        """A document was clicked, anywhere."""
        return self._drawn(self.flow.pick(view, event.document), draft, values)

    def go(self, view: View, draft: Draft, event: gr.EventData, *values: Any) -> Updates:
        """The next document, the one before, or none."""
        return self._drawn(self.flow.go(view, event.to), draft, values)

    def theme(self, view: View, draft: Draft, event: gr.EventData, *values: Any) -> Updates:
        """Light became dark, or dark light."""
        dark = View(view.kind, view.key, view.held, view.selected, bool(event.dark))
        return self._drawn(dark, draft, values)

    def _drawn(self, view: View, draft: Draft, values: tuple[Any, ...]) -> Updates:
        return [view, view.address, *self.flow.draw(view, draft, Values(*values))]

    # ---- the list of documents

    def _wire_editing(self) -> None:
        left = self.ui.panel
        state, outputs = [self.view, self.draft, *self.values], [self.draft, left.gold, left.listed]
        self.ui.bridge.edit(self.edit, state, outputs, **_ONE_BY_ONE)
        left.gold.input(self.move_gold, [*state, left.gold], [self.draft, left.listed], **FAST)
        left.reset_list.click(self.reset_list, state, outputs, **_ONE_BY_ONE)

    def edit(self, view: View, draft: Draft, event: gr.EventData, *values: Any) -> Updates:
        """A row was dragged, stepped or removed."""
        return self._listed(view, drafts.edit(draft, event._data), values)

    def move_gold(self, view: View, draft: Draft, *rest: Any) -> Updates:
        """The gold document was put at another place; the last of ``rest`` is that place, from 1."""
        draft = drafts.move_gold(draft, int(rest[-1]) - 1)
        return [draft, self.flow.draw(view, draft, Values(*rest[:-1])).listed]

    def reset_list(self, view: View, draft: Draft, *values: Any) -> Updates:
        """All documents again, as they were loaded."""
        return self._listed(view, drafts.reset(draft), values)

    def _listed(self, view: View, draft: Draft, values: tuple[Any, ...]) -> Updates:
        return [draft, gold_slider(draft), self.flow.draw(view, draft, Values(*values)).listed]

    # ---- what if

    def _wire_whatif(self) -> None:
        left, seen = self.ui.panel, [self.view, self.draft, *self.values]
        moves = [getattr(control, _moved(control)) for control in self.values]
        gr.on(moves, self.redraw, seen, self.out.drawn, **FAST)
        for mode, boxes in ((self.values[7], self.values[8:10]), (self.values[10], self.values[11:12])):
            mode.change(_shown_boxes(len(boxes)), mode, boxes, queue=False, **QUIET)  # type: ignore[attr-defined]
        left.reset_values.click(self.reset_values, [self.view, self.draft], [*self.values, *self.out.drawn], **FAST)
        for what, button in self.ui.results.exports.items():
            button.click(self._export(what), [self.view, *self.values], self.ui.download, **QUIET)

    def redraw(self, view: View, draft: Draft, *values: Any) -> Drawn:
        """A control moved: the recorded signals, fused again."""
        return self.flow.draw(view, draft, Values(*values))

    def reset_values(self, view: View, draft: Draft) -> Updates:
        """The run's own settings again."""
        values = self.flow.own_values(view)
        return [*values.row(), *self.flow.draw(view, draft, values)]

    def _export(self, what: str) -> Any:
        def export(view: View, *values: Any) -> dict[str, Any] | None:
            return exported(what, self.flow.record(view), Values(*values))

        return export


def _moved(control: gr.components.Component) -> str:
    """The event of a person's change; a text box says ``input`` only when it is left."""
    return "change" if isinstance(control, gr.Textbox) else "input"


def _shown_boxes(count: int) -> Any:
    """Shows the slider for one layer, or the text box for a list, as the mode asks."""

    def shown(mode: str) -> Any:
        boxes = [gr.Slider(visible=mode == "one"), gr.Textbox(visible=mode == "list")][-count:]
        return boxes if count > 1 else boxes[0]

    return shown
