"""What reading a PDF costs, against PyMuPDF alone."""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from functools import cache
from pathlib import Path

import psutil

from core.ingest.page_store import PageStore
from core.ingest.pdf import read_pages, take_in
from core.settings.methods import PdfSettings
from core.settings.pdf import PAGE_DPI
from tests.bench.material import never
from tests.bench.table import row
from tests.pdfs.paper import A4, Paper
from tests.pdfs.topics import TOPICS

BARE = """
import sys, time
import pymupdf
started = time.perf_counter()
for page in pymupdf.open(sys.argv[1]):
    pixels = page.get_pixmap(dpi=int(sys.argv[2]))
    if len(sys.argv) > 3:
        pixels.save(f"{sys.argv[3]}/{page.number}.png")
print(time.perf_counter() - started)
"""
"""A script over PyMuPDF alone, which draws every page, and keeps the pictures where it is given a folder."""


@cache
def text_pdf(pages: int) -> Path:
    """Dense pages of text, about 560 words each."""
    path = Path(tempfile.mkdtemp(prefix="w-lens-bench-")) / f"{pages}.pdf"
    sentences = [text for topic in TOPICS for text in (*topic.filling, *topic.misleading)]
    paper = Paper("Bench", "A text for the bench", A4)
    for page in range(pages):
        paper.turn()
        paper.heading(f"Section {page + 1}")
        for part in range(9):
            first = (page * 9 + part) * 7
            paper.paragraph(" ".join(sentences[(first + n) % len(sentences)] for n in range(7)), 10)
    paper.save(path)
    return path


def bare(path: Path, keep: bool) -> tuple[float, float]:
    """Seconds of a process that draws every page, and keeps its picture or not; and of its loop alone."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-c", BARE, str(path), str(PAGE_DPI), *([folder] if keep else [])]
        start = time.perf_counter()
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        return time.perf_counter() - start, float(done.stdout)


def ours(path: Path) -> float:
    """Seconds until the last page is read into an empty store, from a file that was taken in."""
    with tempfile.TemporaryDirectory() as folder:
        store = PageStore(Path(folder))
        source = take_in(path, path.name, store)
        start = time.perf_counter()
        read = sum(bool(page.words and page.regions) for page in read_pages(source.sha256, store, PdfSettings(), never))
        taken = time.perf_counter() - start
    assert read == source.pages
    return taken


@row("pdf_ingest", "<= 0.8", "times bare PyMuPDF drawing 100 pages of text at 144 dpi to PNG files in one process")
def pdf_ingest() -> float:
    """Words, regions, pictures and thumbnails by two processes, starts included on both sides.

    Who draws pages to look at them keeps them, so both sides do; the peers' scripts write PNG at 144 dpi.
    """
    return _against_bare(keep=True)


@row("pdf_ingest_unkept", "> 0", "times the same script keeping nothing: no picture is packed, none written")
def pdf_ingest_unkept() -> float:
    """What all the rest costs beside the strokes alone; drawing is 2 to 4 ms of a page."""
    return _against_bare(keep=False)


def _against_bare(keep: bool) -> float:
    """Median of three pairs."""
    path = text_pdf(100)
    pairs = []
    for _ in range(3):
        whole, loop = bare(path, keep)
        taken = ours(path)
        print(f"bare {whole:.2f} s (loop {loop:.2f} s), ours {taken:.2f} s", file=sys.stderr, flush=True)
        pairs.append(taken / whole)
    return statistics.median(pairs)


@row("pdf_memory", "<= 200", "MB above the start while 500 pages are read, the reading processes included")
def pdf_memory() -> float:
    """Largest sum over this process and its children, sampled, less this process before."""
    path = text_pdf(500)
    before, most, done = _memory(), [0.0], threading.Event()

    def watch() -> None:
        while not done.wait(0.05):
            most[0] = max(most[0], _memory())

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        with tempfile.TemporaryDirectory() as folder:
            store = PageStore(Path(folder))
            source = take_in(path, path.name, store)
            for _ in read_pages(source.sha256, store, PdfSettings(), never):
                pass
    finally:
        done.set()
        watcher.join()
    return most[0] - before


def _memory() -> float:
    """MB that this process and its children hold for themselves, memory they share counted once."""
    total, this = 0.0, psutil.Process()
    for process in [this, *this.children(recursive=True)]:
        with suppress(psutil.Error):
            total += process.memory_full_info().pss / 2**20
    return total
