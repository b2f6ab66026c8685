"""Components of our own, made of ``gr.HTML``; their scripts are in ``glue.js``.

``gr.HTML`` pastes a value into the page as it is, and evaluates ``{{value}}`` templates a second time as
JavaScript template strings: so values are escaped where they are made, and no template here holds one.
"""

from __future__ import annotations

from typing import Any

import gradio as gr
import plotly.graph_objects as go


class Figure(gr.HTML):
    """A plotly figure that is changed in place and says which document was clicked.

    ``gr.Plot`` builds its plot anew for every value (flicker, lost hover) and has no click event.
    """

    def __init__(self, name: str) -> None:
        super().__init__(
            html_template='<div class="wl-plot" role="img"></div>',
            js_on_load="wlens.figure(element, props, watch)",
            apply_default_css=False,
            elem_id=f"wl-{name}",
            elem_classes=["wl-figure"],
        )

    def postprocess(self, value: Any) -> str | None:
        """(figure, what it says in a sentence for those who do not see it) or None."""
        if value is None:
            return None
        fig, said = value
        return str(fig.update_layout(meta={"said": said}).to_json())


class Bridge(gr.HTML):
    """What is clicked, dragged or pressed inside our HTML, as events of one hidden component."""

    def __init__(self) -> None:
        super().__init__(
            html_template="<i></i>",
            js_on_load="wlens.connect(trigger, ['pick', 'go', 'edit', 'example', 'row', 'run_link', 'theme'])",
            apply_default_css=False,
            visible="hidden",
            elem_id="wl-bridge",
        )


class Courier(gr.HTML):
    """Carries a value to a function of ``glue.js`` whenever it changes."""

    def __init__(self, function: str) -> None:
        super().__init__(
            html_template="<i></i>",
            js_on_load=f"watch('value', () => wlens.{function}(props.value))",
            apply_default_css=False,
            visible="hidden",
        )

    def postprocess(self, value: Any) -> Any:
        """Any JSON value; it never becomes markup."""
        return value


def markup(value: str = "", elem_id: str | None = None, **more: Any) -> gr.HTML:
    """A place for HTML of our own, without Gradio's prose style and click event."""
    return gr.HTML(value, elem_id=elem_id, apply_default_css=False, js_on_load=None, **more)


def plotly_loader() -> gr.Plot:
    """An empty hidden plot: it makes Gradio load its plotly.js, which our figures share."""
    return gr.Plot(go.Figure(), visible="hidden", elem_id="wl-plotly")
