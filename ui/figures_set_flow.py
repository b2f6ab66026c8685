"""Where evidence was lost, as bars that a click opens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go

from core.evaluation.analyses import Analysis
from core.evaluation.loss import STAGES
from core.evaluation.table import MARKS, Mark
from ui.figures_base import Sheet, axis, safe
from ui.figures_set_base import legend, number, titled
from ui.palette import Palette
from ui.set_words import MARK_SIGNS, stage_title

_ROW = 24  # pixels of a bar


def mark_colour(colours: Palette, mark: str) -> str:
    """The colour of a mark; its sign says the same."""
    return {
        "right": colours.kept,
        "lucky": colours.gold,
        "wrong": colours.contrast,
        "error": colours.pruned,
        "unmarked": colours.dip,
    }[mark]


def flow(analysis: Analysis, dark: bool) -> go.Figure:
    """A bar for each system and stage, its parts by mark; a click on a part names system, stage and mark."""
    counts = {(str(row[0]), str(row[1]), str(row[2])): number(row[3]) for row in analysis.rows}
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
    """The parts of one mark."""
    return {
        "type": "bar",
        "orientation": "h",
        "name": f"{MARK_SIGNS[mark]} {mark}",
        "y": [heights[row] for row, _ in parts],
        "x": [count for _, count in parts],
        "marker": {"color": mark_colour(colours, mark)},
        "text": [MARK_SIGNS[mark]] * len(parts),
        "textposition": "inside",
        "insidetextanchor": "middle",
        "textangle": 0,
        "textfont": {"color": colours.surface, "size": 12},
        "hovertext": [
            f"{safe(row[0])}, {safe(stage_title(row[1]))}<br>{mark}: <b>{count:.0f}</b> answers<br>Click: show them"
            for row, count in parts
        ],
        "hoverinfo": "text",
        "customdata": [[systems.index(row[0]), STAGES.index(row[1]), MARKS.index(mark)] for row, _ in parts],
    }
