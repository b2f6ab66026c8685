"""The bump chart: the rank of every document in one system after another."""

from __future__ import annotations

import plotly.graph_objects as go

from core.records import CompareRecord, RunRecord
from core.systems import SYSTEMS
from ui.compare_numbers import golds, ranked, read_order
from ui.figures_base import Sheet, axis, ink, message, name, safe

ROW = 25  # pixels of one rank
_EDGE = 0.35  # room beside the first and the last system


def bump(compared: CompareRecord | None, selected: int | None, dark: bool) -> go.Figure:
    """A line per document over the systems, best on top; filled where the reader saw it, hollow where not."""
    records = compared.records if compared else ()
    if compared is None or not records:
        return message("No system has finished yet.", dark)
    sheet = Sheet(dark, 110 + ROW * len(compared.documents))
    sheet.layout |= {
        "hovermode": "closest",
        "xaxis": _systems(sheet, records),
        "yaxis": axis(sheet.colours, range=[len(compared.documents) + 0.6, 0.4], dtick=_step(compared), tick0=1),
    }
    special = [*golds(compared), *([selected] if selected is not None else [])]
    for document in sorted(range(len(compared.documents)), key=lambda i: i in special):
        _add_line(sheet, compared, document, selected)
    muted = {"size": 12.5, "color": sheet.colours.muted}
    key = f"{ink(sheet.colours.gold, '●')} gold   {ink(sheet.colours.accent, '●')} selected   ● read   ○ not read"
    sheet.note(key, font=muted, yshift=38)
    return sheet.figure()


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


def _step(compared: CompareRecord) -> int:
    return 1 if len(compared.documents) <= 40 else 10


def _add_line(sheet: Sheet, compared: CompareRecord, document: int, selected: int | None) -> None:
    colours, gold = sheet.colours, document in golds(compared)
    strong = gold or document == selected
    colour = colours.accent if document == selected else colours.gold if gold else colours.dip
    on_mark = colours.surface if document == selected or (gold and sheet.dark) else colours.ink
    read = [document in read_order(record) for record in compared.records]
    ranks = [ranked(record).index(document) + 1 for record in compared.records]
    sheet.trace(
        "scatter",
        [document] * len(ranks),
        x=list(range(len(ranks))),
        y=ranks,
        name=f"document {document + 1}",
        mode="lines+markers+text",
        line={"color": colour, "width": 3 if strong else 1, "shape": "spline", "smoothing": 0.6},
        marker={
            "size": 19,
            "color": [colour if one else colours.surface for one in read],
            "line": {"color": colour, "width": 1.6},
        },
        text=[str(document + 1)] * len(ranks),
        textfont={"size": 10.5, "color": [on_mark if one else colours.ink for one in read]},
        hovertext=[_hover(compared, record, document) for record in compared.records],
        hoverinfo="text",
        cliponaxis=False,
    )


def _hover(compared: CompareRecord, record: RunRecord, document: int) -> str:
    order = read_order(record)
    seen = f"read at place {order.index(document) + 1}" if document in order else "not read"
    place = ranked(record).index(document) + 1
    how = f"rank {place}" if record.ranking else f"given place {place}"
    return f"<b>{name(record, document)}</b><br>{safe(title(record.system))}: {how}, {seen}"


def summary(compared: CompareRecord | None) -> str:
    """The chart in a sentence: where each system ranks gold."""
    if compared is None or not compared.records:
        return "No system has finished yet."
    found = golds(compared)
    if not found:
        return f"Ranks of {len(compared.documents)} documents in {len(compared.records)} systems; gold is not known."
    first = found[0]
    places = [
        f"{title(record.system)} {ranked(record).index(first) + 1}" for record in compared.records if record.ranking
    ]
    unranked = [title(record.system) for record in compared.records if not record.ranking]
    said = f"Rank of gold document {first + 1}: {', '.join(places)}." if places else "No system here ranks documents."
    return f"{said} In the given order: {', '.join(unranked)}." if unranked else said
