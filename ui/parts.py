"""Components of our own, made of ``gr.HTML``; their scripts are in ``glue.js``.

``gr.HTML`` pastes a value into the page as it is, and evaluates ``{{value}}`` templates a second time as
JavaScript template strings: so values are escaped where they are made, and no template here holds one.
They are functions, not subclasses: for a subclass Gradio writes a ``.pyi`` file beside its module.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gradio as gr
import plotly.graph_objects as go

QUIET: dict[str, Any] = {"show_progress": "hidden", "api_visibility": "private"}
"""How every event of the page is wired: no overlay of Gradio's, and no public function."""
FAST: dict[str, Any] = {**QUIET, "queue": False, "trigger_mode": "always_last"}
"""The same for what follows a hand: answered at once, and only the last of several counts."""
KEPT_SECONDS = 6 * 3600  # that a visitor's state is kept


def plotted(fig: go.Figure, said: str) -> str:
    """The value of a ``figure``: what to draw, and what it says in a sentence for those who do not see it."""
    return str(fig.update_layout(meta={"said": said}).to_json())


def figure(name: str, tab: str = "", clicked: str = "") -> gr.HTML:
    """A plotly figure that is changed in place and says what was clicked.

    ``gr.Plot`` builds its plot anew for every value (flicker, lost hover) and has no click event.

    Args:
        name: what its ``elem_id`` is, after ``wl-``.
        tab: whose ``figure`` in the scripts draws it; the tab Inspect's by default.
        clicked: what a mark stands for, where that script tells several kinds apart.
    """
    told = f", '{clicked}'" if clicked else ""
    return gr.HTML(
        html_template='<div class="wl-plot" role="img" aria-label="A figure that is not drawn yet"></div>',
        js_on_load=f"{_script(tab)}.figure(element, props, watch{told})",
        apply_default_css=False,
        elem_id=f"wl-{name}",
        elem_classes=["wl-figure"],
    )


def bridge(events: Sequence[str], tab: str = "") -> gr.HTML:
    """What is clicked, dragged or pressed inside our HTML, as these events of one hidden component."""
    return gr.HTML(
        html_template="<i></i>",
        js_on_load=f"{_script(tab)}.connect(trigger, {[*events]})",
        apply_default_css=False,
        visible="hidden",
        elem_id=f"wl-{tab}-bridge" if tab else "wl-bridge",
    )


def asked(event: gr.EventData) -> dict[str, str]:
    """The address that the page was opened with, as a tab's ``opened`` tells it; what is no text is left out."""
    query = event.query
    pairs = query.items() if isinstance(query, dict) else ()
    return {str(name): value for name, value in pairs if isinstance(value, str)}


def kept(tab: str, name: str) -> gr.HTML:
    """A place for HTML with buttons, whose focus outlives a new value."""
    return gr.HTML(
        elem_id=f"wl-{tab}-{name}",
        apply_default_css=False,
        js_on_load=f"{_script(tab)}.keepFocus(element, watch)",
    )


def _script(tab: str) -> str:
    """Where a tab's functions stand in the scripts."""
    return f"wlens.{tab}" if tab else "wlens"


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
