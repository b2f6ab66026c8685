"""A page's layout as text: what its regions are called, and how a model is shown them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from core.page_record import Cell, PageLayout, Region


def region_names(layout: PageLayout) -> tuple[str, ...]:
    """One name per region, in reading order: Text 1, Text 2, Table 1, Figure 1, Caption 1."""
    counted: Counter[str] = Counter()
    names = []
    for region in layout.regions:
        counted[region.kind] += 1
        names.append(f"{region.kind.capitalize()} {counted[region.kind]}")
    return tuple(names)


def rows(region: Region) -> list[list[Cell]]:
    """The cells of a table by row, each row from left to right."""
    by_row: dict[int, list[Cell]] = {}
    for cell in region.cells:
        by_row.setdefault(cell.row, []).append(cell)
    return [sorted(by_row[row], key=lambda cell: cell.column) for row in sorted(by_row)]


def region_text(region: Region) -> str:
    """The text of one region; the rows of a table on lines of their own, cells apart by bars."""
    if not region.cells:
        return " ".join(region.text.split())
    return "\n".join(" | ".join(" ".join(cell.text.split()) for cell in row) for row in rows(region))


def as_text(layout: PageLayout) -> str:
    """The page for a model that reads text: every region under its name; one without regions as it reads."""
    named = zip(region_names(layout), layout.regions, strict=True)
    parts = [f"[{name}] {text}" for name, region in named if (text := region_text(region))]
    return "\n".join(parts) or layout.text.strip()


def shortened(text: str, most: int, count: Callable[[str], int]) -> str:
    """The beginning of a text that has at most that many tokens, as ``count`` counts them."""
    while (tokens := count(text)) > most:
        text = text[: min(int(len(text) * most / tokens), len(text) - 1)]
    return text


def has_visual(layout: PageLayout) -> bool:
    """Whether the page has a table or a figure."""
    return any(region.kind in ("table", "figure") for region in layout.regions)


def page_name(page: int, printed: str = "") -> str:
    """How a page is called where people and models read: 1-based, the printed label beside it where it differs."""
    number = str(page + 1)
    return f"Page {number} (printed {printed})" if printed and printed != number else f"Page {number}"
