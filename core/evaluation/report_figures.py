"""Figures of a report as inline SVG: they need no script and no server, and follow the reader's light or dark theme.

Built as a tree, so that foreign text cannot become markup. Colours are classes of the report's stylesheet; legends
are the report's.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from xml.etree import ElementTree as ET

from core.evaluation.analyses_record import Analysis, Cell
from core.harmless import plain

WIDTH, HEIGHT = 720, 250
LEFT, RIGHT, TOP, BOTTOM = 44, 10, 10, 36
COLOURS = 8  # classes s0 to s7
_ROW = 20
_NAMES = 210  # room for the names of rows
_CELL = 34


@dataclass(frozen=True)
class Figure:
    """One drawing."""

    svg: str
    """Safe markup."""
    legend: tuple[str, ...] = ()
    """Name of each colour, in the order of the classes."""
    caption: str = ""


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
        return _flows(analysis)
    if analysis.drawing == "grid":
        return _grids(analysis)
    draw = _lines if analysis.drawing == "line" else _bars
    drawn = [(y, curves(analysis, y)) for y in (analysis.y, analysis.y2)]
    return [draw(found, analysis.x, " and ".join(y)) for y, found in drawn if found]


def curves(analysis: Analysis, y: Sequence[str]) -> list[Curve]:
    """The columns ``y`` as curves: one a value of ``series``, or one a column."""
    at = {name: i for i, name in enumerate(analysis.columns)}
    found: dict[str, list[tuple[Cell, float, float | None, float | None]]] = {}
    for row in analysis.rows:
        for column in y:
            value = _number(row[at[column]])
            if value is not None:
                name = str(row[at[analysis.series]]) if analysis.series else column
                low, high = (_number(row[at[end]]) if end else None for end in (analysis.low, analysis.high))
                found.setdefault(name, []).append((row[at[analysis.x]], value, low, high))
    return [Curve(name, tuple(points)) for name, points in found.items()]


def _number(cell: Cell) -> float | None:
    return float(cell) if isinstance(cell, int | float) and math.isfinite(cell) else None


def _svg(height: float, name: str, width: float = WIDTH) -> ET.Element:
    size = {"viewBox": f"0 0 {width:.0f} {height:.0f}", "role": "img", "aria-label": plain(name)}
    return ET.Element("svg", size)


def _add(parent: ET.Element, tag: str, text: str = "", **attributes: object) -> ET.Element:
    named = {name.rstrip("_").replace("_", "-"): value for name, value in attributes.items()}
    written = {name: f"{value:.1f}" if isinstance(value, float) else str(value) for name, value in named.items()}
    child = ET.SubElement(parent, tag, written)
    child.text = plain(text) or None
    return child


def _done(svg: ET.Element) -> str:
    return ET.tostring(svg, encoding="unicode", method="html")


def _colour(number: int) -> str:
    return f"s{number % COLOURS}"


def upper_end(highest: float) -> float:
    """A round number at or above the highest value, for the axis."""
    if highest <= 0:
        return 1.0
    step = 10.0 ** math.floor(math.log10(highest))
    return next(factor * step for factor in (1, 2, 2.5, 5, 10) if factor * step >= highest * (1 - 1e-9))


def _frame(curves: Sequence[Curve], x_name: str, y_name: str) -> tuple[ET.Element, float]:
    """The axes, and the value at the top of the vertical one."""
    svg = _svg(HEIGHT, f"{y_name} by {x_name}")
    top = upper_end(max(high or value for curve in curves for _, value, _, high in curve.points))
    for part in range(5):
        y = HEIGHT - BOTTOM - part / 4 * (HEIGHT - TOP - BOTTOM)
        _add(svg, "line", x1=LEFT, x2=WIDTH - RIGHT, y1=y, y2=y, class_="grid")
        _add(svg, "text", f"{top * part / 4:g}", x=LEFT - 6, y=y + 4, text_anchor="end")
    _add(svg, "text", x_name, x=(LEFT + WIDTH - RIGHT) / 2, y=HEIGHT - 4, text_anchor="middle")
    return svg, top


def _y(value: float, top: float) -> float:
    return HEIGHT - BOTTOM - value / top * (HEIGHT - TOP - BOTTOM)


def _whisker(svg: ET.Element, x: float, low: float | None, high: float | None, top: float) -> None:
    if low is not None and high is not None:
        _add(svg, "line", x1=x, x2=x, y1=_y(max(low, 0), top), y2=_y(high, top), class_="whisker")


def _tip(parent: ET.Element, curve: str, x: Cell, value: float) -> None:
    """What a browser shows when the pointer rests on a mark."""
    _add(parent, "title", f"{curve}, {x}: {value:.3g}")


def _lines(curves: Sequence[Curve], x_name: str, y_name: str) -> Figure:
    """Curves over a numeric axis."""
    svg, top = _frame(curves, x_name, y_name)
    ticks = sorted({number for curve in curves for x, *_ in curve.points if (number := _number(x)) is not None})
    first, last = ticks[0], ticks[-1]
    room = (WIDTH - RIGHT - LEFT - 20) / (last - first or 1)
    for tick in ticks[:: math.ceil(len(ticks) / 14)]:
        x = LEFT + 10 + (tick - first) * room
        _add(svg, "text", f"{tick:g}", x=x, y=HEIGHT - BOTTOM + 15, text_anchor="middle")
    for number, curve in enumerate(curves):
        at = [LEFT + 10 + ((_number(point[0]) or 0) - first) * room for point in curve.points]
        path = " ".join(f"{x:.1f},{_y(point[1], top):.1f}" for x, point in zip(at, curve.points, strict=True))
        _add(svg, "polyline", points=path, class_=f"line {_colour(number)}")
        for x, (name, value, low, high) in zip(at, curve.points, strict=True):
            _whisker(svg, x, low, high, top)
            dot = _add(svg, "circle", cx=x, cy=_y(value, top), r=3, class_=_colour(number))
            _tip(dot, curve.name, name, value)
    return Figure(_done(svg), tuple(curve.name for curve in curves), y_name)


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
        label = _add(svg, "text", short, x=LEFT + (place + 0.5) * room, y=HEIGHT - BOTTOM + 15, text_anchor="middle")
        _add(label, "title", text)
    for number, curve in enumerate(curves):
        for x, value, low, high in curve.points:
            left = LEFT + (names.index(x) + 0.5) * room + (number - len(curves) / 2) * width
            y = _y(value, top)
            tall, wide = HEIGHT - BOTTOM - y, max(width - 1, 1.0)
            bar = _add(svg, "rect", x=left, y=y, width=wide, height=tall, class_=_colour(number))
            _tip(bar, curve.name, x, value)
            _whisker(svg, left + width / 2, low, high, top)
    return Figure(_done(svg), tuple(curve.name for curve in curves), y_name)


def _flows(analysis: Analysis) -> list[Figure]:
    """Of each system one bar a stage, its parts by mark."""
    at = {name: i for i, name in enumerate(analysis.columns)}
    marks = list(dict.fromkeys(str(row[at[analysis.series]]) for row in analysis.rows))
    systems: dict[str, dict[str, dict[str, float]]] = {}
    for row in analysis.rows:
        stages = systems.setdefault(str(row[at["system"]]), {})
        counts = stages.setdefault(str(row[at[analysis.x]]), {})
        counts[str(row[at[analysis.series]])] = _number(row[at[analysis.y[0]]]) or 0.0
    return [Figure(_flow(name, stages, marks), tuple(marks), name) for name, stages in systems.items()]


def _flow(name: str, stages: dict[str, dict[str, float]], marks: Sequence[str]) -> str:
    svg = _svg(len(stages) * _ROW + 8, f"{name}: answers by the stage at which evidence was lost")
    longest = max(sum(counts.values()) for counts in stages.values()) or 1
    for line, (stage, counts) in enumerate(stages.items()):
        x, y = float(_NAMES), line * _ROW + 4.0
        _add(svg, "text", stage.replace("_", " "), x=_NAMES - 8, y=y + 12, text_anchor="end")
        for mark, count in counts.items():
            width = count / longest * (WIDTH - _NAMES - 50)
            part = _add(svg, "rect", x=x, y=y, width=width, height=_ROW - 5, class_=_colour(marks.index(mark)))
            _tip(part, mark, stage, count)
            x += width
        _add(svg, "text", f"{sum(counts.values()):g}", x=x + 6, y=y + 12)
    return _done(svg)


def _grids(analysis: Analysis) -> list[Figure]:
    """One map a value of ``series``: x against the first y, shaded by the second."""
    at = {name: i for i, name in enumerate(analysis.columns)}
    columns = [at[analysis.series], at[analysis.x], at[analysis.y[0]], at[analysis.y[1]]]
    cells = [[_number(row[i]) or 0.0 for i in columns] for row in analysis.rows]
    low, high = min(cell[3] for cell in cells), max(cell[3] for cell in cells)
    values = sorted({cell[0] for cell in cells})
    layers = {f"{analysis.series} {value:g}": [cell[1:] for cell in cells if cell[0] == value] for value in values}
    axes = f"{analysis.x} across, {analysis.y[0]} upwards"
    return [
        Figure(_map(f"{analysis.y[1]}, {name}", inside, low, high), caption=f"{name}: {axes}")
        for name, inside in layers.items()
    ]


def _map(name: str, cells: Sequence[Sequence[float]], low: float, high: float) -> str:
    """(x, y, value) as shaded squares; ``low`` and ``high`` are shared by all maps."""
    xs, ys = (sorted({cell[i] for cell in cells}) for i in (0, 1))
    svg = _svg((len(ys) + 1) * _CELL, name, (len(xs) + 1) * _CELL)
    for i, x in enumerate(xs):
        _add(svg, "text", f"{x:g}", x=(i + 1.5) * _CELL, y=(len(ys) + 0.5) * _CELL, text_anchor="middle")
    for j, y in enumerate(reversed(ys)):
        _add(svg, "text", f"{y:g}", x=_CELL - 5, y=(j + 0.6) * _CELL, text_anchor="end")
    for x, y, value in cells:
        left, upper = (xs.index(x) + 1) * _CELL, (len(ys) - 1 - ys.index(y)) * _CELL
        shade = 0.1 + 0.8 * (value - low) / (high - low or 1)
        side = _CELL - 1
        _add(svg, "rect", x=left, y=upper, width=side, height=side, class_="s0", fill_opacity=f"{shade:.2f}")
        over, middle = "over" if shade > 0.55 else "", left + _CELL / 2
        _add(svg, "text", f"{value:.2f}", x=middle, y=upper + _CELL * 0.6, text_anchor="middle", class_=over)
    return _done(svg)
