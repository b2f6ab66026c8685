"""Any table as a question set, once a person has said which columns are what."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from core.ingest.lines import InputError, clean
from core.ingest.questions import gold_indexes
from core.ingest.rows import document_row, kind
from core.ingest.sets.pages import pdf_name
from core.ingest.sets.values import Mend, Raw, accepted, asked, items, joined, literal, named, pages, present, short
from core.records import Document, Question
from core.set_record import Columns, SetQuestion
from core.set_record import Mapping as ColumnMapping
from core.settings.limits import LIMITS

SAMPLE_ROWS = 5
SAMPLE_CHARS = 120
MOST_COLUMNS = 200
# What columns are commonly called, likeliest first.
_NAMES: dict[str, tuple[str, ...]] = {
    "question": ("question", "query", "prompt", "input", "q"),
    "answers": ("answers", "answer", "gold_answer", "gt_answer", "ground_truth", "expected", "target", "reference"),
    "documents": ("documents", "contexts", "context", "passages", "passage", "docs", "ctxs", "text"),
    "id": ("id", "question_id", "qid", "q_uid", "query_id", "uid"),
    "gold": ("gold", "gold_index", "gold_document", "gold_documents", "gold_position"),
    "pdf": ("pdf", "file", "filename", "file_name", "pdf_path", "doc_id", "doc_name", "document_name"),
    "pages": ("evidence_pages", "gold_pages", "gold_page", "pages", "page"),
}
_GROUPS = ("type", "category", "level", "hops", "difficulty", "topic", "domain", "language", "doc_type")
_NUMBERED = re.compile(r"(?:documents?|contexts?|passages?|docs?|ctx)[_ -]?\d+", re.IGNORECASE)


class NeedsMapping(InputError):
    """A table whose layout is not known. ``columns`` is what it offers."""

    def __init__(self, columns: Columns) -> None:
        names = ", ".join(columns.names[:12])
        super().__init__(
            "This file has no layout that is known. Say which of its columns hold the question, the answers and the "
            f"documents (or the name of the PDF): {names}."
        )
        self.columns = columns


def offered(rows: Sequence[Raw]) -> Columns:
    """What a table offers, from its first rows."""
    names = tuple(dict.fromkeys(name for row in rows for name in row.fields))[:MOST_COLUMNS]
    sample = tuple(
        {clean(name): clean(str(row.fields.get(name, "")))[:SAMPLE_CHARS] for name in names}
        for row in rows[:SAMPLE_ROWS]
    )
    return Columns(names=tuple(map(clean, names)), sample=sample, guess=guess(names))


def guess(names: Iterable[str]) -> ColumnMapping | None:
    """A mapping by what columns are commonly called; None where none looks like a question."""
    known = {name.strip().lower().replace(" ", "_"): name for name in names}
    found = {role: next((known[name] for name in common if name in known), "") for role, common in _NAMES.items()}
    if not found["question"]:
        return None
    numbered = tuple(name for name in known.values() if _NUMBERED.fullmatch(name.strip()))
    return ColumnMapping(
        question=found["question"],
        answers=(found["answers"],) if found["answers"] else (),
        id=found["id"],
        documents=numbered or ((found["documents"],) if found["documents"] else ()),
        gold=found["gold"],
        pdf=found["pdf"],
        pages=found["pages"],
        groups=tuple(known[name] for name in _GROUPS if name in known),
    )


def usable(mapping: ColumnMapping | None) -> bool:
    """Whether questions can be asked with it: it names a question, and documents or a PDF."""
    return mapping is not None and bool(mapping.question and (mapping.documents or mapping.pdf))


def mapped(raw: Raw, mapping: ColumnMapping, mend: Mend) -> SetQuestion:
    """One row under a mapping. Raises InputError."""
    row = raw.fields
    documents = _documents(row, mapping)
    marked = gold_indexes(documents)
    gold = marked
    if mapping.gold:
        gold = pages(row.get(mapping.gold), mapping.gold_from, mend, len(documents), "gold document")
        documents = tuple(
            document.model_copy(update={"gold": index in gold}) for index, document in enumerate(documents)
        )
    pdf = pdf_name(row.get(mapping.pdf), mapping.pdf) if mapping.pdf and not documents else ""
    if not documents and not pdf:
        raise InputError("has no document and names no PDF.")
    answers = [item for name in mapping.answers for item in items(row.get(name))]
    return SetQuestion(
        id=named(raw, mapping.id) if mapping.id else f"row-{raw.number}",
        place=raw.place,
        question=Question(
            text=asked(row, mapping.question),
            answers=accepted(answers, mend),
            gold=gold,
            gold_pages=pages(row.get(mapping.pages), mapping.pages_from, mend) if mapping.pages and pdf else (),
        ),
        documents=documents,
        pdf=pdf,
        meta=present(**{name: joined(row.get(name), name) for name in mapping.groups}),
    )


def _documents(row: Mapping[str, Any], mapping: ColumnMapping) -> tuple[Document, ...]:
    found = [item for name in mapping.documents for item in _texts(row.get(name))]
    if len(found) > LIMITS.documents:
        raise InputError(f"has {len(found):,} documents; at most {LIMITS.documents} are read.")
    documents = []
    for place, item in enumerate(found, start=1):
        try:
            documents.append(document_row(item, place))
        except InputError as error:
            raise InputError(f"document {place}: {error}") from None
    return tuple(documents)


def _texts(value: object) -> list[dict[str, object]]:
    """Each document as an object; a text that is a list in text form is that list."""
    found = literal(value) if isinstance(value, str) else value
    parts = found if isinstance(found, list | tuple) else [found]
    return [part if isinstance(part, dict) else {"text": _text(part)} for part in parts if part not in (None, "")]


def _text(part: object) -> str:
    if not isinstance(part, str | int | float):
        raise InputError(f"a document is {kind(part)}; a text is expected.")
    return part if isinstance(part, str) else short(part, "text")
