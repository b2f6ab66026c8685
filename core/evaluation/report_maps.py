"""Figures of a report that are no curves: how many answers were lost where, and maps of a grid."""

from __future__ import annotations

from collections.abc import Sequence

from core.evaluation.analyses_record import Analysis
from core.evaluation.report_svg import WIDTH, Figure, add, as_number, done, new_svg, tip
from core.evaluation.table import MARKS

_ROW = 20
_NAMES = 210  # room for the names of rows
_CELL = 34


def flows(analysis: Analysis) -> list[Figure]:
    """Of each system one bar a stage, its parts by mark, each in the mark's own colour."""
    at = {name: i for i, name in enumerate(analysis.columns)}
    there = {str(row[at[analysis.series]]) for row in analysis.rows}
    marks = [mark for mark in MARKS if mark in there]
    systems: dict[str, dict[str, dict[str, float]]] = {}
    for row in analysis.rows:
        stages = systems.setdefault(str(row[at["system"]]), {})
        counts = stages.setdefault(str(row[at[analysis.x]]), {})
        counts[str(row[at[analysis.series]])] = as_number(row[at[analysis.y[0]]]) or 0.0
    legend = tuple((f"m-{mark}", mark) for mark in marks)
    return [Figure(_flow(name, stages), legend, name) for name, stages in systems.items()]


def _flow(name: str, stages: dict[str, dict[str, float]]) -> str:
    svg = new_svg(len(stages) * _ROW + 8, f"{name}: answers by the stage at which evidence was lost")
    longest = max(sum(counts.values()) for counts in stages.values()) or 1
    for line, (stage, counts) in enumerate(stages.items()):
        x, y = float(_NAMES), line * _ROW + 4.0
        add(svg, "text", stage.replace("_", " "), x=_NAMES - 8, y=y + 12, text_anchor="end")
        for mark in (mark for mark in MARKS if mark in counts):
            count = counts[mark]
            width = count / longest * (WIDTH - _NAMES - 50)
            part = add(svg, "rect", x=x, y=y, width=width, height=_ROW - 5, class_=f"m-{mark}")
            tip(part, mark, stage, count)
            x += width
        add(svg, "text", f"{sum(counts.values()):g}", x=x + 6, y=y + 12)
    return done(svg)


def grids(analysis: Analysis) -> list[Figure]:
    """One map a value of ``series``: x against the first y, shaded by the second."""
    at = {name: i for i, name in enumerate(analysis.columns)}
    columns = [at[analysis.series], at[analysis.x], at[analysis.y[0]], at[analysis.y[1]]]
    cells = [[as_number(row[i]) or 0.0 for i in columns] for row in analysis.rows]
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
    svg = new_svg((len(ys) + 1) * _CELL, name, (len(xs) + 1) * _CELL)
    for i, x in enumerate(xs):
        add(svg, "text", f"{x:g}", x=(i + 1.5) * _CELL, y=(len(ys) + 0.5) * _CELL, text_anchor="middle")
    for j, y in enumerate(reversed(ys)):
        add(svg, "text", f"{y:g}", x=_CELL - 5, y=(j + 0.6) * _CELL, text_anchor="end")
    for x, y, value in cells:
        left, upper = (xs.index(x) + 1) * _CELL, (len(ys) - 1 - ys.index(y)) * _CELL
        shade = 0.1 + 0.8 * (value - low) / (high - low or 1)
        side = _CELL - 1
        add(svg, "rect", x=left, y=upper, width=side, height=side, class_="s0", fill_opacity=f"{shade:.2f}")
        over, middle = "over" if shade > 0.55 else "", left + _CELL / 2
        add(svg, "text", f"{value:.2f}", x=middle, y=upper + _CELL * 0.6, text_anchor="middle", class_=over)
    return done(svg)
