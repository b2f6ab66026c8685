"""Figures of a report as inline SVG: they need no script and no server, and follow the reader's light or dark theme.

Lines and bars are drawn here; legends are the report's.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from xml.etree import ElementTree as ET

from core.evaluation.analyses_record import Analysis, Cell
from core.evaluation.report_maps import flows, grids
from core.evaluation.report_svg import WIDTH, Figure, add, as_number, colour, done, new_svg, tip

HEIGHT = 250
LEFT, RIGHT, TOP, BOTTOM = 44, 10, 10, 36


@dataclass(frozen=True)
class Curve:
    """One line, or one colour of bars."""

    name: str
    points: tuple[tuple[Cell, float, float | None, float | None], ...]
    """(x, y, low, high)."""


def figures(analysis: Analysis) -> list[Figure]:
    """The drawings of an analysis; none for one that is a table, or has no rows."""
    if not analysis.rows or analysis.drawing == "table":
        return []
    if analysis.drawing == "flow":
        return flows(analysis)
    if analysis.drawing == "grid":
        return grids(analysis)
    draw = _lines if analysis.drawing == "line" else _bars
    drawn = [(y, curves(analysis, y)) for y in (analysis.y, analysis.y2)]
    return [draw(found, analysis.x, " and ".join(y)) for y, found in drawn if found]


def curves(analysis: Analysis, y: Sequence[str]) -> list[Curve]:
    """The columns ``y`` as curves: one a value of ``series``, or one a column."""
    at = {name: i for i, name in enumerate(analysis.columns)}
    found: dict[str, list[tuple[Cell, float, float | None, float | None]]] = {}
    for row in analysis.rows:
        for column in y:
            value = as_number(row[at[column]])
            if value is not None and (analysis.drawing != "line" or as_number(row[at[analysis.x]]) is not None):
                name = str(row[at[analysis.series]]) if analysis.series else column
                low, high = (as_number(row[at[end]]) if end else None for end in (analysis.low, analysis.high))
                found.setdefault(name, []).append((row[at[analysis.x]], value, low, high))
    return [Curve(name, tuple(points)) for name, points in found.items()]


def upper_end(highest: float) -> float:
    """A round number at or above the highest value, for the axis."""
    if highest <= 0:
        return 1.0
    step = 10.0 ** math.floor(math.log10(highest))
    return next(factor * step for factor in (1, 2, 2.5, 5, 10) if factor * step >= highest * (1 - 1e-9))


def _frame(curves: Sequence[Curve], x_name: str, y_name: str) -> tuple[ET.Element, float]:
    """The axes, and the value at the top of the vertical one."""
    svg = new_svg(HEIGHT, f"{y_name} by {x_name}")
    top = upper_end(max(high or value for curve in curves for _, value, _, high in curve.points))
    for part in range(5):
        y = HEIGHT - BOTTOM - part / 4 * (HEIGHT - TOP - BOTTOM)
        add(svg, "line", x1=LEFT, x2=WIDTH - RIGHT, y1=y, y2=y, class_="grid")
        add(svg, "text", f"{top * part / 4:g}", x=LEFT - 6, y=y + 4, text_anchor="end")
    add(svg, "text", x_name, x=(LEFT + WIDTH - RIGHT) / 2, y=HEIGHT - 4, text_anchor="middle")
    return svg, top


def _y(value: float, top: float) -> float:
    return HEIGHT - BOTTOM - value / top * (HEIGHT - TOP - BOTTOM)


def _whisker(svg: ET.Element, x: float, low: float | None, high: float | None, top: float) -> None:
    if low is not None and high is not None:
        add(svg, "line", x1=x, x2=x, y1=_y(max(low, 0), top), y2=_y(high, top), class_="whisker")


def _lines(curves: Sequence[Curve], x_name: str, y_name: str) -> Figure:
    """Curves over a numeric axis."""
    svg, top = _frame(curves, x_name, y_name)
    ticks = sorted({tick for curve in curves for x, *_ in curve.points if (tick := as_number(x)) is not None})
    first, last = ticks[0], ticks[-1]
    room = (WIDTH - RIGHT - LEFT - 20) / (last - first or 1)
    for tick in ticks[:: math.ceil(len(ticks) / 14)]:
        x = LEFT + 10 + (tick - first) * room
        add(svg, "text", f"{tick:g}", x=x, y=HEIGHT - BOTTOM + 15, text_anchor="middle")
    for place, curve in enumerate(curves):
        at = [LEFT + 10 + ((as_number(point[0]) or 0) - first) * room for point in curve.points]
        for stretch in _stretches(curve, ticks):
            path = " ".join(f"{at[i]:.1f},{_y(curve.points[i][1], top):.1f}" for i in stretch)
            add(svg, "polyline", points=path, class_=f"line {colour(place)}")
        for x, (name, value, low, high) in zip(at, curve.points, strict=True):
            _whisker(svg, x, low, high, top)
            dot = add(svg, "circle", cx=x, cy=_y(value, top), r=3, class_=colour(place))
            tip(dot, curve.name, name, value)
    return Figure(done(svg), _legend(curves), y_name)


def _stretches(curve: Curve, ticks: Sequence[float]) -> list[list[int]]:
    """The points that a line joins: those at neighbouring ticks. Between others nothing is known."""
    found: list[list[int]] = []
    last = -2
    for i, (x, *_) in enumerate(curve.points):
        tick = ticks.index(as_number(x) or 0.0)
        if tick == last + 1:
            found[-1].append(i)
        else:
            found.append([i])
        last = tick
    return [stretch for stretch in found if len(stretch) > 1]


def _legend(curves: Sequence[Curve]) -> tuple[tuple[str, str], ...]:
    return tuple((colour(place), curve.name) for place, curve in enumerate(curves))


def _bars(curves: Sequence[Curve], x_name: str, y_name: str) -> Figure:
    """Bars beside each other over named places."""
    svg, top = _frame(curves, x_name, y_name)
    names = list(dict.fromkeys(x for curve in curves for x, *_ in curve.points))
    room = (WIDTH - RIGHT - LEFT) / len(names)
    width = min(room * 0.8 / len(curves), 36)
    for place, name in enumerate(names):
        text = f"{name:g}" if isinstance(name, float) else str(name)
        letters = max(int(room / 6.5), 3)
        short = text if len(text) <= letters else f"{text[: letters - 1]}…"
        label = add(svg, "text", short, x=LEFT + (place + 0.5) * room, y=HEIGHT - BOTTOM + 15, text_anchor="middle")
        add(label, "title", text)
    for turn, curve in enumerate(curves):
        for x, value, low, high in curve.points:
            left = LEFT + (names.index(x) + 0.5) * room + (turn - len(curves) / 2) * width
            y = _y(value, top)
            tall, wide = HEIGHT - BOTTOM - y, max(width - 1, 1.0)
            bar = add(svg, "rect", x=left, y=y, width=wide, height=tall, class_=colour(turn))
            tip(bar, curve.name, x, value)
            _whisker(svg, left + width / 2, low, high, top)
    return Figure(done(svg), _legend(curves), y_name)
