"""Maps of a grid: one value under two axes, a map for each value of a third."""

from __future__ import annotations

from typing import Any

import plotly.graph_objects as go

from core.evaluation.analyses import Analysis
from core.evaluation.analyses_record import Cell
from ui.figures_base import Sheet, axis, safe

_ACROSS = 3  # maps beside each other: five of them would be too small on a phone
_GAP = 0.08
_TALL = 190  # pixels of one row of maps


def maps(analysis: Analysis, dark: bool) -> go.Figure:
    """Small multiples that share one scale of colours; where this run's own weights lie, a ring."""
    at = {name: place for place, name in enumerate(analysis.columns)}
    columns = [at[analysis.series], at[analysis.x], at[analysis.y[0]], at[analysis.y[1]]]
    cells = [[_value(row[place]) for place in columns] for row in analysis.rows]
    layers = sorted({cell[0] for cell in cells})
    down = -(-len(layers) // _ACROSS)
    sheet = Sheet(dark, 70 + _TALL * down, {"hovermode": "closest", "margin": {"t": 44, "r": 70}})
    low, high = min(cell[3] for cell in cells), max(cell[3] for cell in cells)
    for place, layer in enumerate(layers):
        inside = [cell[1:] for cell in cells if cell[0] == layer]
        _add_map(sheet, analysis, inside, place, f"{analysis.series} {layer:g}", down, (low, high))
    own = at.get("this run")
    for row in analysis.rows if own is not None else ():
        if row[own or 0] is True:
            _ring(sheet, layers.index(_value(row[columns[0]])), _value(row[columns[1]]), _value(row[columns[2]]))
    said = f"{safe(analysis.x)} across, {safe(analysis.y[0])} upwards, shade: {safe(analysis.y[1])}; ring: this run"
    sheet.note(said, yshift=24, font={"size": 12.5, "color": sheet.colours.muted})
    return sheet.figure()


def _add_map(
    sheet: Sheet,
    analysis: Analysis,
    inside: list[list[float]],
    place: int,
    name: str,
    down: int,
    ends: tuple[float, float],
) -> None:
    end = "" if place == 0 else str(place + 1)
    row, column = divmod(place, _ACROSS)
    width, height = (1 - _GAP * (_ACROSS - 1)) / _ACROSS, (1 - 0.16 * (down - 1)) / down
    left, lower = column * (width + _GAP), 1 - (row + 1) * height - row * 0.16
    small: dict[str, Any] = {"tickfont": {"size": 10.5, "color": sheet.colours.muted}, "nticks": 4}
    sheet.layout[f"xaxis{end}"] = axis(sheet.colours, domain=[left, left + width], anchor=f"y{end}", **small)
    sheet.layout[f"yaxis{end}"] = axis(sheet.colours, domain=[lower, lower + height], anchor=f"x{end}", **small)
    sheet.traces.append(
        {
            "type": "heatmap",
            "x": [cell[0] for cell in inside],
            "y": [cell[1] for cell in inside],
            "z": [cell[2] for cell in inside],
            "xaxis": f"x{end}",
            "yaxis": f"y{end}",
            "zmin": ends[0],
            "zmax": ends[1],
            "colorscale": [[0, sheet.colours.raised], [1, sheet.colours.attention]],
            "showscale": place == 0,
            "colorbar": {"thickness": 10, "len": 0.9, "tickfont": {"size": 11, "color": sheet.colours.muted}},
            "xgap": 1,
            "ygap": 1,
            "hovertemplate": f"{safe(name)}, {safe(analysis.x)} %{{x}}, {safe(analysis.y[0])} %{{y}}: "
            f"<b>%{{z:.3f}}</b><extra></extra>",
        }
    )
    sheet.note(safe(name), x=left, y=lower + height, yshift=2, font={"size": 11.5, "color": sheet.colours.ink})


def _ring(sheet: Sheet, place: int, x: float, y: float) -> None:
    end = "" if place == 0 else str(place + 1)
    ring = {"size": 15, "symbol": "circle-open", "color": sheet.colours.contrast, "line": {"width": 2.5}}
    sheet.traces.append(
        {
            "type": "scatter",
            "mode": "markers",
            "x": [x],
            "y": [y],
            "xaxis": f"x{end}",
            "yaxis": f"y{end}",
            "marker": ring,
            "hoverinfo": "skip",
        }
    )


def _value(cell: Cell) -> float:
    return float(cell) if isinstance(cell, int | float) else 0.0
