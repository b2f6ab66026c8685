"""What all figures share: ground, type, hover label, safe text."""

from __future__ import annotations

import html
import unicodedata
from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go

from core.records import RunRecord
from ui.markup import is_gold, plain, short, title
from ui.palette import Palette, palette

FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif"
HOVER_TITLE = 60  # characters of a title in a hover label
GUTTER = 168  # pixels left of horizontal bars for number and title: half of a narrow figure
_ROW_TITLE = 18  # narrow characters that fit it


def safe(text: str, limit: int = HOVER_TITLE) -> str:
    """Hostile text for plotly, which reads some tags, and ``$...$`` as TeX."""
    escaped = html.escape(short(text, limit), quote=False)
    return "\u2068" + escaped.replace("$", "&#36;") + "\u2069"  # isolated from what follows


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


def add_rows(
    fig: go.Figure,
    colours: Palette,
    record: RunRecord,
    documents: Sequence[int],
    at: Sequence[float],
    selected: int | None,
) -> None:
    """A y axis downwards with a document at each height of ``at``: its name left-aligned in the gutter, and a
    band behind the selected one. Annotations, since tick labels cannot be left-aligned outside the plot.
    """
    ends = [max(at, default=0) + 0.6, min(at, default=0) - 0.6]
    fig.update_layout(margin_l=GUTTER, yaxis=axis(colours, range=ends, showticklabels=False))
    for document, y in zip(documents, at, strict=True):
        text = name(record, document, _fitting(title(record, document))).replace("★", ink(colours.gold, "★"))
        if document == selected:
            text = f"<b>{text}</b>"
            fig.add_shape(band(colours, xref="paper", x0=0, x1=1, y0=y - 0.5, y1=y + 0.5))
        fig.add_annotation(in_gutter(text, y))


def in_gutter(text: str, y: float, **more: Any) -> dict[str, Any]:
    """A line of text left of horizontal bars, at the height ``y`` of the axis."""
    return label(text, **{"yref": "y", "y": y, "yanchor": "middle", "yshift": 0, "xshift": -GUTTER, **more})


def _fitting(text: str) -> int:
    """How many characters of a text fit the gutter; wide scripts and capitals take more room."""
    room = float(_ROW_TITLE)
    for count, char in enumerate(plain(text)):
        room -= 2 if unicodedata.east_asian_width(char) in "WF" else 1.5 if char.isupper() else 1
        if room < 0:
            return max(2, count)
    return _ROW_TITLE


def band(colours: Palette, **where: Any) -> dict[str, Any]:
    """The shape behind the selected document."""
    return {"type": "rect", "fillcolor": colours.selected, "line": {"width": 0}, "layer": "below", **where}


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
