"""What one visitor compares: small, frozen, and written in the page's address."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from core.records import CompareRecord, RecordError, Request
from core.settings.limits import LIMITS
from ui.state import Library

DEFAULT = ("vanilla", "duquad", "rrf", "main_rag")
"""The systems that are chosen at first: the plain prompt, ours, the usual retriever, the usual filter."""
DEFAULT_PDF = ("sleuth", "pdf_base", "m3docrag")
"""The same for a PDF: SLEUTH, and the best pages in one prompt in two ways."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, eq=False)
class CompareView:
    """``eq=False``: Gradio compares states by hash, and identity is the cheap one."""

    kind: Literal["none", "example", "run", "held"] = "none"
    """Where the comparison comes from: an example, a run of this server, or this session alone."""
    key: str = ""
    """The example's slug or the run's id."""
    asked: Request | None = None
    """Question and documents, whether they were compared or not."""
    held: CompareRecord | None = None
    """A comparison that was opened from a file."""
    chosen: tuple[str, ...] = DEFAULT
    """The systems that the next run compares, in the order of the list of systems."""
    selected: int | None = None
    """The selected document, 0-based."""
    dark: bool = False

    @property
    def address(self) -> dict[str, str]:
        """What stands in the page's address."""
        if self.kind not in ("example", "run"):
            return {}
        doc = {} if self.selected is None else {"doc": str(self.selected + 1)}
        return {str(self.kind): self.key} | doc


def asked_place(query: Mapping[str, str]) -> int | None:
    """The document that an address names, as its index."""
    text = query.get("doc", "")
    return int(text) - 1 if text.isascii() and text.isdecimal() and len(text) < 6 and int(text) else None


class Comparisons:
    """Reads ``compare/<slug>.json`` of the assets folder, each once, and the comparisons of this server."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self._folder = library.samples.folder / "compare"
        self._recorded: dict[str, CompareRecord | None] = {}

    def recorded(self, slug: str) -> CompareRecord | None:
        """The recorded comparison of an example; None where there is none that this version can open."""
        if slug not in self.slugs():  # never a path of someone else's making
            return None
        if slug not in self._recorded:
            self._recorded[slug] = _read(self._folder / f"{slug}.json")
        return self._recorded[slug]

    def slugs(self) -> list[str]:
        """All examples: over documents, then over PDFs."""
        return [*self.library.samples.examples, *self.library.samples.readings]

    def first(self) -> str | None:
        """The example that the tab opens on: the first with a recorded comparison, else the first of all."""
        slugs = self.slugs()
        return next((slug for slug in slugs if self.recorded(slug)), next(iter(slugs), None))

    def open(self, view: CompareView) -> CompareRecord | None:
        """The view's comparison, as far as it has come.

        Raises:
            UnknownRun, RecordError, StorageError: as ``Library.comparison`` does.
        """
        if view.kind == "example":
            return self.recorded(view.key)
        return self.library.comparison(view.key) if view.kind == "run" else view.held


def _read(path: Path) -> CompareRecord | None:
    try:
        if path.stat().st_size > LIMITS.record_bytes:
            raise RecordError("it is too large")
        return CompareRecord.from_json(path.read_bytes())
    except FileNotFoundError:
        return None
    except (OSError, RecordError) as error:
        _log.warning("the recorded comparison %s cannot be opened: %s", path.name, error)
        return None
