"""What one visitor looks at in the tab "Read a PDF": small, frozen, and written in the page's address."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from core.records import RunRecord

Overlay = Literal["clues", "citations"]
OVERLAYS: tuple[Overlay, ...] = ("clues", "citations")

WHOLE = -1
"""The token that stands for the whole question: of each word, its best token counts."""

_NUMBER = re.compile(r"[1-9]\d{0,5}")


@dataclass(frozen=True, eq=False)
class ReadView:
    """``eq=False``: Gradio compares states by hash, and identity is the cheap one."""

    kind: Literal["none", "example", "run", "held"] = "none"
    """Where the record comes from: a recorded example, a run of this server, or this session alone."""
    key: str = ""
    """The example's slug or the run's id."""
    held: RunRecord | None = None
    """A record that no one else has: opened from a file, or not run yet."""
    page: int | None = None
    """The page that is open, 0-based."""
    clue: int | None = None
    """The clue that is lit, by its place in the record."""
    cite: int | None = None
    """The citation that is lit; never together with a clue."""
    token: int | None = None
    """The query token whose similarity lies over the page; ``WHOLE`` for all of them, None for none."""
    hidden: frozenset[Overlay] = frozenset()
    """Boxes that are not drawn."""
    text: bool = False
    """Whether the page's text is shown in place of its picture."""
    first: bool = False
    """Whether the candidates stand before the other pages."""
    back: tuple[int, ...] | None = None
    """Pages that the next decision keeps by hand; None for those of the run itself."""
    mine: bool = False
    """Whether this session brought the PDF itself, and with it the password if there is one."""
    chosen: bool = False
    """Whether the person has chosen what is open, so that a growing run leaves it alone."""
    dark: bool = False

    @property
    def address(self) -> dict[str, str]:
        """What stands in the page's address; numbers count from 1. Gradio takes ``page`` and ``view`` for its own."""
        if self.kind not in ("example", "run"):
            return {}
        lit = {"p": self.page, "clue": self.clue, "cite": self.cite}
        parts = {name: str(place + 1) for name, place in lit.items() if place is not None}
        if self.token is not None:
            parts["token"] = "all" if self.token == WHOLE else str(self.token + 1)
        if self.text:
            parts["show"] = "text"
        return {str(self.kind): self.key} | parts


def read_address(query: Mapping[str, str], dark: bool) -> ReadView:
    """The view that an address asks for, without its record; what makes no sense is left out."""
    page, cite = _place(query.get("p", "")), _place(query.get("cite", ""))
    clue = _place(query.get("clue", "")) if cite is None else None
    token = WHOLE if query.get("token") == "all" else _place(query.get("token", ""))
    chosen = any(place is not None for place in (page, clue, cite))
    text = query.get("show") == "text"
    return ReadView(page=page, clue=clue, cite=cite, token=token, text=text, chosen=chosen, dark=dark)


def _place(text: str) -> int | None:
    """A number in an address (from 1) as an index."""
    return int(text) - 1 if _NUMBER.fullmatch(text) else None


def fitted(view: ReadView, record: RunRecord | None) -> ReadView:
    """The view without what its record does not have, and open where its clue or citation stands."""
    if record is None:
        return replace(view, page=None, clue=None, cite=None, token=None, back=None)
    cites, clues = record.citations or (), record.clues or ()
    cite = view.cite if view.cite in range(len(cites)) else None
    clue = view.clue if view.clue in range(len(clues)) else None
    tokens = len(record.similarity.tokens) if record.similarity else 0
    token = view.token if tokens and view.token in range(WHOLE, tokens) else None
    page = view.page if view.page in range(len(record.pages or ())) else None
    if cite is not None or clue is not None:
        page = cites[cite].page if cite is not None else clues[clue or 0].page
    view = replace(view, page=page, clue=clue, cite=cite, token=token)
    return view if view.chosen or page is not None else _opened(view, record)


def _opened(view: ReadView, record: RunRecord) -> ReadView:
    """Open at the first citation that has a place, else at a clue of the best candidate, else at the first page."""
    cites = record.citations or ()
    placed = [index for index, citation in enumerate(cites) if citation.boxes]
    if cites:
        cite = placed[0] if placed else 0
        return replace(view, cite=cite, page=cites[cite].page)
    ranked = [page for page in record.pages or () if page.candidate and page.rank is not None]
    if ranked:
        best = min(ranked, key=lambda page: (not page.kept, page.rank or 0)).page
        found = [index for index, clue in enumerate(record.clues or ()) if clue.page == best and clue.boxes]
        return replace(view, page=best, clue=found[0] if found and record.final else None)
    return replace(view, page=0 if record.pages else None)


def may_be_put_back(record: RunRecord, page: int) -> bool:
    """Whether screening dropped a page that a person may put back, or has put back."""
    found = record.pages[page] if record.pages and 0 <= page < len(record.pages) else None
    return found is not None and found.candidate and (not found.kept or found.kept_by == "hand")


def own_back(record: RunRecord | None) -> tuple[int, ...]:
    """The pages that the run itself kept by hand."""
    pages = record.pages or () if record else ()
    return tuple(page.page for page in pages if page.kept_by == "hand")


def back_of(view: ReadView, record: RunRecord | None) -> tuple[int, ...]:
    """The pages that the next decision keeps by hand."""
    if view.back is None or record is None:
        return own_back(record)
    return tuple(page for page in sorted(set(view.back)) if may_be_put_back(record, page))
