"""What one visitor looks at: small, frozen, kept per session. Records are found again by name."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Literal, TypeVar

from core.backend.protocol import Backend, RunFailed
from core.evaluation.service import SetService
from core.records import AnyResult, CompareRecord, Event, RecordError, Request, RunRecord, SweepRecord
from core.runs import NoSuchRun, RunStore, StorageError
from core.settings.app import AppSettings
from ui.samples import Samples
from ui.set_library import Sets

_KEPT = 32  # finished records kept open; one of 20 documents is about 5 MB

_KINDS: dict[type[AnyResult], str] = {
    RunRecord: "This run asked one system once: open it in Inspect.",
    SweepRecord: "This run moved a document through all places: open it in the position lab.",
    CompareRecord: "This run compared several systems: open it in the tab Compare.",
}

Expected = TypeVar("Expected", RunRecord, SweepRecord, CompareRecord)


@dataclass(frozen=True, eq=False)
class View:
    """What the page shows. ``eq=False``: Gradio compares states by hash, and identity is the cheap one."""

    kind: Literal["none", "example", "run", "held"] = "none"
    """Where the record comes from: a recorded example, a run of this server, or this session alone."""
    key: str = ""
    """The example's slug or the run's id."""
    held: RunRecord | None = None
    """A record that no one else has: opened from a file, or not run yet."""
    selected: int | None = None
    """The selected document of the record, 0-based."""
    dark: bool = False

    @property
    def address(self) -> dict[str, str]:
        """What stands in the page's address: one of ``run`` and ``example``, and ``doc`` (1-based)."""
        if self.kind not in ("run", "example"):
            return {}
        doc = {} if self.selected is None else {"doc": str(self.selected + 1)}
        return {str(self.kind): self.key} | doc


@dataclass(frozen=True, eq=False)
class Follow:
    """The run that the page waits for; apart from the view, since the clock changes this and clicks that."""

    run_id: str = ""
    """Empty when nothing is going on."""
    last: Event | None = None
    """The newest event that was drawn."""


class Library:
    """Finds the record of a view. Finished records do not change, so the last few stay open."""

    def __init__(self, samples: Samples, backend: Backend, store: RunStore, cache: Path | None = None) -> None:
        self.samples = samples
        self.backend = backend
        self.sets = Sets(SetService(backend, store, cache or AppSettings().cache), samples.folder / "sets", store.root)
        """Question sets: one service and one store of open tables for all tabs."""
        self._store = store
        self._finished: OrderedDict[str, AnyResult] = OrderedDict()
        self._lock = Lock()

    def record(self, view: View) -> RunRecord | None:
        """The view's record, as far as it has come. Raises as ``run`` does."""
        if view.kind == "example":
            return self.samples.recorded(view.key) or view.held
        if view.kind == "run":
            return self.run(view.key) or view.held
        return view.held

    def run(self, run_id: str) -> RunRecord | None:
        """A run's record: finished, or as far as it came.

        Raises:
            UnknownRun: no run has this id.
            RecordError, StorageError: its file cannot be opened, or it is of another kind.
        """
        return _expected(self._result(run_id), RunRecord)

    def sweep(self, run_id: str) -> SweepRecord | None:
        """A sweep's record: finished, or as far as it came. Raises as ``run`` does for a run that is no sweep."""
        return _expected(self._result(run_id), SweepRecord)

    def comparison(self, run_id: str) -> CompareRecord | None:
        """A comparison's record: finished, or as far as it came. Raises as ``run`` does for one that is none."""
        return _expected(self._result(run_id), CompareRecord)

    def _result(self, run_id: str) -> AnyResult | None:
        with self._lock:
            if run_id in self._finished:
                self._finished.move_to_end(run_id)
                return self._finished[run_id]
        try:
            record = self.backend.result(run_id)
        except RunFailed:  # what was found before it failed still stands
            record = None
        if record is None:
            return self.backend.partial(run_id)
        with self._lock:
            self._finished[run_id] = record
            while len(self._finished) > _KEPT:
                self._finished.popitem(last=False)
        return record

    def request(self, run_id: str) -> Request | None:
        """What was asked in a run; None where that cannot be read any more."""
        try:
            return self._store.request(run_id)
        except (NoSuchRun, StorageError, RecordError):
            return None


def _expected(found: AnyResult | None, kind: type[Expected]) -> Expected | None:
    if found is None or isinstance(found, kind):
        return found
    raise RecordError(_KINDS[type(found)])
