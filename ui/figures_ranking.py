"""The SFS ranking: what lifts each document, and where the Local Agent's view is cut."""

from __future__ import annotations

import plotly.graph_objects as go

from core.records import Ranked, RunRecord
from ui.derived import Derived
from ui.figures_base import axis, figure, ink, label, message, name
from ui.figures_curve import WAITING
from ui.palette import Palette

ROW = 27  # pixels of one document
_PARTS = ("semantic", "inference", "contrast")
_PALE = 0.4  # opacity of what the Local Agent does not see


def ranking(record: RunRecord, derived: Derived | None, selected: int | None, dark: bool) -> go.Figure:
    """Stacked bars of the three weighted parts, best document on top, a line after the k-th."""
    if derived is None:
        return message(WAITING, dark)
    rows = derived.ranking
    fig, colours = figure(dark, 78 + ROW * len(rows), hovermode="y", barmode="stack", bargap=0.38)
    best = max((row.score for row in rows), default=0.0) or 1.0
    fig.update_layout(
        xaxis=axis(colours, range=[0, best * 1.3], showticklabels=False),
        yaxis=axis(
            colours,
            range=[len(rows) - 0.4, -0.6],
            tickvals=list(range(len(rows))),
            ticktext=[_row_name(record, row, selected, colours) for row in rows],
            tickfont={"size": 12.5, "color": colours.ink},
        ),
    )
    _add_parts(fig, colours, rows, derived.settings.k)
    _add_places(fig, colours, record, rows, derived)
    _add_cut(fig, colours, len(rows), derived.settings.k)
    if selected is not None:
        _add_selected(fig, colours, derived, selected)
    shades = (colours.semantic, colours.inference, colours.contrast)
    key = "   ".join(ink(shade, "■") + f" {part}" for shade, part in zip(shades, _PARTS, strict=True))
    fig.add_annotation(label(key, font={"size": 12.5, "color": colours.muted}))
    return fig


def _row_name(record: RunRecord, row: Ranked, selected: int | None, colours: Palette) -> str:
    text = name(record, row.document, limit=18)
    text = text.replace("★", ink(colours.gold, "★"))
    return f"<b>{text}</b> " if row.document == selected else f"{text} "


def _add_parts(fig: go.Figure, colours: Palette, rows: tuple[Ranked, ...], k: int) -> None:
    for part in _PARTS:
        fig.add_bar(
            orientation="h",
            y=list(range(len(rows))),
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


def _add_places(
    fig: go.Figure, colours: Palette, record: RunRecord, rows: tuple[Ranked, ...], derived: Derived
) -> None:
    """The move of each document at the end of its bar; it also carries the row's hover and click."""
    fig.add_scatter(
        x=[row.score for row in rows],
        y=list(range(len(rows))),
        mode="markers+text",
        marker={"size": 1, "opacity": 0},
        text=[f" {row.document + 1} → {place}" for place, row in enumerate(rows, start=1)],
        textposition="middle right",
        textfont={"size": 12, "color": colours.muted},
        customdata=[
            [
                row.document,
                name(record, row.document),
                row.score,
                row.parts.semantic,
                row.parts.inference,
                row.parts.contrast,
                place,
            ]
            for place, row in enumerate(rows, start=1)
        ],
        name="place",
        hovertemplate=(
            "<b>%{customdata[1]}</b><br>SFS %{customdata[2]:.3f} · place %{customdata[6]}"
            "<br>semantic %{customdata[3]:.3f} · inference %{customdata[4]:.3f}"
            " · contrast %{customdata[5]:.3f}<extra></extra>"
        ),
        cliponaxis=False,
    )


def _add_cut(fig: go.Figure, colours: Palette, count: int, k: int) -> None:
    if k < count:
        fig.add_shape(
            type="line",
            xref="paper",
            yref="y",
            x0=0,
            x1=1,
            y0=k - 0.5,
            y1=k - 0.5,
            line={"color": colours.ink, "width": 1.2, "dash": "dot"},
        )
        fig.add_annotation(
            label(
                f"▲ the Local Agent reads these {k}",
                x=1,
                xanchor="right",
                yref="y",
                y=k - 0.5,
                yshift=1,
                font={"size": 12, "color": colours.ink},
            )
        )


def _add_selected(fig: go.Figure, colours: Palette, derived: Derived, selected: int) -> None:
    place = derived.place.get(selected)
    if place is not None:
        fig.add_shape(
            type="rect",
            xref="paper",
            yref="y",
            x0=0,
            x1=1,
            y0=place - 1.5,
            y1=place - 0.5,
            fillcolor=colours.selected,
            line={"width": 0},
            layer="below",
        )
