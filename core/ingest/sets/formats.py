"""The layouts that are known, and how each is told from the others: by the fields of its rows alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from core.ingest.sets import pages, passages
from core.ingest.sets.values import Mend, Raw
from core.set_record import SetFormat, SetQuestion

_ARXIV = re.compile(r"\d{4}\.\d{4,5}(?:v\d+)?(?:\.pdf)?")


@dataclass(frozen=True)
class Layout:
    """One way in which rows are laid out."""

    format: SetFormat
    matches: Callable[[Mapping[str, Any]], bool]
    """Whether a row is laid out this way."""
    read: Callable[[Raw, Mend], SetQuestion]
    """Raises InputError for a row that cannot be asked."""


def _has(*names: str) -> Callable[[Mapping[str, Any]], bool]:
    return lambda row: all(name in row for name in names)


def _papertab(row: Mapping[str, Any]) -> bool:
    name = row.get("doc_id")
    multiple = row.get("answer_format") == "Multiple"
    return _has("doc_name", "q_uid", "answer_1")(row) or (
        _molorag(row) and (multiple or (isinstance(name, str) and bool(_ARXIV.fullmatch(name))))
    )


def _fetatab(row: Mapping[str, Any]) -> bool:
    return _has("doc_name", "q_uid", "answer")(row) or _molorag(row)


def _molorag(row: Mapping[str, Any]) -> bool:
    return _has("doc_id", "question", "answer", "answer_format")(row) and "evidence_pages" not in row


def _longdocurl(row: Mapping[str, Any]) -> bool:
    pages_known = _has("question", "answer", "evidence_pages")(row)
    return pages_known and any(name in row for name in ("doc_no", "task_tag", "task_type", "detailed_evidences"))


# The narrower layouts stand before those that would match their rows as well.
LAYOUTS: tuple[Layout, ...] = (
    Layout("lost_in_the_middle", _has("question", "ctxs"), passages.lost_in_the_middle),
    Layout("musique", _has("question", "paragraphs"), passages.musique),
    Layout("hotpotqa", _has("question", "context", "supporting_facts"), passages.hotpotqa),
    Layout("ragchecker", _has("query", "retrieved_context"), passages.ragchecker),
    Layout("longdocurl", _longdocurl, pages.longdocurl),
    Layout("mmlongbench", _has("doc_id", "question", "answer", "evidence_pages"), pages.mmlongbench),
    Layout("papertab", _papertab, pages.papertab),
    Layout("fetatab", _fetatab, pages.papertab),
)


def detected(rows: Iterable[Raw]) -> Layout | None:
    """The layout of the first row that has a known one."""
    for row in rows:
        for layout in LAYOUTS:
            if layout.matches(row.fields):
                return layout
    return None
