"""Page pictures for the browser, as data URIs: from the page store, made there when they are first looked at."""

from __future__ import annotations

import hashlib
import logging
from base64 import b64encode
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from threading import Lock

from core.ingest.page_store import OcrMode, PageStore
from core.ingest.pdf import PdfError, read_pages, take_in
from core.page_record import PageLayout, Source
from core.settings.methods import PdfSettings

_MIMES = {".png": "image/png", ".jpg": "image/jpeg"}
_READINGS: tuple[OcrMode, ...] = ("auto", "all", "off")
MADE = 24  # pages that are drawn for one request of the browser; about two seconds of one core

_log = logging.getLogger(__name__)


class Files:
    """The PDFs that the page may show. Safe from several threads.

    Args:
        store: where files and pictures are kept; the worker's own.
        shipped: folder of the example PDFs, which are taken in when one of them is first opened.
    """

    def __init__(self, store: PageStore, shipped: Path) -> None:
        self.store = store
        self._folder = shipped
        self._making = Lock()

    @cached_property
    def _shipped(self) -> dict[str, Path]:
        """SHA-256 → example PDF."""
        return {hashlib.sha256(path.read_bytes()).hexdigest(): path for path in sorted(self._folder.glob("*.pdf"))}

    def take_in(self, path: Path, name: str, password: str = "") -> Source:
        """Keeps an uploaded PDF. Raises PdfError."""
        return take_in(path, name, self.store, password)

    def example(self, name: str) -> Source:
        """Keeps an example PDF, by its file's name. Raises PdfError."""
        return take_in(self._folder / name, name, self.store)

    def there(self, sha: str) -> bool:
        """Whether the file can be read; an example is taken in first. A locked file counts as not there."""
        try:
            if self.store.file(sha) is None and sha in self._shipped:
                self.example(self._shipped[sha].name)
            return self.store.file(sha) is not None
        except (PdfError, ValueError) as error:
            _log.warning("a PDF cannot be shown: %s", error)
            return False

    def locked(self, sha: str) -> bool:
        """Whether the file was encrypted, so that its pages are for those alone who know the password."""
        try:
            return (self.store.folder(sha) / "locked").exists()
        except ValueError:
            return True

    def source(self, sha: str) -> Source | None:
        """What is known about a file; None where it is not here."""
        try:
            return self.store.source(sha)
        except ValueError:
            return None

    def layout(self, sha: str, page: int) -> PageLayout | None:
        """What stands on a page, read one way or another; None where it was not read yet."""
        try:
            return next(filter(None, (self.store.layout(sha, page, ocr) for ocr in _READINGS)), None)
        except ValueError:
            return None

    def picture(self, sha: str, page: int, make: bool = False) -> str:
        """A page's picture, drawn now where it may be; empty where there is none."""
        if make and self._path(sha, page, thumb=False) is None:
            self.make(sha, [page])
        return _uri(self._path(sha, page, thumb=False))

    def thumbs(self, sha: str, pages: Iterable[int]) -> dict[int, str]:
        """The small pictures that there are."""
        found = {page: _uri(self._path(sha, page, thumb=True)) for page in pages}
        return {page: uri for page, uri in found.items() if uri}

    def make(self, sha: str, pages: Iterable[int]) -> None:
        """Draws pages that have no picture yet, at most ``MADE``; what cannot be drawn stays without one."""
        with self._making:
            if not self.there(sha):
                return
            wanted = [page for page in dict.fromkeys(pages) if self._path(sha, page, thumb=True) is None][:MADE]
            try:
                for _ in read_pages(sha, self.store, PdfSettings(ocr="off"), _never, wanted) if wanted else ():
                    pass
            except (PdfError, ValueError) as error:
                _log.warning("pages cannot be drawn: %s", error)

    def _path(self, sha: str, page: int, thumb: bool) -> Path | None:
        try:
            return self.store.thumb(sha, page) if thumb else self.store.picture(sha, page)
        except ValueError:
            return None


def _never() -> None:
    """A few pages are read to their end."""


def _uri(path: Path | None) -> str:
    if path is None or path.suffix not in _MIMES:
        return ""
    try:
        return f"data:{_MIMES[path.suffix]};base64,{b64encode(path.read_bytes()).decode('ascii')}"
    except OSError:
        return ""
