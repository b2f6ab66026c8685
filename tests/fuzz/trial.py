"""What becomes of a damaged file: it is read, or refused with a message. Anything else is a fault."""

from __future__ import annotations

import tempfile
from pathlib import Path

from core.ingest.lines import InputError
from core.ingest.page_store import PageStore
from core.ingest.pdf import read_pages, take_in
from core.ingest.sets.question_set import open_set
from core.records import RecordError, open_result
from core.settings.methods import PdfSettings

ROWS = 50  # of a set that are looked at


def pdf(data: bytes) -> str:
    """ "read", "refused", or "read, with pages that say why not"."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "file.pdf"
        path.write_bytes(data)
        store = PageStore(Path(folder) / "cache")
        try:
            source = take_in(path, "file.pdf", store)
            layouts = list(read_pages(source.sha256, store, PdfSettings(ocr="off"), lambda: None))
        except InputError as error:
            assert str(error).strip(), "refused without a word"
            return "refused"
        assert len(layouts) == source.pages
        return "read, with pages that say why not" if any(one.error for one in layouts) else "read"


def questions(data: bytes) -> str:
    """ "read", "refused", or "read, with rows that say why not"."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "file"
        path.write_bytes(data)
        try:
            found = open_set(path)
        except InputError as error:
            assert str(error).strip(), "refused without a word"
            return "refused"
        try:
            for place, row in enumerate(found):
                assert row.question.text.strip()
                if place >= ROWS:
                    break
            summary = found.summary()
        except InputError as error:
            assert str(error).strip(), "refused without a word"
            return "refused"
        finally:
            found.close()
        return "read, with rows that say why not" if summary.dirt else "read"


def record(data: bytes) -> str:
    """ "read" or "refused"."""
    try:
        open_result(data)
    except RecordError as error:
        assert str(error).strip(), "refused without a word"
        return "refused"
    return "read"
