"""What the figures of a set share: curves out of an analysis, colours, axes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from core.evaluation.analyses import Analysis
from core.evaluation.analyses_record import Cell
from ui.figures_base import safe
from ui.palette import Palette

SYMBOLS = ("circle", "square", "diamond", "triangle-up", "x", "cross")


def series_colour(colours: Palette, place: int) -> str:
    """The colour of the n-th line or bar; they come round again, with another dash."""
    own = (colours.attention, colours.contrast, colours.kept, colours.inference, colours.gold, colours.semantic)
    return own[place % len(own)]


@dataclass(frozen=True)
class Curve:
    """One line, or the bars of one colour."""

    name: str
    xs: tuple[Cell, ...]
    ys: tuple[float, ...]
    ends: tuple[tuple[float, float] | None, ...]
    """Lower and upper end of each value's interval."""


def curves(analysis: Analysis, columns: Sequence[str]) -> list[Curve]:
    """Columns as curves: one a value of ``series``, or one a column; what is no number is left out."""
    places = at(analysis)
    found: dict[str, list[tuple[Cell, float, tuple[float, float] | None]]] = {}
    for row in analysis.rows:
        for column in columns:
            value = row[places[column]]
            if not isinstance(value, int | float) or not math.isfinite(value):
                continue
            name = str(row[places[analysis.series]]) if analysis.series else column
            low, high = (row[places[end]] if end else None for end in (analysis.low, analysis.high))
            ends = (float(low), float(high)) if isinstance(low, int | float) and isinstance(high, int | float) else None
            found.setdefault(name, []).append((row[places[analysis.x]], float(value), ends))
    return [Curve(name, *map(tuple, zip(*points, strict=True))) for name, points in found.items()]


def at(analysis: Analysis) -> dict[str, int]:
    """Name of each column → its place."""
    return {name: place for place, name in enumerate(analysis.columns)}


def legend(colours: Palette) -> dict[str, Any]:
    """A legend above the figure, that wraps where the figure is narrow."""
    font = {"size": 12.5, "color": colours.ink}
    return {"orientation": "h", "x": 0, "xanchor": "left", "y": 1.02, "yanchor": "bottom", "font": font}


def titled(colours: Palette, text: str) -> dict[str, Any]:
    """An axis's title."""
    return {"text": safe(text), "font": {"size": 12, "color": colours.muted}, "standoff": 8}


def error_bars(curve: Curve, colour: str, along: str) -> dict[str, Any]:
    """The intervals of a curve as error bars along ``x`` or ``y``."""
    if not any(curve.ends):
        return {}
    pairs = [(end or (value, value)) for end, value in zip(curve.ends, curve.ys, strict=True)]
    bars = {
        "type": "data",
        "symmetric": False,
        "array": [high - value for (_, high), value in zip(pairs, curve.ys, strict=True)],
        "arrayminus": [value - low for (low, _), value in zip(pairs, curve.ys, strict=True)],
        "color": colour,
        "thickness": 1.3,
        "width": 3,
    }
    return {f"error_{along}": bars}


def number(cell: Cell) -> float:
    """A cell as a number; 0 where it is none."""
    return float(cell) if isinstance(cell, int | float) else 0.0
