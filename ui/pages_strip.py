"""All pages as a strip of small pictures: score, label, and what became of each."""

from __future__ import annotations

import html

from core.page_record import Label, Page
from core.records import RunRecord
from ui.markup import empty, plain
from ui.pages_words import KEPT_BY, LABELS, page_name
from ui.read_state import ReadView

_SHAPES: dict[Label, str] = {"CR": "cr", "R": "r", "IR": "ir", "none": "no"}


def label_badge(label: Label | None) -> str:
    """A label as a letter with a shape; nothing for a page that has none."""
    if label is None:
        return ""
    return (
        f'<span class="wl-label is-{_SHAPES[label]}" title="{LABELS[label]}"><i aria-hidden="true"></i>{label}</span>'
    )


def strip_html(record: RunRecord | None, view: ReadView) -> str:
    """One button per page, in page order or the candidates first; the pictures come as the strip is scrolled."""
    if record is None or not record.pages:
        return empty("The pages of the PDF come here.") if record else ""
    scores = [page.score for page in record.pages if page.score is not None]
    ends = (min(scores, default=0.0), max(scores, default=0.0))
    order = sorted(record.pages, key=lambda page: (not page.candidate, page.page)) if view.first else record.pages
    reached = view.page if view.page is not None else order[0].page
    key = html.escape(plain(record.source.sha256)) if record.source else ""
    thumbs = "".join(_thumb(record, page, view, ends, key, page.page == reached) for page in order)
    return f'{_head(record, view)}<div class="wl wl-strip" role="group" aria-label="Pages">{thumbs}</div>'


def _head(record: RunRecord, view: ReadView) -> str:
    """How many pages there are, what their marks mean, and which stand first."""
    candidates = sum(page.candidate for page in record.pages or ())
    key = "".join(f"<span>{label_badge(label)} {LABELS[label]}</span>" for label in LABELS) if candidates else ""
    switch = (
        '<button type="button" class="wl-switch" data-read="first" data-value="" '
        f'aria-pressed="{"true" if view.first else "false"}">Candidates first</button>'
        if candidates
        else ""
    )
    count = f"{len(record.pages or ()):,} pages" + (f", {candidates} read" if candidates else "")
    said = f'<span class="wl-sub">{count}</span><span class="wl-sub wl-label-key">{key}</span>'
    return f'<div class="wl wl-strip-head">{said}{switch}</div>'


def _thumb(record: RunRecord, page: Page, view: ReadView, ends: tuple[float, float], key: str, reached: bool) -> str:
    """Only one of them is a stop for the Tab key; the arrow keys step from there."""
    marks = {
        "is-candidate": page.candidate,
        "is-kept": page.kept,
        "is-dropped": page.candidate and page.label is not None and not page.kept,
        "is-selected": view.page == page.page,
    }
    gold = page.page in record.question.gold_pages
    star = '<span class="wl-star" aria-hidden="true">★</span>' if gold else ""
    said = html.escape(_said(record, page, gold))
    return (
        f'<button type="button" class="wl-thumb {" ".join(mark for mark, on in marks.items() if on)}" data-read="page" '
        f'data-value="{page.page}" tabindex="{0 if reached else -1}" title="{said}" aria-label="{said}" '
        f'aria-pressed="{"true" if view.page == page.page else "false"}">'
        f'<span class="wl-face" data-thumb="{page.page}" data-key="{key}"></span>'
        f'<span class="wl-thumb-line"><b>{page.page + 1}</b>{star}{label_badge(page.label)}</span>'
        f'<span class="wl-mini"><span style="width:{_share(page, ends):.1f}%"></span></span></button>'
    )


def _share(page: Page, ends: tuple[float, float]) -> float:
    """Where a page's score stands between the lowest and the highest, in percent: 6 to 100, so that a bar is seen."""
    low, high = ends
    if page.score is None or not high > low:
        return 0.0 if page.score is None else 100.0
    return 6 + 94 * min(max((page.score - low) / (high - low), 0.0), 1.0)


def _said(record: RunRecord, page: Page, gold: bool) -> str:
    parts = [page_name(record, page.page)]
    parts += ["holds the evidence"] if gold else []
    if page.score is not None and page.rank is not None:
        parts.append(f"score {page.score:.3f}, rank {page.rank + 1}")
    parts += [LABELS[page.label]] if page.label else []
    parts += [f"kept: {KEPT_BY[page.kept_by]}" if page.kept_by else "kept"] if page.kept else []
    return ", ".join(parts)
