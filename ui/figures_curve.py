"""The W-curve: attention over the documents in prompt order, and the contrast below it."""

from __future__ import annotations

from typing import Any

import plotly.graph_objects as go

from core.records import RunRecord
from ui.derived import Derived
from ui.figures_base import Sheet, axis, ink, message, name
from ui.markup import UNREAD, is_gold, kind, missing, number

ALL_TICKS = 22  # more numbers than this do not fit below a narrow figure
_FEW = 6  # fewer documents than this do not spread over the whole width
_MANY = 60  # from here on marks are drawn small
_TOP, _BOTTOM = (0.42, 1.0), (0.0, 0.28)  # the two panels' shares of the height


def curve(record: RunRecord, derived: Derived | None, selected: int | None, dark: bool) -> go.Figure:
    """Attention share with the trend of the place under it (top), contrast (bottom); shared x axis."""
    n = len(record.documents)
    if derived is None or n == 0:
        return message(missing(record, *UNREAD), dark)
    sheet = Sheet(dark, 408, {"hovermode": "x", "bargap": 0.35})
    hover = _hover(record, derived)
    _axes(sheet, record, derived, selected)
    _add_trend(sheet, n, derived)
    _add_attention(sheet, n, derived, hover)
    _add_gold(sheet, [i for i in range(n) if is_gold(record, i)], derived)
    _add_contrast(sheet, n, derived, hover)
    if selected is not None and 0 <= selected < n:
        _add_selected(sheet, selected, derived)
    _labels(sheet)
    return sheet.figure()


def _numbers(n: int) -> list[int]:
    """The documents' numbers, from 1, as places on the x axis."""
    return list(range(1, n + 1))


def _axes(sheet: Sheet, record: RunRecord, derived: Derived, selected: int | None) -> None:
    n = len(record.documents)
    step = 1 if n <= ALL_TICKS else 5 if n <= _MANY else 10 * (1 + n // 200)
    ticks = sorted({1, *range(step, n + 1, step)})
    high = 100 * float(max(derived.attention.max(), derived.trend.max(), 1e-9))
    air = max(0.0, _FEW - n) / 2
    muted = sheet.colours.muted
    title = {"text": f"{kind(record)}, in prompt order", "font": {"size": 12, "color": muted}, "standoff": 8}
    sheet.layout |= {
        "xaxis": axis(
            sheet.colours,
            anchor="y2",
            range=[0.4 - air, n + 0.6 + air],
            tickvals=ticks,
            ticktext=[_tick(number(record, tick - 1), tick - 1 == selected) for tick in ticks],
            tickfont={"size": 11, "color": muted},
            tickangle=0,
            title=title,
        ),
        "yaxis": axis(sheet.colours, domain=_TOP, range=[0, high * 1.18], showgrid=True, nticks=4, ticksuffix=" %"),
        "yaxis2": axis(sheet.colours, domain=_BOTTOM, zeroline=True, zerolinecolor=muted, **_contrast_scale(derived)),
    }


def _tick(shown: int, selected: bool) -> str:
    return f"<b>{shown}</b>" if selected else str(shown)


def _contrast_scale(derived: Derived) -> dict[str, Any]:
    """Room for the bars, and two numbers: zero and the highest."""
    points = 100 * derived.contrast_share
    low, high = min(float(points.min()), 0.0), max(float(points.max()), 0.0)
    pad = 0.15 * (high - low) or 1.0
    ticks = {0.0: "0", high: f"+{high:.1f}"} if high > 0 else {0.0: "0"}
    return {"range": [low - pad, high + pad], "tickvals": list(ticks), "ticktext": list(ticks.values())}


def _hover(record: RunRecord, derived: Derived) -> list[str]:
    """Per document: name, share, rank, contrast."""
    return [
        f"<b>{name(record, i)}</b><br>attention {100 * derived.attention[i]:.1f} % · rank {derived.attention_rank[i]}"
        f"<br>contrast {100 * derived.contrast_share[i]:+.1f} points"
        for i in range(len(record.documents))
    ]


def _add_trend(sheet: Sheet, n: int, derived: Derived) -> None:
    sheet.trace(
        "scatter",
        range(n),
        x=_numbers(n),
        y=100 * derived.trend,
        name="trend of the place",
        mode="lines",
        line={"color": sheet.colours.trend, "width": 1.5, "shape": "spline", "smoothing": 0.6},
        fill="tozeroy",
        fillcolor=sheet.colours.trend_fill,
        hoverinfo="skip",
    )


def _add_attention(sheet: Sheet, n: int, derived: Derived, hover: list[str]) -> None:
    """The line, and a stem from the trend up to each document that rises above it."""
    above = [i for i in range(n) if derived.attention[i] > derived.trend[i]]
    stems = [(100 * derived.trend[i], 100 * derived.attention[i], None) for i in above]
    sheet.trace(
        "scatter",
        [i for i in above for _ in range(3)],
        x=[x for i in above for x in (i + 1, i + 1, None)],
        y=[y for stem in stems for y in stem],
        name="above the trend",
        mode="lines",
        line={"color": sheet.colours.attention, "width": 5},
        opacity=0.35,
        hoverinfo="skip",
    )
    sheet.trace(
        "scatter",
        range(n),
        x=_numbers(n),
        y=100 * derived.attention,
        name="attention share",
        mode="lines+markers",
        line={"color": sheet.colours.attention, "width": 2.5},
        marker={"size": 7 if n <= _MANY else 4, "color": sheet.colours.attention},
        hovertext=hover,
        hoverinfo="text",
    )


def _add_gold(sheet: Sheet, gold: list[int], derived: Derived) -> None:
    if not gold:
        return
    edge = {"color": sheet.colours.ink, "width": 1.2}
    sheet.trace(
        "scatter",
        gold,
        x=[i + 1 for i in gold],
        y=[100 * float(derived.attention[i]) for i in gold],
        name="gold",
        mode="markers+text",
        text=["gold"] * len(gold),
        textposition="top center",
        textfont={"color": sheet.colours.gold_ink, "size": 13, "weight": 700},
        marker={"symbol": "star", "size": 17, "color": sheet.colours.gold, "line": edge},
        hoverinfo="skip",
        cliponaxis=False,
    )


def _add_contrast(sheet: Sheet, n: int, derived: Derived, hover: list[str]) -> None:
    points = 100 * derived.contrast_share
    sheet.trace(
        "bar",
        range(n),
        x=_numbers(n),
        y=points,
        yaxis="y2",
        name="contrast",
        marker={"color": [sheet.colours.contrast if point > 0 else sheet.colours.dip for point in points]},
        hovertext=hover,
        hoverinfo="text",
    )


def _add_selected(sheet: Sheet, selected: int, derived: Derived) -> None:
    sheet.band(yref="paper", x0=selected + 0.5, x1=selected + 1.5, y0=0, y1=1)
    sheet.trace(
        "scatter",
        [selected],
        x=[selected + 1],
        y=[100 * float(derived.attention[selected])],
        name="selected",
        mode="markers",
        marker={"symbol": "circle-open", "size": 22, "color": sheet.colours.ink, "line": {"width": 2}},
        hoverinfo="skip",
        cliponaxis=False,
    )


def _labels(sheet: Sheet) -> None:
    colours = sheet.colours
    key = ink(colours.trend, "▆") + ink(colours.muted, " trend of the place")
    sides = f"{ink(colours.contrast, '■')} above  {ink(colours.dip, '■')} below its neighbours"
    sheet.note(f"<b>{ink(colours.attention, 'Attention share')}</b>")
    sheet.note(key, x=1, xanchor="right")
    sheet.note(f"<b>{ink(colours.contrast_ink, 'Contrast, points')}</b>", y=_BOTTOM[1])
    sheet.note(ink(colours.muted, sides), x=1, xanchor="right", y=_BOTTOM[1])
