"""The citation table: every row is looked up on its page, and says whether it was found and how (SLEUTH §3.4).

The paper's table is {page index, evidence content, evidence source}; how its rows are checked is our choice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.page_record import Citation, PageLayout
from core.page_text import page_name
from core.records import Clue
from core.settings.pages import PLACING
from core.sleuth.decision import Row, says_none
from core.sleuth.placing import Placing, numbers, place, plain
from core.text import words

_COMMON = words(
    "what who whom when where which why how is was are were be been has have had does do did in of to on by for and or "
    "at it its as with from that this after before"
)
_FOUND = {
    "exact": "These words stand on the page.",
    "fuzzy": "Nearly these words stand on the page, with the same numbers.",
    "region": "One table, figure or caption of the page has these numbers and nearly all of these words.",
}


def checked_rows(
    rows: Sequence[Row], layouts: Mapping[int, PageLayout], pages: int
) -> tuple[tuple[Citation, ...], tuple[str, ...]]:
    """The model's rows as citations, and warnings about those that cannot be one.

    Args:
        rows: as the model gave them.
        layouts: of the pages that were read, by page.
        pages: how many the document has; a row about a page that does not exist is left out, with a warning.
    """
    citations, warnings = [], []
    for row in rows:
        if row.page is None or not 0 <= row.page < pages:
            named = "no page" if row.page is None else f"page {row.page + 1}"
            warnings.append(f"A citation names {named}; the document has {pages} pages. It was left out.")
        else:
            citations.append(cited(row.page, row.evidence, row.source, layouts))
    return tuple(citations), tuple(warnings)


def cited(page: int, evidence: str, source: str, layouts: Mapping[int, PageLayout]) -> Citation:
    """One citation, verified where its words are found on its page; otherwise with the reason, and no box."""
    layout = layouts.get(page)
    found = place(evidence, layout) if layout else Placing()
    reason = _FOUND.get(found.placed) or _why_not(page, evidence, layouts)
    if found.times > 1:
        reason = f"These words stand on the page {found.times} times."
    return Citation(
        page=page,
        evidence=evidence,
        source=source,
        verified=bool(found.placed),
        reason=reason,
        boxes=found.boxes,
        placed=found.placed,
    )


def _why_not(page: int, evidence: str, layouts: Mapping[int, PageLayout]) -> str:
    name = page_name(page).lower()
    if not any(map(plain, evidence.split())):
        return "It quotes nothing, so there is nothing to look up."
    if page not in layouts:
        return f"{name.capitalize()} was not among the pages that were read."
    elsewhere = [
        other for other in sorted(layouts) if other != page and place(evidence, layouts[other]).placed == "exact"
    ]
    if elsewhere:
        return f"These words do not stand on {name}; they stand on {page_name(elsewhere[0]).lower()}."
    if not layouts[page].words:
        return f"No words could be read on {name}, so what was seen in its picture cannot be checked."
    return f"These words do not stand on {name}."


def from_clues(
    question: str, answer: str, clues: Sequence[Clue], layouts: Mapping[int, PageLayout]
) -> tuple[Citation, ...]:
    """Citations for an answer that came with none: the clues that agree with it best.

    Those of high confidence are taken; where none of them agrees, those of any confidence.
    """
    if says_none(answer):
        return ()
    agreeing = best([clue.content for clue in clues if clue.confidence == "high"], question, answer)
    chosen = [clue for clue in clues if clue.confidence == "high"] if agreeing else list(clues)
    agreeing = agreeing or best([clue.content for clue in clues], question, answer)
    return tuple(cited(chosen[i].page, chosen[i].content, chosen[i].kind, layouts) for i in agreeing)


def best(texts: Sequence[str], question: str, answer: str) -> list[int]:
    """Indexes of the texts that agree most with the answer, in order; none where none agrees enough."""
    shares = [agreement(text, question, answer) for text in texts]
    most = max(shares, default=0.0)
    return [i for i, share in enumerate(shares) if share == most] if most >= PLACING.agreement else []


def agreement(text: str, question: str, answer: str) -> float:
    """The share of the answer's telling words that a text has, 0 to 1.

    Words of the question do not count, since every passage on the subject has them; a number that the text lacks
    makes it 0.
    """
    if not numbers(answer).keys() <= numbers(text).keys():
        return 0.0
    target = telling(answer) - words(question) or telling(answer)
    return len(target & words(text)) / len(target) if target else 0.0


def telling(text: str) -> frozenset[str]:
    """The words of a text without those that stand in any."""
    return words(text) - _COMMON
