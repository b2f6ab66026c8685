"""Lines of a file that nobody has checked: gzip or plain, bounded, broken ones named and passed over."""

from __future__ import annotations

import gzip
import io
import re
import stat
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.settings.limits import LIMITS, Limits

MOST_LINES = 1_000_000  # a file of line breaks alone would keep the reader busy for a minute
PROBLEMS_SHOWN = 50  # more are counted only; a binary file would name each of its lines
_CHUNK = 64 * 1024
_BROKEN = re.compile("[\x00\ud800-\udfff]")
_OTHER_KINDS = {
    b"%PDF-": "a PDF",
    b"PK\x03\x04": "a zip archive: unpack it and choose the file inside",
    b"\xff\xfe": "UTF-16 text: save it as UTF-8",
    b"\xfe\xff": "UTF-16 text: save it as UTF-8",
    b"PAR1": "a Parquet file: export it as JSON lines",
    b"\x28\xb5\x2f\xfd": "zstd-compressed: unpack it first",
    b"BZh": "bzip2-compressed: unpack it first",
    b"\xfd7zXZ": "xz-compressed: unpack it first",
}


class InputError(ValueError):
    """What was given cannot be used at all. The message is for the person."""


@dataclass(frozen=True)
class Problem:
    """Something in a file that was passed over."""

    line: int
    """From 1; 0 for the file as a whole."""
    message: str

    def __str__(self) -> str:
        return f"Line {self.line}: {self.message}" if self.line else self.message


def clean(text: str) -> str:
    """The text with lone surrogates and NULs, which JSON and UTF-8 files cannot hold, replaced by U+FFFD."""
    return _BROKEN.sub("\ufffd", text)


def repeated(names: Sequence[str]) -> str | None:
    """The first name that stands twice; None where there is none."""
    return next((name for name, times in Counter(names).items() if times > 1), None)


def read_lines(source: Path | bytes, limits: Limits = LIMITS) -> Iterator[tuple[int, str] | Problem]:
    """Numbered lines (from 1) without their ends; a Problem in place of each broken one.

    Gzip is known by its first bytes, never by the name. Reading ends, with a Problem, where the limit on
    bytes (after decompression) or lines is reached or the compressed data is damaged.

    Raises:
        InputError: the file cannot be opened or is of another kind; the message says which.
    """
    with opened(source, limits) as raw:
        start = raw.read(8)
        raw.seek(0)
        for magic, kind in _OTHER_KINDS.items():
            if start.startswith(magic):
                raise InputError(f"This file is {kind}. A text file in UTF-8 is needed.")
        packed = start.startswith(b"\x1f\x8b")
        for line in _decoded(gzip.GzipFile(fileobj=raw) if packed else raw, limits):
            yield line
            if isinstance(line, tuple) and line[0] >= MOST_LINES:
                yield Problem(0, f"Only the first {MOST_LINES:,} lines are read.")
                return


def opened(source: Path | bytes, limits: Limits = LIMITS) -> io.BufferedIOBase:
    """The file or bytes, opened. Raises InputError: there is none, it is no plain file, or it is too large."""
    try:
        if isinstance(source, bytes):
            size = len(source)
        else:
            status = source.stat()
            size = status.st_size
            if not stat.S_ISREG(status.st_mode):  # opening a pipe would wait for ever
                raise InputError(f"{clean(str(source))} is not a file.")
        if size > limits.file_bytes:
            raise InputError(f"The file has {size / 2**20:,.0f} MiB; at most {limits.file_bytes // 2**20} can be read.")
        return io.BytesIO(source) if isinstance(source, bytes) else source.open("rb")
    except FileNotFoundError:
        raise InputError(f"There is no file {clean(str(source))}.") from None
    except (OSError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"The file {clean(str(source))} cannot be opened: {reason}.") from None


def _decoded(raw: io.BufferedIOBase, limits: Limits) -> Iterator[tuple[int, str] | Problem]:
    number = 0
    try:
        for number, line in enumerate(_split(raw, limits), start=1):
            if line is None:
                yield Problem(number, f"longer than {limits.line_chars:,} characters.")
                continue
            if number == 1:
                line = line.removeprefix(b"\xef\xbb\xbf")
            try:
                text = line.decode("utf-8")
            except UnicodeDecodeError as error:
                yield Problem(number, f"not UTF-8 text: byte {error.start + 1} is 0x{line[error.start]:02x}.")
                continue
            if len(text) > limits.line_chars:
                yield Problem(number, f"longer than {limits.line_chars:,} characters.")
            else:
                yield number, text.removesuffix("\r")
    except _TooLargeError:
        size = limits.file_bytes // 2**20
        yield Problem(0, f"The file unpacks to more than {size} MiB; what follows line {number} is left out.")
    except (OSError, EOFError, zlib.error):
        yield Problem(0, f"The file is damaged: it cannot be unpacked after line {number}.")


class _TooLargeError(Exception):
    pass


def _split(raw: io.BufferedIOBase, limits: Limits) -> Iterator[bytes | None]:
    """Lines as bytes, None for one that is too long to keep; never holds more than one line and a chunk."""
    most = 4 * limits.line_chars  # bytes of the longest line, all characters outside the BMP
    kept: list[bytes] = []
    held = total = 0
    while chunk := raw.read1(_CHUNK):
        total += len(chunk)
        if total > limits.file_bytes:
            raise _TooLargeError
        *ended, rest = chunk.split(b"\n")
        for piece in ended:
            yield b"".join([*kept, piece]) if held + len(piece) <= most else None
            kept, held = [], 0
        held += len(rest)
        if held <= most:
            kept.append(rest)
        else:
            kept = []
    if held:
        yield b"".join(kept) if held <= most else None


def shorten(problems: list[Problem]) -> tuple[Problem, ...]:
    """The first problems, and how many more there are."""
    more = len(problems) - PROBLEMS_SHOWN
    return (*problems[:PROBLEMS_SHOWN], Problem(0, f"{more:,} more lines were left out.")) if more > 0 else (*problems,)
