"""Pages in words: their names, labels, what became of them. Plain text, to be escaped where it is shown."""

from __future__ import annotations

from core import page_text
from core.page_record import Label
from core.records import Page, RunRecord
from ui.derived import Derived
from ui.markup import plain

LABELS: dict[Label, str] = {
    "CR": "completely relevant",
    "R": "relevant",
    "IR": "irrelevant",
    "none": "no visual",
}
KEPT_BY = {
    "label": "by its label",
    "hand": "put back by hand",
    "unread": "its screening reply could not be read",
    "switch": "screening was off",
}
READ_BY = {"text": "text layer", "ocr": "read by OCR", "none": "no text"}


def printed(record: RunRecord, page: int) -> str:
    """The label that the document prints on a page, where it is another than its number."""
    label = record.pages[page].printed if record.pages and page < len(record.pages) else ""
    return "" if label == str(page + 1) else plain(label)[:20]


def page_name(record: RunRecord, page: int) -> str:
    """``Page 12 (printed ii)``, to begin a sentence with."""
    return page_text.page_name(page, printed(record, page))


def _in_text(record: RunRecord, page: int) -> str:
    return f"p{page_name(record, page)[1:]}"


def listed(record: RunRecord, pages: list[int]) -> str:
    """Pages in a sentence: ``page 3``, ``pages 3 and 12``."""
    if len(pages) < 2:
        return "".join(_in_text(record, page) for page in pages)
    numbers = [str(page + 1) for page in pages]
    return f"pages {', '.join(numbers[:-1])} and {numbers[-1]}"


def page_steps(record: RunRecord, page: int) -> list[tuple[str, bool | None]]:
    """What happened to one page, stage by stage: words, and whether it went on (None: says nothing yet)."""
    found = record.pages[page] if record.pages and page < len(record.pages) else None
    if found is None:
        return []
    if found.rank is None:
        return [("could not be scored" if found.read_by == "none" else "not scored yet", None)]
    steps: list[tuple[str, bool | None]] = [(f"rank {found.rank + 1} of {len(record.pages or ())}", None)]
    if not found.candidate:
        return [*steps, ("not a candidate", False)]
    steps.append(("candidate" if not found.neighbour else "candidate as a neighbour", True))
    if found.label is not None:
        steps.append((LABELS[found.label], found.kept))
    steps += _after_screening(record, found)
    return steps


def _after_screening(record: RunRecord, page: Page) -> list[tuple[str, bool | None]]:
    steps: list[tuple[str, bool | None]] = []
    if record.clues is not None:
        count = sum(clue.page == page.page for clue in record.clues)
        steps.append((f"{count} clue{'s' if count != 1 else ''}" if count else "no clue", count > 0))
    if record.citations is not None:
        cited = any(citation.page == page.page for citation in record.citations)
        steps.append(("cited", True) if cited else ("not cited", False))
    return steps


def agreement(record: RunRecord, derived: Derived | None) -> str:
    """What the tab says of the two views where they do not disagree; empty before both are there."""
    if derived is None or not record.pages or len(derived.ranking) < 2:
        return ""
    best = record.documents[derived.ranking[0].document].page
    if best is None or best >= len(record.pages) or not record.pages[best].kept:
        return ""
    return f"The two views agree: SFS ranks {listed(record, [best])} first, and SLEUTH keeps it."
