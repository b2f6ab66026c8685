"""The process that opens what may be a bomb: Parquet, Excel and zip files, and PDFs to count their pages.

Started by ``core.ingest.sets.limited`` as ``python -m core.ingest.sets.child COMMAND …``. It limits its own memory and
time, and writes JSON lines to standard output: one a row or file, then ``{"end": true}``, or ``{"error": reason}``.
"""

from __future__ import annotations

import json
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from core.ingest.lines import repeated
from core.settings.limits import LIMITS

Line = dict[str, Any]
_CHUNK = 1 << 20
_BATCH = 64  # rows of a Parquet file in memory at once


class Refused(Exception):
    """The file cannot be used. The message is for the person."""


def parquet(path: str) -> Iterator[Line]:
    """The rows of a Parquet file, without columns of bytes (pictures)."""
    import pyarrow  # noqa: PLC0415 - the other commands need none of these
    import pyarrow.parquet  # noqa: PLC0415

    pyarrow.set_cpu_count(1)
    file = pyarrow.parquet.ParquetFile(path, memory_map=True, buffer_size=_CHUNK, pre_buffer=False)
    names = [field.name for field in file.schema_arrow if not _bytes(pyarrow, field.type)]
    if not names:
        raise Refused("This Parquet file has no column of texts or numbers.")
    number = 0
    for batch in file.iter_batches(batch_size=_BATCH, columns=names[: LIMITS.table_columns], use_threads=False):
        for fields in batch.to_pylist():
            number += 1
            yield {"row": number, "fields": fields}
            if number >= LIMITS.set_rows:
                return


def _bytes(pyarrow: Any, kind: Any) -> bool:
    types = pyarrow.types
    if types.is_struct(kind):
        return any(_bytes(pyarrow, kind.field(i).type) for i in range(kind.num_fields))
    if types.is_list(kind) or types.is_large_list(kind):
        return _bytes(pyarrow, kind.value_type)
    return bool(types.is_binary(kind) or types.is_large_binary(kind) or types.is_fixed_size_binary(kind))


def excel(path: str) -> Iterator[Line]:
    """The rows of a workbook's first sheet; its first row that is not empty names the columns."""
    import openpyxl  # noqa: PLC0415

    with zipfile.ZipFile(path) as archive:
        _checked(archive.infolist(), LIMITS.file_bytes * 4)
    with Path(path).open("rb") as file:  # of a path, openpyxl asks the name
        book = openpyxl.load_workbook(file, read_only=True, data_only=True, keep_links=False)
        if not book.worksheets:
            raise Refused("This workbook has no sheet.")
        yield from _sheet(book.worksheets[0].iter_rows(values_only=True))


def _sheet(rows: Iterable[tuple[Any, ...]]) -> Iterator[Line]:
    names: list[str] = []
    for number, every in enumerate(rows, start=1):
        cells = every[: LIMITS.table_columns]
        if all(cell is None for cell in cells):
            continue
        if not names:
            names = [str(cell) if cell is not None else f"column {place}" for place, cell in enumerate(cells, 1)]
            if twice := repeated(names):
                raise Refused(f"Two columns of this sheet are called {twice[:60]!r}: give each a name of its own.")
            continue
        yield {"row": number, "fields": dict(zip(names, cells, strict=False))}
        if number > LIMITS.set_rows:
            return


def look(path: str) -> Iterator[Line]:
    """Whether a zip is a workbook."""
    with zipfile.ZipFile(path) as archive:
        yield {"workbook": "xl/workbook.xml" in archive.namelist()}


def unpack(path: str, folder: str) -> Iterator[Line]:
    """Every file of a zip to ``folder`` under a number, never under its own name."""
    with zipfile.ZipFile(path) as archive:
        members = _checked([member for member in archive.infolist() if not member.is_dir()], LIMITS.archive_bytes)
        total = 0
        for number, member in enumerate(members):
            target = Path(folder) / str(number)
            size, head = _extract(archive, member, target, LIMITS.archive_bytes - total)
            total += size
            yield {"name": member.filename, "file": str(target), "pdf": b"%PDF-" in head}


def _checked(members: list[zipfile.ZipInfo], most: int) -> list[zipfile.ZipInfo]:
    if len(members) > LIMITS.archive_files:
        raise Refused(f"The archive holds {len(members):,} files; at most {LIMITS.archive_files:,} are read.")
    if any(member.flag_bits & 1 for member in members):
        raise Refused("The archive is protected by a password: unpack it and pack it again without one.")
    if sum(member.file_size for member in members) > most:
        raise Refused(f"The archive unpacks to more than {most // 2**20:,} MiB.")
    for member in members:
        if member.file_size > LIMITS.archive_ratio * member.compress_size + 2**20:
            raise Refused(f"{member.filename[-80:]!r} in the archive is packed {LIMITS.archive_ratio} times or more.")
    return members


def _extract(archive: zipfile.ZipFile, member: zipfile.ZipInfo, target: Path, most: int) -> tuple[int, bytes]:
    """Size and first KiB. What the archive says about sizes is not believed."""
    size, head = 0, b""
    with archive.open(member) as packed, target.open("wb") as file:
        while chunk := packed.read(_CHUNK):
            head, size = head or chunk[:1024], size + len(chunk)
            if size > most:
                raise Refused(f"The archive unpacks to more than {LIMITS.archive_bytes // 2**20:,} MiB.")
            file.write(chunk)
    return size, head


def count(*paths: str) -> Iterator[Line]:
    """How many pages each PDF has; null for one that does not open. Without arguments, standard input names them."""
    import pymupdf  # noqa: PLC0415

    pymupdf.TOOLS.mupdf_display_errors(False)
    for path in paths or sys.stdin.read().splitlines():  # read whole: a full pipe on either side would be a deadlock
        pages = None
        with suppress(Exception), pymupdf.open(path, filetype="pdf") as document:
            pages = document.page_count or None
        yield {"file": path, "pages": pages}


def limit() -> None:
    """Bounds this process's memory and processor time, where the system can."""
    with suppress(ImportError, ValueError, OSError):
        import resource  # noqa: PLC0415 - not on Windows

        resource.setrlimit(resource.RLIMIT_AS, (LIMITS.reader_bytes, LIMITS.reader_bytes))
        resource.setrlimit(resource.RLIMIT_CPU, (LIMITS.reader_seconds, LIMITS.reader_seconds))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


COMMANDS: dict[str, Callable[..., Iterator[Line]]] = {
    "parquet": parquet,
    "excel": excel,
    "look": look,
    "unpack": unpack,
    "count": count,
}


def main() -> None:
    """One command, from start to end."""
    command, *arguments = sys.argv[1:]
    limit()
    try:
        _tell(COMMANDS[command](*arguments))
        _tell([{"end": True}])
    except Refused as refused:
        _tell([{"error": str(refused)}])
    except MemoryError:
        _tell([{"error": "The file needs too much memory: it is damaged, or larger than it looks."}])
    # The last one is what zipfile says of a compression that it does not know.
    except (OSError, EOFError, zipfile.BadZipFile, zlib.error, NotImplementedError) as error:
        _tell([{"error": f"The file is damaged or of another kind ({_brief(error)})."}])
    except Exception as error:
        _tell([{"error": f"The file cannot be read ({type(error).__name__}: {_brief(error)})."}])


def _tell(lines: Iterable[Line]) -> None:
    for line in lines:
        sys.stdout.write(json.dumps(line, default=str) + "\n")
    sys.stdout.flush()


def _brief(error: Exception) -> str:
    return " ".join(str(error).split())[:200] or type(error).__name__


if __name__ == "__main__":
    main()
