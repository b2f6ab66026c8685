"""Answers through the back end that serves the page, in turns with the people who use it."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

from core.backend.protocol import Backend, BackendError, QueueFull, RunFailed, UnknownRun
from core.evaluation.engines import Answer, Control, Job, Outcome, Outcomes, failed, requests, taken_apart
from core.records import Event, Request
from core.runs import NoSuchRun, RunStore

_IN_FLIGHT = 2  # one that runs and one behind it, so that the worker has no gap between two
_PAUSE = 0.05  # seconds between two looks
_TRIES = 2  # of a request whose worker died under it


@dataclass
class _Part:
    """One request of a job."""

    job: Job
    request: Request
    tries: int = 0
    seq: int = 0
    """Of the last event that was seen."""


class BackendEngine:
    """Asks the back end; the runs are deleted from its store once their records are taken over.

    Args:
        backend: carries the runs out.
        store: where it keeps them.
        owner: for whom; see ``Backend.submit``.
    """

    def __init__(self, backend: Backend, store: RunStore, owner: str) -> None:
        self._backend = backend
        self._store = store
        self._owner = owner
        self._waiting: deque[_Part] = deque()
        self._flying: dict[str, _Part] = {}
        self._answers: dict[int, list[Answer]] = {}

    def run(self, jobs: Iterator[Job], control: Control) -> Outcomes:
        """See ``Engine.run``."""
        more = True
        try:
            while not control.stopped and (more or self._waiting or self._flying):
                if not control.paused:
                    more = self._start(jobs, more)
                done = [outcome for run_id in list(self._flying) for outcome in self._looked_at(run_id)]
                yield from done
                if not done and (more or self._flying or self._waiting):
                    time.sleep(_PAUSE)
        finally:
            for run_id in self._flying:
                with suppress(BackendError):
                    self._backend.cancel(run_id, owner=self._owner)

    def close(self) -> None:
        """The back end is the caller's."""

    def _start(self, jobs: Iterator[Job], more: bool) -> bool:
        """Submits as long as there is room; whether there may be further jobs."""
        while len(self._flying) < _IN_FLIGHT:
            if not self._waiting:
                job = next(jobs, None) if more else None
                if job is None:
                    return False
                self._answers[job.number] = []
                self._waiting += [_Part(job, request) for request in requests(job)]
            try:
                run_id = self._backend.submit(self._waiting[0].request, owner=self._owner)
            except QueueFull:
                return more
            part = self._waiting.popleft()
            part.tries, part.seq = part.tries + 1, 0
            self._flying[run_id] = part
        return more

    def _looked_at(self, run_id: str) -> list[Outcome]:
        """The job's outcome, where this run was the last of it. Raises BackendError where nothing runs any more."""
        part = self._flying[run_id]
        try:
            events = self._backend.events(run_id, after=part.seq)
        except UnknownRun as error:
            events = [Event(kind="error", message=str(error))]
        end = next((event for event in events if event.final), None)
        if events:
            part.seq = events[-1].seq
        if end is None:
            return []
        del self._flying[run_id]
        return self._ended(run_id, part, end)

    def _ended(self, run_id: str, part: _Part, end: Event) -> list[Outcome]:
        status = self._backend.status()
        if status.state == "failed":
            raise BackendError(status.message)
        if end.kind == "error" and status.state in ("restarting", "starting") and part.tries < _TRIES:
            self._waiting.appendleft(part)
            self._forget(run_id)
            return []
        answers = self._answers[part.job.number]
        try:
            result = self._backend.result(run_id)
            answers += taken_apart(part.request, result) if result else failed(part.request, end.message)
        except (RunFailed, UnknownRun) as error:
            answers += failed(part.request, str(error))
        self._forget(run_id)
        if len(answers) < len(part.job.systems):
            return []
        return [Outcome(number=part.job.number, answers=tuple(self._answers.pop(part.job.number)))]

    def _forget(self, run_id: str) -> None:
        with suppress(NoSuchRun):
            self._store.remove(run_id)
