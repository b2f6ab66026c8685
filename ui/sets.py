"""Tab Question set: hundreds of questions, several systems. Wires the components to ``SetFlow``."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import gradio as gr

from core.ingest.questions import InputError
from core.settings.app import AppSettings
from ui.inspect_run import notice
from ui.parts import FAST, KEPT_SECONDS, QUIET, asked
from ui.read_inputs import name_of
from ui.set_export import exported
from ui.set_flow import SetFlow, SetPage, mapped
from ui.set_layout import MAPPED, layout
from ui.set_state import Given, SetView
from ui.set_views import Drawn
from ui.state import Library

Updates = list[Any]


class Tab:
    """The tab, built into the Blocks that surround the call."""

    def __init__(self, library: Library, settings: AppSettings) -> None:
        self.flow = SetFlow(library.sets, library.backend, settings)
        self.view = gr.State(SetView(), time_to_live=KEPT_SECONDS)
        self.given = gr.State(Given(), time_to_live=KEPT_SECONDS)
        self.ui = ui = layout()
        self.page = [self.view, ui.address, *(ui.drawn[name] for name in Drawn._fields), ui.notice, ui.timer]
        """All that changes when a set is opened or steered."""
        self.form = [
            *(self.given, ui.notice, ui.mapping, *ui.columns, ui.start),
            *(ui.drawn[name] for name in ("summary", "sample", "systems", "estimate")),
        ]
        """All that changes when files are given."""
        ui.bridge.opened(self.opened, None, self.page, queue=False, **QUIET)
        self._wire_form()
        self._wire_page()

    # ---- a set of one's own

    def _wire_form(self) -> None:
        ui = self.ui
        slow: dict[str, Any] = {**QUIET, "show_progress": "minimal"}
        ui.file.upload(self.take_file, [ui.file, self.given], self.form, **slow)
        ui.file.clear(self.drop_file, self.given, self.form, **QUIET)
        ui.pdfs.change(self.take_pdfs, [ui.pdfs, self.given], self.form, **slow)
        ui.use.click(self.use_columns, [self.given, *ui.columns, ui.gold_from, ui.pages_from], self.form, **slow)
        ui.limit.change(self.set_limit, [ui.limit, self.given], [self.given, ui.drawn["estimate"]], **QUIET)
        ui.start.click(self.start, [self.view, self.given], self.page, **QUIET)

    def take_file(self, path: str, given: Given) -> Updates:
        """A question file was uploaded."""
        return self._looked(Given(path, name_of(path), given.pdfs, systems=given.systems, limit=given.limit))

    def drop_file(self, given: Given) -> Updates:
        """The question file was taken back."""
        return self._looked(Given(pdfs=given.pdfs, systems=given.systems, limit=given.limit))

    def take_pdfs(self, paths: list[str] | None, given: Given) -> Updates:
        """PDFs were added or taken back."""
        return self._looked(replace(given, pdfs=tuple(paths or ())))

    def use_columns(self, given: Given, *values: Any) -> Updates:
        """The columns of a table were named."""
        columns = given.columns
        try:
            mapping = mapped(list(values[:-2]), values[-2], values[-1], MAPPED)
        except (InputError, ValueError) as error:
            return [notice(error) if component is self.ui.notice else gr.skip() for component in self.form]
        updates = self._looked(replace(given, mapping=mapping))
        if updates[0].summary is None:  # what is wrong is said; the columns stay to be named anew
            updates[0] = replace(updates[0], mapping=None, columns=columns)
            updates[2] = gr.Column(visible=True)
        return updates

    def set_limit(self, limit: float | None, given: Given) -> Updates:
        """Only the first questions are to be asked."""
        given = replace(given, limit=int(limit) if limit and limit >= 1 else None)
        return [given, self.flow.asked(given).estimate]

    def start(self, view: SetView, given: Given) -> Updates:
        """Start was pressed."""
        return self._updates(self.flow.start(view, given))

    def _looked(self, given: Given) -> Updates:
        given, said = self.flow.look(given)
        asked = self.flow.asked(given)
        named = given.columns
        ready = gr.Button(interactive=bool(given.summary and given.summary.questions and given.systems))
        return [given, said, gr.Column(visible=named is not None), *_columns(given), ready, *asked]

    # ---- what is open

    def _wire_page(self) -> None:
        ui = self.ui
        ui.bridge.act(self.act, [self.view, self.given], [*self.page, *self.form], **QUIET)
        ui.bridge.theme(self.theme, self.view, self.page, **FAST)
        ui.timer.tick(self.tick, self.view, self.page, queue=False, **QUIET)
        for what, button in ui.exports.items():
            button.click(self._export(what), self.view, ui.download, **QUIET)

    def opened(self, event: gr.EventData) -> Updates:
        """The tab is shown for the first time: as its address says."""
        return self._updates(self.flow.load(asked(event), bool(event.dark)))

    def act(self, view: SetView, given: Given, event: gr.EventData) -> Updates:
        """A button of the tab, or a system's box."""
        if event.what == "system":
            given = self.flow.toggled(given, event.value)
            asked = self.flow.asked(given)
            kept = {id(self.given): given, id(self.ui.start): gr.Button(interactive=bool(given.systems))}
            kept |= {id(self.ui.drawn[name]): value for name, value in asked._asdict().items()}
            return [kept.get(id(component), gr.skip()) for component in [*self.page, *self.form]]
        page = self.flow.act(view, event.what, event.value)
        return [*self._updates(page), *[gr.skip()] * len(self.form)]

    def theme(self, view: SetView, event: gr.EventData) -> Updates:
        """Light became dark, or dark light."""
        return self._updates(self.flow.show(replace(view, dark=bool(event.dark))))

    def tick(self, view: SetView) -> Updates:
        """The clock of a set that runs: its progress, and the figures where there are new answers."""
        page = self.flow.show(view)
        updates = self._updates(page)
        changing = [self.ui.drawn["head"], self.ui.timer] if page.view.version == view.version else self.page
        return [
            value if component in changing and component is not self.ui.notice else gr.skip()
            for component, value in zip(self.page, updates, strict=True)
        ]

    def _export(self, what: str) -> Any:
        def export(view: SetView) -> dict[str, Any] | None:
            found = self.flow.found(view)
            return exported(what, found, view, self.flow.sets.labelled(view.key)) if found else None

        return export

    def _updates(self, page: SetPage) -> Updates:
        return [page.view, page.view.address, *page.drawn, page.notice, gr.Timer(active=page.running)]


def _columns(given: Given) -> list[Any]:
    """The boxes of a mapping, with what the columns' names suggest."""
    if given.columns is None:
        return [gr.skip()] * len(MAPPED)
    names, guess = list(given.columns.names), given.columns.guess
    boxes = []
    for field in MAPPED:
        value = getattr(guess, field) if guess else None
        chosen = (
            [name for name in value if name in names] if isinstance(value, tuple) else value if value in names else None
        )
        boxes.append(gr.Dropdown(choices=names, value=chosen))
    return boxes
