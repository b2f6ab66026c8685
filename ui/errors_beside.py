"""One question in two systems: the documents, or pages, in their own places, and what each system did with them."""

from __future__ import annotations

from core.records import RunRecord
from ui.compare_numbers import ranked, ranks, read_order
from ui.derived import Derived, derive, fate
from ui.errors_state import ErrorsView
from ui.markup import empty, escape, is_gold, short, title
from ui.pages_words import page_name, page_steps
from ui.set_results import system_title

_TITLE = 60


def beside_html(first: RunRecord, second: RunRecord, view: ErrorsView) -> str:
    """A row for each document in the order of the prompt; for each system its rank, when it was read, its fate."""
    pages = first.pages is not None
    if pages != (second.pages is not None):
        return empty("One of these systems reads documents and the other pages: they cannot be laid side by side.")
    units = _pages(first, second) if pages else list(range(len(first.documents)))
    head = "".join(
        f'<th colspan="3" scope="colgroup">{escape(system_title(record.system))}</th>' for record in (first, second)
    )
    told = [derive(record) for record in (first, second)]
    body = "".join(_row(unit, first, second, told, view, pages) for unit in units)
    name = "page" if pages else "document"
    return (
        f'<div class="wl wl-scroll wl-beside" tabindex="0" role="region" aria-label="Two systems side by side"><table '
        f'class="wl-table"><thead><tr><th rowspan="2">{name}</th>{head}</tr><tr>'
        f"{'<th>rank</th><th>read</th><th>fate</th>' * 2}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _pages(first: RunRecord, second: RunRecord) -> list[int]:
    """The pages that either system considered, or that hold the evidence."""
    wanted = {page.page for record in (first, second) for page in record.pages or () if page.candidate}
    count = min(len(first.pages or ()), len(second.pages or ()))
    return sorted(page for page in wanted | set(first.question.gold_pages) if page < count)


def _row(
    unit: int, first: RunRecord, second: RunRecord, told: list[Derived | None], view: ErrorsView, pages: bool
) -> str:
    gold = unit in first.question.gold_pages if pages else is_gold(first, unit)
    star = '<span class="wl-star" aria-label="gold">★</span> ' if gold else ""
    name = page_name(first, unit) if pages else title(first, unit)
    on = unit == (view.read.page if pages else view.document)
    what = "read:page" if pages else "document"
    cells = "".join(
        f'<td class="is-number">{rank}</td><td class="is-number">{read}</td><td>{escape(end)}</td>'
        for record, derived in zip((first, second), told, strict=True)
        for rank, read, end in [_cells(record, derived, unit, pages)]
    )
    return (
        f'<tr class="{"is-open" if on else ""}{" is-gold" if gold else ""}"><td><button type="button" '
        f'class="wl-row-open" data-errors="{what}" data-value="{unit}" dir="auto"><span class="wl-num">{unit + 1}'
        f"</span> {star}<bdi>{escape(short(name, _TITLE))}</bdi></button></td>{cells}</tr>"
    )


def _cells(record: RunRecord, derived: Derived | None, unit: int, pages: bool) -> tuple[str, str, str]:
    """Rank, place in what was read, and fate; a dash for what a system does not have."""
    order = ranked(record)
    rank = str(order.index(unit) + 1) if ranks(record) and unit in order else "–"
    read = read_order(record)
    seen = str(read.index(unit) + 1) if unit in read else "–"
    if pages:
        return rank, seen, page_steps(record, unit)[-1][0] if page_steps(record, unit) else ""
    plain_fate = "read" if unit in read else "not read"
    return rank, seen, fate(record, derived, unit) if record.pool is not None else plain_fate
