"""Pages of one PDF read by several processes side by side, handed on in order as they are ready."""

from __future__ import annotations

import os
import queue
import signal
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from core.ingest.page_store import OcrMode, PageStore
from core.ingest.pdf_process import PdfProcess
from core.page_record import PageLayout
from core.settings.limits import HEARTBEAT_SECONDS
from core.settings.pdf import PdfLimits

Stop = Callable[[], None]
"""Called between pages; raises to end the reading."""

_AHEAD = 2  # pages that a process is asked for at once: it never waits for its next one
_ALONE = 8  # so few pages with text are read sooner by one process than a second one starts
_STARTS = 3  # a file that no process can open is given up after as many


class UnreadableError(Exception):
    """The file cannot be opened any more; the message is for the person."""


def read_in_processes(
    sha: str,
    file: Path,
    store: PageStore,
    ocr: OcrMode,
    stop: Stop,
    wanted: Sequence[int],
    limits: PdfLimits,
) -> Iterator[PageLayout]:
    """Layouts in the order of ``wanted``, those that the store lacks read by child processes.

    Raises:
        UnreadableError: no process could open the file.
        OSError: the store cannot be written.
    """
    reading = _Reading(sha, file, store, ocr, stop, limits)
    try:
        yield from reading.layouts(wanted)
    finally:
        reading.close()


class _Reading:
    """Which pages are still to be read, and the processes that read them."""

    def __init__(self, sha: str, file: Path, store: PageStore, ocr: OcrMode, stop: Stop, limits: PdfLimits) -> None:
        self._sha, self._file, self._store, self._ocr = sha, file, store, ocr
        self._stop, self._limits = stop, limits
        self._todo: deque[int] = deque()
        self._missing: set[int] = set()
        """Pages that are not read yet, in work ones included."""
        self._mail: queue.Queue[tuple[PdfProcess, dict[str, Any]]] = queue.Queue()
        self._processes: list[PdfProcess] = []
        self._opened: set[PdfProcess] = set()
        self._slow: set[PdfProcess] = set()
        """Those that are reading a page by OCR."""
        self._scans = False
        """Whether any page was read by OCR: then two processes are worth their start."""
        self._failed = 0
        """Processes that ended before they had opened the file."""

    def layouts(self, wanted: Sequence[int]) -> Iterator[PageLayout]:
        """The layouts, in order."""
        kept = {page for page in set(wanted) if self._store.layout_path(self._sha, page, self._ocr).is_file()}
        self._todo.extend(page for page in dict.fromkeys(wanted) if page not in kept)
        self._missing = set(self._todo)
        for page in wanted:
            yield self._layout(page)

    def _layout(self, page: int) -> PageLayout:
        """The page's layout, waited for; read once more where the store's file has gone or is damaged."""
        for _ in range(2):
            while page in self._missing:
                self._stop()
                self._staff()
                self._hear()
            self._stop()
            if layout := self._store.layout(self._sha, page, self._ocr):
                return layout
            self._missing.add(page)
            self._todo.appendleft(page)
        self._missing.discard(page)
        return _unread(page, "What was read of this page could not be kept.")

    def close(self) -> None:
        """Ends the processes, whatever they are doing."""
        for process in self._processes:
            process.end(kill=True)
        self._processes.clear()

    def _staff(self) -> None:
        """Starts processes while there is work for them, and keeps each a page ahead."""
        many = len(self._todo) > _ALONE or self._scans
        most = min(self._limits.children, os.cpu_count() or 1) if many else 1
        while self._todo and len(self._processes) < most:
            process = PdfProcess(self._mail)
            process.say(open=str(self._file), memory=self._limits.child_bytes)
            self._processes.append(process)
        for process in self._processes:
            while self._todo and len(process.pages) < _AHEAD:
                self._ask(process, self._todo.popleft())

    def _ask(self, process: PdfProcess, page: int) -> None:
        if not process.pages and process in self._opened:
            process.since = time.monotonic()
        process.pages.append(page)
        stem = self._store.stem(self._sha, page)
        stem.parent.mkdir(parents=True, exist_ok=True)
        layout = self._store.layout_path(self._sha, page, self._ocr)
        process.say(page=page, stem=str(stem), layout=str(layout), ocr=self._ocr, dpi=self._store.dpi)

    def _hear(self) -> None:
        """Takes one message, or notices that a process has hung for too long."""
        try:
            process, message = self._mail.get(timeout=HEARTBEAT_SECONDS)
        except queue.Empty:
            for process in [process for process in self._processes if self._late(process)]:
                self._ended(process, f"Reading this page took more than {self._patience(process):.0f} seconds.")
            return
        if process not in self._processes:
            return
        if not message:
            self._ended(process, "")
        elif "opened" in message:
            self._opened.add(process)
            process.since = time.monotonic()
        elif "failed" in message:
            raise UnreadableError(message["message"])
        elif "scan" in message:
            self._scans = True
            self._slow.add(process)
        elif "unkept" in message:
            raise OSError(message["unkept"], os.strerror(message["unkept"]))
        else:
            self._read(process, message["page"])

    def _read(self, process: PdfProcess, page: int) -> None:
        process.pages.remove(page)
        process.since = time.monotonic()
        self._slow.discard(process)
        self._missing.discard(page)

    def _late(self, process: PdfProcess) -> bool:
        return bool(process.pages) and time.monotonic() - process.since > self._patience(process)

    def _patience(self, process: PdfProcess) -> float:
        if process not in self._opened:
            return self._limits.open_seconds
        return self._limits.page_seconds * (2 if process in self._slow else 1)

    def _ended(self, process: PdfProcess, reason: str) -> None:
        """A process is gone, or is sent away: the page in its hands is given up, the others are asked again."""
        code = process.end(kill=bool(reason))
        self._processes.remove(process)
        self._slow.discard(process)
        if process not in self._opened:
            self._failed += 1
            if self._failed >= _STARTS:
                raise UnreadableError("The PDF cannot be read: the process that opens it ended each time.")
            self._todo.extendleft(reversed(process.pages))
            return
        if process.pages:
            page, *rest = process.pages
            self._todo.extendleft(reversed(rest))
            self._missing.discard(page)
            broken = _unread(page, reason or f"Reading this page broke down ({_signal(code)}).")
            self._store.keep_layout(self._sha, broken, self._ocr)


def _unread(page: int, error: str) -> PageLayout:
    return PageLayout(page=page, width=0, height=0, pixels=(0, 0), error=error)


def _signal(code: int) -> str:
    with suppress(ValueError):
        return signal.Signals(-code).name
    return f"code {code}"
