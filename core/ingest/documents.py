"""Documents from a file or from pasted text."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from core.ingest.lines import InputError, Problem, clean, read_lines, shorten
from core.ingest.rows import document_row, json_object
from core.records import Document
from core.settings.limits import LIMITS, Limits

Lines = Iterable[tuple[int, str] | Problem]
Parsed = tuple[tuple[Document, ...], tuple[Problem, ...]]


def read_documents(source: Path | str, limits: Limits = LIMITS) -> Parsed:
    """Documents and what was passed over, from a file (Path; gzip or plain) or from text (str).

    The forms are those of ``parse_pasted``.

    Raises:
        InputError: the file cannot be opened or is not UTF-8 text.
    """
    if isinstance(source, str):
        return parse_pasted(source, limits)
    return _parse(list(read_lines(source, limits)), limits)


def parse_pasted(text: str, limits: Limits = LIMITS) -> Parsed:
    """Documents and what was passed over, from pasted text in one of two forms.

    JSON lines, where the first line that is not blank starts with ``{``: each an object with ``text``, and
    where given ``title``, ``id`` and ``gold``. Otherwise plain text: documents stand apart by blank lines,
    and a document's first line is its title where it starts with ``# `` or ``Title:``; a title that stands
    alone belongs to the document after it.
    """
    return _parse(list(enumerate(text.removeprefix("\ufeff").split("\n"), start=1)), limits)


def _parse(lines: Lines, limits: Limits) -> Parsed:
    first = next((line[1].lstrip() for line in lines if isinstance(line, tuple) and line[1].strip()), "")
    documents, problems = _json_lines(lines, limits) if first.startswith("{") else _plain(lines, limits)
    return tuple(documents), shorten(problems)


def _json_lines(lines: Lines, limits: Limits) -> tuple[list[Document], list[Problem]]:
    documents: list[Document] = []
    problems: list[Problem] = []
    for line in lines:
        if isinstance(line, Problem):
            problems.append(line)
        elif line[1].strip():
            if len(documents) + len(problems) >= limits.file_rows:
                problems.append(Problem(0, f"Only the first {limits.file_rows:,} rows are read."))
                break
            try:
                documents.append(document_row(json_object(line[1]), len(documents) + 1, limits))
            except InputError as error:
                problems.append(Problem(line[0], str(error)))
    return documents, problems


def _plain(lines: Lines, limits: Limits) -> tuple[list[Document], list[Problem]]:
    documents: list[Document] = []
    problems: list[Problem] = []
    waiting: tuple[int, str] | None = None  # a title that stands alone
    for number, block in _blocks(lines):
        title, text = _titled(block)
        if waiting and title is not None:
            problems.append(Problem(waiting[0], f"the title {waiting[1][:60]!r} has no text below it."))
        if not text:
            waiting = (number, title or "")
            continue
        if title is None:
            title = waiting[1] if waiting else ""
        waiting = None
        try:
            row = {"title": title, "text": text}
            documents.append(document_row(row, len(documents) + 1, limits))
        except InputError as error:
            problems.append(Problem(number, str(error)))
    if waiting:
        problems.append(Problem(waiting[0], f"the title {waiting[1][:60]!r} has no text below it."))
    return documents, problems


def _blocks(lines: Lines) -> Iterable[tuple[int, list[str]]]:
    """Runs of lines that are not blank, each with the number of its first line."""
    block: list[str] = []
    number = 0
    for line in lines:
        if isinstance(line, Problem):
            raise InputError(f"This cannot be read as text. {line}")
        if line[1].strip():
            number = number if block else line[0]
            block.append(line[1].removesuffix("\r"))
        elif block:
            yield number, block
            block = []
    if block:
        yield number, block


def _titled(block: list[str]) -> tuple[str | None, str]:
    """(title or None, text) of a block; a bare ``#`` is text."""
    for mark in ("# ", "Title:"):
        if block[0].startswith(mark) and (title := block[0].removeprefix(mark).strip()):
            return clean(title), "\n".join(block[1:])
    return None, "\n".join(block)
