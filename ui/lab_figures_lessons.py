"""The two lessons to plotly: gold among more and fewer documents, and where it stands in what is read."""

from __future__ import annotations

from typing import Any

import plotly.graph_objects as go

from core.records import SweepRecord
from core.sweep_record import Noise
from ui.figures_base import Sheet, axis, ink, message, safe
from ui.lab_figures import ticks
from ui.lab_lessons import MEASURES, NOISES, WAYS, Group, Measure, gold_at, groups, lengths, noises, of_way

NOT_READ = "Nothing of this has been read yet."
_SYMBOLS: dict[Noise, str] = {"hard": "circle", "random": "square", "duplicated": "diamond"}
_ASIDE = 0.13  # how far the kinds stand apart at one length, so that their points do not cover each other
_ANSWERS = 0.12  # width of the column of answers, as a share of that of the places
_FEW = 10  # numbers of places that a small screen holds
_ROW = 19  # pixels of one way at one place
_LABELS = 118  # pixels for the ways and the places


def length_figure(record: SweepRecord | None, measure: Measure, dark: bool) -> go.Figure:
    """Lengths across, gold's attention or rank upwards: a line for each kind, its spread over seeds as an area."""
    if record is None or not record.lengths:
        return message(NOT_READ, dark)
    sheet = Sheet(dark, 330, {"hovermode": "closest", "margin": {"t": 58, "b": 44}})
    found, every = lengths(record), noises(record)
    label = {"font": {"size": 12, "color": sheet.colours.muted}}
    sheet.layout |= {
        "xaxis": axis(
            sheet.colours,
            range=[-0.45, len(found) - 0.55],
            tickvals=list(range(len(found))),
            ticktext=[str(length) for length in found],
            title={"text": "documents in the prompt", "standoff": 8, **label},
        ),
        "yaxis": _upwards(sheet, [group for noise in every for group in groups(record, noise, measure)], measure),
    }
    for i, noise in enumerate(every):
        own, aside = groups(record, noise, measure), _ASIDE * (i - (len(every) - 1) / 2)
        _add_noise(sheet, noise, own, [found.index(group.length) + aside for group in own], measure)
    sheet.note(f"<b>{MEASURES[measure]}</b>" + ink(sheet.colours.muted, _unit(measure)), yshift=30)
    key = "   ".join(ink(_colour(sheet, noise), f"{_mark(noise)} {NOISES[noise]}") for noise in every)
    sheet.note(key + ink(sheet.colours.muted, "   filled: right"))
    return sheet.figure()


def _unit(measure: Measure) -> str:
    return ", times an even share" if measure == "share" else ", 1 is found at once"


def _mark(noise: Noise) -> str:
    return {"hard": "●", "random": "■", "duplicated": "◆"}[noise]


def _colour(sheet: Sheet, noise: Noise) -> str:
    colours = sheet.colours
    return {"hard": colours.contrast_ink, "random": colours.attention, "duplicated": colours.kept_ink}[noise]


def _upwards(sheet: Sheet, found: list[Group], measure: Measure) -> dict[str, Any]:
    high = max(group.high for group in found)
    if measure == "share":
        at_one = {"y0": 1, "y1": 1, "x0": 0, "x1": 1, "xref": "paper"}
        sheet.shape("line", line={"color": sheet.colours.muted, "width": 1, "dash": "dot"}, **at_one)
        return axis(sheet.colours, range=[0, 1.12 * max(high, 1.0)], showgrid=True, nticks=5, ticksuffix=" ×")
    return axis(sheet.colours, range=[high + 0.8, 0.2], showgrid=True, tickvals=ticks(round(high)))


def _add_noise(sheet: Sheet, noise: Noise, found: tuple[Group, ...], at: list[float], measure: Measure) -> None:
    colour = _colour(sheet, noise)
    for group, x in zip(found, at, strict=True):
        ends = {"x0": x, "x1": x, "y0": group.low, "y1": group.high}
        sheet.shape("line", line={"color": colour, "width": 7}, opacity=0.28, layer="below", **ends)
    line = {"color": colour, "width": 2}
    means = [group.mean for group in found]
    sheet.trace("scatter", [], x=at, y=means, name=f"{noise}, mean", mode="lines", line=line, hoverinfo="skip")
    cells = [(group, x, cell) for group, x in zip(found, at, strict=True) for cell in group.cells]
    sheet.trace(
        "scatter",
        [],
        x=[x for _, x, _ in cells],
        y=[cell.value for *_, cell in cells],
        name=noise,
        mode="markers",
        marker={
            "symbol": [_SYMBOLS[noise] + ("" if cell.right else "-open") for *_, cell in cells],
            "size": 9,
            "color": colour,
            "line": {"width": 1.5, "color": colour},
        },
        hovertext=[_hover(noise, group, cell.seed, cell.value, cell.right, measure) for group, _, cell in cells],
        hoverinfo="text",
    )


def _hover(noise: Noise, group: Group, seed: int, value: float, right: bool | None, measure: Measure) -> str:
    told = f"{value:.2f} times an even share" if measure == "share" else f"rank {value:.0f} of {group.length}"
    verdict = {True: "<br>answer right", False: "<br>answer wrong", None: ""}[right]
    return f"{group.length} documents, {NOISES[noise]}, order {seed}<br>{told}{verdict}"


def fix_figure(record: SweepRecord | None, dark: bool) -> go.Figure:
    """A row for each way and place of gold: what was read as cells, gold as a star, the answer's mark at the end."""
    if record is None or not record.fixes:
        return message(NOT_READ, dark)
    n, rows = len(record.documents), [(way, *pair) for way in WAYS for pair in of_way(record, way)]
    places, gap = len(record.fixes), 0.6
    at = [i + gap * (i // places) for i in range(len(rows))]
    sheet = Sheet(dark, 92 + round(_ROW * (at[-1] + 1)), {"hovermode": "closest", "margin": {"l": _LABELS, "t": 30}})
    label = {"font": {"size": 12, "color": sheet.colours.muted}, "standoff": 8}
    sheet.layout |= {
        "xaxis": axis(
            sheet.colours,
            range=[0.4, 0.55 + n * (1 + _ANSWERS)],
            tickvals=_few(n),
            tickangle=0,
            title={"text": "place in what is read", **label},
        ),
        "yaxis": axis(sheet.colours, range=[at[-1] + 0.6, -0.6], showticklabels=False),
    }
    for y, (way, fix, found) in zip(at, rows, strict=True):
        cells = {"x0": 0.6, "x1": len(found.order) + 0.4, "y0": y - 0.36, "y1": y + 0.36}
        sheet.shape("rect", fillcolor=sheet.colours.line, line={"width": 0}, layer="below", **cells)
        row = {"yref": "y", "y": y, "yanchor": "middle", "yshift": 0}
        if fix is (record.fixes or ())[0]:
            sheet.note(f"<b>{WAYS[way]}</b>", **row, xshift=-_LABELS + 4)
        sheet.note(ink(sheet.colours.muted, f"{fix.place + 1}"), **row, xanchor="right", xshift=-6)
    _add_stars(sheet, record, at)
    _add_marks(sheet, record, at)
    sheet.note(ink(sheet.colours.muted, "given at"), xanchor="right", xshift=-4, font={"size": 11.5})
    sheet.note(ink(sheet.colours.muted, "answer"), x=1, xanchor="right", font={"size": 11.5})
    sheet.note(f"{ink(sheet.colours.gold, '★')}{ink(sheet.colours.muted, ' gold')}", xref="x", x=0.6)
    return sheet.figure()


def _few(n: int) -> list[int]:
    """Numbers of places, few enough to stand side by side on a small screen."""
    step = 1 if n <= _FEW else 5
    return sorted({1, *range(step, n + 1, step)})


def _add_stars(sheet: Sheet, record: SweepRecord, at: list[float]) -> None:
    rows = [pair for way in WAYS for pair in of_way(record, way)]
    seen = [(y, fix, way, place) for y, (fix, way) in zip(at, rows, strict=True)
            if (place := gold_at(record, way)) is not None]  # fmt: skip
    sheet.trace(
        "scatter",
        [fix.place for _, fix, _, _ in seen],
        x=[place + 1 for *_, place in seen],
        y=[y for y, *_ in seen],
        name="gold",
        mode="markers",
        marker={"symbol": "star", "size": 12, "color": sheet.colours.gold,
                "line": {"color": sheet.colours.ink, "width": 1}},
        hovertext=[f"{WAYS[way.way]}: given at place {fix.place + 1}, read at place {place + 1} of {len(way.order)}"
                   for _, fix, way, place in seen],
        hoverinfo="text",
        cliponaxis=False,
    )  # fmt: skip


def _add_marks(sheet: Sheet, record: SweepRecord, at: list[float]) -> None:
    """Right or wrong at the end of each row, as a shape and a colour."""
    rows = [pair for way in WAYS for pair in of_way(record, way)]
    known = [(y, fix, way) for y, (fix, way) in zip(at, rows, strict=True) if way.right is not None]
    colours = sheet.colours
    sheet.trace(
        "scatter",
        [fix.place for _, fix, _ in known],
        x=[0.5 + len(record.documents) * (1 + _ANSWERS / 2)] * len(known),
        y=[y for y, *_ in known],
        name="answers",
        mode="text",
        text=["✓" if way.right else "✕" for *_, way in known],
        textfont={"size": 13, "color": [colours.kept_ink if way.right else colours.contrast_ink for *_, way in known]},
        hovertext=[f"{'right' if way.right else 'wrong'}: {safe(way.answer, 80)}" for *_, way in known],
        hoverinfo="text",
        cliponaxis=False,
    )
