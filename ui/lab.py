"""Tab Position lab: one document moved through a prompt. Wires the components to ``LabFlow``."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import gradio as gr

from core.settings.app import AppSettings
from ui.inspect_draft import Draft
from ui.inspect_run import KNOWN, cancel, notice, progress_html
from ui.lab_export import exported
from ui.lab_figures_lessons import NOT_READ
from ui.lab_flow import LabFlow, LabPage
from ui.lab_layout import layout
from ui.lab_own import Choice, own_form
from ui.lab_state import LabView
from ui.lab_sweeps import Sweeps
from ui.lab_views import Drawn
from ui.parts import FAST, KEPT_SECONDS, QUIET, asked
from ui.state import Follow, Library

_PLAY, _STOP = "▶ Play", "■ Stop"

Updates = list[Any]


class Tab:
    """The tab, built into the Blocks that surround the call."""

    def __init__(self, library: Library, settings: AppSettings) -> None:
        self.flow = LabFlow(Sweeps(library))
        self.view = gr.State(LabView(), time_to_live=KEPT_SECONDS)
        self.follow = gr.State(Follow(), time_to_live=KEPT_SECONDS)
        self.ui = layout(settings)
        ui = self.ui
        self.moved = [self.view, ui.address, *ui.drawn.values()]
        """What changes when gold moves."""
        self.page = [
            *(
                *self.moved,
                self.follow,
                ui.bar,
                ui.place,
                ui.run,
                ui.cancel,
                ui.run_own,
                ui.progress,
                ui.notice,
                ui.timer,
            ),
            *(ui.play, ui.beat, *ui.columns.values()),
        ]
        """All that changes when something is opened or chosen."""
        ui.bridge.opened(self.opened, None, self.page, queue=False, **QUIET)
        self._wire_acts()
        self._wire_moving()
        self._wire_running()

    def _wire_acts(self) -> None:
        ui, state = self.ui, [self.view, self.follow]
        ui.bridge.act(self.act, state, self.page, queue=False, **QUIET)
        ui.bridge.theme(self.theme, state, self.page, **FAST)
        for what, button in ui.exports.items():
            button.click(self._export(what), self.view, ui.download, **QUIET)

    def opened(self, event: gr.EventData) -> Updates:
        """The tab is shown for the first time: as its address says."""
        return self._updates(self.flow.load(asked(event), bool(event.dark)))

    def act(self, view: LabView, follow: Follow, event: gr.EventData) -> Updates:
        """A button of the lab, or a point of a figure, was clicked."""
        return self._updates(self.flow.act(view, follow, event.what, event.value))

    def theme(self, view: LabView, follow: Follow, event: gr.EventData) -> Updates:
        """Light became dark, or dark light."""
        return self._updates(self.flow.act(replace(view, dark=bool(event.dark)), follow, None, None))

    def _export(self, what: str) -> Any:
        def export(view: LabView) -> dict[str, Any] | None:
            sweep = self.flow.sweep(view)
            file = exported(what, sweep, view, self.flow.sweeps.lessons(view, sweep))
            if file is None:
                gr.Info(NOT_READ)
            return file

        return export

    def take(self, button: gr.Button, draft: gr.State, question: gr.Textbox, tabs: gr.Tabs) -> None:
        """Wires a button of another tab: its draft comes into the form of own documents, and the lab is shown."""
        outputs = [*self.ui.own, self.ui.own_box, tabs]
        taken = button.click(self.taken, [draft, question], outputs, queue=False, **QUIET)
        taken.then(None, js="() => wlens.lab.taken()", api_visibility="private")

    def taken(self, draft: Draft, question: str) -> Updates:
        """Documents were sent to the lab; what was typed as the question counts."""
        asked, *rest = own_form(draft)
        return [question.strip() or asked, *rest, gr.Accordion(open=True), gr.Tabs(selected="lab")]

    # ---- moving gold

    def _wire_moving(self) -> None:
        ui = self.ui
        ui.place.input(self.move, [self.view, ui.place], self.moved, **FAST)
        ui.play.click(self.play, [self.view, ui.play], [*self.moved, ui.place, ui.play, ui.beat], queue=False, **QUIET)
        ui.beat.tick(self.advance, self.view, [*self.moved, ui.place, ui.play, ui.beat], queue=False, **QUIET)

    def move(self, view: LabView, place: float) -> Updates:
        """The slider was moved; places on the page count from 1."""
        return self._moved(self.flow.move(view, int(place) - 1))

    def play(self, view: LabView, label: str) -> Updates:
        """Play, from the first place where gold stands at the last; or Stop."""
        if label == _STOP:
            return [*[gr.skip()] * len(self.moved), gr.skip(), _PLAY, gr.Timer(active=False)]
        page = self.flow.advance(view) or self.flow.move(view, 0)
        return [*self._moved(page), page.view.place + 1, _STOP, gr.Timer(active=True)]

    def advance(self, view: LabView) -> Updates:
        """One beat of Play."""
        page = self.flow.advance(view)
        if page is None:
            return [*[gr.skip()] * len(self.moved), gr.skip(), _PLAY, gr.Timer(active=False)]
        return [*self._moved(page), page.view.place + 1, gr.skip(), gr.skip()]

    # ---- running

    def _wire_running(self) -> None:
        ui, state = self.ui, [self.view, self.follow]
        ui.run.click(self.run, [*state, *ui.choice], self.page, **QUIET)
        ui.run_own.click(self.run_own, [*state, *ui.choice, *ui.own], self.page, **QUIET)
        ui.cancel.click(self.cancel, self.follow, ui.progress, queue=False, **QUIET)
        ui.timer.tick(self.tick, state, self.page, queue=False, **QUIET)

    def run(self, view: LabView, follow: Follow, *choice: Any) -> Updates:
        """Run it yourself was pressed."""
        return self._updates(self.flow.run(view, follow, Choice(*choice)))

    def run_own(self, view: LabView, follow: Follow, *form: Any) -> Updates:
        """Run these was pressed, under a person's own documents."""
        chosen = len(self.ui.choice)
        return self._updates(self.flow.run_own(view, follow, Choice(*form[:chosen]), *form[chosen:]))

    def cancel(self, follow: Follow) -> str:
        """Cancel was pressed; the run's last event says when it has stopped."""
        try:
            cancel(self.flow.sweeps.library.backend, follow.run_id)
        except KNOWN as error:
            return notice(error)
        return '<p class="wl wl-sub" role="status">Stopping…</p>'

    def tick(self, view: LabView, follow: Follow) -> Updates:
        """The clock of a run: what is new, or only the time left."""
        page = self.flow.tick(view, follow)
        if page:
            return self._updates(page)
        told = progress_html(follow.last) if follow.last else gr.skip()
        return [told if component is self.ui.progress else gr.skip() for component in self.page]

    # ---- values for components

    def _moved(self, page: LabPage) -> Updates:
        """Values for ``moved``."""
        return [page.view, page.view.address, *self._drawn(page.drawn)]

    def _drawn(self, drawn: Drawn) -> Updates:
        return [drawn.get(name, gr.skip()) for name in self.ui.drawn]

    def _updates(self, page: LabPage) -> Updates:
        """Values for ``page``; Play stops."""
        sweep, parts = self.flow.sweep(page.view), page.drawn["parts"]
        on = bool(page.follow.run_id)
        return [
            *self._moved(page),
            page.follow,
            gr.Row(visible=sweep is not None and parts != {"length"}),
            gr.Slider(value=page.view.place + 1, maximum=max(sweep.count if sweep else 2, 2)),
            gr.Button(visible=not on),
            gr.Button(visible=on),
            gr.Button(interactive=not on),
            page.progress,
            page.notice,
            gr.Timer(active=on),
            _PLAY,
            gr.Timer(active=False),
            *(gr.Column(visible=part in parts or (part == "walk" and "biased" in parts)) for part in self.ui.columns),
        ]
