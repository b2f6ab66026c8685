"""What a callback of the tab returns: lists of components, and values in their order."""

from __future__ import annotations

from typing import Any

import gradio as gr

from core.records import RunRecord
from ui.inspect_draft import Draft
from ui.inspect_flow import Page
from ui.inspect_layout import Inspect
from ui.inspect_run import notice, progress_html
from ui.state import Follow

Updates = list[Any]
"""Values for a list of components, in its order."""

_K, _LAYER = 3, 8  # places of the two sliders among the what-if controls whose range follows the record


class Outputs:
    """The groups of components that change together."""

    def __init__(self, ui: Inspect, view: gr.State, draft: gr.State, follow: gr.State) -> None:
        left, right = ui.panel, ui.results
        self._notice, self._progress = ui.notice, left.progress
        self.drawn: list[gr.components.Component] = [
            *(left.listed, right.head, right.answer, right.curve, right.said, right.ranking, right.agents),
            *(right.pool, right.pool_cards, right.calls, right.document, left.note),
        ]
        """In the order of ``Drawn``."""
        self.running: list[gr.components.Component] = [
            *(follow, left.run, left.cancel, left.progress, ui.timer, ui.notice)
        ]
        """What follows a run."""
        self.page: list[gr.components.Component] = [
            *(view, draft, ui.address, left.question, left.gold),
            *(*self.running, *self.drawn, *left.values),
        ]
        """All that changes when something is opened."""

    def page_updates(self, page: Page, record: RunRecord | None) -> Updates:
        """Values for ``page``."""
        first = [page.view, page.draft, page.view.address, page.draft.question.text, gold_slider(page.draft)]
        return [*first, *self.running_updates(page), *page.drawn, *_control_updates(page, record)]

    def running_updates(self, page: Page) -> Updates:
        """Values for ``running``."""
        on = bool(page.follow.run_id)
        buttons = [gr.Button(visible=not on), gr.Button(visible=on)]
        return [page.follow, *buttons, page.progress, gr.Timer(active=on), page.notice]

    def only_notice(self, error: Exception) -> Updates:
        """Values for ``page`` that change nothing but the notice."""
        return [notice(error) if component is self._notice else gr.skip() for component in self.page]

    def only_progress(self, follow: Follow) -> Updates:
        """Values for ``running`` and ``drawn`` that change nothing but the time left."""
        told = progress_html(follow.last) if follow.last else gr.skip()
        return [told if component is self._progress else gr.skip() for component in [*self.running, *self.drawn]]


def _control_updates(page: Page, record: RunRecord | None) -> Updates:
    row: Updates = list(page.values.row())
    row[_K] = gr.Slider(value=page.values.k, maximum=max(len(page.draft.order), int(page.values.k), 2))
    layers = len(record.signals.attention) if record and record.signals else 0
    if layers:
        row[_LAYER] = gr.Slider(value=page.values.layer, maximum=max(layers - 1, 1))
    return row


def gold_slider(draft: Draft) -> gr.Slider:
    """The slider that moves gold; hidden where no gold is known."""
    places = max(len(draft.order), 2)
    return gr.Slider(value=draft.gold[0] + 1 if draft.gold else 1, maximum=places, visible=bool(draft.gold))
