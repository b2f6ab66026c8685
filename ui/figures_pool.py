"""The candidates of the pruning stage against the bar tau."""

from __future__ import annotations

import plotly.graph_objects as go

from core.records import PoolEntry, RunRecord
from ui.derived import Derived
from ui.figures_base import add_rows, axis, figure, label, message, name
from ui.markup import UNSCORED, missing
from ui.palette import Palette

ROW = 36  # pixels of one candidate
_WORDS = 84  # pixels right of the scale for score and fate


def pool(record: RunRecord, derived: Derived | None, selected: int | None, dark: bool) -> go.Figure:
    """One lollipop per candidate: DocScore on [0, 1], kept or pruned by shape and colour, the bar at tau."""
    if derived is None or record.pool is None:
        return message(missing(record, *UNSCORED), dark)
    if not derived.pool:
        return message("No agent named a document, so there is no candidate.", dark)
    rows = list(enumerate(derived.pool))
    fig, colours = figure(dark, 92 + ROW * len(rows), hovermode="y")
    scale = {"text": "DocScore", "font": {"size": 12, "color": colours.muted}, "standoff": 4}
    fig.update_layout(
        margin_r=_WORDS,
        xaxis=axis(colours, range=[-0.03, 1.03], tickvals=[0, 0.5, 1], showgrid=True, title=scale),
    )
    add_rows(fig, colours, record, [entry.document for _, entry in rows], [i for i, _ in rows], selected)
    _add_tau(fig, colours, derived.settings.tau)
    for kept in (True, False):
        _add_stems(fig, colours, [(i, entry) for i, entry in rows if entry.kept == kept], kept)
    _add_heads(fig, colours, record, rows)
    _add_words(fig, colours, rows)
    return fig


def _colour(colours: Palette, kept: bool) -> str:
    return colours.kept if kept else colours.pruned


def _word(kept: bool) -> str:
    return "kept" if kept else "pruned"


def _add_tau(fig: go.Figure, colours: Palette, tau: float) -> None:
    tall = {"yref": "paper", "y0": 0, "y1": 1}
    fig.add_shape(
        type="rect", x0=tau, x1=1.03, fillcolor=colours.kept, opacity=0.09, line={"width": 0}, layer="below", **tall
    )
    fig.add_shape(type="line", x0=tau, x1=tau, line={"color": colours.ink, "width": 1.5}, **tall)
    fig.add_annotation(label(f"<b>τ = {tau:g}</b>", xref="x", x=tau, xanchor="center", yshift=4))


def _add_stems(fig: go.Figure, colours: Palette, rows: list[tuple[int, PoolEntry]], kept: bool) -> None:
    fig.add_scatter(
        x=[x for _, entry in rows for x in (0, entry.score, None)],
        y=[y for i, _ in rows for y in (i, i, None)],
        customdata=[[entry.document] for _, entry in rows for _ in range(3)],
        mode="lines",
        name=f"{_word(kept)}, stem",
        line={"color": _colour(colours, kept), "width": 3, "dash": "solid" if kept else "dot"},
        hoverinfo="skip",
    )


def _add_heads(fig: go.Figure, colours: Palette, record: RunRecord, rows: list[tuple[int, PoolEntry]]) -> None:
    """One trace for all: plotly turns the hover labels of several by 60 degrees."""
    shades = [_colour(colours, entry.kept) for _, entry in rows]
    fig.add_scatter(
        x=[entry.score for _, entry in rows],
        y=[i for i, _ in rows],
        mode="markers",
        name="DocScore",
        marker={
            "size": [14 if entry.kept else 11 for _, entry in rows],
            "symbol": ["circle" if entry.kept else "x-thin" for _, entry in rows],
            "color": shades,
            "opacity": 1,  # several sizes are drawn translucent otherwise
            "line": {"color": shades, "width": [0 if entry.kept else 3 for _, entry in rows]},
        },
        customdata=[[entry.document] for _, entry in rows],
        hovertext=[
            f"<b>{name(record, entry.document)}</b><br>DocScore {entry.score:.2f}, {_word(entry.kept)}"
            f"<br>selected by {' and '.join(entry.selected_by) or 'no agent'}"
            for _, entry in rows
        ],
        hoverinfo="text",
        cliponaxis=False,
    )


def _add_words(fig: go.Figure, colours: Palette, rows: list[tuple[int, PoolEntry]]) -> None:
    """Score and fate in a column of their own, where no line crosses them."""
    fig.add_scatter(
        x=[1.03] * len(rows),
        y=[i for i, _ in rows],
        mode="text",
        name="score",
        text=[f" {entry.score:.2f} {_word(entry.kept)}" for _, entry in rows],
        textposition="middle right",
        textfont={"size": 12.5, "color": [colours.kept_ink if entry.kept else colours.pruned for _, entry in rows]},
        customdata=[[entry.document] for _, entry in rows],
        hoverinfo="skip",
        cliponaxis=False,
    )
