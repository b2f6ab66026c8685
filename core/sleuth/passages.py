"""A page in pieces that can be quoted: sentences, and the rows of tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass

from core.page_text import region_names, region_text, rows
from core.records import PageLayout
from core.settings.pages import REPLY_LIMITS, SIGNAL_AGENTS
from core.text import sentences, words


@dataclass(frozen=True)
class Passage:
    """A sentence or a table row of a page."""

    region: str
    """Name of the region that it stands in; empty on a page without regions."""
    kind: str
    content: str
    """Its exact words."""
    scored: str
    """What is compared with the question: of a table row, the column heads as well."""


def passages(layout: PageLayout) -> list[Passage]:
    """The page in quotable pieces: sentences, and the rows of tables."""
    found: list[Passage] = []
    for name, region in zip(region_names(layout), layout.regions, strict=True):
        if region.cells:
            head, *body = rows(region)
            heads = " ".join(cell.text for cell in head)
            for row in body or [head]:
                content = " | ".join(" ".join(cell.text.split()) for cell in row)
                found.append(Passage(name, "table", content, f"{heads} {content}"))
        else:
            kind = "figure" if region.kind == "figure" else "text"
            found += [Passage(name, kind, text, text) for text in _sentences(region_text(region))]
    if not layout.regions:
        found = [Passage("", "text", text, text) for text in _sentences(layout.text)]
    telling_ones = [passage for passage in found if len(words(passage.content)) >= _least_words(passage)]
    return telling_ones[: SIGNAL_AGENTS.passages]


def _least_words(passage: Passage) -> int:
    # A heading is soon close to a question, and answers none; a table row may be two numbers.
    return 1 if passage.kind == "table" else SIGNAL_AGENTS.least_words


def running(layouts: Collection[PageLayout]) -> frozenset[str]:
    """What stands on most of the pages word for word: their running heads and feet."""
    counted = Counter(content for layout in layouts for content in {one.content for one in passages(layout)})
    return frozenset(content for content, pages in counted.items() if pages > max(1, len(layouts) / 2))


def _sentences(text: str) -> list[str]:
    flat = " ".join(text.split())
    return [flat[span.start : span.end][: REPLY_LIMITS.content] for span in sentences(flat)]
