"""The W-curve: attention over the documents in prompt order, and the contrast below it."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go

from core.records import RunRecord
from ui.derived import Derived
from ui.figures_base import axis, band, figure, ink, label, message, name
from ui.markup import UNREAD, is_gold, missing
from ui.palette import Palette

ALL_TICKS = 22  # more numbers than this do not fit below a narrow figure
_TOP, _BOTTOM = (0.42, 1.0), (0.0, 0.28)  # the two panels' shares of the height


def curve(record: RunRecord, derived: Derived | None, selected: int | None, dark: bool) -> go.Figure:
    """Attention share with the trend of the place under it (top), contrast (bottom); shared x axis."""
    if derived is None or not len(record.documents):
        return message(missing(record, *UNREAD), dark)
    fig, colours = figure(dark, 430, hovermode="x", bargap=0.35)
    places = np.arange(1, len(record.documents) + 1)
    _axes(fig, colours, places, derived, selected)
    _add_trend(fig, colours, places, derived)
    _add_attention(fig, colours, places, record, derived)
    _add_gold(fig, colours, record, derived)
    _add_contrast(fig, colours, places, record, derived)
    if selected is not None and 0 <= selected < len(places):
        _add_selected(fig, colours, selected, derived)
    _labels(fig, colours)
    return fig


def _axes(fig: go.Figure, colours: Palette, places: np.ndarray, derived: Derived, selected: int | None) -> None:
    n = len(places)
    every = [int(place) for place in places]
    step = 5 if n <= 60 else 10 * (1 + n // 200)
    ticks = every if n <= ALL_TICKS else [1, *range(step, n + 1, step)]
    high = 100 * float(max(derived.attention.max(), derived.trend.max(), 1e-9))
    fig.update_layout(
        xaxis=axis(
            colours,
            domain=[0, 1],
            anchor="y2",
            range=[0.4, n + 0.6],
            tickvals=ticks,
            ticktext=[f"<b>{tick}</b>" if tick - 1 == selected else str(tick) for tick in ticks],
            tickfont={"size": 11, "color": colours.muted},
            tickangle=0,
            title={"text": "document, in prompt order", "font": {"size": 12, "color": colours.muted}, "standoff": 8},
        ),
        yaxis=axis(colours, domain=_TOP, range=[0, high * 1.18], showgrid=True, nticks=4, ticksuffix=" %"),
        yaxis2=axis(
            colours,
            domain=_BOTTOM,
            **_contrast_scale(derived),
            zeroline=True,
            zerolinecolor=colours.muted,
            zerolinewidth=1,
        ),
    )


def _contrast_scale(derived: Derived) -> dict[str, Any]:
    """Room for the bars, and two numbers: zero and the highest."""
    points = 100 * derived.contrast_share
    low, high = min(float(points.min()), 0.0), max(float(points.max()), 0.0)
    pad = 0.15 * (high - low) or 1.0
    ticks = {0.0: "0", high: f"+{high:.1f}"} if high > 0 else {0.0: "0"}
    return {"range": [low - pad, high + pad], "tickvals": list(ticks), "ticktext": list(ticks.values())}


def _add_trend(fig: go.Figure, colours: Palette, places: np.ndarray, derived: Derived) -> None:
    fig.add_scatter(
        x=places,
        y=100 * derived.trend,
        customdata=[[int(place) - 1] for place in places],
        name="trend of the place",
        mode="lines",
        line={"color": colours.trend, "width": 1.5, "shape": "spline", "smoothing": 0.6},
        fill="tozeroy",
        fillcolor=colours.trend_fill,
        hoverinfo="skip",
    )


def _hover(record: RunRecord, derived: Derived) -> list[str]:
    """Per document: name, share, rank, contrast."""
    return [
        f"<b>{name(record, i)}</b><br>attention {100 * derived.attention[i]:.1f} % · rank {derived.attention_rank[i]}"
        f"<br>contrast {100 * derived.contrast_share[i]:+.1f} points"
        for i in range(len(record.documents))
    ]


def _add_attention(fig: go.Figure, colours: Palette, places: np.ndarray, record: RunRecord, derived: Derived) -> None:
    share, base = 100 * derived.attention, 100 * derived.trend
    stems = [(place, low, high) for place, low, high in zip(places, base, share, strict=True) if high > low]
    fig.add_scatter(
        x=[x for place, _, _ in stems for x in (place, place, None)],
        y=[y for _, low, high in stems for y in (low, high, None)],
        customdata=[[int(place) - 1] for place, _, _ in stems for _ in range(3)],
        name="above the trend",
        mode="lines",
        line={"color": colours.attention, "width": 5},
        opacity=0.35,
        hoverinfo="skip",
    )
    fig.add_scatter(
        x=places,
        y=share,
        customdata=[[int(place) - 1] for place in places],
        name="attention share",
        mode="lines+markers",
        line={"color": colours.attention, "width": 2.5},
        marker={"size": 7 if len(places) <= 60 else 4, "color": colours.attention},
        hovertext=_hover(record, derived),
        hoverinfo="text",
    )


def _add_gold(fig: go.Figure, colours: Palette, record: RunRecord, derived: Derived) -> None:
    gold = [i for i in range(len(record.documents)) if is_gold(record, i)]
    if gold:
        fig.add_scatter(
            x=[i + 1 for i in gold],
            y=[100 * float(derived.attention[i]) for i in gold],
            customdata=[[i] for i in gold],
            name="gold",
            mode="markers+text",
            text=["gold"] * len(gold),
            textposition="top center",
            textfont={"color": colours.gold_ink, "size": 13, "weight": 700},
            marker={"symbol": "star", "size": 17, "color": colours.gold, "line": {"color": colours.ink, "width": 1.2}},
            hoverinfo="skip",
            cliponaxis=False,
        )


def _add_contrast(fig: go.Figure, colours: Palette, places: np.ndarray, record: RunRecord, derived: Derived) -> None:
    points = 100 * derived.contrast_share
    fig.add_bar(
        x=places,
        y=points,
        yaxis="y2",
        customdata=[[int(place) - 1] for place in places],
        name="contrast",
        marker={"color": [colours.contrast if point > 0 else colours.dip for point in points]},
        hovertext=_hover(record, derived),
        hoverinfo="text",
    )


def _add_selected(fig: go.Figure, colours: Palette, selected: int, derived: Derived) -> None:
    fig.add_shape(band(colours, yref="paper", x0=selected + 0.5, x1=selected + 1.5, y0=0, y1=1))
    fig.add_scatter(
        x=[selected + 1],
        y=[100 * float(derived.attention[selected])],
        customdata=[[selected]],
        name="selected",
        mode="markers",
        marker={"symbol": "circle-open", "size": 22, "color": colours.ink, "line": {"width": 2}},
        hoverinfo="skip",
        cliponaxis=False,
    )


def _labels(fig: go.Figure, colours: Palette) -> None:
    key = ink(colours.trend, "▆") + ink(colours.muted, " trend of the place")
    sides = ink(colours.contrast, "■") + " above  " + ink(colours.dip, "■") + " below its neighbours"
    fig.add_annotation(label(f"<b>{ink(colours.attention, 'Attention share')}</b>"))
    fig.add_annotation(label(key, x=1, xanchor="right"))
    fig.add_annotation(label(f"<b>{ink(colours.contrast_ink, 'Contrast, points')}</b>", y=_BOTTOM[1]))
    fig.add_annotation(label(ink(colours.muted, sides), x=1, xanchor="right", y=_BOTTOM[1]))
