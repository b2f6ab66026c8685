"""Where SLEUTH and DuQUAD do not agree about a page. Pure functions of a record."""

from __future__ import annotations

from core.page_text import page_name
from core.records import RunRecord


def disagreements(record: RunRecord) -> tuple[str, ...]:
    """A sentence for each page that SLEUTH discards and SFS ranks first, or that SLEUTH takes and SFS ranks last.

    None where one of the two views is missing, or where there are fewer than two candidate pages.
    """
    order = [record.documents[ranked.document].page for ranked in record.ranking or ()]
    if len(order) < 2:
        return ()
    pages = {page.page: page for page in record.pages or ()}
    found = []
    first, last = (pages.get(page) if page is not None else None for page in (order[0], order[-1]))
    if first is not None and first.label in ("IR", "none"):
        name = page_name(first.page, first.printed)
        found.append(f"{name} was screened out (label {first.label}), yet SFS ranks it first of {len(order)}.")
    if last is not None and last.label == "CR":
        name = page_name(last.page, last.printed)
        found.append(f"{name} was judged completely relevant, yet SFS ranks it last of {len(order)}.")
    return tuple(found)
