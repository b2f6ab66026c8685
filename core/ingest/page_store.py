"""Pages of PDFs on disk, addressed by what was read and how, so that the second question starts at once.

``<root>/pages/<sha256>/`` holds ``file.pdf`` (of an encrypted file: the decrypted copy) and ``source.json``.
Beside them is a folder for each way of drawing, ``<version>-<dpi>/``, with ``0001.png`` or ``0001.jpg``,
``0001.thumb.jpg`` and, for each way of reading, ``0001.auto.json``; names count pages from 1.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path
from typing import Literal

from pydantic import ValidationError

from core.files import write_whole
from core.page_record import PageLayout, Source
from core.settings.pdf import PAGE_DPI, PAGE_VERSION

OcrMode = Literal["auto", "off", "all"]

_SHA256 = re.compile(r"[0-9a-f]{64}")
_PICTURES = (".png", ".jpg")  # grey pages are kept without loss, coloured ones as photographs are


class PageStore:
    """Everything that was read from PDFs, under one folder. Safe from several threads and processes.

    Args:
        root: folder of caches; the store lives in its ``pages``.
        dpi: resolution of the page pictures; pictures of another one are never served.
    """

    def __init__(self, root: Path, dpi: int = PAGE_DPI) -> None:
        self.root = root.expanduser().absolute()
        self.dpi = dpi

    def folder(self, sha: str) -> Path:
        """Folder of a file, there or not. Raises ValueError where ``sha`` is no SHA-256 in lower-case hex."""
        if not _SHA256.fullmatch(sha):
            raise ValueError("a PDF is addressed by the SHA-256 of its bytes: 64 hexadecimal digits")
        return self.root / "pages" / sha

    def file(self, sha: str) -> Path | None:
        """The PDF, readable without a password; None where it was not taken in."""
        return _if_there(self.folder(sha) / "file.pdf")

    def source(self, sha: str) -> Source | None:
        """What is known about the file; None where it was not taken in."""
        with suppress(OSError, ValidationError):
            return Source.model_validate_json((self.folder(sha) / "source.json").read_bytes())
        return None

    def layout(self, sha: str, page: int, ocr: OcrMode = "auto") -> PageLayout | None:
        """What stands on a page (0-based), read the given way; None where it was not read yet."""
        with suppress(OSError, ValidationError):
            return PageLayout.model_validate_json(self.layout_path(sha, page, ocr).read_bytes())
        return None

    def picture(self, sha: str, page: int) -> Path | None:
        """The page's picture, PNG or JPEG, sRGB or grey; None where there is none."""
        stem = self.stem(sha, page)
        return next(filter(None, (_if_there(stem.with_suffix(suffix)) for suffix in _PICTURES)), None)

    def thumb(self, sha: str, page: int) -> Path | None:
        """A small JPEG of the page, about 160 px wide; None where there is none."""
        return _if_there(self.stem(sha, page).with_suffix(".thumb.jpg"))

    def stem(self, sha: str, page: int) -> Path:
        """Where the page's files lie, without their suffixes."""
        if not 0 <= page < 10**6:
            raise ValueError(f"{page} is no page index")
        return self.folder(sha) / f"{PAGE_VERSION}-{self.dpi}" / f"{page + 1:04d}"

    def layout_path(self, sha: str, page: int, ocr: OcrMode) -> Path:
        """Where the layout of a page lies, or is to lie."""
        return self.stem(sha, page).with_suffix(f".{ocr}.json")

    def used(self, sha: str) -> None:
        """Notes that a file is used now: where space is needed, those that were not used for longest go first."""
        with suppress(OSError):
            os.utime(self.folder(sha))

    def keep_source(self, source: Source) -> None:
        """Writes down what is known about a file; it counts as taken in from now on. Raises OSError."""
        write_whole(self.folder(source.sha256) / "source.json", source.model_dump_json().encode())

    def keep_layout(self, sha: str, layout: PageLayout, ocr: OcrMode) -> None:
        """Writes a page's layout. Raises OSError."""
        path = self.layout_path(sha, layout.page, ocr)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, layout.model_dump_json().encode())


def _if_there(path: Path) -> Path | None:
    return path if path.is_file() else None
