"""The analyses of a set as figures: curves, bars, maps and the flow of lost evidence; foreign names are escaped."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from core.evaluation.analyses import Analysis
from core.evaluation.analyses_record import Cell
from core.evaluation.loss import STAGES
from core.evaluation.table import MARKS, Mark
from ui.figures_base import Sheet, axis, message, safe
from ui.figures_set_maps import maps
from ui.palette import Palette
from ui.set_words import stage_title

_DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
_SYMBOLS = ("circle", "square", "diamond", "triangle-up", "x", "cross")
_PATTERNS: dict[Mark, str] = {"right": "", "lucky": "/", "wrong": "", "error": "x", "unmarked": "."}
_ROW = 24  # pixels of a bar that lies


def draw(analysis: Analysis, dark: bool) -> go.Figure:
    """The figure of an analysis; its reason where it has nothing to show."""
    if not analysis.rows:
        return message("Nothing to draw: the reason stands beside.", dark)
    if analysis.drawing == "table":
        return message("This analysis is a table: it stands below.", dark)
    if analysis.drawing == "grid":
        return maps(analysis, dark)
    if analysis.drawing == "flow":
        return _flow(analysis, dark)
    if analysis.name == "worth":
        return _points(analysis, dark)
    if analysis.drawing == "bar" and any(isinstance(row[_at(analysis)[analysis.x]], str) for row in analysis.rows):
        return _lying(analysis, dark)
    return _upright(analysis, dark)


def mark_colour(colours: Palette, mark: str) -> str:
    """The colour of a mark; a pattern or a letter says the same wherever it is used."""
    return {
        "right": colours.kept,
        "lucky": colours.gold,
        "wrong": colours.contrast,
        "error": colours.pruned,
        "unmarked": colours.dip,
    }[mark]


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
    at = _at(analysis)
    found: dict[str, list[tuple[Cell, float, tuple[float, float] | None]]] = {}
    for row in analysis.rows:
        for column in columns:
            value = row[at[column]]
            if not isinstance(value, int | float) or not math.isfinite(value):
                continue
            name = str(row[at[analysis.series]]) if analysis.series else column
            low, high = (row[at[end]] if end else None for end in (analysis.low, analysis.high))
            ends = (float(low), float(high)) if isinstance(low, int | float) and isinstance(high, int | float) else None
            found.setdefault(name, []).append((row[at[analysis.x]], float(value), ends))
    return [Curve(name, *map(tuple, zip(*points, strict=True))) for name, points in found.items()]


def _at(analysis: Analysis) -> dict[str, int]:
    return {name: place for place, name in enumerate(analysis.columns)}


def legend(colours: Palette) -> dict[str, Any]:
    """A legend above the figure, that wraps where the figure is narrow."""
    font = {"size": 12.5, "color": colours.ink}
    return {"orientation": "h", "x": 0, "xanchor": "left", "y": 1.02, "yanchor": "bottom", "font": font}


def titled(colours: Palette, text: str) -> dict[str, Any]:
    """An axis's title."""
    return {"text": safe(text), "font": {"size": 12, "color": colours.muted}, "standoff": 8}


def _error(curve: Curve, colour: str, along: str) -> dict[str, Any]:
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


def _upright(analysis: Analysis, dark: bool) -> go.Figure:
    """Curves or bars over a numeric axis; a second unit gets a panel of its own below."""
    second = bool(analysis.y2)
    sheet = Sheet(dark, 430 if second else 340, {"hovermode": "closest", "bargap": 0.12, "barcornerradius": 2})
    sheet.layout |= {"showlegend": True, "legend": legend(sheet.colours)}
    x = axis(sheet.colours, title=titled(sheet.colours, analysis.x), anchor="y2" if second else "y")
    sheet.layout["xaxis"] = x | ({"dtick": 1} if _few_whole(analysis) else {})
    upper = [0.4, 1] if second else [0, 1]
    share = {"rangemode": "tozero", "showgrid": True, "nticks": 6}
    sheet.layout["yaxis"] = axis(
        sheet.colours, domain=upper, title=titled(sheet.colours, ", ".join(analysis.y)), **share
    )
    if second:
        title = titled(sheet.colours, ", ".join(analysis.y2))
        sheet.layout["yaxis2"] = axis(sheet.colours, domain=[0, 0.28], title=title, **share)
    for place, curve in enumerate(curves(analysis, analysis.y)):
        sheet.traces.append(_trace(analysis, sheet.colours, curve, place))
    for place, curve in enumerate(curves(analysis, analysis.y2), start=len(sheet.traces)):
        sheet.traces.append(_trace(analysis, sheet.colours, curve, place) | {"yaxis": "y2"})
    return sheet.figure()


def _few_whole(analysis: Analysis) -> bool:
    """Whether every place of the axis can have its number."""
    places = {row[_at(analysis)[analysis.x]] for row in analysis.rows}
    return len(places) <= 22 and all(isinstance(place, int) for place in places)


def _trace(analysis: Analysis, colours: Palette, curve: Curve, place: int) -> dict[str, Any]:
    colour = series_colour(colours, place)
    name, points = safe(curve.name, 40), zip(curve.xs, curve.ys, strict=True)
    base: dict[str, Any] = {
        "name": name,
        "x": list(curve.xs),
        "y": list(curve.ys),
        "hovertext": [f"{name}<br>{safe(analysis.x)} {x}: <b>{y:.3g}</b>" for x, y in points],
        "hoverinfo": "text",
        **_error(curve, colour, "y"),
    }
    if analysis.drawing == "bar":
        return {"type": "bar", "marker": {"color": colour}, **base}
    marks = {"symbol": _SYMBOLS[place % len(_SYMBOLS)], "size": 7, "color": colour}
    line = {"color": colour, "width": 2, "dash": _DASHES[place % len(_DASHES)]}
    return {"type": "scatter", "mode": "lines+markers", "line": line, "marker": marks, **base}


def _lying(analysis: Analysis, dark: bool) -> go.Figure:
    """Bars of named things, one below the other: names are as long as they are."""
    found = curves(analysis, analysis.y)
    names = list(dict.fromkeys(str(x) for curve in found for x in curve.xs))
    sheet = Sheet(dark, 90 + len(names) * (14 + _ROW * max(len(found), 1) * 2 // 3))
    sheet.layout |= {"showlegend": len(found) > 1, "legend": legend(sheet.colours) | {"traceorder": "normal"}}
    sheet.layout |= {"bargap": 0.22, "barcornerradius": 2, "hovermode": "closest"}
    title = titled(sheet.colours, ", ".join(analysis.y) if analysis.series else "share")
    sheet.layout["xaxis"] = axis(sheet.colours, rangemode="tozero", showgrid=True, nticks=6, title=title)
    shown = [safe(name.replace("_", " "), 26) for name in names]
    ink = {"size": 12.5, "color": sheet.colours.ink}
    sheet.layout["yaxis"] = axis(
        sheet.colours, tickvals=list(range(len(names))), ticktext=shown, autorange="reversed", tickfont=ink
    )
    for place, curve in enumerate(found):
        colour = series_colour(sheet.colours, place)
        title_of = safe(curve.name, 40)
        sheet.traces.append(
            {
                "type": "bar",
                "orientation": "h",
                "name": title_of,
                "y": [names.index(str(x)) for x in curve.xs],
                "x": list(curve.ys),
                "marker": {"color": colour, "pattern": {"shape": ("", "/", ".", "x", "-", "+")[place % 6]}},
                "hovertext": [
                    f"{safe(str(x))}, {title_of}: <b>{y:.3g}</b>" for x, y in zip(curve.xs, curve.ys, strict=True)
                ],
                "hoverinfo": "text",
                **_error(curve, sheet.colours.ink, "x"),
            }
        )
    return sheet.figure()


def _points(analysis: Analysis, dark: bool) -> go.Figure:
    """Accuracy against cost: a point for each system, with its interval and its name."""
    sheet = Sheet(dark, 340, {"hovermode": "closest"})
    at = _at(analysis)
    log = {"type": "log", "title": titled(sheet.colours, f"{analysis.x} (log scale)"), "showgrid": True}
    ticks = {"tickvals": _ticks([_number(row[at[analysis.x]]) for row in analysis.rows])}
    sheet.layout["xaxis"] = axis(sheet.colours, **log, **ticks)
    title = titled(sheet.colours, analysis.y[0])
    sheet.layout["yaxis"] = axis(sheet.colours, title=title, range=[-0.04, 1.08], showgrid=True, nticks=6)
    for place, curve in enumerate(curves(analysis, analysis.y)):
        colour = series_colour(sheet.colours, place)
        name = safe(curve.name, 40)
        sheet.traces.append(
            {
                "type": "scatter",
                "mode": "markers+text",
                "x": list(curve.xs),
                "y": list(curve.ys),
                "text": [name] * len(curve.xs),
                "textposition": "top center" if place % 2 else "bottom center",
                "textfont": {"size": 12.5, "color": sheet.colours.ink},
                "marker": {"size": 12, "color": colour, "symbol": _SYMBOLS[place % len(_SYMBOLS)]},
                "hovertemplate": f"{name}<br>%{{y:.0%}} right, %{{x:.3g}} {safe(analysis.x)}<extra></extra>",
                "cliponaxis": False,
                **_error(curve, colour, "y"),
            }
        )
    return sheet.figure()


def _ticks(values: Sequence[float]) -> list[float]:
    """Round numbers around the values, for a logarithmic axis."""
    low, high = min(values, default=1.0), max(values, default=1.0)
    powers = range(math.floor(math.log10(low)) - 1, math.ceil(math.log10(high)) + 2)
    return [factor * 10.0**power for power in powers for factor in (1, 2, 5)]


def _number(cell: Cell) -> float:
    return float(cell) if isinstance(cell, int | float) else 1.0


def _flow(analysis: Analysis, dark: bool) -> go.Figure:
    """A bar for each system and stage, its parts by mark; a click on a part names system, stage and mark."""
    counts = {(str(row[0]), str(row[1]), str(row[2])): _number(row[3]) for row in analysis.rows}
    systems = list(dict.fromkeys(system for system, _, _ in counts))
    rows = [(s, stage) for s in systems for stage in STAGES if any((s, stage, mark) in counts for mark in MARKS)]
    sheet = Sheet(dark, 80 + _ROW * (len(rows) + len(systems)), {"barmode": "stack", "hovermode": "closest"})
    sheet.layout |= {"showlegend": True, "legend": legend(sheet.colours) | {"traceorder": "normal"}, "bargap": 0.25}
    heights = {row: place + systems.index(row[0]) + 1 for place, row in enumerate(rows)}
    ticks = [(height, safe(stage_title(stage), 34)) for (_, stage), height in heights.items()]
    for system in systems:
        first = min(height for (name, _), height in heights.items() if name == system)
        ticks.append((first - 1, f"<b>{safe(system, 24)}</b>"))
    ink = {"size": 12.5, "color": sheet.colours.ink}
    vals, texts = [height for height, _ in ticks], [text for _, text in ticks]
    span = [max(heights.values(), default=0) + 0.7, -0.6]
    sheet.layout["yaxis"] = axis(sheet.colours, tickvals=vals, ticktext=texts, range=span, tickfont=ink)
    sheet.layout["xaxis"] = axis(sheet.colours, showgrid=True, nticks=6, title=titled(sheet.colours, "answers"))
    for mark in MARKS:
        parts = [(row, counts[(*row, mark)]) for row in rows if (*row, mark) in counts]
        if parts:
            sheet.traces.append(_part(sheet.colours, mark, parts, heights, systems))
    return sheet.figure()


def _part(
    colours: Palette,
    mark: Mark,
    parts: Sequence[tuple[tuple[str, Any], float]],
    heights: dict[tuple[str, Any], int],
    systems: Sequence[str],
) -> dict[str, Any]:
    return {
        "type": "bar",
        "orientation": "h",
        "name": mark,
        "y": [heights[row] for row, _ in parts],
        "x": [count for _, count in parts],
        "marker": {"color": mark_colour(colours, mark), "pattern": {"shape": _PATTERNS[mark], "fgcolor": colours.ink}},
        "hovertext": [
            f"{safe(row[0])}, {safe(stage_title(row[1]))}<br>{mark}: <b>{count:.0f}</b> answers<br>Click: show them"
            for row, count in parts
        ],
        "hoverinfo": "text",
        "customdata": [[systems.index(row[0]), STAGES.index(row[1]), MARKS.index(mark)] for row, _ in parts],
    }
