from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pymupdf
import pytest

from core.ingest.page_store import PageStore
from core.ingest.pdf import PdfError, read_pages, take_in
from core.settings.methods import PdfSettings
from core.settings.pdf import PDF_LIMITS, PdfLimits
from tests.core.ingest.pdf_files import never, pages, written

PERMITTED = {"encryption": pymupdf.PDF_ENCRYPT_AES_256, "owner_pw": "owner"}


@pytest.fixture
def kept(tmp_path: Path) -> PageStore:
    return PageStore(tmp_path / "cache")


def refused(path: Path, kept: PageStore, password: str = "", limits: PdfLimits = PDF_LIMITS) -> PdfError:
    with pytest.raises(PdfError) as caught:
        take_in(path, "x.pdf", kept, password, limits)
    assert not list(kept.root.glob("pages/*/source.json"))
    assert not list(kept.root.glob("pages/.incoming-*"))
    return caught.value


@pytest.mark.parametrize(
    ("content", "kind", "said"),
    [
        (b"", "empty", "0 bytes"),
        (b"PK\x03\x04 word/document.xml", "not_pdf", "an Office file: export it as PDF"),
        (b"\x89PNG\r\n\x1a\n", "not_pdf", "a PNG picture"),
        (b"\xff\xd8\xff\xe0", "not_pdf", "a JPEG picture"),
        (b"\n <!DOCTYPE html><html>", "not_pdf", "a web page"),
        (b"x" * 2000 + b"%PDF-1.7", "not_pdf", "first bytes are not those of a PDF"),
        (b"%PDF-1.7\n" + b"\x00" * 500, "damaged", "print it to a new PDF"),
    ],
)
def test_what_a_file_is_says_its_content(content: bytes, kind: str, said: str, tmp_path: Path, kept: PageStore) -> None:
    (tmp_path / "report.pdf").write_bytes(content)
    error = refused(tmp_path / "report.pdf", kept)
    assert error.kind == kind and said in str(error)


def test_files_that_cannot_be_opened(tmp_path: Path, kept: PageStore) -> None:
    assert refused(tmp_path / "nothing.pdf", kept).kind == "not_found"
    assert refused(Path("a\0b"), kept).kind == "not_found"
    assert refused(tmp_path, kept).kind == "not_pdf"
    os.mkfifo(tmp_path / "pipe")
    assert refused(tmp_path / "pipe", kept).kind == "not_pdf"


def test_a_file_is_known_by_its_bytes_and_shown_by_its_name(tmp_path: Path, kept: PageStore) -> None:
    document = pages("one", "two")
    document.set_metadata({"title": "A <b>title</b>"})
    path = written(document, tmp_path, "what.txt")
    source = take_in(path, "../../etc/pass\0wd<i>.pdf", kept)
    assert source.name == "pass\ufffdwd<i>.pdf" and source.title == "A <b>title</b>" and source.pages == 2
    assert source.notes == ()
    assert kept.source(source.sha256) == source and kept.file(source.sha256)
    assert take_in(path, "again.pdf", kept) == source.model_copy(update={"name": "again.pdf"})


def test_limits_on_size_and_pages(tmp_path: Path, kept: PageStore) -> None:
    path = written(pages(*["text"] * 5), tmp_path)
    small = replace(PDF_LIMITS, file_bytes=500)
    assert refused(path, kept, limits=small).kind == "too_big"
    error = refused(path, kept, limits=replace(PDF_LIMITS, pages=4))
    assert error.kind == "too_many_pages" and "5 pages; at most 4" in str(error)
    source = take_in(path, "x.pdf", kept, limits=replace(PDF_LIMITS, many_pages=5))
    assert "the first question reads them all" in source.notes[0]


def test_an_empty_user_password_opens(tmp_path: Path, kept: PageStore) -> None:
    path = written(pages("secret"), tmp_path, **PERMITTED)
    source = take_in(path, "x.pdf", kept)
    assert source.pages == 1 and "encrypted" in source.notes[0]
    (layout,) = read_pages(source.sha256, kept, PdfSettings(), never)
    assert layout.text == "secret"


def test_a_password_is_asked_for_whoever_brings_the_file(tmp_path: Path, kept: PageStore) -> None:
    path = written(pages("secret"), tmp_path, user_pw="let me in", **PERMITTED)
    error = refused(path, kept)
    assert error.kind == "encrypted" and "Give its password" in str(error)
    assert "does not open" in str(refused(path, kept, "wrong"))
    source = take_in(path, "x.pdf", kept, "let me in")
    assert source.pages == 1
    with pytest.raises(PdfError, match="is encrypted"):
        take_in(path, "x.pdf", kept)
    (layout,) = read_pages(source.sha256, kept, PdfSettings(), never)
    assert layout.text == "secret"


def test_a_truncated_file_is_repaired_and_says_so(tmp_path: Path, kept: PageStore) -> None:
    content = pages("one", "two").tobytes()
    (tmp_path / "cut.pdf").write_bytes(content[: content.rindex(b"xref")])
    source = take_in(tmp_path / "cut.pdf", "x.pdf", kept)
    assert source.pages == 2 and "was repaired" in source.notes[0]


def test_a_file_with_no_pages(tmp_path: Path, kept: PageStore) -> None:
    objects = [b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[]/Count 0>>"]
    content, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, start=1):
        places.append(len(content))
        content += b"%d 0 obj%sendobj\n" % (number, body)
    start = len(content)
    content += b"xref\n0 3\n0000000000 65535 f \n" + b"".join(b"%010d 00000 n \n" % place for place in places)
    content += b"trailer<</Size 3/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % start
    (tmp_path / "none.pdf").write_bytes(content)
    error = refused(tmp_path / "none.pdf", kept)
    assert error.kind == "no_pages" and "has no pages" in str(error)


def test_attachments_are_named_and_a_portfolio_is_refused(tmp_path: Path, kept: PageStore) -> None:
    document = pages("cover")
    document.embfile_add("sheet", b"1;2", filename="figures.csv")
    document[0].add_file_annot((50, 50), b"note", "note.txt")
    source = take_in(written(document, tmp_path, "attached.pdf"), "x.pdf", kept)
    assert source.notes == ("Files are attached, which are not read: figures.csv, note.txt.",)
    document.xref_set_key(document.pdf_catalog(), "Collection", "<</View/T>>")
    with pytest.raises(PdfError) as caught:
        take_in(written(document, tmp_path, "portfolio.pdf"), "x.pdf", kept)
    assert caught.value.kind == "portfolio" and "figures.csv" in str(caught.value)


def test_a_store_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file")
    with pytest.raises(PdfError) as caught:
        take_in(written(pages("x"), tmp_path), "x.pdf", PageStore(tmp_path / "cache"))
    assert caught.value.kind == "storage" and "Not a directory" in str(caught.value)


def test_addresses_are_hashes_and_nothing_else(kept: PageStore) -> None:
    for bad in ("", "..", "../" * 20, "A" * 64, "g" * 64, "0" * 63, "0" * 64 + "/"):
        for look in (kept.source, kept.file, lambda sha: kept.layout(sha, 0), lambda sha: kept.picture(sha, 0)):
            with pytest.raises(ValueError, match="64 hexadecimal digits"):
                look(bad)
    assert kept.source("0" * 64) is None and kept.layout("0" * 64, 0) is None and kept.thumb("0" * 64, 3) is None
    with pytest.raises(ValueError, match="no page index"):
        kept.picture("0" * 64, -1)


def test_reading_what_is_not_there(kept: PageStore, tmp_path: Path) -> None:
    with pytest.raises(PdfError, match="choose the file again"):
        list(read_pages("0" * 64, kept, PdfSettings(), never))
    source = take_in(written(pages("x"), tmp_path), "x.pdf", kept)
    with pytest.raises(ValueError, match="pages 0 to 0"):
        list(read_pages(source.sha256, kept, PdfSettings(), never, [1]))
