"""The tables of a run over a PDF: the same rows for the page and for the CSV files."""

from __future__ import annotations

import html

from core.records import Citation, Clue, Page, RunRecord
from ui.markup import empty, escape, plain, short
from ui.pages_strip import label_badge
from ui.pages_words import KEPT_BY, LABELS, page_name
from ui.read_cards import page_ref
from ui.read_state import ReadView, back_of, may_be_put_back
from ui.tables import Table

_PLACED = {
    "exact": "found word for word",
    "fuzzy": "found with small differences",
    "region": "the region that was named",
    "": "not found on the page",
}


def citations_html(record: RunRecord, view: ReadView) -> str:
    """The citation table; a row that is chosen lights up its place on the page."""
    if record.citations is None:
        return empty("The citations come with the answer." if record.final is None else "This system cites nothing.")
    if not record.citations:
        none = record.final is not None and record.final.no_answer
        return empty(
            f"{'No answer, so nothing is cited' if none else 'Nothing was cited: the answer stands unbacked'}."
        )
    rows = "".join(_citation(record, index, citation, view) for index, citation in enumerate(record.citations))
    return _table("Citations", ("", "Page", "Evidence", "Check"), rows, "wl-cites")


def _citation(record: RunRecord, index: int, citation: Citation, view: ReadView) -> str:
    kind, sign, word = ("is-kept", "✓", "verified") if citation.verified else ("is-lost", "!", "unverified")
    why = escape(short(citation.reason, 240)) or _PLACED[citation.placed]
    where = "" if citation.boxes else '<span class="wl-sub">no place on the page could be found</span>'
    return _row(
        "cite", index, view.cite == index, f"Citation {index + 1}",
        (
            page_ref(record, citation.page, view),
            f'<span dir="auto">{escape(short(citation.evidence, 600)) or "nothing was quoted"}</span>'
            f'<span class="wl-sub">source: {escape(short(citation.source, 60)) or "not said"}</span>',
            f'<span class="wl-badge {kind}"><span aria-hidden="true">{sign}</span> {word}</span>'
            f'<span class="wl-sub">{why}</span>{where}',
        ),
    )  # fmt: skip


def clues_html(record: RunRecord, view: ReadView) -> str:
    """The clues in page order, each with where it stands."""
    if record.clues is None:
        off = not record.settings.pdf.clue
        return empty("Clue discovery was off." if off else "No page has been searched for clues yet.")
    if not record.clues:
        return empty("No clue was found on the candidate pages.")
    rows = "".join(_clue(record, index, clue, view) for index, clue in enumerate(record.clues))
    return _table("Clues", ("", "Page", "Clue", "Where"), rows, "wl-clues")


def _clue(record: RunRecord, index: int, clue: Clue, view: ReadView) -> str:
    why = " ".join(filter(None, (clue.insight.strip(), clue.rationale.strip())))
    where = escape(short(clue.region, 80)) or "not said"
    return _row(
        "clue", index, view.clue == index, f"Clue {index + 1}",
        (
            page_ref(record, clue.page, view),
            f'<span dir="auto">{escape(short(clue.content, 600))}</span>'
            f'<span class="wl-sub" dir="auto">{escape(short(why, 300))}</span>',
            f'{where}<span class="wl-sub">{clue.kind}, {clue.confidence} confidence; {_PLACED[clue.placed]}</span>',
        ),
    )  # fmt: skip


def _row(kind: str, index: int, lit: bool, name: str, cells: tuple[str, ...]) -> str:
    """A row that is a target as a whole for the pointer, and by its number for the keyboard."""
    tag = f"{'C' if kind == 'clue' else ''}{index + 1}"
    first = (
        f'<button type="button" class="wl-tag is-{kind}" data-read="{kind}" data-value="{index}" '
        f'aria-pressed="{"true" if lit else "false"}" aria-label="{name}: show it on the page">{tag}</button>'
    )
    body = "".join(f"<td>{cell}</td>" for cell in cells)
    return f'<tr class="{"is-lit" if lit else ""}" data-read="{kind}" data-value="{index}"><td>{first}</td>{body}</tr>'


def _table(name: str, headers: tuple[str, ...], rows: str, kind: str) -> str:
    head = "".join(f'<th scope="col">{header}</th>' for header in headers)
    return (
        f'<div class="wl wl-scroll" role="region" aria-label="{name}" tabindex="0">'
        f'<table class="wl-table wl-rows-table {kind}">'
        f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def candidates_html(record: RunRecord, view: ReadView) -> str:
    """What screening made of each candidate page, and a way to put a page back."""
    candidates = sorted((page for page in record.pages or () if page.candidate), key=lambda page: page.page)
    if not candidates:
        return empty("No page has been read yet." if record.final is None else "No page was read.")
    rows = "".join(_candidate(record, page, view) for page in candidates)
    return _table("Candidate pages", ("Page", "Label", "Reason", "Fate"), rows, "wl-candidates")


def _candidate(record: RunRecord, page: Page, view: ReadView) -> str:
    score = f'<span class="wl-sub">score {page.score:.3f}</span>' if page.score is not None else ""
    score += f'<span class="wl-sub">rank {page.rank + 1}</span>' if page.rank is not None else ""
    near = '<span class="wl-sub">neighbour</span>' if page.neighbour else ""
    said = (
        f'<span class="wl-sub">{LABELS[page.label]}</span>'
        if page.label
        else '<span class="wl-sub">not screened</span>'
    )
    read = '<span class="wl-sub">read off likelihoods</span>' if page.label and page.label_kind == "signals" else ""
    raw = f'<details><summary>Raw reply</summary><pre dir="auto">{escape(page.raw)}</pre></details>' if page.raw else ""
    cells = (
        f"{page_ref(record, page.page, view)}{score}{near}",
        f"{label_badge(page.label)}{said}{read}",
        f'<span dir="auto">{escape(short(page.rationale, 300)) or "none given"}</span>{raw}',
        _fate(record, page, view),
    )
    lit = " is-lit" if view.page == page.page else ""
    body = "".join(f"<td>{cell}</td>" for cell in cells)
    return f'<tr class="{lit.strip()}" data-read="page" data-value="{page.page}">{body}</tr>'


def _fate(record: RunRecord, page: Page, view: ReadView) -> str:
    back = page.page in back_of(view, record)
    why = f'<span class="wl-sub">{KEPT_BY[page.kept_by]}</span>' if page.kept and page.kept_by else ""
    kind, word = ("is-kept", "kept") if page.kept else ("is-lost", "dropped") if page.label else ("is-plain", "read")
    badge = f'<span class="wl-badge {kind}">{word}</span>{why}'
    if record.final is None or not may_be_put_back(record, page.page):
        return badge
    said = "Let it go" if back else "Put back"
    name = html.escape(f"{said}: {page_name(record, page.page)}")
    return (
        f'{badge}<button type="button" class="wl-link" data-read="back" data-value="{page.page}" '
        f'aria-pressed="{"true" if back else "false"}" aria-label="{name}">{said}</button>'
    )


# ---- as files


def citation_rows(record: RunRecord) -> Table:
    """One row per citation."""
    headers = ["citation", "page", "printed", "evidence", "source", "verified", "reason", "placed", "boxes"]
    return headers, [
        [
            *(index, citation.page + 1, _printed(record, citation.page), plain(citation.evidence)),
            *(plain(citation.source), citation.verified, plain(citation.reason), citation.placed),
            _boxes(citation.boxes),
        ]
        for index, citation in enumerate(record.citations or (), start=1)
    ]


def clue_rows(record: RunRecord) -> Table:
    """One row per clue."""
    headers = ["clue", "page", "printed", "region", "content", "insight", "rationale", "kind", "confidence"]
    headers += ["placed", "boxes"]
    return headers, [
        [
            *(index, clue.page + 1, _printed(record, clue.page), plain(clue.region), plain(clue.content)),
            *(plain(clue.insight), plain(clue.rationale), clue.kind, clue.confidence, clue.placed, _boxes(clue.boxes)),
        ]
        for index, clue in enumerate(record.clues or (), start=1)
    ]


def page_rows(record: RunRecord) -> Table:
    """One row per page of the PDF, in page order."""
    headers = ["page", "printed", "gold", "read by", "score", "rank", "candidate", "neighbour", "label", "label kind"]
    headers += ["kept", "kept by", "rationale"]
    gold = record.question.gold_pages
    return headers, [
        [
            *(page.page + 1, plain(page.printed), "gold" if page.page in gold else "", page.read_by),
            *(None if page.score is None else round(page.score, 6), None if page.rank is None else page.rank + 1),
            *(page.candidate, page.neighbour, page.label, page.label_kind if page.label else None),
            *(page.kept, page.kept_by, plain(page.rationale)),
        ]
        for page in record.pages or ()
    ]


def _printed(record: RunRecord, page: int) -> str:
    return plain(record.pages[page].printed) if record.pages else ""


def _boxes(boxes: tuple[tuple[float, float, float, float], ...]) -> str:
    return "; ".join(" ".join(f"{side:.4f}" for side in box) for box in boxes)
