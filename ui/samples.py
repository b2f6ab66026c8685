"""The examples that ship with the page, and the runs that were recorded of them."""

from __future__ import annotations

import logging
from functools import cached_property
from pathlib import Path

from core.ingest.examples import Example, read_examples
from core.records import RecordError, RunRecord
from core.text import contains_answer

ASSETS = Path(__file__).resolve().parent.parent / "assets"

_log = logging.getLogger(__name__)


class Samples:
    """Reads ``examples/<slug>.json`` and ``runs/<slug>.json`` of an assets folder, each once."""

    def __init__(self, folder: Path = ASSETS) -> None:
        self.folder = folder
        self._runs: dict[str, RunRecord | None] = {}

    @cached_property
    def examples(self) -> dict[str, Example]:
        """Slug → example, those with a recorded run first, else by slug."""
        found = read_examples(self.folder / "examples")
        found.sort(key=lambda example: not self._run_path(example.slug).is_file())
        return {example.slug: example for example in found}

    def recorded(self, slug: str) -> RunRecord | None:
        """The recorded run of an example; None where there is none that this version can open."""
        if slug not in self.examples:
            return None
        if slug not in self._runs:
            self._runs[slug] = self._open(slug)
        return self._runs[slug]

    def first(self) -> str | None:
        """The slug of the example that the page opens on: recorded, answered rightly, gold nearest the middle."""
        found = {slug: record for slug in self.examples if (record := self.recorded(slug))}
        return min(found, key=lambda slug: _opening_order(found[slug]), default=None)

    def _run_path(self, slug: str) -> Path:
        return self.folder / "runs" / f"{slug}.json"

    def _open(self, slug: str) -> RunRecord | None:
        path = self._run_path(slug)
        try:
            return RunRecord.from_json(path.read_bytes())
        except FileNotFoundError:
            return None
        except (OSError, RecordError) as error:
            _log.warning("the recorded run %s cannot be opened: %s", path.name, error)
            return None


def _opening_order(record: RunRecord) -> tuple[bool, float]:
    answer = record.final.answer if record.final else ""
    middle = (len(record.documents) - 1) / 2
    off = min((abs(place - middle) for place in record.question.gold), default=middle)
    return not contains_answer(answer, record.question.answers), off
