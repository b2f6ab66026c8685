"""The analyses of a set as figures: curves, bars, maps and the flow of lost evidence; foreign names are escaped."""

from __future__ import annotations

from typing import Any

import plotly.graph_objects as go

from core.evaluation.analyses import Analysis
from ui.figures_base import Sheet, axis, message, safe
from ui.figures_set_base import SYMBOLS, Curve, at, curves, error_bars, legend, series_colour, titled
from ui.figures_set_flow import flow
from ui.figures_set_maps import maps
from ui.figures_set_points import points
from ui.palette import Palette

_DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
_ROW = 24  # pixels of a bar that lies
_ALL_TICKS = 22  # more numbers than this do not fit below a narrow figure


def draw(analysis: Analysis, dark: bool) -> go.Figure:
    """The figure of an analysis; its reason where it has nothing to show."""
    if not analysis.rows:
        return message("Nothing to draw: the reason stands beside.", dark)
    if analysis.drawing == "table":
        return message("This analysis is a table: it stands below.", dark)
    if analysis.drawing == "grid":
        return maps(analysis, dark)
    if analysis.drawing == "flow":
        return flow(analysis, dark)
    if analysis.name == "worth":
        return points(analysis, dark)
    if analysis.drawing == "bar" and any(isinstance(row[at(analysis)[analysis.x]], str) for row in analysis.rows):
        return _lying(analysis, dark)
    return _upright(analysis, dark)


def _upright(analysis: Analysis, dark: bool) -> go.Figure:
    """Curves or bars over a numeric axis; a second unit gets a panel of its own below."""
    second = bool(analysis.y2)
    sheet = Sheet(dark, 430 if second else 340, {"hovermode": "closest", "bargap": 0.12, "barcornerradius": 2})
    sheet.layout |= {"showlegend": True, "legend": legend(sheet.colours)}
    x = axis(sheet.colours, title=titled(sheet.colours, analysis.x), anchor="y2" if second else "y")
    sheet.layout["xaxis"] = x | _whole(analysis)
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


def _whole(analysis: Analysis) -> dict[str, Any]:
    """Ticks of an axis of places: each of them, where there is room; nothing for an axis of measures."""
    places = sorted({row[at(analysis)[analysis.x]] for row in analysis.rows}, key=str)
    whole = [place for place in places if isinstance(place, int) and not isinstance(place, bool)]
    if len(whole) < len(places) or not whole:
        return {}
    first, last = min(whole), max(whole)
    step = 1 if last - first < _ALL_TICKS else 10 * (1 + (last - first) // 200)
    ticks = sorted({first, *range(step, last + 1, step)})
    return {"tickvals": ticks, "range": [first - 0.6, last + 0.6], "tickangle": 0, "tickfont": {"size": 11}}


def _trace(analysis: Analysis, colours: Palette, curve: Curve, place: int) -> dict[str, Any]:
    colour = series_colour(colours, place)
    name, points = safe(curve.name, 40), zip(curve.xs, curve.ys, strict=True)
    base: dict[str, Any] = {
        "name": name,
        "x": list(curve.xs),
        "y": list(curve.ys),
        "hovertext": [f"{name}<br>{safe(analysis.x)} {x}: <b>{y:.3g}</b>" for x, y in points],
        "hoverinfo": "text",
        **error_bars(curve, colour, "y"),
    }
    if analysis.drawing == "bar":
        return {"type": "bar", "marker": {"color": colour}, **base}
    marks = {"symbol": SYMBOLS[place % len(SYMBOLS)], "size": 7, "color": colour}
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
                "marker": {"color": colour},
                "hovertext": [
                    f"{safe(str(x))}, {title_of}: <b>{y:.3g}</b>" for x, y in zip(curve.xs, curve.ys, strict=True)
                ],
                "hoverinfo": "text",
                **error_bars(curve, sheet.colours.ink, "x"),
            }
        )
    return sheet.figure()
