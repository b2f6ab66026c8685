"""Rows of a file of whatever kind, as a stream: JSON lines, JSON lists, CSV, Parquet, Excel; known by content."""

from __future__ import annotations

import csv
import gzip
import json
import zlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Literal

from core.ingest.lines import InputError, Problem, clean, opened, read_lines, repeated
from core.ingest.rows import json_object
from core.ingest.sets.json_rows import WHOLE, WRAPPERS, json_rows, packed
from core.ingest.sets.limited import child
from core.ingest.sets.values import Raw
from core.set_record import Skipped
from core.settings.limits import LIMITS

Container = Literal["json_lines", "json", "csv", "parquet", "excel", "zip", "pdf"]
Rows = Iterator[Raw | Skipped]

_HEAD = 64 * 1024
_STEP = 512  # small, so that the beginning of a damaged file is seen
_DELIMITERS = ("|", "\t", ";", ",")
_ARCHIVES = replace(LIMITS, file_bytes=LIMITS.archive_bytes)


def container(path: Path) -> Container:
    """What kind of file it is, by its bytes. Raises InputError where it cannot be opened."""
    with opened(path, _ARCHIVES) as file:
        start = file.read(8)
    if start.startswith(b"PAR1"):
        return "parquet"
    if start.startswith(b"%PDF-"):
        return "pdf"
    if start.startswith(b"PK"):
        return "excel" if _is_workbook(path) else "zip"
    head = _head(path)
    if head.startswith("["):
        return "json"
    if head.startswith("{"):
        return "json_lines" if _first_line_is_a_row(head) else "json"
    return "csv"


def rows(path: Path) -> Rows:
    """Every row of the file; a broken one as Skipped, and the others come all the same.

    Raises:
        InputError: the file cannot be used at all.
    """
    found = container(path)
    if found == "json_lines":
        return _json_lines(path)
    if found == "json":
        return json_rows(path)
    if found == "csv":
        return _csv(path)
    if found in ("parquet", "excel"):
        return _from_child(found, path)
    raise InputError("This is a PDF, not a question file." if found == "pdf" else "This is an archive.")


def _json_lines(path: Path) -> Rows:
    for line in read_lines(path):
        if isinstance(line, Problem):
            yield _skipped(line)
        elif line[1].strip():
            try:
                yield Raw(line[0], "line", json_object(line[1]))
            except InputError as error:
                yield Skipped(place=f"line {line[0]}", reason=str(error))


def _csv(path: Path) -> Rows:
    """Rows under the names of the first line. The delimiter is the one that the first line has most of."""
    problems: list[Problem] = []
    lines = _text_lines(path, problems)
    first = next(lines, "")
    delimiter = max(_DELIMITERS, key=first.count)
    reader = csv.reader(_chained(first, lines), delimiter=delimiter)
    csv.field_size_limit(LIMITS.line_chars)
    names: list[str] = []
    while True:
        start = reader.line_num + 1
        try:
            cells = next(reader)
        except StopIteration:
            break
        except csv.Error as error:
            yield Skipped(place=f"line {start}", reason=f"not a row of a table ({error}).")
            continue
        yield from map(_skipped, problems)
        problems.clear()
        if not names:
            names = _names(cells)
        elif len(cells) != len(names):
            if any(cell.strip() for cell in cells):
                reason = f"has {len(cells)} cells; {len(names)} are expected, as in the first line."
                yield Skipped(place=f"line {start}", reason=reason)
        else:
            yield Raw(start, "line", dict(zip(names, cells, strict=True)))
    yield from map(_skipped, problems)


def _names(cells: list[str]) -> list[str]:
    names = [clean(cell).strip() or f"column {place}" for place, cell in enumerate(cells, start=1)]
    if len(names) > LIMITS.table_columns:
        raise InputError(f"This table has {len(names):,} columns; at most {LIMITS.table_columns} are read.")
    if twice := repeated(names):
        raise InputError(f"Two columns of this table are called {twice[:60]!r}: give each a name of its own.")
    if len(names) < 2:
        raise InputError(
            "This file is no question set that is known: JSON lines, a JSON list, a table (CSV with a first line of "
            "names, Excel, Parquet), or a zip of one of these with its PDFs is expected."
        )
    return names


def _text_lines(path: Path, problems: list[Problem]) -> Iterator[str]:
    for line in read_lines(path):
        if isinstance(line, Problem):
            problems.append(line)
        else:
            yield line[1] + "\n"


def _chained(first: str, lines: Iterator[str]) -> Iterator[str]:
    yield first
    yield from lines


def _from_child(command: str, path: Path) -> Rows:
    for answer in child(command, str(path)):
        yield Raw(int(answer["row"]), "row", answer["fields"])


def _skipped(problem: Problem) -> Skipped:
    return Skipped(place=f"line {problem.line}" if problem.line else WHOLE, reason=problem.message)


def _head(path: Path) -> str:
    """The first characters of a text file, gzip or plain, without space in front. Raises InputError."""
    start = b""
    with opened(path) as raw:
        file = gzip.GzipFile(fileobj=raw) if packed(raw) else raw
        try:
            while len(start) < _HEAD and (chunk := file.read1(_STEP)):
                start += chunk
        except (OSError, EOFError, zlib.error):
            if not start:
                raise InputError("The file is damaged: it cannot be unpacked.") from None
    if not start.strip():
        raise InputError("The file is empty.")
    return start.decode("utf-8", errors="replace").removeprefix("\ufeff").lstrip()


def _first_line_is_a_row(head: str) -> bool:
    first, more, _ = head.partition("\n")
    try:
        return not any(isinstance(json.loads(first).get(name), list) for name in WRAPPERS)
    except (ValueError, RecursionError):
        # A first line longer than the head is a row, unless it begins as a list that holds them.
        return not more and not any(f'"{name}"' in first[:200].split("[")[0] for name in WRAPPERS)


def _is_workbook(path: Path) -> bool:
    return any(answer.get("workbook") is True for answer in child("look", str(path)))
