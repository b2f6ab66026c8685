from __future__ import annotations

import os
import signal
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from core.ingest.page_store import PageStore
from core.ingest.pdf import read_pages, take_in
from core.settings.methods import PdfSettings
from core.settings.pdf import PAGE_DPI, PDF_LIMITS
from tests.core.ingest.pdf_files import bomb, endless, never, pages, read, written


def readers() -> list[psutil.Process]:
    """The reading processes of this test."""
    return [child for child in psutil.Process().children() if "core.ingest.pdf_child" in " ".join(child.cmdline())]


def test_a_page_that_hangs_is_given_up_and_the_rest_goes_on(tmp_path: Path) -> None:
    document = pages("one", "two", "three")
    endless(document[1])
    store, sha, layouts = read(document, tmp_path, limits=replace(PDF_LIMITS, page_seconds=1.0))
    assert [layout.text for layout in layouts] == ["one", "", "three"]
    assert layouts[1].error == "Reading this page took more than 1 seconds."
    assert store.layout(sha, 1) == layouts[1]  # not tried again for the second question
    assert readers() == []


def test_a_process_that_dies_takes_one_page_with_it(tmp_path: Path) -> None:
    document = pages("one", "two", "three")
    endless(document[1])
    store = PageStore(tmp_path / "cache")
    source = take_in(written(document, tmp_path), "x.pdf", store)
    killed: list[int] = []

    def kill() -> None:
        if store.layout(source.sha256, 0) and not killed:
            killed.append(readers()[0].pid)
            os.kill(killed[0], signal.SIGSEGV)

    layouts = list(read_pages(source.sha256, store, PdfSettings(), kill))
    assert killed and [layout.text for layout in layouts] == ["one", "", "three"]
    assert layouts[1].error == "Reading this page broke down (SIGSEGV)."


def test_a_picture_that_unpacks_to_gigabytes_stays_within_the_limit(tmp_path: Path) -> None:
    document = pages("one", "two", "three")
    bomb(document[1], 20_000)
    path = written(document, tmp_path, deflate=True)
    assert path.stat().st_size < 2**20  # 400 MB once it is unpacked
    store, sha, layouts = read(path, tmp_path, limits=replace(PDF_LIMITS, child_bytes=2**28))
    assert [layout.text for layout in layouts] == ["one", "", "three"]
    # OCR cannot be loaded into so little memory: the page says so, and its picture is there.
    assert "OCR failed on this page" in layouts[1].notes[0] and store.picture(sha, 1)
    assert not any("/" in note for note in layouts[1].notes)


class StoppedError(Exception):
    pass


def test_stopping_ends_the_processes(tmp_path: Path) -> None:
    document = pages("one", "two")
    endless(document[0])
    store = PageStore(tmp_path / "cache")
    source = take_in(written(document, tmp_path), "x.pdf", store)
    calls: list[int] = []

    def stop() -> None:
        calls.append(len(readers()))
        if len(calls) > 2:
            raise StoppedError

    with pytest.raises(StoppedError):
        list(read_pages(source.sha256, store, PdfSettings(), stop))
    assert max(calls) >= 1 and readers() == []


def test_what_was_read_is_served_without_a_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store, sha, layouts = read(pages("one", "two", "three"), tmp_path)

    def none(*_: object) -> None:
        raise AssertionError("a process was started")

    monkeypatch.setattr("core.ingest.pdf_reading.PdfProcess", none)
    assert list(read_pages(sha, store, PdfSettings(), never)) == layouts
    assert list(read_pages(sha, store, PdfSettings(), never, [2, 0, 2])) == [layouts[2], layouts[0], layouts[2]]


@pytest.mark.parametrize(
    "other",
    [
        lambda root: (PageStore(root, dpi=72), PdfSettings()),
        lambda root: (PageStore(root), PdfSettings(ocr="off")),
    ],
)
def test_another_setting_never_serves_stale_pages(
    other: Callable[[Path], tuple[PageStore, PdfSettings]], tmp_path: Path
) -> None:
    first, sha, (layout,) = read(pages("text"), tmp_path)
    store, settings = other(first.root)
    assert store.layout(sha, 0, settings.ocr) is None
    (again,) = read_pages(sha, store, settings, never)
    assert again.text == "text" and again.pixels[0] == layout.pixels[0] * store.dpi // PAGE_DPI
    assert first.layout(sha, 0) == layout


def test_damaged_files_of_the_store_are_read_again(tmp_path: Path) -> None:
    store, sha, layouts = read(pages("one"), tmp_path)
    store.layout_path(sha, 0, "auto").write_text('{"page": 0, "wid')
    assert store.layout(sha, 0) is None
    assert list(read_pages(sha, store, PdfSettings(), never)) == layouts


def test_many_pages_come_in_order_from_two_processes(tmp_path: Path) -> None:
    seen: list[int] = []
    store = PageStore(tmp_path / "cache")
    source = take_in(written(pages(*[f"page {n}" for n in range(40)]), tmp_path), "x.pdf", store)
    layouts = list(read_pages(source.sha256, store, PdfSettings(), lambda: seen.append(len(readers()))))
    assert [layout.text for layout in layouts] == [f"page {n}" for n in range(40)]
    assert max(seen) <= PDF_LIMITS.children
