"""Layouts whose questions bring their passages: lost-in-the-middle, MuSiQue, HotpotQA, RAGChecker."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.ingest.lines import InputError
from core.ingest.questions import gold_indexes, question_row
from core.ingest.rows import document_row, kind
from core.ingest.sets.values import Mend, Raw, accepted, asked, items, joined, literal, named, present, short
from core.records import Document, Question
from core.set_record import SetQuestion
from core.settings.limits import LIMITS

_HOPS = re.compile(r"(\d)hop")


def lost_in_the_middle(raw: Raw, mend: Mend) -> SetQuestion:
    """``question``, ``answers``, ``ctxs`` (``title``, ``text``, ``isgold``); DuQUAD's NQ files. Raises InputError."""
    question, documents = question_row(raw.fields)
    contexts = [context for context in raw.fields["ctxs"] if isinstance(context, dict)]
    unnamed = [context for context in contexts if context.get("id") is None]
    if len(unnamed) < len(contexts) and any(context.get("isgold") for context in unnamed):
        mend("the gold passage has no id: named by its place.")
    gold = question.gold
    return SetQuestion(
        id=named(raw, "id", "qid"),
        place=raw.place,
        question=question.model_copy(update={"answers": accepted(question.answers, mend)}),
        documents=documents,
        meta=present(gold_position=str(gold[0]) if len(gold) == 1 else ""),
    )


def musique(raw: Raw, mend: Mend) -> SetQuestion:
    """MuSiQue's lines. Paragraphs are told apart by ``idx``, since titles repeat. Raises InputError."""
    row = raw.fields
    paragraphs = _list(row.get("paragraphs"), "paragraphs")
    documents = tuple(
        _document(
            {
                "id": paragraph.get("idx", place),
                "title": paragraph.get("title"),
                "text": paragraph.get("paragraph_text"),
                "gold": paragraph.get("is_supporting"),
            },
            place + 1,
        )
        for place, paragraph in enumerate(_objects(paragraphs, "paragraphs"))
    )
    gold_titles = {document.title for document in documents if document.gold}
    if any(document.title in gold_titles for document in documents if not document.gold):
        mend("a gold title stands on another paragraph too: paragraphs are told apart by idx.")
    name = named(raw, "id")
    answerable = row.get("answerable") is not False
    if not answerable:
        mend("unanswerable: kept, and right only where no answer is given.")
    hops = _HOPS.match(name)
    answers = [row.get("answer"), *items(row.get("answer_aliases"))] if answerable else []
    return SetQuestion(
        id=name,
        place=raw.place,
        question=Question(text=asked(row), answers=accepted(answers, mend), gold=gold_indexes(documents)),
        documents=documents,
        meta=present(hops=hops.group(1) if hops else "", answerable="yes" if answerable else "no"),
    )


def hotpotqa(raw: Raw, mend: Mend) -> SetQuestion:
    """HotpotQA's original lists, or the hub's columns in objects. Raises InputError."""
    row = raw.fields
    every = _passages(row.get("context"))
    passages = [(title, text) for title, text in every if text.strip()]
    if len(passages) < len(every):
        mend("a passage has no text: left out.")
    supporting = {title for title, _ in _facts(row.get("supporting_facts"))}
    documents = tuple(
        _document({"title": title, "text": text, "gold": title in supporting if supporting else None}, place)
        for place, (title, text) in enumerate(passages, start=1)
    )
    for title in supporting - {title for title, _ in passages}:
        mend(f"the gold passage {title[:60]!r} is not among its documents.")
    if len({title for title, _ in passages if title in supporting}) < sum(bool(item.gold) for item in documents):
        mend("two passages have the same gold title: both count as gold.")
    return SetQuestion(
        id=named(raw, "_id", "id"),
        place=raw.place,
        question=Question(
            text=asked(row), answers=accepted(_texts(row.get("answer")), mend), gold=gold_indexes(documents)
        ),
        documents=documents,
        meta=present(
            type=short(row.get("type"), "type", LIMITS.title_chars),
            level=short(row.get("level"), "level", LIMITS.title_chars),
        ),
    )


def ragchecker(raw: Raw, mend: Mend) -> SetQuestion:
    """RAGChecker's input: ``query``, ``gt_answer``, ``retrieved_context`` (``doc_id``, ``text``). Raises InputError."""
    row = raw.fields
    context = _objects(_list(row.get("retrieved_context"), "retrieved_context"), "retrieved_context")
    documents = tuple(
        _document({"id": item.get("doc_id", place), "title": item.get("title"), "text": item.get("text")}, place)
        for place, item in enumerate(context, start=1)
    )
    return SetQuestion(
        id=named(raw, "query_id"),
        place=raw.place,
        question=Question(text=asked(row, "query"), answers=accepted(_texts(row.get("gt_answer")), mend)),
        documents=documents,
        meta=present(type=joined(row.get("type"), "type")),
    )


def _texts(value: object) -> list[object]:
    """One answer or a list of them; a text is never taken for a list, since "[1]" may be an answer."""
    return value if isinstance(value, list) else [value]


def _passages(context: object) -> list[tuple[str, str]]:
    """(title, text) of each passage; sentences keep the space that they begin with."""
    found = literal(context) if isinstance(context, str) else context
    if isinstance(found, dict):
        titles, texts = items(found.get("title")), items(found.get("sentences"))
        if len(titles) != len(texts):
            raise InputError(f"'context' has {len(titles)} titles and {len(texts)} lists of sentences.")
        pairs: Sequence[object] = list(zip(titles, texts, strict=True))
    else:
        pairs = _list(found, "context")
    _few(pairs, "context")
    return [_passage(pair) for pair in pairs]


def _passage(pair: object) -> tuple[str, str]:
    if not isinstance(pair, list | tuple) or len(pair) != 2:
        raise InputError(f"'context' holds {kind(pair)}; pairs of a title and its sentences are expected.")
    title, sentences = pair
    if not isinstance(title, str) or not isinstance(sentences, list):
        raise InputError("'context' holds a pair that is not a title and its sentences.")
    if not all(isinstance(sentence, str) for sentence in sentences):
        raise InputError("'context' holds a sentence that is no text.")
    return title, "".join(sentences)


def _facts(value: object) -> list[tuple[str, object]]:
    """(title, sentence number) of each supporting fact; none where there are none, as in a test set."""
    found = literal(value) if isinstance(value, str) else value
    if isinstance(found, dict):
        titles = items(found.get("title"))
        found = list(zip(titles, items(found.get("sent_id")) or [None] * len(titles), strict=False))
    pairs = [pair for pair in items(found) if isinstance(pair, list | tuple) and len(pair) == 2]
    return [(title, sentence) for title, sentence in pairs if isinstance(title, str)]


def _list(value: object, name: str) -> list[object]:
    found = literal(value) if isinstance(value, str) else value
    if not isinstance(found, list):
        missing = found is None
        raise InputError(f"has no '{name}'." if missing else f"'{name}' is {kind(found)}; a list is expected.")
    if not found:
        raise InputError(f"'{name}' is empty; at least one document is needed.")
    _few(found, name)
    return found


def _few(found: Sequence[object], name: str) -> None:
    if len(found) > LIMITS.documents:
        raise InputError(f"'{name}' has {len(found):,} documents; at most {LIMITS.documents} are read.")


def _objects(values: Sequence[object], name: str) -> list[dict[str, object]]:
    for value in values:
        if not isinstance(value, dict):
            raise InputError(f"'{name}' holds {kind(value)}; objects are expected.")
    return [value for value in values if isinstance(value, dict)]


def _document(row: dict[str, object], place: int) -> Document:
    try:
        return document_row(row, place)
    except InputError as error:
        raise InputError(f"document {place}: {error}") from None
