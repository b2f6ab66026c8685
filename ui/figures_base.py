"""What all figures share: ground, type, hover label, safe text."""

from __future__ import annotations

import html
from typing import Any

import plotly.graph_objects as go

from core.records import RunRecord
from ui.markup import is_gold, short, title
from ui.palette import Palette, palette

FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif"
HOVER_TITLE = 60  # characters of a title in a hover label


def safe(text: str, limit: int = HOVER_TITLE) -> str:
    """Hostile text for plotly, which reads some tags, ``%{...}`` in templates and ``$...$`` as TeX."""
    escaped = html.escape(short(text, limit), quote=False)
    return escaped.replace("$", "&#36;").replace("%{", "%&#123;")


def name(record: RunRecord, document: int, limit: int = HOVER_TITLE) -> str:
    """Number and title of a document, safe for plotly; a star marks gold."""
    star = "★ " if is_gold(record, document) else ""
    return f"{document + 1} · {star}{safe(title(record, document), limit)}"


def figure(dark: bool, height: int, **layout: Any) -> tuple[go.Figure, Palette]:
    """An empty figure of a fixed height on a transparent ground, and the palette to draw with."""
    colours = palette(dark)
    base: dict[str, Any] = {
        "template": go.layout.Template(),
        "height": height,
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"family": FONT, "size": 13, "color": colours.ink},
        "margin": {"l": 8, "r": 8, "t": 34, "b": 8},
        "showlegend": False,
        "dragmode": False,  # a finger scrolls the page, not the figure
        "barcornerradius": 3,
        "hoverlabel": {
            "bgcolor": colours.raised,
            "bordercolor": colours.line,
            "font": {"family": FONT, "size": 13, "color": colours.ink},
            "align": "left",
        },
    }
    return go.Figure(layout={**base, **layout}), colours


def axis(colours: Palette, **more: Any) -> dict[str, Any]:
    """A quiet axis: no frame, hairline grid, fixed range."""
    return {
        "fixedrange": True,
        "zeroline": False,
        "showgrid": False,
        "gridcolor": colours.line,
        "tickfont": {"size": 12, "color": colours.muted},
        "automargin": True,
        "ticks": "",
        **more,
    }


def label(text: str, **more: Any) -> dict[str, Any]:
    """A line of text in the figure's margin, by default above its left end."""
    return {
        "text": text,
        "showarrow": False,
        "xref": "paper",
        "yref": "paper",
        "x": 0,
        "y": 1,
        "xanchor": "left",
        "yanchor": "bottom",
        "yshift": 8,
        "font": {"size": 12.5},
        **more,
    }


def ink(colour: str, text: str) -> str:
    """A coloured stretch of a label."""
    return f'<span style="color:{colour}">{text}</span>'


def message(text: str, dark: bool) -> go.Figure:
    """A figure that says why there is nothing to draw."""
    fig, colours = figure(dark, 140)
    fig.update_xaxes(visible=False)
    fig.update_yaxes(visible=False)
    at = {"x": 0.5, "y": 0.5, "xanchor": "center", "yanchor": "middle", "yshift": 0}
    fig.add_annotation(label(text, font={"size": 14, "color": colours.muted}, **at))
    return fig
