"""Question sets that run in the background, through the back end: what the page may ask. Imports no model library."""

from __future__ import annotations

import secrets
import shutil
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from core.backend.protocol import Backend, NotYours
from core.evaluation import pace, set_input, set_status
from core.evaluation.backend_engine import BackendEngine
from core.evaluation.engines import Control, known_systems
from core.evaluation.progress import Progress
from core.evaluation.record import Mapping, SetSummary
from core.evaluation.runner import SetRun
from core.evaluation.set_status import Kept, SetPlan, SetState, SetStatus, UnknownSet, grown
from core.evaluation.store import SetStore
from core.ingest.lines import InputError
from core.runs import RunStore, StorageError

__all__ = ["SetPlan", "SetService", "SetState", "SetStatus", "UnknownSet"]


@dataclass
class _Active:
    """A set that runs in this process."""

    control: Control
    thread: threading.Thread


class SetService:
    """Question sets under one folder: ``<root>/sets/<set id>/`` holds the input, the results and the records.

    Every call returns at once but ``look`` and ``start``, which read the file; safe from several threads.

    Args:
        backend: answers the questions, in turns with those that people ask one by one.
        store: where the back end keeps its runs; sets lie below its folder.
        cache: folder of the page store.
    """

    def __init__(self, backend: Backend, store: RunStore, cache: Path) -> None:
        self._backend = backend
        self._store = store
        self._cache = cache
        self._root = store.root / "sets"
        self._lock = threading.Lock()
        self._active: dict[str, _Active] = {}
        self._closing = False

    def look(self, questions: Path, pdfs: Sequence[Path] = (), mapping: Mapping | None = None) -> SetSummary:
        """What a file holds, before anything is run.

        Raises:
            NeedsMapping: a table of no known format; it carries the columns and a guess.
            InputError: the file cannot be used; the message says why.
        """
        found = set_input.given(questions, pdfs, mapping)
        try:
            return found.summary()
        finally:
            found.close()

    def estimate(self, summary: SetSummary, systems: Sequence[str], owner: str = "") -> float | None:
        """Seconds for the whole set, from the owner's recent runs; None where a system has not run yet."""
        return summary.seconds(pace.from_runs(self._store, summary, owner), tuple(systems))

    def start(self, plan: SetPlan, questions: Path, pdfs: Sequence[Path] = ()) -> str:
        """Copies the input, starts the run and returns its id (unguessable). Raises as ``look`` does, StorageError."""
        try:
            known_systems(plan.systems)
        except ValueError as error:
            raise InputError(str(error)) from None
        summary = self.look(questions, pdfs, plan.mapping)
        if not summary.questions:
            raise InputError("No question of this set can be asked.")
        set_id = secrets.token_urlsafe(16)
        status = SetStatus(
            set_id=set_id,
            name=plan.name,
            created=datetime.now(UTC).isoformat(timespec="seconds"),
            state="running",
            message="Starting.",
            format=summary.format,
            systems=plan.systems,
            profile=self._backend.status().profile,
            total=min(summary.questions, plan.limit or summary.questions) * len(plan.systems),
        )
        folder = self._root / set_id
        try:
            folder.mkdir(parents=True)
            set_input.keep(folder, questions, pdfs)
            set_status.write(self._root, status, plan)
        except OSError as error:
            shutil.rmtree(folder, ignore_errors=True)
            raise StorageError(f"The set cannot be kept in {self._root}: {error.strerror or error}.") from error
        self._begin(set_id, status, plan)
        return set_id

    def pause(self, set_id: str, owner: str = "") -> None:
        """No further question is started; those that run are finished. Raises UnknownSet, NotYours."""
        self._own(set_id, owner)
        with self._lock:
            if active := self._active.get(set_id):
                active.control.pause()

    def resume(self, set_id: str, owner: str = "", retry_errors: bool = False) -> None:
        """Goes on after a pause, a stop or the end of the app; what ended in an error is asked again on request.

        Raises:
            UnknownSet, NotYours.
            StorageError: the results cannot be written.
        """
        kept = self._own(set_id, owner)
        with self._lock:
            active = self._active.get(set_id)
            if active and not active.control.stopped:
                active.control.resume()
                return
        if active:
            active.thread.join()
        if retry_errors:
            SetStore(self._root / set_id).drop_errors()
        status = kept.status.model_copy(update={"state": "running", "message": "Starting again."})
        self._keep(status, kept.plan)
        self._begin(set_id, status, kept.plan)

    def stop(self, set_id: str, owner: str = "") -> None:
        """Ends the run; the questions that run are given up, what is done is kept. Raises UnknownSet, NotYours."""
        self._own(set_id, owner)
        with self._lock:
            if active := self._active.get(set_id):
                active.control.stop()

    def delete(self, set_id: str, owner: str = "") -> None:
        """Stops the run and deletes input, results and labels. Raises UnknownSet, NotYours."""
        self.stop(set_id, owner)
        if active := self._active.get(set_id):
            active.thread.join(timeout=5)
        shutil.rmtree(self._root / set_id, ignore_errors=True)

    def status(self, set_id: str) -> SetStatus:
        """How far it has come. Raises UnknownSet."""
        kept = set_status.read(self._root, set_id)
        status = kept.status
        active = self._active.get(set_id)
        if active and status.state == "running" and active.control.paused:
            message = "Paused. The questions that were running are finished first."
            return status.model_copy(update={"state": "paused", "message": message, "seconds_left": None})
        if not active and status.state == "running" and not kept.elsewhere:
            return set_status.interrupted(status)
        return status

    def list(self, owner: str = "", limit: int = 50) -> list[SetStatus]:
        """The owner's sets, newest first; what cannot be read is left out."""
        found: list[SetStatus] = []
        with suppress(OSError):
            for path in self._root.iterdir():
                with suppress(UnknownSet):
                    if set_status.read(self._root, path.name).plan.owner == owner:
                        found.append(self.status(path.name))
        return sorted(found, key=lambda status: status.created, reverse=True)[:limit]

    def folder(self, set_id: str) -> Path:
        """Where its results lie: ``results.jsonl`` and the files that its rows name. Raises UnknownSet."""
        set_status.read(self._root, set_id)
        return self._root / set_id

    def close(self) -> None:
        """Stops what runs; it can be resumed later."""
        with self._lock:
            self._closing = True
            active = [*self._active.values()]
        for one in active:
            one.control.stop()
        for one in active:
            one.thread.join(timeout=5)

    def _begin(self, set_id: str, status: SetStatus, plan: SetPlan) -> None:
        control = Control()
        thread = threading.Thread(target=self._work, args=(control, status, plan), name="question set", daemon=True)
        with self._lock:
            self._active[set_id] = _Active(control, thread)
        thread.start()

    def _work(self, control: Control, status: SetStatus, plan: SetPlan) -> None:
        """One stretch of running, from start to end, in a thread of its own."""
        latest = status

        def note(progress: Progress) -> None:
            nonlocal latest
            latest = grown(status, progress).model_copy(update={"message": "Running."})
            self._keep(latest, plan)

        try:
            progress = self._run(control, status, plan, note)
            done = progress.done >= progress.total
            state: SetState = "finished" if done else "running" if self._closing else "stopped"
            message = set_status.finished(progress) if done else "Stopped. What is done is kept: go on where it was."
        except Exception as error:
            state, message = "failed", set_status.told(error)
        end = latest.model_copy(update={"state": state, "message": message, "per_minute": None, "seconds_left": None})
        with suppress(StorageError):  # the set may have been deleted
            self._keep(end, plan)
        with self._lock:
            del self._active[status.set_id]

    def _run(self, control: Control, status: SetStatus, plan: SetPlan, note: Callable[[Progress], None]) -> Progress:
        folder = self._root / status.set_id
        questions = set_input.kept(folder, plan.name, plan.mapping)
        try:
            return SetRun(
                questions,
                SetStore(folder),
                BackendEngine(self._backend, self._store, f"set-{plan.owner or status.set_id}"),
                status.profile,
                plan.systems,
                pages=self._cache,
                settings=plan.settings,
                mapping=plan.mapping,
                limit=plan.limit,
                control=control,
                notify=note,
            ).go()
        finally:
            questions.close()

    def _own(self, set_id: str, owner: str) -> Kept:
        """Raises UnknownSet, NotYours."""
        kept = set_status.read(self._root, set_id)
        if kept.plan.owner not in ("", owner):
            raise NotYours("This set was started by somebody else: you may look at it, and not stop it.")
        return kept

    def _keep(self, status: SetStatus, plan: SetPlan) -> None:
        try:
            set_status.write(self._root, status, plan)
        except OSError as error:
            raise StorageError(f"The set cannot be kept in {self._root}: {error.strerror or error}.") from error
