"""Components of our own, made of ``gr.HTML``; their scripts are in ``glue.js``.

``gr.HTML`` pastes a value into the page as it is, and evaluates ``{{value}}`` templates a second time as
JavaScript template strings: so values are escaped where they are made, and no template here holds one.
They are functions, not subclasses: for a subclass Gradio writes a ``.pyi`` file beside its module.
"""

from __future__ import annotations

from typing import Any

import gradio as gr
import plotly.graph_objects as go

PLOT = '<div class="wl-plot" role="img" aria-label="A figure that is not drawn yet"></div>'
"""Where a figure is drawn; its name is put in place of this one then."""


def plotted(fig: go.Figure, said: str) -> str:
    """The value of a ``figure``: what to draw, and what it says in a sentence for those who do not see it."""
    return str(fig.update_layout(meta={"said": said}).to_json())


def figure(name: str) -> gr.HTML:
    """A plotly figure that is changed in place and says which document was clicked.

    ``gr.Plot`` builds its plot anew for every value (flicker, lost hover) and has no click event.
    """
    return gr.HTML(
        html_template=PLOT,
        js_on_load="wlens.figure(element, props, watch)",
        apply_default_css=False,
        elem_id=f"wl-{name}",
        elem_classes=["wl-figure"],
    )


def bridge() -> gr.HTML:
    """What is clicked, dragged or pressed inside our HTML, as events of one hidden component."""
    return gr.HTML(
        html_template="<i></i>",
        js_on_load="wlens.connect(trigger, ['pick', 'go', 'edit', 'example', 'row', 'run_link', 'theme'])",
        apply_default_css=False,
        visible="hidden",
        elem_id="wl-bridge",
    )


def courier(function: str) -> gr.HTML:
    """Carries a JSON value to a function of ``glue.js`` whenever it changes; it never becomes markup."""
    return gr.HTML(
        html_template="<i></i>",
        js_on_load=f"watch('value', () => wlens.{function}(props.value))",
        apply_default_css=False,
        visible="hidden",
    )


def address_courier(function: str) -> gr.HTML:
    """The same for what is told at once as well: a tab that is shown late finds its value there already."""
    return gr.HTML(
        html_template="<i></i>",
        js_on_load=f"wlens.{function}(props.value); watch('value', () => wlens.{function}(props.value))",
        apply_default_css=False,
        visible="hidden",
    )


def markup(value: str = "", elem_id: str | None = None, **more: Any) -> gr.HTML:
    """A place for HTML of our own, without Gradio's prose style and click event."""
    return gr.HTML(value, elem_id=elem_id, apply_default_css=False, js_on_load=None, **more)


def heading(name: str, said: str, drawn: str = "") -> None:
    """A section's title, how to read it, and where it has a figure the buttons that save it."""
    saves = "".join(
        f'<button type="button" class="wl-link" data-save="{drawn}" data-format="{kind}" '
        f'aria-label="Save the figure as {kind.upper()}">{kind.upper()}</button>'
        for kind in (("png", "svg") if drawn else ())
    )
    markup(
        f'<div class="wl wl-section"><h3>{name}</h3><span class="wl-saves">{saves}</span>'
        f'<p class="wl-sub">{said}</p></div>'
    )


def plotly_loader() -> gr.Plot:
    """An empty hidden plot: it makes Gradio load its plotly.js, which our figures share."""
    return gr.Plot(go.Figure(), visible="hidden", elem_id="wl-plotly")
