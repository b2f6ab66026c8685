"""One process that reads PDFs, seen from outside: what is said to it, what it says, and its end.

PyMuPDF runs nowhere else: it is not safe among threads, a damaged file can crash or hang it, and its memory is
given back only when its process ends.
"""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

_ROOT = Path(__file__).resolve().parents[2]
# Pictures of a few MB come and go with every page. Memory that glibc keeps for the next one saves 0.6 s of page
# faults over 100 pages, a quarter of all the time; other systems ignore these.
_KEEP_MEMORY = {"MALLOC_MMAP_THRESHOLD_": str(128 * 2**20), "MALLOC_TRIM_THRESHOLD_": str(256 * 2**20)}
_LEAVE_AFTER = 1.0  # seconds that a process gets to leave by itself


class PdfProcess:
    """A process that opens one PDF and reads pages of it.

    Args:
        mail: where its messages are put, as (process, message); an empty message is its end.
        threads: how many threads its OCR may use.
    """

    def __init__(self, mail: queue.Queue[tuple[PdfProcess, dict[str, Any]]], threads: int = 1) -> None:
        path = os.pathsep.join(filter(None, [str(_ROOT), os.environ.get("PYTHONPATH")]))
        self.pages: list[int] = []
        """Pages that it was asked for and has not answered, the one in work first."""
        self.since = time.monotonic()
        """When the one in work was begun."""
        self._mail = mail
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "core.ingest.pdf_child"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | _KEEP_MEMORY | {"PYTHONPATH": path, "OMP_NUM_THREADS": str(threads)},
        )
        self._reader = threading.Thread(target=self._listen, name="pdf pipe", daemon=True)
        self._reader.start()

    @property
    def pid(self) -> int:
        """Number of the process."""
        return self._process.pid

    def say(self, **message: Any) -> None:
        """Sends a message; a process that is gone is noticed by its empty message."""
        if self._process.stdin:
            with suppress(OSError, ValueError):
                self._process.stdin.write(json.dumps(message).encode() + b"\n")
                self._process.stdin.flush()

    def end(self, kill: bool = False) -> int:
        """Sees to it that the process is gone; its exit code, negative for a signal."""
        if kill:
            self._process.kill()
        if self._process.stdin:
            with suppress(OSError):
                self._process.stdin.close()
        try:
            self._process.wait(_LEAVE_AFTER)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._reader.join(_LEAVE_AFTER)
        return self._process.returncode

    def _listen(self) -> None:
        if self._process.stdout:
            with self._process.stdout as lines:
                for line in lines:
                    with suppress(ValueError):  # a killed process can leave half a line
                        self._mail.put((self, json.loads(line)))
        self._mail.put((self, {}))
