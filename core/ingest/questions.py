"""Question sets in the lost-in-the-middle format, and the last check before a request is run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.ingest.documents import parse_pasted, read_documents
from core.ingest.lines import InputError, Problem, clean, read_lines, shorten
from core.ingest.rows import answers_field, document_row, json_object, kind, text_field
from core.records import Document, Question, Request, SweepOptions
from core.settings.limits import LIMITS, Limits

__all__ = [
    "InputError",
    "Problem",
    "QuestionFile",
    "QuestionItem",
    "checked",
    "gold_indexes",
    "parse_pasted",
    "question_row",
    "read_documents",
    "read_questions",
    "validate",
]


@dataclass(frozen=True)
class QuestionItem:
    """One question of a set."""

    line: int
    """Where it stands in the file, from 1."""
    question: Question
    documents: tuple[Document, ...]


@dataclass(frozen=True)
class QuestionFile:
    """What a file held."""

    items: tuple[QuestionItem, ...]
    problems: tuple[Problem, ...]
    """What was passed over, in the order of the file."""


def read_questions(source: Path | str | bytes, limits: Limits = LIMITS) -> QuestionFile:
    """Reads JSON lines with ``question``, ``answers`` and ``ctxs`` (``title``, ``text``, ``isgold``), gzip or plain.

    The format of lost-in-the-middle's NQ-open files. A broken line becomes a Problem and never takes the
    others with it.

    Args:
        source: a file (path), or its content (bytes).
        limits: what is read at most.

    Raises:
        InputError: the file cannot be opened or is of another kind.
    """
    items: list[QuestionItem] = []
    problems: list[Problem] = []
    for line in read_lines(Path(source) if isinstance(source, str) else source, limits):
        if isinstance(line, Problem):
            problems.append(line)
        elif line[1].strip():
            if len(items) + len(problems) >= limits.file_rows:
                problems.append(Problem(0, f"Only the first {limits.file_rows:,} rows are read."))
                break
            try:
                items.append(_item(*line, limits))
            except InputError as error:
                problems.append(Problem(line[0], str(error)))
    if not items and not problems:
        problems.append(Problem(0, "The file is empty; one JSON object a line is expected."))
    return QuestionFile(tuple(items), shorten(problems))


def _item(number: int, line: str, limits: Limits) -> QuestionItem:
    return QuestionItem(number, *question_row(json_object(line), limits))


def question_row(row: Mapping[str, Any], limits: Limits = LIMITS) -> tuple[Question, tuple[Document, ...]]:
    """One row of the lost-in-the-middle format.

    Raises:
        InputError: a field is missing or of another kind, or there is too much of it.
    """
    text = text_field(row, "question", limits.question_chars)
    answers = answers_field(row.get("answers"), limits)
    contexts = row.get("ctxs")
    if not isinstance(contexts, list):
        found = "has no 'ctxs'" if contexts is None else f"'ctxs' is {kind(contexts)}"
        raise InputError(f"{found}; a list of objects with 'title' and 'text' is expected.")
    if not contexts:
        raise InputError("'ctxs' is empty; at least one document is needed.")
    if len(contexts) > limits.documents:
        raise InputError(f"'ctxs' has {len(contexts):,} documents; at most {limits.documents} are read.")
    documents = []
    for place, context in enumerate(contexts, start=1):
        try:
            documents.append(document_row(context, place, limits))
        except InputError as error:
            raise InputError(f"document {place} of 'ctxs': {error}") from None
    return Question(text=text, answers=answers, gold=gold_indexes(documents)), tuple(documents)


def gold_indexes(documents: Sequence[Document]) -> tuple[int, ...]:
    """Indexes of the documents that are marked as gold, ascending."""
    return tuple(index for index, document in enumerate(documents) if document.gold)


def question_text(question: str, limits: Limits = LIMITS) -> str:
    """The question, fit to be asked. Raises InputError: there is none, or it is too long."""
    if not question.strip():
        raise InputError("There is no question yet: write one.")
    if len(question) > limits.question_chars:
        raise InputError(f"The question has {len(question):,} characters; at most {limits.question_chars:,} are read.")
    return clean(question)


def validate(question: str, documents: Sequence[Document], limits: Limits = LIMITS) -> tuple[str, tuple[Document, ...]]:
    """The question and the documents, fit to be asked; lone surrogates and NULs replaced, all else as given.

    Raises:
        InputError: there is no question or no document, or too much of either.
    """
    asked = question_text(question, limits)
    if not documents:
        raise InputError("There are no documents yet: paste at least one, or choose an example.")
    if len(documents) > limits.documents:
        raise InputError(f"There are {len(documents):,} documents; at most {limits.documents} can be asked about.")
    for place, document in enumerate(documents, start=1):
        if not document.text.strip():
            raise InputError(f"Document {place} has no text: write some, or remove it.")
        for name, text, most in (
            ("text", document.text, limits.document_chars),
            ("title", document.title, limits.title_chars),
        ):
            if len(text) > most:
                raise InputError(
                    f"The {name} of document {place} has {len(text):,} characters; at most {most:,} are read."
                )
    return asked, tuple(_cleaned(document) for document in documents)


def checked(request: Request, limits: Limits = LIMITS) -> Request:
    """The request with every text cleaned, gold indexes that exist and are in order.

    Raises:
        InputError: as ``validate``; or too many or too long answers, or a gold index of no document; or of a PDF,
            an earlier run over another file.
    """
    if request.pdf is not None:
        return _checked_pdf(request, limits)
    text, documents = validate(request.question.text, request.documents, limits)
    answers = answers_field(list(request.question.answers), limits)
    gold = tuple(sorted(set(request.question.gold)))
    if any(not 0 <= index < len(documents) for index in gold):
        raise InputError(f"The gold document {gold[-1] + 1} does not exist; there are {len(documents)}.")
    settings = request.settings.model_copy(update={"instruction": clean(request.settings.instruction)})
    question = Question(text=text, answers=answers, gold=gold)
    update = {"question": question, "documents": documents, "settings": settings}
    if request.system in ("sweep", "length", "fix"):
        update["sweep"] = _sweep(request.sweep, gold or gold_indexes(documents), len(documents), limits)
    return request.model_copy(update=update)


def _checked_pdf(request: Request, limits: Limits) -> Request:
    """A question about a PDF: its documents are found by the run. Raises InputError."""
    assert request.pdf
    text = question_text(request.question.text, limits)
    answers = answers_field(list(request.question.answers), limits)
    before = request.resume
    if before is not None and (before.source is None or before.source.sha256 != request.pdf.sha256):
        raise InputError("The earlier run was about another PDF: run this one from the start.")
    gold = tuple(sorted(set(request.question.gold_pages)))
    question = Question(text=text, answers=answers, gold_pages=gold)
    return request.model_copy(update={"question": question, "documents": ()})


def _sweep(sweep: SweepOptions, gold: tuple[int, ...], documents: int, limits: Limits) -> SweepOptions:
    """With the moved document named and places that exist. Raises InputError."""
    if (sweep.own or documents) > limits.sweep_documents:
        raise InputError(
            f"There are {documents:,} documents; at most {limits.sweep_documents} can be swept: remove some."
        )
    moved = sweep.moved if sweep.moved is not None else next(iter(gold), None)
    if moved is None:
        raise InputError("No document is marked as the one with the answer: choose the one that is to be moved.")
    if moved >= documents:
        raise InputError(f"Document {moved + 1} cannot be moved: there are {documents}.")
    lengths = tuple(sorted(set(sweep.lengths)))
    if any(not 2 <= length <= limits.sweep_documents for length in lengths):
        raise InputError(f"A prompt of the lab holds 2 to {limits.sweep_documents} documents.")
    places = tuple(sorted(set(sweep.places)))
    if any(not 0 <= place < documents for place in places):
        raise InputError(f"There are {documents} documents, so places are 1 to {documents}.")
    return sweep.model_copy(update={"moved": moved, "places": places, "lengths": lengths})


def _cleaned(document: Document) -> Document:
    texts = {name: clean(getattr(document, name)) for name in ("id", "title", "text")}
    return document.model_copy(update=texts)
