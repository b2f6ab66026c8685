"""Tab Errors: wrong answers one by one, with their full runs and labels. Wires the components to ``ErrorsFlow``."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import gradio as gr

from core.evaluation.loss import STAGES
from core.evaluation.service import UnknownSet
from core.evaluation.table import MARKS
from core.ingest.page_store import PageStore
from core.settings.app import AppSettings
from core.settings.evaluation import REVIEWER_CHARS
from ui.errors_export import exported
from ui.errors_flow import ErrorsFlow, ErrorsPage
from ui.errors_labels import Form
from ui.errors_layout import layout
from ui.errors_state import ErrorsView
from ui.errors_views import Drawn
from ui.pages_files import Files
from ui.parts import FAST, KEPT_SECONDS, QUIET, asked
from ui.set_state import SetView
from ui.set_words import stage_title
from ui.state import Library

_ONE_BY_ONE: dict[str, Any] = {
    **QUIET,
    "trigger_mode": "multiple",
    "concurrency_id": "errors",
    "concurrency_limit": 4,
}

Updates = list[Any]


class Tab:
    """The tab, built into the Blocks that surround the call."""

    def __init__(self, library: Library, settings: AppSettings) -> None:
        self.flow = ErrorsFlow(library.sets, Files(PageStore(settings.cache), library.samples.pdfs))
        self.view = gr.State(ErrorsView(), time_to_live=KEPT_SECONDS)
        self.ui = ui = layout()
        self.page = [
            *(self.view, ui.address, ui.picture, *(ui.drawn[name] for name in Drawn._fields)),
            *(*ui.form, ui.notice, ui.search),
        ]
        """All that changes when something is opened, filtered or chosen."""
        ui.bridge.opened(self.opened, self.view, [*self.page, ui.reviewer], queue=False, **QUIET)
        self._wire_choosing()
        self._wire_labels()

    def take(self, bridge: gr.HTML, opened: gr.State, tabs: gr.Tabs) -> None:
        """What the tab "Question set" hands over: a set, and perhaps a part of its flow."""
        inputs = [opened, self.view, self.ui.reviewer]
        event = bridge.errors(self.hand_over, inputs, [*self.page, tabs], **QUIET)
        event.then(None, js="() => wlens.showTab('errors')", api_visibility="private")

    def hand_over(self, opened: SetView, view: ErrorsView, reviewer: str, event: gr.EventData) -> Updates:
        """A part of the flow, or the way to the answers, was pressed."""
        system, stage, mark = (getattr(event, name, None) for name in ("system", "stage", "mark"))
        try:
            names = self.flow.sets.open(opened.key).table.systems
        except (UnknownSet, OSError):
            names = ()
        page = self.flow.open(
            opened.key,
            names[system] if isinstance(system, int) and 0 <= system < len(names) else "",
            STAGES[stage] if isinstance(stage, int) and 0 <= stage < len(STAGES) else "",
            MARKS[mark] if isinstance(mark, int) and 0 <= mark < len(MARKS) else "",
            view,
            reviewer,
        )
        return [*self._updates(page)[:-1], "", gr.Tabs(selected="errors")]

    # ---- what is chosen

    def _wire_choosing(self) -> None:
        ui, state = self.ui, [self.view, self.ui.reviewer]
        ui.bridge.act(self.act, state, self.page, **_ONE_BY_ONE)
        ui.bridge.theme(self.theme, state, self.page, **FAST)
        ui.search.change(self.search, [*state, ui.search], self.page, **FAST)
        for what, button in ui.exports.items():
            button.click(self._export(what), self.view, ui.download, **QUIET)

    def opened(self, view: ErrorsView, event: gr.EventData) -> Updates:
        """The tab is shown for the first time: as its address says, if nothing was handed over to it before."""
        name = str(event.reviewer or "")[:REVIEWER_CHARS]  # what this browser kept
        if view.key:
            return [*[gr.skip()] * len(self.page), name]
        return [*self._updates(self.flow.load(asked(event), bool(event.dark), name)), name]

    def act(self, view: ErrorsView, reviewer: str, event: gr.EventData) -> Updates:
        """A button, a box, a point of a figure, or a key."""
        return self._updates(self.flow.act(view, event.what, event.value, reviewer), view)

    def theme(self, view: ErrorsView, reviewer: str, event: gr.EventData) -> Updates:
        """Light became dark, or dark light."""
        return self._updates(self.flow.show(replace(view, dark=bool(event.dark)), reviewer), view)

    def search(self, view: ErrorsView, reviewer: str, text: str) -> Updates:
        """Words were typed into the search."""
        page = self.flow.act(view, "search", text, reviewer)
        return [*self._updates(page, view)[:-1], gr.skip()]  # what is typed meanwhile stays

    def _export(self, what: str) -> Any:
        def export(view: ErrorsView) -> dict[str, Any] | None:
            try:
                return exported(what, self.flow.sets.open(view.key), view, self.flow.sets)
            except (UnknownSet, OSError):
                return None

        return export

    # ---- labels

    def _wire_labels(self) -> None:
        ui = self.ui
        state = [self.view, ui.reviewer]
        outputs = [ui.notice, *(ui.drawn[name] for name in _LABELLED)]
        verdict, failure = ui.form[1], ui.form[2]
        for event in (verdict.input, failure.input, ui.save.click):  # type: ignore[attr-defined]
            event(self.save, [*state, *ui.form], outputs, **_ONE_BY_ONE)
        ui.next.click(self.following, [*state, ui.twice], self.page, **_ONE_BY_ONE)
        ui.reviewer.blur(self.reviewer_named, [*state, verdict], self.page, **FAST)

    def save(self, view: ErrorsView, reviewer: str, *form: Any) -> Updates:
        """Something of the form has changed; before there is a verdict only the button says what is missing."""
        said, history = self.flow.save(view, reviewer, Form(*(value if value is not None else "" for value in form)))
        if not history:
            return [said, *[gr.skip()] * len(_LABELLED)]
        page = self.flow.show(view, reviewer)
        parts = page.drawn._asdict()
        if form[0] == page.form.about:
            parts["history"] = history
        return [said, *(parts[name] for name in _LABELLED)]

    def following(self, view: ErrorsView, reviewer: str, twice: bool) -> Updates:
        """The next of the queue."""
        return self._updates(self.flow.following(view, reviewer, bool(twice)), view)

    def reviewer_named(self, view: ErrorsView, reviewer: str, verdict: str | None) -> Updates:
        """Another name: the form has that reviewer's own label. What is typed before there is a label stays."""
        page = self.flow.show(view, reviewer)
        return self._updates(page, view if not verdict and not page.form.verdict else None)

    # ---- values for components

    def _updates(self, page: ErrorsPage, before: ErrorsView | None = None) -> Updates:
        """Values for ``page``; what was typed stays while the same answer is open."""
        view = page.view
        same = before is not None and (before.key, before.question, before.system) == (
            view.key,
            view.question,
            view.system,
        )
        return [
            *(view, view.address, page.picture, *page.drawn),
            *([gr.skip()] * len(self.ui.form) if same else _form(page)),
            page.notice,
            gr.skip() if before is None or before.query.search == view.query.search else view.query.search,
        ]


_LABELLED = ("filters", "pager", "table", "agreement", "head", "history")
"""What a saved label changes."""


def _form(page: ErrorsPage) -> Updates:
    choices = [("", ""), *((stage_title(name), name) for name in page.failures)]
    form = page.form
    return [form.about, form.verdict, gr.Dropdown(choices, value=form.failure), form.corrected, form.note]
