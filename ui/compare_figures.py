"""The bump chart: the rank of every document in one system after another."""

from __future__ import annotations

from dataclasses import dataclass

import plotly.graph_objects as go

from core.records import CompareRecord, RunRecord
from core.systems import SYSTEMS
from ui.compare_numbers import count, document_of, golds, of_pages, ranked, ranks, read_order, shown_units, unit
from ui.figures_base import Sheet, axis, ink, message, safe

ROW = 25  # pixels of one rank
MOST_RANKS = 30  # of pages; what lies deeper stands at the lower edge
_EDGE = 0.35  # room beside the first and the last system


def bump(compared: CompareRecord | None, selected: int | None, dark: bool) -> go.Figure:
    """A line per document over the systems, best on top; filled where the reader saw it, hollow where not.

    Of a PDF there is a line per candidate page; gold that was ranked far below them stands at the lower edge.
    """
    records = compared.records if compared else ()
    if compared is None or not records:
        return message("No system has finished yet.", dark)
    units = shown_units(compared, selected)
    lines = _Lines(compared, selected, _depth(compared, units))
    sheet = Sheet(dark, 110 + ROW * (lines.depth + 1))
    sheet.layout |= {
        "hovermode": "closest",
        "xaxis": _systems(sheet, records),
        "yaxis": axis(sheet.colours, range=[lines.depth + 0.6, 0.4], dtick=1 if lines.depth <= 40 else 10, tick0=1),
    }
    special = [*golds(compared), *([selected] if selected is not None else [])]
    for one in sorted(units, key=lambda i: i in special):
        _add_line(sheet, lines, one)
    muted = {"size": 12.5, "color": sheet.colours.muted}
    key = f"{ink(sheet.colours.gold, '●')} gold   {ink(sheet.colours.accent, '●')} selected   ● read   ○ not read"
    sheet.note(key, font=muted, yshift=38)
    return sheet.figure()


@dataclass(frozen=True)
class _Lines:
    """What the lines of one chart share."""

    compared: CompareRecord
    selected: int | None
    depth: int
    """The lowest rank that has a place of its own."""


def _depth(compared: CompareRecord, units: list[int]) -> int:
    """All ranks of documents; of a PDF those of its candidates, and one for what lies below."""
    if not of_pages(compared):
        return count(compared)
    candidates = {page.page for record in compared.records for page in record.pages or () if page.candidate}
    deepest = [ranked(record).index(page) + 1 for record in compared.records for page in candidates & set(units)]
    return min(max(deepest, default=0) + 1, MOST_RANKS)


def _systems(sheet: Sheet, records: tuple[RunRecord, ...]) -> dict[str, object]:
    names = [_wrapped(title(record.system)) for record in records]
    return axis(
        sheet.colours,
        range=[-_EDGE, len(records) - 1 + _EDGE],
        tickvals=list(range(len(records))),
        ticktext=names,
        side="top",
        tickangle=0,
        tickfont={"size": 11.5, "color": sheet.colours.ink},
    )


def title(system: str) -> str:
    """A system's title, or the name of one that this version does not know."""
    return SYSTEMS[system].title if system in SYSTEMS else system


def _wrapped(text: str) -> str:
    """One word below the other, so that six names stand side by side on a small screen."""
    return "<br>".join(safe(word, 14) for word in text.replace(" + ", " +\u00a0").split(" "))


def _add_line(sheet: Sheet, lines: _Lines, at: int) -> None:
    compared, colours = lines.compared, sheet.colours
    gold, chosen = at in golds(compared), at == lines.selected
    colour = colours.accent if chosen else colours.gold if gold else colours.dip
    on_mark = colours.surface if chosen or (gold and sheet.dark) else colours.ink
    read = [at in read_order(record) for record in compared.records]
    places = [min(ranked(record).index(at) + 1, lines.depth) for record in compared.records]
    sheet.trace(
        "scatter",
        [at] * len(places),
        x=list(range(len(places))),
        y=places,
        name=f"{unit(compared)} {at + 1}",
        mode="lines+markers+text",
        line={"color": colour, "width": 3 if gold or chosen else 1},
        marker={
            "size": 19,
            "color": [colour if one else colours.surface for one in read],
            "line": {"color": colour, "width": 1.6},
        },
        text=[str(at + 1)] * len(places),
        textfont={"size": 10.5, "color": [on_mark if one else colours.ink for one in read]},
        hovertext=[_hover(compared, record, at) for record in compared.records],
        hoverinfo="text",
        cliponaxis=False,
    )


def _hover(compared: CompareRecord, record: RunRecord, at: int) -> str:
    order, place = read_order(record), ranked(record).index(at) + 1
    seen = f"read at place {order.index(at) + 1}" if at in order else "not read"
    found = document_of(compared, at)
    star = "★ " if at in golds(compared) else ""
    name = f"{unit(compared)} {at + 1} {star}{safe(found.title) if found else ''}"
    how = f"rank {place}" if ranks(record) else f"given place {place}"
    return f"<b>{name}</b><br>{safe(title(record.system))}: {how}, {seen}"


def summary(compared: CompareRecord | None) -> str:
    """The chart in a sentence: where each system ranks gold."""
    if compared is None or not compared.records:
        return "No system has finished yet."
    found, what = golds(compared), unit(compared)
    if not found:
        return f"Ranks of {count(compared)} {what}s in {len(compared.records)} systems; gold is not known."
    first = found[0]
    ranking = [record for record in compared.records if ranks(record)]
    places = [f"{title(record.system)} {ranked(record).index(first) + 1}" for record in ranking]
    unranked = [title(record.system) for record in compared.records if not ranks(record)]
    said = f"Rank of gold {what} {first + 1}: {', '.join(places)}." if places else f"No system here ranks {what}s."
    return f"{said} In the given order: {', '.join(unranked)}." if unranked else said
