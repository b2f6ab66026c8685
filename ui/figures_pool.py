"""The candidates of the pruning stage against the bar tau."""

from __future__ import annotations

import plotly.graph_objects as go

from core.records import PoolEntry, RunRecord
from ui.derived import Derived
from ui.figures_base import Sheet, add_rows, axis, message, name
from ui.markup import NO_CANDIDATE, UNSCORED, missing

ROW = 36  # pixels of one candidate
_WORDS = 84  # pixels right of the scale for score and fate
_END = 1.03  # a little past the highest DocScore, so that its mark is whole

Rows = list[tuple[int, PoolEntry]]
"""(height on the y axis, candidate)."""


def pool(record: RunRecord, derived: Derived | None, selected: int | None, dark: bool) -> go.Figure:
    """One lollipop per candidate: DocScore on [0, 1], kept or pruned by shape and colour, the bar at tau."""
    if derived is None or record.pool is None:
        return message(missing(record, *UNSCORED), dark)
    if not derived.pool:
        return message(NO_CANDIDATE, dark)
    rows = list(enumerate(derived.pool))
    sheet = Sheet(dark, 92 + ROW * len(rows), {"hovermode": "y", "margin": {"r": _WORDS}})
    title = {"text": "DocScore", "font": {"size": 12, "color": sheet.colours.muted}, "standoff": 4}
    scale = {"range": [1 - _END, _END], "tickvals": [0, 0.5, 1], "showgrid": True, "title": title}
    sheet.layout["xaxis"] = axis(sheet.colours, **scale)
    add_rows(sheet, record, [entry.document for _, entry in rows], [i for i, _ in rows], selected)
    _add_tau(sheet, derived.settings.tau)
    for kept in (True, False):
        _add_stems(sheet, [(i, entry) for i, entry in rows if entry.kept == kept], kept)
    _add_heads(sheet, record, rows)
    _add_words(sheet, rows)
    return sheet.figure()


def _colour(sheet: Sheet, kept: bool) -> str:
    return sheet.colours.kept if kept else sheet.colours.pruned


def _word(kept: bool) -> str:
    return "kept" if kept else "pruned"


def _add_tau(sheet: Sheet, tau: float) -> None:
    tall = {"yref": "paper", "y0": 0, "y1": 1}
    kept = {"fillcolor": sheet.colours.kept, "opacity": 0.09, "line": {"width": 0}, "layer": "below"}
    sheet.shape("rect", x0=tau, x1=_END, **kept, **tall)
    sheet.shape("line", x0=tau, x1=tau, line={"color": sheet.colours.ink, "width": 1.5}, **tall)
    sheet.note(f"<b>τ = {tau:g}</b>", xref="x", x=tau, xanchor="center", yshift=4)


def _add_stems(sheet: Sheet, rows: Rows, kept: bool) -> None:
    sheet.trace(
        "scatter",
        [entry.document for _, entry in rows for _ in range(3)],
        x=[x for _, entry in rows for x in (0, entry.score, None)],
        y=[y for i, _ in rows for y in (i, i, None)],
        name=f"{_word(kept)}, stem",
        mode="lines",
        line={"color": _colour(sheet, kept), "width": 3, "dash": "solid" if kept else "dot"},
        hoverinfo="skip",
    )


def _add_heads(sheet: Sheet, record: RunRecord, rows: Rows) -> None:
    """One trace for all: plotly turns the hover labels of several by 60 degrees."""
    shades = [_colour(sheet, entry.kept) for _, entry in rows]
    sheet.trace(
        "scatter",
        [entry.document for _, entry in rows],
        x=[entry.score for _, entry in rows],
        y=[i for i, _ in rows],
        name="DocScore",
        mode="markers",
        marker={
            "size": [14 if entry.kept else 11 for _, entry in rows],
            "symbol": ["circle" if entry.kept else "x-thin" for _, entry in rows],
            "color": shades,
            "opacity": 1,  # several sizes are drawn translucent otherwise
            "line": {"color": shades, "width": [0 if entry.kept else 3 for _, entry in rows]},
        },
        hovertext=[_hover(record, entry) for _, entry in rows],
        hoverinfo="text",
        cliponaxis=False,
    )


def _hover(record: RunRecord, entry: PoolEntry) -> str:
    return (
        f"<b>{name(record, entry.document)}</b><br>DocScore {entry.score:.2f}, {_word(entry.kept)}"
        f"<br>selected by {' and '.join(entry.selected_by) or 'no agent'}"
    )


def _add_words(sheet: Sheet, rows: Rows) -> None:
    """Score and fate in a column of their own, where no line crosses them."""
    inks = [sheet.colours.kept_ink if entry.kept else sheet.colours.pruned for _, entry in rows]
    sheet.trace(
        "scatter",
        [entry.document for _, entry in rows],
        x=[_END] * len(rows),
        y=[i for i, _ in rows],
        name="score",
        mode="text",
        text=[f" {entry.score:.2f} {_word(entry.kept)}" for _, entry in rows],
        textposition="middle right",
        textfont={"size": 12.5, "color": inks},
        hoverinfo="skip",
        cliponaxis=False,
    )
