"""Page vectors on disk, by what was encoded and what encoded it: a page is encoded once, whatever file it is in."""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.files import write_whole
from core.models.page_protocol import PageEncoder, PageVectors, PageView
from core.models.protocol import Stop
from core.settings.pages import PAGE_VECTORS_BYTES, PAGES_TOGETHER

_VERSION = 2  # raised when the layout of the files changes
_OPTIONAL = ("words", "windows", "patch")  # one number a vector


@dataclass(frozen=True)
class EncodedPage:
    """One page with its vectors."""

    view: PageView
    vectors: PageVectors
    cached: bool
    """Whether they lay on disk already."""
    tokens: int
    """Tokens run for it; a group's tokens are told with its first page."""


class PageVectorCache:
    """Encodes pages, or takes over what was encoded before.

    Vectors are kept in half precision (products differ by less than 1e-3), and the caller gets the same rounded
    vectors whether they came from the disk or not, so that a question asked again has the same scores.
    """

    def __init__(self, folder: Path, encoder: PageEncoder) -> None:
        """Keeps files in ``folder``/page-vectors; a folder that cannot be written only costs time."""
        self._folder = folder.expanduser() / "page-vectors"
        self._encoder = encoder

    def encoded(self, views: Iterable[PageView], stop: Stop) -> Iterator[EncodedPage]:
        """The pages in order with their vectors; those that are missing are encoded in small groups.

        Raises:
            ModelError: the encoder cannot be used.
        """
        rest, wrote = iter(views), False
        while group := list(islice(rest, PAGES_TOGETHER)):
            stop()
            files = [self._file(view) for view in group]
            found = [_read(file) for file in files]
            missing = [index for index, vectors in enumerate(found) if vectors is None]
            fresh, tokens = self._encoder.encode_pages([group[i] for i in missing], stop) if missing else ([], 0)
            for index, vectors in zip(missing, map(_halved, fresh), strict=True):
                found[index] = vectors
                wrote = _write(files[index], vectors) or wrote
            for index, (view, known) in enumerate(zip(group, found, strict=True)):
                assert known is not None
                ran = tokens if missing and index == missing[0] else 0
                yield EncodedPage(view, known, cached=index not in missing, tokens=ran)
        if wrote:
            _keep_within(self._folder, PAGE_VECTORS_BYTES)

    def _file(self, view: PageView) -> Path:
        digest = hashlib.sha256(f"{_VERSION}\0{self._encoder.key}\0".encode())
        if self._encoder.sees == "text":
            digest.update("\0".join(word.text for word in view.layout.words).encode("utf-8", "surrogatepass"))
        elif view.picture is not None:
            with contextlib.suppress(OSError):  # the encoder finds the same, and says so
                digest.update(view.picture.read_bytes())
        name = digest.hexdigest()
        return self._folder / name[:2] / f"{name}.npz"


def _halved(page: PageVectors) -> PageVectors:
    sentences = None if page.sentences is None else _half(page.sentences)
    return replace(page, vectors=_half(page.vectors), sentences=sentences)


def _half(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    return vectors.astype(np.float16).astype(np.float32)


def _read(file: Path) -> PageVectors | None:
    """What a file holds; None where there is none, or it is damaged."""
    try:
        with np.load(file, allow_pickle=False) as data:
            parts = {name: data[name].astype(np.int32) for name in _OPTIONAL if name in data}
            grid = tuple(int(size) for size in data["grid"]) if "grid" in data else None
            vectors = data["vectors"].astype(np.float32)
            sentences = data["sentences"].astype(np.float32) if "sentences" in data else None
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        return None
    with contextlib.suppress(OSError):
        os.utime(file)  # the files that were not used for longest go first
    if vectors.ndim != 2 or any(len(part) != len(vectors) for part in parts.values()):
        return None
    if sentences is not None and sentences.ndim != 2:
        return None
    return PageVectors(vectors, grid=(grid[0], grid[1]) if grid else None, sentences=sentences, **parts)


def _write(file: Path, page: PageVectors) -> bool:
    parts = {name: value for name in _OPTIONAL if (value := getattr(page, name)) is not None}
    if page.grid is not None:
        parts["grid"] = np.array(page.grid)
    if page.sentences is not None:
        parts["sentences"] = page.sentences.astype(np.float16)
    buffer = io.BytesIO()
    np.savez(buffer, vectors=page.vectors.astype(np.float16), **parts)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(file, buffer.getvalue())
    except OSError:  # a full or read-only disk: the page is encoded again next time
        return False
    return True


def _keep_within(folder: Path, limit: int) -> None:
    """Deletes the files that were not used for longest, until the rest takes at most ``limit`` bytes."""
    with contextlib.suppress(OSError):  # another process may be deleting as well
        files = sorted(((item.stat(), item) for item in folder.glob("*/*")), key=lambda pair: pair[0].st_mtime)
        over = sum(stat.st_size for stat, _ in files) - limit
        for stat, file in files:
            if over <= 0:
                break
            file.unlink(missing_ok=True)
            over -= stat.st_size
