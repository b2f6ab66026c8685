"""Rows of a JSON file that is one list, or keeps its list in a field: read as a stream, bounded in length and depth."""

from __future__ import annotations

import codecs
import gzip
import io
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import ijson

from core.ingest.lines import InputError, clean, opened
from core.ingest.rows import kind
from core.ingest.sets.values import Raw
from core.set_record import Skipped
from core.settings.limits import LIMITS

WRAPPERS = ("results", "data", "rows", "questions", "examples")
"""Fields that a file keeps its list of rows in."""
WHOLE = "the file"
_CHUNK = 64 * 1024
_DEPTH = 64  # of one row; ijson's own paths would make deep nesting a matter of hours
Events = Iterator[tuple[str, Any]]


def json_rows(path: Path) -> Iterator[Raw | Skipped]:
    """Every object of the list; what is damaged ends the file.

    Raises:
        InputError: the file holds no list of rows.
    """
    number = 0
    with opened(path) as raw:
        metered = _Metered(gzip.GzipFile(fileobj=raw) if packed(raw) else raw)
        try:
            for number, value in enumerate(_values(_events(metered)), start=1):
                metered.since = 0
                yield _row(number, value)
        except _TooMuchError as error:
            yield Skipped(place=f"row {number + 1}", reason=f"{error}; what follows is left out.")
        except InputError:
            raise
        except (ijson.JSONError, OSError, EOFError, zlib.error, ValueError) as error:
            why = " ".join(clean(str(error)).split())[:120]
            yield Skipped(place=WHOLE, reason=f"it is damaged after row {number} ({why}); what follows is left out.")


def packed(raw: io.BufferedIOBase) -> bool:
    """Whether a file is gzip-compressed, by its first bytes."""
    start = raw.read(2)
    raw.seek(0)
    return start == b"\x1f\x8b"


class _TooMuchError(Exception):
    pass


class _Metered:
    """A file that gives no more than one row may take, and no more than a file may."""

    def __init__(self, file: io.BufferedIOBase) -> None:
        self._file = file
        self._total = 0
        self.since = 0
        """Bytes since the last row ended."""

    def read(self, size: int = -1) -> bytes:
        """The next bytes."""
        chunk = self._file.read1(size)  # what was unpacked before a damage is given before it is met
        if self._total == 0 and chunk.startswith(codecs.BOM_UTF8):
            chunk = chunk.removeprefix(codecs.BOM_UTF8) or self._file.read1(size)
        self.since += len(chunk)
        self._total += len(chunk)
        if self.since > 2 * LIMITS.line_chars:
            raise _TooMuchError(f"longer than {LIMITS.line_chars:,} characters")
        if self._total > LIMITS.file_bytes:
            raise _TooMuchError(f"the file unpacks to more than {LIMITS.file_bytes // 2**20} MiB")
        return chunk


def _events(file: _Metered) -> Events:
    yield from ijson.basic_parse(file, use_float=True, buf_size=_CHUNK)


def _row(number: int, value: object) -> Raw | Skipped:
    """The hub's own viewer wraps each row once more."""
    inner = value.get("row") if isinstance(value, dict) else None
    row = inner if isinstance(inner, dict) else value
    if isinstance(row, dict):
        return Raw(number, "row", row)
    return Skipped(place=f"row {number}", reason=f"{kind(row)}; a JSON object is expected.")


def _values(events: Events) -> Iterator[object]:
    """The values of the list, one by one. Raises InputError where there is none."""
    first, _ = next(events)
    if first == "start_map":
        _enter(events)
    elif first != "start_array":
        raise InputError("This JSON file holds one value; a list of objects is expected.")
    for event, value in events:
        if event == "end_array":
            if first == "start_array":
                next(events, None)  # an error where anything follows the list
            return
        yield _built(event, value, events)


def _enter(events: Events) -> None:
    """Goes on to the beginning of the list that the top-level object keeps."""
    for event, name in events:
        if event == "end_map":
            break
        event, value = next(events)
        if name in WRAPPERS and event == "start_array":
            return
        _built(event, value, events)
    raise InputError(
        "This JSON file holds one object, and no list of questions in it "
        f"(a field {', '.join(WRAPPERS[:-1])} or {WRAPPERS[-1]})."
    )


def _built(event: str, value: object, events: Events) -> object:
    """One value, from its first event on."""
    if event not in ("start_map", "start_array"):
        return value
    whole: dict[str, Any] | list[Any] = {} if event == "start_map" else []
    stack = [whole]
    key = ""
    keys: list[str] = []
    for event, value in events:
        if event == "map_key":
            key = str(value)
            continue
        if event in ("end_map", "end_array"):
            stack.pop()
            key = keys.pop() if keys else ""
            if not stack:
                return whole
            continue
        opens = event in ("start_map", "start_array")
        new: Any = ({} if event == "start_map" else []) if opens else value
        top = stack[-1]
        if isinstance(top, dict):
            top[key] = new
        else:
            top.append(new)
        if opens:
            stack.append(new)
            keys.append(key)
            if len(stack) > _DEPTH:
                raise _TooMuchError("nested too deeply")
    raise ijson.IncompleteJSONError("it ends in the middle of a row")
