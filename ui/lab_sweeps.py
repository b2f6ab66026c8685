"""Finds the sweep of a view: recorded with the page, or a run of this server, as far as it has come."""

from __future__ import annotations

import logging
from collections import OrderedDict
from pathlib import Path
from threading import Lock

from core.duquad.crowd import among, telling
from core.records import RecordError, Request, SweepOptions, SweepRecord
from core.settings.limits import LIMITS
from ui.inspect_run import KNOWN
from ui.lab_lessons import NONE, Lessons
from ui.lab_numbers import Sweep
from ui.lab_state import LabView
from ui.state import Library

_KEPT = 8  # sweeps kept open; one of 20 documents is a few megabytes

_log = logging.getLogger(__name__)


class Sweeps:
    """Reads ``sweeps/<name>.json`` of the assets folder, and the lessons in ``lengths`` and ``fixes`` beside it.

    The last few sweeps stay open.
    """

    def __init__(self, library: Library) -> None:
        self.library = library
        self._folder = library.samples.folder / "sweeps"
        self._lessons: dict[tuple[str, str], SweepRecord | None] = {}
        self._open: OrderedDict[tuple[str, int, int, int], Sweep] = OrderedDict()
        self._recorded: dict[str, SweepRecord | None] = {}
        self._lock = Lock()

    def names(self) -> dict[str, str]:
        """Recorded sweeps by name, with what they are called on the page."""
        examples = self.library.samples.examples
        found = sorted(path.stem for path in self._folder.glob("*.json"))
        return {name: examples[name].headline if name in examples else name.replace("-", " ") for name in found}

    def first(self) -> str | None:
        """The name of the sweep that the lab opens on: the first that can be opened."""
        return next((name for name in self.names() if self._record(name)), None)

    def open(self, view: LabView) -> Sweep | None:
        """The view's sweep; None before its first place is read.

        Raises:
            UnknownRun, RecordError, StorageError: as ``Library.sweep`` does.
        """
        if view.kind == "none":
            return None
        record = self._record(view.key) if view.kind == "sweep" else self.library.sweep(view.key)
        if record is None or not record.places:
            return None
        answered = sum(bool(place.answer) for place in record.places)
        key = (f"{view.kind} {view.key}", len(record.places), len(record.dummy), answered)
        with self._lock:
            sweep = self._open.pop(key, None) or Sweep(record)
            self._open[key] = sweep
            while len(self._open) > _KEPT:
                self._open.popitem(last=False)
        return sweep

    def lessons(self, view: LabView, sweep: Sweep | None) -> Lessons:
        """What was read of the two lessons about the view's question: by a run that it names, or recorded with it."""
        if sweep is None:
            return NONE
        return Lessons(self._lesson("lengths", view, view.length, sweep), self._lesson("fixes", view, view.fix, sweep))

    def _lesson(self, folder: str, view: LabView, run_id: str, sweep: Sweep) -> SweepRecord | None:
        try:
            record = self.library.sweep(run_id) if run_id else self._recorded_lesson(folder, view)
        except KNOWN as error:
            _log.warning("a lesson cannot be shown: %s", error)
            return None
        same = record is not None and record.question.text == sweep.record.question.text
        return record if same and record and getattr(record, folder) else None

    def _recorded_lesson(self, folder: str, view: LabView) -> SweepRecord | None:
        key = (folder, view.key)
        if view.kind != "sweep" or view.key not in self.names():  # never a path of someone else's making
            return None
        if key not in self._lessons:
            path = self._folder.parent / folder / f"{view.key}.json"
            self._lessons[key] = _read(path) if path.is_file() else None
        return self._lessons[key]

    def lesson_request(self, part: str, view: LabView, sweep: Sweep | None) -> Request | None:
        """What a live lesson asks: the question on the page, under the heads that count there."""
        asked = self.request(view, sweep)
        if asked is None:
            return None
        settings = asked.settings.model_copy(update={"head_set": view.heads})
        asked = asked.model_copy(update={"system": part, "settings": settings})
        if part == "fix":
            places = telling(sweep.record, view.place) if sweep else ()
            return asked.model_copy(update={"sweep": asked.sweep.model_copy(update={"places": places})})
        examples = self.library.samples.examples.values()
        foreign = [
            document for other in examples if other.question.text != asked.question.text for document in other.documents
        ]
        return among(asked, foreign)

    def request(self, view: LabView, sweep: Sweep | None) -> Request | None:
        """What a live sweep asks: the shown question and documents, else those of an example that has gold."""
        if sweep:
            record = sweep.record
            return Request(
                system="sweep",
                question=record.question,
                documents=record.documents,
                settings=record.settings,
                sweep=SweepOptions(moved=record.gold),
            )
        if view.asked:
            return view.asked
        examples = self.library.samples.examples.values()
        example = next((found for found in examples if found.question.gold), None)
        if example is None:
            return None
        return Request(system="sweep", question=example.question, documents=example.documents)

    def _record(self, name: str) -> SweepRecord | None:
        if name not in self._recorded:
            if name not in self.names():  # never a path of someone else's making
                return None
            self._recorded[name] = _read(self._folder / f"{name}.json")
        return self._recorded[name]


def _read(path: Path) -> SweepRecord | None:
    try:
        if path.stat().st_size > LIMITS.record_bytes:
            raise RecordError("it is too large")
        return SweepRecord.from_json(path.read_bytes())
    except (OSError, RecordError) as error:
        _log.warning("the recorded sweep %s cannot be opened: %s", path.name, error)
        return None
