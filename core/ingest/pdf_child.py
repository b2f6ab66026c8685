"""The process that reads PDFs: the only one in which PyMuPDF and OCR run.

Started by ``core.ingest.pdf_process`` as ``python -m core.ingest.pdf_child``. It reads JSON lines from its standard
input and leaves when that closes:

- ``{"look": file, "password": …, "memory": bytes}`` → facts of the file, or ``{"failed": kind, "message": …}``;
- ``{"open": file, "memory": bytes}`` → ``{"opened": pages}`` or ``{"failed": …}``;
- ``{"page": index, "stem": …, "layout": …, "ocr": mode, "dpi": …}`` → the page's files written, then
  ``{"page": index}``; before it ``{"scan": index}`` where the page is read by OCR, in place of it
  ``{"unkept": errno}`` where a file cannot be written.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, TextIO

import orjson

from core.files import write_whole
from core.ingest.mupdf import pymupdf
from core.ingest.pdf_open import Refused, look, opened
from core.ingest.pdf_page import read_page
from core.settings.pdf import PDF_LIMITS

_CPU_GRACE = 60  # seconds of computing that a page gets beyond its time, before the system ends the process


class Child:
    """One open file, and the messages about it."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._document: pymupdf.Document | None = None
        self._labels: bool = False

    def serve(self) -> None:
        """Answers messages until the app is gone."""
        for line in sys.stdin:
            message = json.loads(line)
            if "memory" in message:
                _limit_memory(message["memory"])
            _limit_computing()
            if "page" in message:
                self._page(message)
            else:
                self._file(message)

    def _file(self, message: dict[str, Any]) -> None:
        try:
            if "look" in message:
                self._say(look(Path(message["look"]), message["password"], PDF_LIMITS))
            else:
                self._document = opened(Path(message["open"]))
                self._labels = bool(_safe_labels(self._document))
                self._say({"opened": self._document.page_count})
        except Refused as refused:
            self._say({"failed": refused.kind, "message": str(refused)})
        except MemoryError:
            self._say({"failed": "damaged", "message": "Opening the PDF needs more memory than it may have."})

    def _page(self, message: dict[str, Any]) -> None:
        page, stem = message["page"], Path(message["stem"])
        assert self._document
        try:
            layout = read_page(
                self._document,
                page,
                stem,
                message["dpi"],
                message["ocr"],
                labelled=self._labels,
                scanning=lambda: self._say({"scan": page}),
            )
        except OSError as error:
            self._say({"unkept": error.errno or 5})
            return
        except MemoryError:
            layout = _broken(page, "Reading this page needs more memory than it may have.")
        except Exception as error:  # whatever a damaged page makes the libraries do, the others are read
            layout = _broken(page, f"This page is damaged: {_brief(error)}")
        write_whole(Path(message["layout"]), orjson.dumps(layout))
        self._say({"page": page})

    def _say(self, message: dict[str, Any]) -> None:
        self._out.write(json.dumps(message) + "\n")
        self._out.flush()


def _broken(page: int, error: str) -> dict[str, Any]:
    return {"page": page, "width": 0, "height": 0, "pixels": [0, 0], "error": error}


def _brief(error: Exception) -> str:
    """What MuPDF says about a file; of other errors the kind alone, since their words may name folders."""
    said = str(error).strip().splitlines()
    return said[0][:200] if said and type(error).__module__.startswith("pymupdf") else type(error).__name__


def _safe_labels(document: pymupdf.Document) -> list[Any]:
    with suppress(Exception):  # trees of labels are often malformed
        return list(document.get_page_labels())
    return []


def _limit_memory(most: int) -> None:
    with suppress(ImportError, ValueError, OSError):  # not every system can
        import resource  # noqa: PLC0415

        resource.setrlimit(resource.RLIMIT_AS, (most, most))


def _limit_computing() -> None:
    """A process that hangs when nobody is left to kill it is ended by the system."""
    with suppress(ImportError, ValueError, OSError):
        import resource  # noqa: PLC0415

        most = int(time.process_time() + 2 * PDF_LIMITS.page_seconds + _CPU_GRACE)
        resource.setrlimit(resource.RLIMIT_CPU, (most, resource.RLIM_INFINITY))


def _take_stdout() -> TextIO:
    """The pipe to the app; what libraries print goes to standard error from now on."""
    pipe = os.dup(1)
    os.dup2(2, 1)
    return os.fdopen(pipe, "w", encoding="utf-8")


def main() -> None:
    """The process, from start to end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; the app decides
    out = _take_stdout()
    with suppress(BrokenPipeError):
        Child(out).serve()
    os._exit(0)  # nothing is left to be written


if __name__ == "__main__":
    main()
