"""Sweep to plotly: the walking curve, bias and evidence, and the map of all places at once.

In these figures a point's ``customdata`` begins with the place (0-based) that a click brings gold to.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import plotly.graph_objects as go

from core.duquad.bias import Numbers
from core.duquad.contrast import Vector
from ui.figures_base import Sheet, axis, ink, message, safe
from ui.figures_curve import ALL_TICKS
from ui.lab_numbers import Sweep

Lens = Literal["calibrate", "contrast"]

_TOP, _BOTTOM = (0.42, 1.0), (0.0, 0.28)  # the two panels' shares of the height, as in the W-curve
TOO_FEW = "Two places of gold must be read before this can be drawn."


def walk(
    sweep: Sweep, numbers: Numbers, place: int, dark: bool, bias: bool = False, control: bool = False
) -> go.Figure:
    """The attention curve with gold at one place; the scale is that of all places, so gold is seen to walk."""
    row = sweep.row_of(place)
    if row is None:
        return message(f"With gold at place {place + 1} the prompt has not been read yet.", dark)
    sheet = Sheet(dark, 300, {"hovermode": "x"})
    sheet.layout |= {
        "xaxis": places_axis(sheet, sweep.count, place),
        "yaxis": axis(
            sheet.colours, range=[0, 118 * float(numbers.share.max())], showgrid=True, nticks=5, ticksuffix=" %"
        ),
    }
    if bias:
        _add_bias(sheet, numbers, row, place, control)
    _add_line(sheet, sweep, 100 * numbers.share[row], place)
    sheet.note(f"<b>{ink(sheet.colours.attention, 'Attention share')}</b>")
    key = _bias_key(sheet, numbers, control) if bias else ink(sheet.colours.muted, f"gold at place {place + 1}")
    sheet.note(key, x=1, xanchor="right")
    return sheet.figure()


def split(sweep: Sweep, numbers: Numbers, place: int, lens: Lens, dark: bool, control: bool = False) -> go.Figure:
    """The curve over its bias (top); what is left when the bias is taken away, or the contrast (bottom)."""
    row = sweep.row_of(place)
    if row is None or len(sweep.places) < 2:
        return message(TOO_FEW, dark)
    sheet = Sheet(dark, 430, {"hovermode": "x", "bargap": 0.35})
    rest = numbers.evidence if lens == "calibrate" else numbers.contrast
    high = 118 * float(numbers.share.max())
    sheet.layout |= {
        "xaxis": places_axis(sheet, sweep.count, place, anchor="y2"),
        "yaxis": axis(sheet.colours, domain=_TOP, range=[0, high], showgrid=True, nticks=4, ticksuffix=" %"),
        "yaxis2": axis(sheet.colours, domain=_BOTTOM, zeroline=True, zerolinecolor=sheet.colours.muted, **_scale(rest)),
    }
    _add_bias(sheet, numbers, row, place, control)
    _add_line(sheet, sweep, 100 * numbers.share[row], place)
    _add_rest(sheet, sweep, 100 * rest[row], place, lens)
    _split_labels(sheet, lens, _bias_key(sheet, numbers, control))
    return sheet.figure()


def ticks(n: int) -> list[int]:
    """The numbers of places that stand on an axis."""
    step = 1 if n <= ALL_TICKS else 5
    return sorted({1, *range(step, n + 1, step)})


def places_axis(sheet: Sheet, n: int, gold: int, title: str = "place in the prompt", **more: Any) -> dict[str, Any]:
    """An x axis of places, that of gold in bold."""
    muted = sheet.colours.muted
    numbers = ticks(n)
    return axis(
        sheet.colours,
        **{
            "range": [0.4, n + 0.6],
            "tickvals": numbers,
            "ticktext": [f"<b>{tick}</b>" if tick - 1 == gold else str(tick) for tick in numbers],
            "tickfont": {"size": 11, "color": muted},
            "tickangle": 0,
            "title": {"text": title, "font": {"size": 12, "color": muted}, "standoff": 8},
            **more,
        },
    )


def _hover(sweep: Sweep, place: int, values: Vector, unit: str) -> list[str]:
    order = sweep.record.order(place)
    names = [safe(sweep.record.documents[document].title or "untitled") for document in order]
    stars = ["★ " if i == place else "" for i in range(sweep.count)]
    return [
        f"<b>{i + 1} · {star}{name}</b><br>{value:{'.1f' if unit == '%' else '+.1f'}} {unit}"
        for i, (star, name, value) in enumerate(zip(stars, names, values, strict=True))
    ]


def _add_line(sheet: Sheet, sweep: Sweep, share: Vector, place: int) -> None:
    colours, n = sheet.colours, sweep.count
    sheet.trace(
        "scatter",
        range(n),
        x=list(range(1, n + 1)),
        y=share,
        name="attention share",
        mode="lines+markers",
        line={"color": colours.attention, "width": 2.5},
        marker={"size": 7, "color": colours.attention},
        hovertext=_hover(sweep, place, share, "%"),
        hoverinfo="text",
    )
    sheet.trace(
        "scatter",
        [place],
        x=[place + 1],
        y=[float(share[place])],
        name="gold",
        mode="markers+text",
        text=["gold"],
        textposition="top center",
        textfont={"color": colours.gold_ink, "size": 13, "weight": 700},
        marker={"symbol": "star", "size": 17, "color": colours.gold, "line": {"color": colours.ink, "width": 1.2}},
        hoverinfo="skip",
        cliponaxis=False,
    )


def _add_bias(sheet: Sheet, numbers: Numbers, row: int, place: int, control: bool) -> None:
    """The area that the places draw by themselves, the control, and the stem of gold's evidence."""
    _add_area(sheet, numbers.bias)
    if control and numbers.control is not None:
        _add_control(sheet, numbers.control)
    _add_stem(sheet, numbers, row, place)


def _bias_key(sheet: Sheet, numbers: Numbers, control: bool) -> str:
    key = ink(sheet.colours.trend, "▆") + ink(sheet.colours.muted, " bias of the place")
    if control and numbers.control is not None:
        key += "   " + ink(sheet.colours.inference, "┄") + ink(sheet.colours.muted, " text with no content")
    return key


def _add_area(sheet: Sheet, bias: Vector) -> None:
    sheet.trace(
        "scatter",
        range(len(bias)),
        x=list(range(1, len(bias) + 1)),
        y=100 * bias,
        name="bias",
        mode="lines",
        line={"color": sheet.colours.trend, "width": 1.5},
        fill="tozeroy",
        fillcolor=sheet.colours.trend_fill,
        hoverinfo="skip",
    )


def _add_control(sheet: Sheet, dummy: Vector) -> None:
    sheet.trace(
        "scatter",
        range(len(dummy)),
        x=list(range(1, len(dummy) + 1)),
        y=[None if value != value else 100 * value for value in dummy.tolist()],
        name="text with no content",
        mode="lines",
        line={"color": sheet.colours.inference, "width": 2, "dash": "dot"},
        hoverinfo="skip",
    )


def _add_stem(sheet: Sheet, numbers: Numbers, row: int, place: int) -> None:
    """The evidence of gold: from the bias up (or down) to the curve."""
    ends = [100 * float(numbers.bias[place]), 100 * float(numbers.share[row, place])]
    line = {"color": sheet.colours.gold, "width": 6}
    sheet.trace("scatter", [place] * 2, x=[place + 1] * 2, y=ends, name="evidence", mode="lines", line=line)
    sheet.traces[-1]["hoverinfo"] = "skip"


def _add_rest(sheet: Sheet, sweep: Sweep, points: Vector, place: int, lens: Lens) -> None:
    colours = sheet.colours
    above = colours.attention if lens == "calibrate" else colours.contrast
    shades = [colours.gold if i == place else above if point > 0 else colours.dip for i, point in enumerate(points)]
    sheet.trace(
        "bar",
        range(sweep.count),
        x=list(range(1, sweep.count + 1)),
        y=points,
        yaxis="y2",
        name=lens,
        marker={"color": shades},
        hovertext=_hover(sweep, place, points, "points"),
        hoverinfo="text",
    )


def _scale(rest: np.ndarray) -> dict[str, Any]:
    """The same for all places; zero and the highest are named."""
    low, high = 100 * min(float(rest.min()), 0.0), 100 * max(float(rest.max()), 0.0)
    pad = 0.12 * (high - low) or 1.0
    ticks = {0.0: "0", high: f"+{high:.1f}"} if high > 0 else {0.0: "0"}
    return {"range": [low - pad, high + pad], "tickvals": list(ticks), "ticktext": list(ticks.values())}


def _split_labels(sheet: Sheet, lens: Lens, key: str) -> None:
    colours = sheet.colours
    lower = "Calibrated: curve minus bias, points" if lens == "calibrate" else "Contrast with both neighbours, points"
    shade = colours.attention if lens == "calibrate" else colours.contrast_ink
    sheet.note(f"<b>{ink(colours.attention, 'Attention share')}</b>")
    sheet.note(key, x=1, xanchor="right")
    sheet.note(f"<b>{ink(shade, lower)}</b>", y=_BOTTOM[1])
    sheet.note(f"{ink(colours.gold, '■')}{ink(colours.muted, ' gold')}", x=1, xanchor="right", y=_BOTTOM[1])
