"""Accuracy against cost: a point for each system."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go

from core.evaluation.analyses import Analysis
from ui.figures_base import Sheet, axis, safe
from ui.figures_set_base import SYMBOLS, at, curves, error_bars, number, series_colour, titled

_WIDE = 5.0  # from this ratio of the dearest to the cheapest on, the axis is logarithmic


def points(analysis: Analysis, dark: bool) -> go.Figure:
    """Each with its interval and its name, which stands on the side that has room."""
    sheet = Sheet(dark, 340, {"hovermode": "closest"})
    costs = [number(row[at(analysis)[analysis.x]]) for row in analysis.rows]
    sheet.layout["xaxis"] = axis(sheet.colours, showgrid=True, **_scale(sheet, analysis.x, costs))
    title = titled(sheet.colours, analysis.y[0])
    sheet.layout["yaxis"] = axis(sheet.colours, title=title, range=[-0.04, 1.08], showgrid=True, nticks=6)
    middle = (min(costs) + max(costs)) / 2
    for place, curve in enumerate(curves(analysis, analysis.y)):
        colour, name = series_colour(sheet.colours, place), safe(curve.name, 40)
        right = number(curve.xs[0]) > middle
        sheet.traces.append(
            {
                "type": "scatter",
                "mode": "markers+text",
                "x": list(curve.xs),
                "y": list(curve.ys),
                "text": [f"{name}  " if right else f"  {name}"] * len(curve.xs),
                "textposition": "middle left" if right else "middle right",
                "textfont": {"size": 12.5, "color": sheet.colours.ink},
                "marker": {"size": 12, "color": colour, "symbol": SYMBOLS[place % len(SYMBOLS)]},
                "hovertemplate": f"{name}<br>%{{y:.0%}} right, %{{x:.3g}} {safe(analysis.x)}<extra></extra>",
                "cliponaxis": False,
                **error_bars(curve, colour, "y"),
            }
        )
    return sheet.figure()


def _scale(sheet: Sheet, name: str, costs: Sequence[float]) -> dict[str, Any]:
    """Linear from 0, or logarithmic where costs lie far apart."""
    low, high = min(costs), max(costs)
    if low <= 0 or high / low < _WIDE:
        return {"title": titled(sheet.colours, name), "range": [0, 1.12 * high or 1.0], "nticks": 7}
    powers = range(math.floor(math.log10(low)) - 1, math.ceil(math.log10(high)) + 2)
    ticks = [factor * 10.0**power for power in powers for factor in (1, 2, 5)]
    ends = [math.log10(low) - 0.12, math.log10(high) + 0.12]
    return {"type": "log", "title": titled(sheet.colours, f"{name} (log scale)"), "tickvals": ticks, "range": ends}
