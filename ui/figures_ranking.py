"""The SFS ranking: what lifts each document, and where the Local Agent's view is cut."""

from __future__ import annotations

import plotly.graph_objects as go

from core.records import Parts, Ranked, RunRecord
from ui.derived import Derived
from ui.figures_base import GUTTER, Sheet, add_rows, axis, ink, message, name
from ui.markup import UNREAD, missing, number

ROW = 27  # pixels of one document
PARTS = ("semantic", "inference", "contrast")
_PALE = 0.4  # opacity of what the Local Agent does not see
_GAP = 1.0  # rows left free for the cut and its words


def ranking(record: RunRecord, derived: Derived | None, selected: int | None, dark: bool) -> go.Figure:
    """Stacked bars of the three weighted parts, best document on top, a line after the k-th."""
    if derived is None:
        return message(missing(record, *UNREAD), dark)
    rows, k = derived.ranking, derived.settings.k
    at = [float(i) if i < k else i + _GAP for i in range(len(rows))]
    sheet = Sheet(dark, round(70 + ROW * (max(at, default=0) + 1.2)))
    best = max((row.score for row in rows), default=0.0) or 1.0
    sheet.layout |= {
        "hovermode": "y",
        "barmode": "stack",
        "bargap": 0.36,
        "xaxis": axis(sheet.colours, range=[0, best * 1.32], showticklabels=False),
    }
    add_rows(sheet, record, [row.document for row in rows], at, selected)
    _add_parts(sheet, rows, at, k)
    _add_places(sheet, record, rows, at)
    if k < len(rows):
        _add_cut(sheet, k)
    _add_key(sheet)
    return sheet.figure()


def _add_parts(sheet: Sheet, rows: tuple[Ranked, ...], at: list[float], k: int) -> None:
    strength = [1 if i < k else _PALE for i in range(len(rows))]
    for part in PARTS:
        sheet.trace(
            "bar",
            [row.document for row in rows],
            orientation="h",
            x=[getattr(row.parts, part) for row in rows],
            y=at,
            name=part,
            marker={"color": getattr(sheet.colours, part), "opacity": strength, "line": {"width": 0}},
            hoverinfo="skip",
        )


def _add_places(sheet: Sheet, record: RunRecord, rows: tuple[Ranked, ...], at: list[float]) -> None:
    """The move of each document at the end of its bar; it also carries the row's hover and click."""
    places = list(enumerate(rows, start=1))
    sheet.trace(
        "scatter",
        [row.document for row in rows],
        x=[row.score for row in rows],
        y=at,
        name="place",
        mode="markers+text",
        marker={"size": 1, "opacity": 0},
        text=[f" {number(record, row.document)} → {place}" for place, row in places],
        textposition="middle right",
        textfont={"size": 12, "color": sheet.colours.muted},
        hovertext=[_hover(record, row, place) for place, row in places],
        hoverinfo="text",
        cliponaxis=False,
    )


def _hover(record: RunRecord, row: Ranked, place: int) -> str:
    parts = row.parts or Parts(semantic=0, inference=0, contrast=0)
    return (
        f"<b>{name(record, row.document)}</b><br>SFS {row.score:.3f} · place {place}"
        f"<br>semantic {parts.semantic:.3f} · inference {parts.inference:.3f}<br>contrast {parts.contrast:.3f}"
    )


def _add_cut(sheet: Sheet, k: int) -> None:
    y, muted = k - 0.5 + _GAP / 2, sheet.colours.muted
    sheet.shape("line", xref="paper", x0=0, x1=1, y0=y, y1=y, line={"color": muted, "width": 1.2, "dash": "dot"})
    words = f"▲ Local Agent reads {'this' if k == 1 else 'these'}"
    sheet.note_in_gutter(words, y, font={"size": 12, "color": muted})


def _add_key(sheet: Sheet) -> None:
    font = {"size": 12.5, "color": sheet.colours.muted}
    key = "   ".join(f"{ink(getattr(sheet.colours, part), '■')} {part}" for part in PARTS)
    sheet.note(key, xshift=-GUTTER, font=font)
    sheet.note("place: old → new", x=1, xanchor="right", font=font)
