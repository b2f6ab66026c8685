"""The files that stand beside a set's questions: a folder or an unpacked zip, looked up by name, never by path."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from core.ingest.lines import InputError
from core.ingest.sets.limited import child
from core.settings.limits import LIMITS


class Library:
    """PDFs by name, and the other files."""

    def __init__(self) -> None:
        self._pdfs: dict[str, Path] = {}
        self._pages: dict[Path, int | None] = {}
        self.others: list[tuple[str, Path]] = []
        """(name, file) of what is no PDF, by name."""
        self.twice: list[str] = []
        """Names that more than one PDF has; the first by path is taken."""

    def add_folder(self, folder: Path) -> None:
        """Takes in a folder and those below it. Raises InputError where it holds too many files."""
        found: list[Path] = []
        for root, folders, names in os.walk(folder):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            found += [Path(root, name) for name in sorted(names) if not name.startswith(".")]
            if len(found) > LIMITS.archive_files:
                raise InputError(
                    f"The folder holds more than {LIMITS.archive_files:,} files: name one that holds fewer."
                )
        for path in found:
            with suppress(OSError):
                if path.is_file():
                    with path.open("rb") as file:
                        self._add(path.name, path, b"%PDF-" in file.read(1024))

    def add_pdf(self, path: Path) -> None:
        """Takes in one PDF by itself."""
        self._add(path.name, path, True)

    def add_zip(self, archive: Path, scratch: Path) -> None:
        """Unpacks an archive to ``scratch`` and takes in its files. Raises InputError."""
        scratch.mkdir(parents=True, exist_ok=True)
        for answer in child("unpack", str(archive), str(scratch)):
            name = str(answer["name"]).replace("\\", "/").rsplit("/", 1)[-1]
            if not name.startswith("."):
                self._add(name, Path(answer["file"]), bool(answer["pdf"]))

    @property
    def has_pdfs(self) -> bool:
        """Whether there is any."""
        return bool(self._pdfs)

    def pdf(self, name: str) -> Path | None:
        """The PDF of this name, whatever folder it lies in and however the name's letters are cased."""
        return self._pdfs.get(_key(name))

    def pages(self, name: str) -> int | None:
        """How many pages it has, once ``count`` has looked; None where that is not known."""
        path = self.pdf(name)
        return self._pages.get(path) if path else None

    def count(self, names: Iterable[str]) -> None:
        """Looks how many pages these PDFs have; those that are not here are passed over."""
        paths = {path for path in map(self.pdf, names) if path and path not in self._pages}
        if paths:
            with suppress(InputError):  # not knowing is no failure
                for answer in child("count", said=sorted(map(str, paths))):
                    self._pages[Path(answer["file"])] = answer["pages"]

    def _add(self, name: str, path: Path, pdf: bool) -> None:
        if not pdf:
            self.others.append((name, path))
        elif _key(name) in self._pdfs:
            self.twice.append(name)
        else:
            self._pdfs[_key(name)] = path


def _key(name: str) -> str:
    return name.casefold().removesuffix(".pdf")
