"""What all figures share: ground, type, hover label, safe text."""

from __future__ import annotations

import html
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import plotly.graph_objects as go

from core.records import RunRecord
from ui.markup import is_gold, kind, plain, short, title
from ui.palette import Palette, palette

FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif"
HOVER_TITLE = 60  # characters of a title in a hover label
GUTTER = 168  # pixels left of horizontal bars for number and title: half of a narrow figure
_ROW_TITLE = 18  # narrow characters that fit it
_NOTE = {
    "showarrow": False,
    "xref": "paper",
    "yref": "paper",
    "x": 0,
    "y": 1,
    "xanchor": "left",
    "yanchor": "bottom",
    "yshift": 8,
    "font": {"size": 12.5},
}


@dataclass
class Sheet:
    """A figure as it is drawn; made whole at once, since adding to a plotly figure checks all of it each time."""

    dark: bool
    height: int
    layout: dict[str, Any] = field(default_factory=dict)
    traces: list[dict[str, Any]] = field(default_factory=list)
    notes: list[dict[str, Any]] = field(default_factory=list)
    shapes: list[dict[str, Any]] = field(default_factory=list)

    @property
    def colours(self) -> Palette:
        """What to draw with."""
        return palette(self.dark)

    def trace(self, kind: str, documents: Iterable[int], **fields: Any) -> None:
        """Adds a trace with one document per point, by index: what a click on the point selects."""
        self.traces.append({"type": kind, "customdata": [[int(i)] for i in documents], **fields})

    def note(self, text: str, **fields: Any) -> None:
        """Adds a line of text, by default above the left end of the figure."""
        self.notes.append({**_NOTE, "text": text, **fields})

    def note_in_gutter(self, text: str, y: float, **fields: Any) -> None:
        """Adds a line of text left of horizontal bars, at the height ``y`` of the axis."""
        self.note(text, **{"yref": "y", "y": y, "yanchor": "middle", "yshift": 0, "xshift": -GUTTER, **fields})

    def shape(self, kind: str, **fields: Any) -> None:
        """Adds a rectangle or a line."""
        self.shapes.append({"type": kind, **fields})

    def band(self, **where: Any) -> None:
        """Adds the ground of the selected document."""
        self.shape("rect", fillcolor=self.colours.selected, line={"width": 0}, layer="below", **where)

    def figure(self) -> go.Figure:
        """The figure: a fixed height on a transparent ground."""
        ground = _ground(self.colours, self.height)
        margin = {**ground["margin"], **self.layout.get("margin", {})}
        layout = {**ground, **self.layout, "margin": margin, "annotations": self.notes, "shapes": self.shapes}
        return go.Figure({"data": self.traces, "layout": layout})


def _ground(colours: Palette, height: int) -> dict[str, Any]:
    font = {"family": FONT, "size": 13, "color": colours.ink}
    return {
        "template": {},
        "height": height,
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": font,
        "margin": {"l": 8, "r": 8, "t": 34, "b": 8},
        "showlegend": False,
        "dragmode": False,  # a finger scrolls the page, not the figure
        "barcornerradius": 3,
        "hoverlabel": {"bgcolor": colours.raised, "bordercolor": colours.line, "font": font, "align": "left"},
    }


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


def safe(text: str, limit: int = HOVER_TITLE) -> str:
    """Hostile text for plotly, which reads some tags, and ``$...$`` as TeX; isolated from what follows it."""
    escaped = html.escape(short(text, limit), quote=False).replace("$", "&#36;")
    return f"\u2068{escaped}\u2069"


def name(record: RunRecord, document: int, limit: int = HOVER_TITLE, star: str = "★") -> str:
    """Number and title of a document, safe for plotly; a star marks gold."""
    mark = f"{star} " if is_gold(record, document) else ""
    if kind(record) == "page":  # whose title is its number
        return f"{mark}{safe(title(record, document), limit)}"
    return f"{document + 1} · {mark}{safe(title(record, document), limit)}"


def ink(colour: str, text: str) -> str:
    """A coloured stretch of a line."""
    return f'<span style="color:{colour}">{text}</span>'


def add_rows(
    sheet: Sheet, record: RunRecord, documents: Sequence[int], at: Sequence[float], selected: int | None
) -> None:
    """A y axis downwards with a document at each height of ``at``, and a band behind the selected one.

    The names are annotations, since tick labels cannot be left-aligned outside the plot.
    """
    ends = [max(at, default=0) + 0.6, min(at, default=0) - 0.6]
    sheet.layout["yaxis"] = axis(sheet.colours, range=ends, showticklabels=False)
    sheet.layout["margin"] = {**sheet.layout.get("margin", {}), "l": GUTTER}
    star = ink(sheet.colours.gold, "★")
    for document, y in zip(documents, at, strict=True):
        text = name(record, document, _fitting(title(record, document)), star)
        if document == selected:
            text = f"<b>{text}</b>"
            sheet.band(xref="paper", x0=0, x1=1, y0=y - 0.5, y1=y + 0.5)
        sheet.note_in_gutter(text, y)


def _fitting(text: str) -> int:
    """How many characters of a text fit the gutter; wide scripts and capitals take more room."""
    room = float(_ROW_TITLE)
    for count, char in enumerate(plain(text)):
        room -= 2 if unicodedata.east_asian_width(char) in "WF" else 1.5 if char.isupper() else 1
        if room < 0:
            return max(2, count)
    return _ROW_TITLE


def message(text: str, dark: bool) -> go.Figure:
    """A figure that says why there is nothing to draw."""
    sheet = Sheet(dark, 140, {"xaxis": {"visible": False}, "yaxis": {"visible": False}})
    middle = {"x": 0.5, "y": 0.5, "xanchor": "center", "yanchor": "middle", "yshift": 0}
    sheet.note(text, font={"size": 14, "color": sheet.colours.muted}, **middle)
    return sheet.figure()
