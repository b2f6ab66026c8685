"""The SFS ranking: what lifts each document, and where the Local Agent's view is cut."""

from __future__ import annotations

import plotly.graph_objects as go

from core.records import Ranked, RunRecord
from ui.derived import Derived
from ui.figures_base import GUTTER, add_rows, axis, figure, in_gutter, ink, label, message, name
from ui.markup import UNREAD, missing
from ui.palette import Palette

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
    fig, colours = figure(dark, round(60 + ROW * (max(at, default=0) + 1.2)), hovermode="y", barmode="stack")
    best = max((row.score for row in rows), default=0.0) or 1.0
    fig.update_layout(bargap=0.36, xaxis=axis(colours, range=[0, best * 1.32], showticklabels=False))
    add_rows(fig, colours, record, [row.document for row in rows], at, selected)
    _add_parts(fig, colours, rows, at, k)
    _add_places(fig, colours, record, rows, at)
    if k < len(rows):
        _add_cut(fig, colours, k)
    _add_key(fig, colours)
    return fig


def _add_parts(fig: go.Figure, colours: Palette, rows: tuple[Ranked, ...], at: list[float], k: int) -> None:
    for part in PARTS:
        fig.add_bar(
            orientation="h",
            y=at,
            x=[getattr(row.parts, part) for row in rows],
            customdata=[[row.document] for row in rows],
            name=part,
            marker={
                "color": getattr(colours, part),
                "opacity": [1 if i < k else _PALE for i in range(len(rows))],
                "line": {"width": 0},
            },
            hoverinfo="skip",
        )


def _add_places(fig: go.Figure, colours: Palette, record: RunRecord, rows: tuple[Ranked, ...], at: list[float]) -> None:
    """The move of each document at the end of its bar; it also carries the row's hover and click."""
    fig.add_scatter(
        x=[row.score for row in rows],
        y=at,
        mode="markers+text",
        marker={"size": 1, "opacity": 0},
        text=[f" {row.document + 1} → {place}" for place, row in enumerate(rows, start=1)],
        textposition="middle right",
        textfont={"size": 12, "color": colours.muted},
        customdata=[[row.document] for row in rows],
        name="place",
        hovertext=[_hover(record, row, place) for place, row in enumerate(rows, start=1)],
        hoverinfo="text",
        cliponaxis=False,
    )


def _hover(record: RunRecord, row: Ranked, place: int) -> str:
    parts = row.parts
    return (
        f"<b>{name(record, row.document)}</b><br>SFS {row.score:.3f} · place {place}"
        f"<br>semantic {parts.semantic:.3f} · inference {parts.inference:.3f}<br>contrast {parts.contrast:.3f}"
    )


def _add_cut(fig: go.Figure, colours: Palette, k: int) -> None:
    y = k - 0.5 + _GAP / 2
    fig.add_shape(
        type="line", xref="paper", x0=0, x1=1, y0=y, y1=y, line={"color": colours.muted, "width": 1.2, "dash": "dot"}
    )
    words = f"▲ Local Agent reads {'this' if k == 1 else 'these'}"
    fig.add_annotation(in_gutter(words, y, font={"size": 12, "color": colours.muted}))


def _add_key(fig: go.Figure, colours: Palette) -> None:
    key = "   ".join(f"{ink(getattr(colours, part), '■')} {part}" for part in PARTS)
    fig.add_annotation(label(key, xshift=-GUTTER, font={"size": 12.5, "color": colours.muted}))
    fig.add_annotation(label("place: old → new", x=1, xanchor="right", font={"size": 12.5, "color": colours.muted}))
