"""The scores of all pages: which were read, and what screening made of them."""

from __future__ import annotations

import plotly.graph_objects as go

from core.page_record import Label
from core.records import Page, RunRecord
from ui.figures_base import Sheet, axis, ink, message, safe
from ui.pages_words import LABELS, listed, page_name

_TICKS = 26  # more page numbers than this do not fit below a narrow figure
_SYMBOLS: dict[Label, str] = {"CR": "circle", "R": "diamond", "IR": "x-thin-open", "none": "line-ew-open"}


def page_scores(record: RunRecord, selected: int | None, dark: bool) -> go.Figure:
    """One bar per page; candidates in full colour, with the sign of their label above. ``customdata`` is the page."""
    pages = [page for page in record.pages or () if page.score is not None]
    if not pages:
        return message("The pages have not been scored yet.", dark)
    sheet = Sheet(dark, 230, {"hovermode": "closest", "bargap": 0.25})
    _axes(sheet, len(record.pages or ()), pages, selected)
    candidates = [page for page in pages if page.candidate]
    _bars(sheet, record, [page for page in pages if not page.candidate], sheet.colours.dip)
    _bars(sheet, record, candidates, sheet.colours.attention)
    _signs(sheet, candidates)
    _gold(sheet, record, pages)
    if selected is not None:
        sheet.band(yref="paper", x0=selected + 0.5, x1=selected + 1.5, y0=0, y1=1)
    colours = sheet.colours
    sheet.note(f"<b>{ink(colours.attention, 'Retrieval score')}</b>")
    key = f"{ink(colours.attention, '■')} read by the agents  {ink(colours.dip, '■')} not read"
    sheet.note(ink(colours.muted, key), x=1, xanchor="right")
    return sheet.figure()


def _axes(sheet: Sheet, count: int, pages: list[Page], selected: int | None) -> None:
    step = 1 if count <= _TICKS else 5 if count <= 5 * _TICKS else 10 * (1 + count // 260)
    ticks = sorted({1, *range(step, count + 1, step)})
    low, high = _scale([page.score or 0.0 for page in pages])
    muted = sheet.colours.muted
    begins = f" · the axis begins at {low:.3g}" if low > 0 else ""
    title = {"text": f"page{begins}", "font": {"size": 12, "color": muted}, "standoff": 8}
    sheet.layout |= {
        "xaxis": axis(
            sheet.colours,
            range=[0.4, count + 0.6],
            tickvals=ticks,
            ticktext=[f"<b>{tick}</b>" if tick - 1 == selected else str(tick) for tick in ticks],
            tickfont={"size": 11, "color": muted},
            tickangle=0,
            title=title,
        ),
        "yaxis": axis(sheet.colours, range=[low, high + 0.2 * (high - low)], showgrid=True, nticks=4),
    }


def _scale(scores: list[float]) -> tuple[float, float]:
    """Where the axis begins and the highest bar ends: at zero, unless all scores are so high that bars look alike."""
    low, high = min(scores), max(scores)
    if high > low > 0.5 * high:
        return low - 0.15 * (high - low), high
    return min(0.0, low), max(high, 0.0) or 1.0


def _hover(record: RunRecord, page: Page) -> str:
    label = f"<br>{LABELS[page.label]}{', kept' if page.kept else ', not kept'}" if page.label else ""
    rank = f" · rank {page.rank + 1}" if page.rank is not None else ""
    return f"<b>{safe(page_name(record, page.page))}</b><br>score {page.score:.3f}{rank}{label}"


def _bars(sheet: Sheet, record: RunRecord, pages: list[Page], colour: str) -> None:
    sheet.trace(
        "bar",
        [page.page for page in pages],
        x=[page.page + 1 for page in pages],
        y=[page.score for page in pages],
        name="score",
        marker={"color": colour},
        hovertext=[_hover(record, page) for page in pages],
        hoverinfo="text",
    )


def _signs(sheet: Sheet, candidates: list[Page]) -> None:
    """Label as shape and letter above the bar."""
    labelled = [page for page in candidates if page.label is not None]
    for label in {page.label for page in labelled if page.label}:
        found = [page for page in labelled if page.label == label]
        sheet.trace(
            "scatter",
            [page.page for page in found],
            x=[page.page + 1 for page in found],
            y=[page.score for page in found],
            name=LABELS[label],
            mode="markers+text",
            text=[label] * len(found),
            textposition="top center",
            textfont={"size": 11, "color": sheet.colours.ink},
            marker={"symbol": _SYMBOLS[label], "size": 8, "color": sheet.colours.ink, "line": {"width": 2}},
            hoverinfo="skip",
            cliponaxis=False,
        )


def _gold(sheet: Sheet, record: RunRecord, pages: list[Page]) -> None:
    """Pages that are known to hold the evidence."""
    gold = [page for page in pages if page.page in record.question.gold_pages]
    sheet.trace(
        "scatter",
        [page.page for page in gold],
        x=[page.page + 1 for page in gold],
        y=[sheet.layout["yaxis"]["range"][0] for _ in gold],
        name="holds the evidence",
        mode="markers",
        marker={
            "symbol": "star",
            "size": 12,
            "color": sheet.colours.gold,
            "line": {"color": sheet.colours.ink, "width": 1},
        },
        hoverinfo="skip",
        cliponaxis=False,
    )


def summary_pages(record: RunRecord) -> str:
    """Which pages score best, how many were read and kept, and where the evidence stands among them."""
    scored = sorted((page for page in record.pages or () if page.rank is not None), key=lambda page: page.rank or 0)
    if not scored:
        return "The pages have not been scored yet."
    read = [page.page for page in scored if page.candidate]
    kept = [page.page for page in scored if page.kept]
    said = [f"{page_name(record, scored[0].page)} matches the question best"]
    said += [f"the agents read {listed(record, read)}"] if read else []
    said += [f"screening keeps {listed(record, kept)}"] if kept else []
    for page in record.question.gold_pages:
        rank = next((found.rank for found in scored if found.page == page), None)
        told = f"is ranked {rank + 1} of {len(scored)}" if rank is not None else "is not scored"
        said.append(f"{listed(record, [page])}, which holds the evidence, {told}")
    return "; ".join(said) + "."
