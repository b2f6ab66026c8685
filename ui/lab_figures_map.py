"""Sweep to plotly: all places of gold at once, with the answer at each."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from core.duquad.bias import Grid, Numbers
from ui.figures_base import Sheet, axis, ink, message, safe
from ui.lab_figures import places_axis, ticks
from ui.lab_numbers import Sweep

_ROW = 17  # pixels of one place
_BRIGHT = 97  # percentile of the shares that gets the full colour: one bright corner would darken the rest


def heat(
    sweep: Sweep, numbers: Numbers, place: int, dark: bool, answers: bool = True, calibrated: bool = False
) -> go.Figure:
    """Every place of gold as a row, every place of the prompt as a column; the answer's mark beside each row.

    ``calibrated``: minus the bias of each place; what is below it has no colour.
    """
    answers = answers and any(row.right is not None for row in sweep.rows)
    n = sweep.count
    if not sweep.places:
        return message("No place of gold has been read yet.", dark)
    sheet = Sheet(dark, 96 + _ROW * max(n, 6), {"hovermode": "closest", "margin": {"t": 34, "l": 8, "r": 8}})
    label = {"font": {"size": 12, "color": sheet.colours.muted}, "standoff": 6}
    sheet.layout |= {
        "xaxis": places_axis(sheet, n, place, range=[0.45, n + (2.3 if answers else 0.55)]),
        "yaxis": axis(
            sheet.colours,
            range=[n + 0.55, 0.45],
            tickvals=ticks(n),
            tickfont={"size": 11, "color": sheet.colours.muted},
            title={"text": "place of gold", **label},
        ),
    }
    _add_cells(sheet, sweep, numbers.evidence if calibrated else numbers.share, "points" if calibrated else "%")
    if answers:
        _add_answers(sheet, sweep)
        sheet.note(ink(sheet.colours.muted, "answer"), xref="x", x=n + 1.4, xanchor="center")
    edge = {"color": sheet.colours.gold, "width": 2}
    sheet.shape("rect", x0=0.5, x1=n + 0.5, y0=place + 0.5, y1=place + 1.5, line=edge)
    name = "Minus the bias" if calibrated else "Attention share"
    sheet.note(f"<b>{ink(sheet.colours.attention, name)}</b>")
    return sheet.figure()


def _add_cells(sheet: Sheet, sweep: Sweep, values: Grid, unit: str) -> None:
    percent = 100 * values
    top = float(np.percentile(percent, _BRIGHT)) if percent.size else 1.0
    bar_font = {"size": 11, "color": sheet.colours.muted}
    sheet.traces.append(
        {
            "type": "heatmap",
            "name": "shares",
            "x": list(range(1, sweep.count + 1)),
            "y": [place + 1 for place in sweep.places],
            "z": np.round(percent, 3).tolist(),
            "customdata": [[[place]] * sweep.count for place in sweep.places],
            "zmin": 0,
            "zmax": top,
            "colorscale": [[0, sheet.colours.raised], [1, sheet.colours.attention]],
            "xgap": 1,
            "ygap": 1,
            "hovertemplate": f"gold at place %{{y}}<br>place %{{x}}: %{{z:.1f}} {unit}<extra></extra>",
            "colorbar": {
                **{"orientation": "h", "y": 1, "yanchor": "bottom", "x": 0.6, "len": 0.4, "thickness": 9},
                **{"outlinewidth": 0, "tickfont": bar_font, "ticklabelposition": "outside top", "ypad": 4},
                "tickvals": [0, top],
                "ticktext": ["0", f"{top:.{0 if top >= 10 else 1}f} {unit} or more"],
            },
        }
    )


def _add_answers(sheet: Sheet, sweep: Sweep) -> None:
    """Right or wrong beside each row, as a shape and a colour."""
    known = [row for row in sweep.rows if row.right is not None]
    colours = sheet.colours
    sheet.trace(
        "scatter",
        [row.place for row in known],
        x=[sweep.count + 1.4] * len(known),
        y=[row.place + 1 for row in known],
        name="answers",
        mode="text",
        text=["✓" if row.right else "✕" for row in known],
        textfont={"size": 13, "color": [colours.kept_ink if row.right else colours.contrast_ink for row in known]},
        hovertext=[f"{'right' if row.right else 'wrong'}: {safe(row.answer, 80)}" for row in known],
        hoverinfo="text",
        cliponaxis=False,
    )
