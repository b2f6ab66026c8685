"""PDFs taken in and read, page by page, by processes of their own.

``take_in`` looks at a file and keeps it in the page store; ``read_pages`` reads its pages, from the store where
they already are. Both see hostile files: the bytes decide what a file is, never its name, and whatever happens
while it is read happens in a process with limits on time and memory.
"""

from __future__ import annotations

import hashlib
import os
import queue
import secrets
import shutil
import stat
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path, PurePath
from typing import Any, Literal, cast

from core.files import write_whole
from core.ingest.lines import InputError, clean
from core.ingest.page_store import PageStore
from core.ingest.pdf_process import PdfProcess
from core.ingest.pdf_reading import Stop, UnreadableError, read_in_processes
from core.page_record import PageLayout, Source
from core.settings.methods import PdfSettings
from core.settings.pdf import PDF_LIMITS, PdfLimits

__all__ = ["PdfError", "PdfKind", "read_pages", "take_in"]

PdfKind = Literal[
    "not_found",
    "too_big",
    "empty",
    "not_pdf",
    "encrypted",
    "damaged",
    "no_pages",
    "portfolio",
    "too_many_pages",
    "storage",
]

_CHUNK = 2**20
_SNIFFED = 1024  # the header of a PDF may stand this deep; PDF 1.7, Annex H.3
_OTHERS = {
    b"PK\x03\x04": "a zip archive or an Office file: export it as PDF",
    b"\xd0\xcf\x11\xe0": "an old Office file: export it as PDF",
    b"\x89PNG": "a PNG picture: print it to PDF",
    b"\xff\xd8\xff": "a JPEG picture: print it to PDF",
    b"II*\x00": "a TIFF picture: convert it to PDF",
    b"MM\x00*": "a TIFF picture: convert it to PDF",
    b"%!PS": "PostScript: convert it to PDF",
    b"{\\rtf": "an RTF text: export it as PDF",
    b"<!DOCTYPE html": "a web page: print it to PDF",
    b"<html": "a web page: print it to PDF",
    b"\x1f\x8b": "gzip-compressed: unpack it",
    b"AT&TFORM": "DjVu: convert it to PDF",
}


class PdfError(InputError):
    """A PDF cannot be taken in. The message is for the person: what is wrong, what to do."""

    def __init__(self, kind: PdfKind, message: str) -> None:
        super().__init__(message)
        self.kind = kind


def take_in(path: Path, name: str, store: PageStore, password: str = "", limits: PdfLimits = PDF_LIMITS) -> Source:
    """Looks at a PDF and keeps it in the store, of an encrypted one the decrypted copy.

    Args:
        path: the file as it was given.
        name: what the person calls it; shown, never used as a path.
        store: where it is kept.
        password: tried after the empty one.
        limits: what the file may ask for.

    Raises:
        PdfError: it cannot be read; ``kind`` and message say why.
    """
    name = clean(PurePath(name.replace("\\", "/")).name)[-255:]
    fresh = store.root / "pages" / f".incoming-{secrets.token_hex(8)}"
    try:
        fresh.mkdir(parents=True)
        sha = _copied(path, fresh / "file.pdf", limits)
        known = store.source(sha)
        if known and store.file(sha) and not (store.folder(sha) / "locked").exists():
            store.used(sha)
            return known.model_copy(update={"name": name})
        facts = _looked_at(fresh, password, limits)
        source = _source(sha, name, facts, limits)
        _moved(fresh, store, source, locked=facts["encrypted"])
        return source
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise PdfError("storage", f"The PDF cannot be kept in {store.root}: {reason}. Free space there.") from None
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def read_pages(
    sha: str,
    store: PageStore,
    settings: PdfSettings,
    stop: Stop,
    pages: Sequence[int] | None = None,
    limits: PdfLimits = PDF_LIMITS,
) -> Iterator[PageLayout]:
    """Layouts of the pages, in the order asked for, each as soon as it is read; pictures lie in the store then.

    A page that cannot be read has an ``error``, and the others come all the same.

    Args:
        sha: of a file that was taken in.
        store: where pages are found, and kept.
        settings: ``ocr`` says which pages are read by OCR.
        stop: called between pages; raises to end the reading.
        pages: 0-based; None for all.
        limits: what a page may ask for.

    Raises:
        PdfError: the file is not in the store, or cannot be opened any more.
        ValueError: a page that the file does not have.
    """
    source, file = store.source(sha), store.file(sha)
    if source is None or file is None:
        raise PdfError("not_found", "This PDF is not here any more: choose the file again.")
    store.used(sha)
    wanted = range(source.pages) if pages is None else pages
    if any(not 0 <= page < source.pages for page in wanted):
        raise ValueError(f"{source.name} has the pages 0 to {source.pages - 1}")
    try:
        yield from read_in_processes(sha, file, store, settings.ocr, stop, wanted, limits)
    except UnreadableError as error:
        raise PdfError("damaged", str(error)) from None
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise PdfError("storage", f"Pages cannot be kept in {store.root}: {reason}. Free space there.") from None


def _copied(path: Path, to: Path, limits: PdfLimits) -> str:
    """Copies the file, its kind and size checked; the SHA-256 of its bytes. Raises PdfError."""
    try:
        is_file = stat.S_ISREG(path.stat().st_mode)
        given = path.open("rb") if is_file else None  # opening a pipe would wait for ever
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "its name cannot be used"
        raise PdfError("not_found", f"The file cannot be opened: {reason}. Choose it again.") from None
    if given is None:
        raise PdfError("not_pdf", "This is not a file. Choose a PDF.")
    digest, size = hashlib.sha256(), 0
    with given, to.open("wb") as kept:
        while chunk := given.read(_CHUNK):
            if not size:
                _sniff(chunk[:_SNIFFED])
            size += len(chunk)
            if size > limits.file_bytes:
                most = limits.file_bytes // 2**20
                raise PdfError("too_big", f"The PDF has more than {most} MiB, the most that is read. Split it.")
            digest.update(chunk)
            kept.write(chunk)
    if not size:
        raise PdfError("empty", "The file is empty (0 bytes). Perhaps its download or upload broke off: try again.")
    return digest.hexdigest()


def _sniff(start: bytes) -> None:
    if b"%PDF-" in start:
        return
    known = next((kind for magic, kind in _OTHERS.items() if start.lstrip().startswith(magic)), None)
    found = (
        f"it is {known}" if known else "its first bytes are not those of a PDF. Open it in a viewer to see what it is"
    )
    raise PdfError("not_pdf", f"This file is not a PDF: {found}.")


def _looked_at(folder: Path, password: str, limits: PdfLimits) -> dict[str, Any]:
    """What the process says about ``file.pdf`` of the folder. Raises PdfError."""
    mail: queue.Queue[tuple[PdfProcess, dict[str, Any]]] = queue.Queue()
    process = PdfProcess(mail)
    said: dict[str, Any] = {"failed": "damaged", "message": _TOO_LONG.format(seconds=limits.open_seconds)}
    try:
        process.say(look=str(folder / "file.pdf"), password=password, memory=limits.child_bytes)
        with suppress(queue.Empty):
            said = mail.get(timeout=limits.open_seconds)[1] or {"failed": "damaged", "message": _CRASHED}
    finally:
        process.end(kill=True)
    if "failed" in said:
        raise PdfError(cast(PdfKind, said["failed"]), said["message"])
    return said


_TOO_LONG = "Opening the PDF took more than {seconds:.0f} seconds. Print it to a new PDF and try that."
_CRASHED = "The PDF is damaged so badly that reading it broke down. Print it to a new PDF and try that."


def _source(sha: str, name: str, facts: dict[str, Any], limits: PdfLimits) -> Source:
    """What is kept about a file that can be read. Raises PdfError where it has too many pages."""
    count = facts["pages"]
    if count > limits.pages:
        raise PdfError(
            "too_many_pages",
            f"The PDF has {count:,} pages; at most {limits.pages:,} are read. Split it, and choose the part you need.",
        )
    notes = list(facts["notes"])
    if count >= limits.many_pages:
        notes.append(
            f"It has {count:,} pages: the first question reads them all, which takes a while; later ones do not."
        )
    return Source(name=name, sha256=sha, pages=count, title=clean(facts["title"]), notes=tuple(map(clean, notes)))


def _moved(fresh: Path, store: PageStore, source: Source, locked: bool) -> None:
    """Puts the file where it is looked for, and the source after it: what has a source is there."""
    folder = store.folder(source.sha256)
    folder.mkdir(parents=True, exist_ok=True)
    if locked:
        write_whole(folder / "locked", b"")  # the password is asked for again, whoever brings the file
    os.replace(fresh / ("open.pdf" if locked else "file.pdf"), folder / "file.pdf")
    store.keep_source(source)
