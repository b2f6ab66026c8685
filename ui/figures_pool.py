"""The candidates of the pruning stage against the bar tau."""

from __future__ import annotations

import plotly.graph_objects as go

from core.records import PoolEntry, RunRecord
from ui.derived import Derived
from ui.figures_base import axis, figure, ink, label, message, name
from ui.palette import Palette

ROW = 38  # pixels of one candidate


def pool(record: RunRecord, derived: Derived | None, selected: int | None, dark: bool) -> go.Figure:
    """One lollipop per candidate: DocScore on [0, 1], kept or pruned by shape and colour, the bar at tau."""
    if derived is None or record.pool is None:
        return message("The candidates have not been scored yet.", dark)
    if not derived.pool:
        return message("No agent named a document, so there is no candidate.", dark)
    rows = derived.pool
    fig, colours = figure(dark, 96 + ROW * len(rows), hovermode="y")
    fig.update_layout(
        xaxis=axis(
            colours,
            range=[-0.02, 1.12],
            tickvals=[0, 0.5, 1],
            showgrid=True,
            title={"text": "DocScore", "font": {"size": 12, "color": colours.muted}, "standoff": 4},
        ),
        yaxis=axis(
            colours,
            range=[len(rows) - 0.4, -0.6],
            tickvals=list(range(len(rows))),
            ticktext=[_row_name(record, entry, selected, colours) for entry in rows],
            tickfont={"size": 12.5, "color": colours.ink},
        ),
    )
    _add_bar(fig, colours, derived.settings.tau, len(rows))
    for kept in (True, False):
        _add_entries(fig, colours, record, [(i, entry) for i, entry in enumerate(rows) if entry.kept == kept], kept)
    return fig


def _row_name(record: RunRecord, entry: PoolEntry, selected: int | None, colours: Palette) -> str:
    text = name(record, entry.document, limit=18).replace("★", ink(colours.gold, "★"))
    return f"<b>{text}</b> " if entry.document == selected else f"{text} "


def _add_bar(fig: go.Figure, colours: Palette, tau: float, count: int) -> None:
    fig.add_shape(
        type="rect",
        x0=tau,
        x1=1,
        y0=-0.6,
        y1=count - 0.4,
        fillcolor=colours.kept,
        opacity=0.07,
        line={"width": 0},
        layer="below",
    )
    fig.add_shape(type="line", x0=tau, x1=tau, y0=-0.6, y1=count - 0.4, line={"color": colours.ink, "width": 1.5})
    fig.add_annotation(label(f"<b>τ = {tau:g}</b>", xref="x", x=tau, xanchor="center", yshift=4))


def _add_entries(
    fig: go.Figure, colours: Palette, record: RunRecord, rows: list[tuple[int, PoolEntry]], kept: bool
) -> None:
    colour = colours.kept if kept else colours.pruned
    word = "kept" if kept else "pruned"
    fig.add_scatter(
        x=[x for _, entry in rows for x in (0, entry.score, None)],
        y=[y for i, _ in rows for y in (i, i, None)],
        customdata=[[entry.document] for _, entry in rows for _ in range(3)],
        mode="lines",
        name=f"{word}, stem",
        line={"color": colour, "width": 3, "dash": "solid" if kept else "dot"},
        hoverinfo="skip",
    )
    fig.add_scatter(
        x=[entry.score for _, entry in rows],
        y=[i for i, _ in rows],
        mode="markers+text",
        name=word,
        marker={
            "size": 13,
            "symbol": "circle" if kept else "x-thin-open",
            "color": colour,
            "line": {"color": colour, "width": 1 if kept else 3},
        },
        text=[f"  {entry.score:.2f} {word}" for _, entry in rows],
        textposition="middle right",
        textfont={"size": 12, "color": colours.kept_ink if kept else colours.pruned},
        customdata=[
            [entry.document, name(record, entry.document), entry.score, " and ".join(entry.selected_by)]
            for _, entry in rows
        ],
        hovertemplate=(
            "<b>%{customdata[1]}</b><br>DocScore %{customdata[2]:.2f}, "
            + word
            + "<br>selected by %{customdata[3]}<extra></extra>"
        ),
        cliponaxis=False,
    )
