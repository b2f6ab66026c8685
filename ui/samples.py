"""The examples that ship with the page, and the runs that were recorded of them."""

from __future__ import annotations

import logging
from functools import cached_property
from pathlib import Path

from core.ingest.examples import Example, read_examples
from core.ingest.pdf_examples import PdfExample, read_pdf_examples
from core.records import RecordError, RunRecord
from core.text import contains_answer

ASSETS = Path(__file__).resolve().parent.parent / "assets"

_log = logging.getLogger(__name__)


class Samples:
    """Reads an assets folder, each file once: ``examples/<slug>.json`` with ``runs/<slug>.json``, and the questions
    about ``pdfs/*.pdf`` with ``pdf_runs/<slug>.json``.
    """

    def __init__(self, folder: Path = ASSETS) -> None:
        self.folder = folder
        self._runs: dict[Path, RunRecord | None] = {}

    @cached_property
    def examples(self) -> dict[str, Example]:
        """Slug → example, those with a recorded run first, else by slug."""
        found = read_examples(self.folder / "examples")
        found.sort(key=lambda example: not self._run_path(example.slug).is_file())
        return {example.slug: example for example in found}

    def recorded(self, slug: str) -> RunRecord | None:
        """The recorded run of an example; None where there is none that this version can open."""
        return self._kept(self._run_path(slug)) if slug in self.examples else None

    def first(self) -> str | None:
        """The slug of the example that the page opens on: recorded, answered rightly, gold nearest the middle."""
        found = {slug: record for slug in self.examples if (record := self.recorded(slug))}
        return min(found, key=lambda slug: _opening_order(found[slug]), default=None)

    @property
    def pdfs(self) -> Path:
        """Folder of the example PDFs."""
        return self.folder / "pdfs"

    @cached_property
    def readings(self) -> dict[str, PdfExample]:
        """Slug → question about an example PDF, in the order of their list."""
        return {example.slug: example for example in read_pdf_examples(self.pdfs)}

    def reading(self, slug: str) -> RunRecord | None:
        """The recorded run of a question about a PDF; None where there is none that this version can open."""
        return self._kept(self.folder / "pdf_runs" / f"{slug}.json") if slug in self.readings else None

    def first_reading(self) -> str | None:
        """The one that the tab opens on: recorded, answered rightly, its evidence cited, in the longest PDF."""
        found = {slug: record for slug in self.readings if (record := self.reading(slug))}
        return min(found, key=lambda slug: _reading_order(found[slug]), default=next(iter(self.readings), None))

    def _run_path(self, slug: str) -> Path:
        return self.folder / "runs" / f"{slug}.json"

    def _kept(self, path: Path) -> RunRecord | None:
        if path not in self._runs:
            self._runs[path] = _open(path)
        return self._runs[path]


def _open(path: Path) -> RunRecord | None:
    try:
        return RunRecord.from_json(path.read_bytes())
    except FileNotFoundError:
        return None
    except (OSError, RecordError) as error:
        _log.warning("the recorded run %s cannot be opened: %s", path.name, error)
        return None


def _right(record: RunRecord) -> bool:
    return bool(contains_answer(record.final.answer if record.final else "", record.question.answers))


def _opening_order(record: RunRecord) -> tuple[bool, float]:
    middle = (len(record.documents) - 1) / 2
    off = min((abs(place - middle) for place in record.question.gold), default=middle)
    return not _right(record), off


def _reading_order(record: RunRecord) -> tuple[bool, bool, int]:
    gold, cites = record.question.gold_pages, record.citations or ()
    cited = any(citation.verified and citation.boxes and citation.page in gold for citation in cites)
    return not _right(record), not cited, -len(record.pages or ())
