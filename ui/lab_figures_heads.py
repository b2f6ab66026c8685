"""Sweep to plotly: who finds gold at which place, and the grid of layers and heads."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from core.duquad.bias import SIGNALS, Numbers
from core.settings.methods import HeadPairs
from ui.figures_base import Sheet, axis, ink, message
from ui.figures_curve import ALL_TICKS
from ui.lab_figures import TOO_FEW, places_axis
from ui.lab_numbers import Sweep

_ROW = 34  # pixels of one signal
_HEAD = 20  # pixels of one head
_LABELS = 100  # pixels for the names of the signals and their totals


def finders(sweep: Sweep, numbers: Numbers, place: int, dark: bool) -> go.Figure:
    """Signals as rows, places of gold as columns: the rank of gold in each, filled where it is among the first k."""
    if len(sweep.places) < 2:
        return message(TOO_FEW, dark)
    n, k = sweep.count, sweep.record.settings.k
    sheet = Sheet(dark, 92 + _ROW * len(SIGNALS), {"hovermode": "closest", "margin": {"l": _LABELS, "t": 30}})
    muted = sheet.colours.muted
    sheet.layout |= {
        "xaxis": places_axis(sheet, n, place, "place of gold", range=[0.45, n + 0.55]),
        "yaxis": axis(sheet.colours, range=[len(SIGNALS) - 0.5, -0.5], showticklabels=False),
    }
    _add_ranks(sheet, sweep, numbers, k)
    for i, signal in enumerate(SIGNALS):
        found = sum(rank <= k for rank in numbers.ranks[signal])
        row = {"yref": "y", "y": i, "yanchor": "middle", "yshift": 0}
        sheet.note(signal, **row, xshift=-_LABELS + 4)
        sheet.note(f"<b>{found}</b>", **row, xanchor="right", xshift=-6)
    edge = {"color": sheet.colours.gold, "width": 2}
    sheet.shape("rect", x0=place + 0.5, x1=place + 1.5, y0=-0.5, y1=len(SIGNALS) - 0.5, line=edge)
    key = f"{ink(sheet.colours.kept, '■')} gold among the first {k}, and at how many of {len(sweep.places)} places"
    sheet.note(ink(muted, key), xshift=-_LABELS + 4)
    return sheet.figure()


def _add_ranks(sheet: Sheet, sweep: Sweep, numbers: Numbers, k: int) -> None:
    colours = sheet.colours
    ranks = np.array([numbers.ranks[signal] for signal in SIGNALS])  # (signals, P)
    sheet.traces.append(
        {
            "type": "heatmap",
            "name": "ranks",
            "x": [place + 1 for place in sweep.places],
            "y": list(range(len(SIGNALS))),
            "z": np.where(ranks == 1, 2, np.where(ranks <= k, 1, 0)).tolist(),
            "text": ranks.tolist(),
            "texttemplate": "%{text}" if sweep.count <= ALL_TICKS else "",
            "textfont": {"size": 11, "color": colours.ink},
            "customdata": [[[place] for place in sweep.places] for _ in SIGNALS],
            "zmin": 0,
            "zmax": 2,
            "colorscale": [[0, colours.raised], [0.5, _mix(colours.raised, colours.kept, 0.35)],
                           [1, _mix(colours.raised, colours.kept, 0.6)]],
            "showscale": False,
            "xgap": 1,
            "ygap": 3,
            "hovertext": [[f"gold at place {place + 1}<br>rank {rank} by {signal}"
                           for place, rank in zip(sweep.places, numbers.ranks[signal], strict=True)]
                          for signal in SIGNALS],
            "hoverinfo": "text",
        }
    )  # fmt: skip


def grid(sweep: Sweep, chosen: HeadPairs, focus: tuple[int, int] | None, dark: bool) -> go.Figure:
    """Layers as columns, heads as rows: how often that head's contrast alone finds gold. Points carry layer, head."""
    if len(sweep.places) < 2:
        return message(TOO_FEW, dark)
    layers, heads = sweep.layers, sweep.heads
    sheet = Sheet(dark, 94 + _HEAD * max(heads, 5), {"hovermode": "closest", "margin": {"t": 40}})
    muted = sheet.colours.muted
    font = {"size": 12, "color": muted}
    step = 1 if layers <= ALL_TICKS else 5
    sheet.layout |= {
        "xaxis": axis(
            sheet.colours,
            range=[-0.55, layers - 0.45],
            tickvals=list(range(0, layers, step)),
            tickangle=0,
            title={"text": "layer (from 0)", "font": font, "standoff": 20},
        ),
        "yaxis": axis(
            sheet.colours,
            range=[heads - 0.45, -0.55],
            tickvals=list(range(0, heads, 1 if heads <= 16 else 4)),
            title={"text": "head (from 0)", "font": font, "standoff": 4},
        ),
    }
    _add_heads(sheet, sweep)
    _add_marks(sheet, chosen, focus)
    sheet.note(f"<b>{ink(sheet.colours.kept_ink, 'Places at which gold is found')}</b>")
    return sheet.figure()


def _add_heads(sheet: Sheet, sweep: Sweep) -> None:
    colours, total = sheet.colours, len(sweep.places)
    counts = sweep.found.T.astype(int)  # (H, L)
    sheet.traces.append(
        {
            "type": "heatmap",
            "name": "heads",
            "z": counts.tolist(),
            "customdata": [[[layer, head] for layer in range(sweep.layers)] for head in range(sweep.heads)],
            "zmin": 0,
            "zmax": total,
            "colorscale": [[0, colours.raised], [1, colours.kept]],
            "xgap": 1,
            "ygap": 1,
            "hovertext": [
                [f"layer {layer}, head {head}<br>finds gold at {counts[head, layer]} of {total} places"
                 for layer in range(sweep.layers)]
                for head in range(sweep.heads)
            ],
            "hoverinfo": "text",
            "colorbar": {
                **{"orientation": "h", "y": 1, "yanchor": "bottom", "x": 1, "xanchor": "right", "len": 0.32},
                **{"thickness": 9, "outlinewidth": 0, "ticklabelposition": "outside top", "ypad": 4},
                **{"tickfont": {"size": 11, "color": colours.muted}, "tickvals": [0, total]},
                "ticktext": ["0", f"all {total}"],
            },
        }
    )  # fmt: skip


def _add_marks(sheet: Sheet, chosen: HeadPairs, focus: tuple[int, int] | None) -> None:
    for layer, head in chosen:
        where = {"x0": layer - 0.5, "x1": layer + 0.5, "y0": head - 0.5, "y1": head + 0.5}
        sheet.shape("rect", **where, line={"color": sheet.colours.gold, "width": 2})
    if focus:
        layer, head = focus
        where = {"x0": layer - 0.5, "x1": layer + 0.5, "y0": head - 0.5, "y1": head + 0.5}
        sheet.shape("rect", **where, line={"color": sheet.colours.ink, "width": 3})


def _mix(ground: str, colour: str, part: float) -> str:
    """A colour between two of the palette, as plotly's scales cannot mix with transparency."""
    pairs: Sequence[tuple[int, int]] = [(int(ground[i : i + 2], 16), int(colour[i : i + 2], 16)) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(low + (high - low) * part):02x}" for low, high in pairs)
