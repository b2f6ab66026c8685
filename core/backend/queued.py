"""What every back end shares: the queue, and reading a run's events and records from the store."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Literal

from core.backend.protocol import BackendError, BackendStatus, NotYours, QueueFull, RunFailed, UnknownRun
from core.backend.turns import place_of
from core.ingest.questions import InputError, checked
from core.records import AnyResult, Event, RecordError, Request
from core.runs import NoSuchRun, RunStore, StorageError
from core.settings.limits import LIMITS

CANCELLED = Event(kind="cancelled", message="Stopped, as you asked. What was done so far is kept.")
CLOSED = Event(kind="error", message="The app was closed while this run was going on. Ask again.")


class QueuedBackend:
    """One run at a time, in turns between owners, within a turn first come, first served.

    A subclass carries the runs out. ``_changed`` guards every field below it and is notified of each change.
    """

    def __init__(self, store: RunStore, profile: str) -> None:
        self._store = store
        self._profile = profile
        self._changed = threading.Condition()
        self._waiting: deque[str] = deque()
        self._owners: dict[str, str] = {}  # of those that wait or run
        self._arriving = 0  # being written by ``submit``, not in the queue yet
        self._running: str | None = None
        self._started = 0.0
        self._cancelled: str | None = None
        self._mean_seconds: float | None = None
        self._unsaved: dict[str, Event] = {}  # final events that the disk did not take
        self._state: Literal["starting", "ready", "restarting", "failed"] = "starting"
        self._message = ""
        self._closed = False

    def submit(self, request: Request, owner: str = "") -> str:
        """See ``Backend.submit``; also raises BackendError for a request that cannot be run."""
        place = self._reserve(owner)
        try:
            with _for_the_person():
                run_id = self._store.create(checked(request), owner)
                self._store.append(run_id, self._queued(place))
        except BaseException:
            with self._changed:
                self._arriving -= 1
            raise
        with self._changed:
            self._arriving -= 1
            refused = self._refusal()
            if refused is None:
                last = self._enqueue(run_id, owner)
                self._changed.notify_all()
        if refused:
            self._end(run_id, Event(kind="error", message=refused))
        elif not last:
            self._announce()
        return run_id

    def _enqueue(self, run_id: str, owner: str) -> bool:
        """Puts the run where its owner's turn is; whether it stands last."""
        running = self._owners[self._running] if self._running else None
        place = place_of(owner, [self._owners[waiting] for waiting in self._waiting], running)
        self._owners[run_id] = owner or run_id
        self._waiting.insert(place, run_id)
        return place == len(self._waiting) - 1

    def events(self, run_id: str, after: int = 0) -> list[Event]:
        """See ``Backend.events``."""
        with _for_the_person():
            found = self._store.events(run_id, after)
            if not found:
                self._end_orphan(run_id)
                found = self._store.events(run_id, after)
        unsaved = self._unsaved.get(run_id)
        if unsaved and unsaved.seq > after and not any(event.final for event in found):
            found.append(unsaved)
        return found

    def partial(self, run_id: str) -> AnyResult | None:
        """See ``Backend.partial``."""
        with _for_the_person(), suppress(RecordError):
            return self._store.partial(run_id)
        return None

    def result(self, run_id: str) -> AnyResult | None:
        """See ``Backend.result``."""
        with _for_the_person():
            before = self._last(run_id)  # the record is written before the event, so a run may end between two looks
            record = self._store.result(run_id)
            if record:
                return record
            self._end_orphan(run_id)
            last = self._last(run_id)
        if before and before.kind == "done":
            raise RunFailed("This run finished, but its record has been deleted. Ask again.")
        if last and last.final and last.kind != "done":
            raise RunFailed(last.message)
        return None

    def _last(self, run_id: str) -> Event | None:
        return self._unsaved.get(run_id) or self._store.last_event(run_id)

    def cancel(self, run_id: str, owner: str = "") -> None:
        """See ``Backend.cancel``; a run that is over stays as it is. Raises UnknownRun, NotYours."""
        with _for_the_person():
            summary = self._store.summary(run_id)
        if summary and summary.visitor not in ("", owner):
            raise NotYours("This run was started by somebody else: you may look at it, and not stop it.")
        with self._changed:
            waiting = run_id in self._waiting
            if waiting:
                self._waiting.remove(run_id)
                del self._owners[run_id]
            elif run_id == self._running and self._cancelled != run_id:
                self._cancelled = run_id
                self._cancel_running(run_id)
            self._changed.notify_all()
        if waiting:
            self._end(run_id, CANCELLED)
            self._announce()

    def status(self) -> BackendStatus:
        """See ``Backend.status``."""
        with self._changed:
            busy = self._state == "ready" and self._running is not None
            waiting = len(self._waiting) + self._arriving
            return BackendStatus("busy" if busy else self._state, self._profile, waiting, self._message)

    def close(self) -> None:
        """Stops the worker; what runs or waits ends with an error. A second call does nothing."""
        with self._changed:
            if self._closed:
                return
            self._closed = True
            ended = [*self._waiting]
            self._waiting.clear()
            self._changed.notify_all()
        for run_id in ended:
            self._end(run_id, CLOSED)

    def _cancel_running(self, run_id: str) -> None:
        """Tells the worker; called once per run, under the lock."""

    def _take(self) -> str | None:
        """The next run, now running; None where none waits."""
        with self._changed:
            if self._running or not self._waiting or self._closed:
                return None
            self._running, self._started = self._waiting.popleft(), time.monotonic()
            run_id = self._running
        self._announce()
        return run_id

    def _finish(self, end: Event) -> None:
        """The running one is over; keeps a final event that the store did not take."""
        with self._changed:
            run_id, self._running, self._cancelled = self._running, None, None
            self._owners.pop(run_id or "", None)
            seconds = time.monotonic() - self._started
            if end.kind == "done":
                self._mean_seconds = (seconds + (self._mean_seconds or seconds)) / 2
            self._changed.notify_all()
        if run_id:
            self._end(run_id, end)

    def _fail(self, reason: str) -> None:
        """No run can be carried out any more; those that wait end with the reason."""
        with self._changed:
            self._state, self._message = "failed", reason
            ended = [*self._waiting]
            self._waiting.clear()
            self._changed.notify_all()
        for run_id in ended:
            self._end(run_id, Event(kind="error", message=reason))

    def _end(self, run_id: str, end: Event) -> None:
        try:
            if end.seq == 0:
                end = self._store.append(run_id, end)
        except (StorageError, NoSuchRun) as error:
            why = "" if str(error) in end.message else f" ({error})"
            end = end.model_copy(update={"time": time.time(), "message": end.message + why})
        if end.seq == 0:
            with suppress(NoSuchRun):
                last = self._store.last_event(run_id)
                self._unsaved[run_id] = end.model_copy(update={"seq": last.seq + 1 if last else 1})

    def _reserve(self, owner: str) -> int:
        """Keeps a place in the queue and returns it; 0 for one that starts at once."""
        with self._changed:
            refused = self._refusal()
            if refused:
                raise BackendError(refused)
            waiting = len(self._waiting) + self._arriving
            if waiting >= LIMITS.queue:
                wait = f", about {_minutes(self._mean_seconds * waiting)}" if self._mean_seconds else ""
                raise QueueFull(f"The queue is full: {waiting} requests are waiting{wait}. Ask again a little later.")
            own = sum(self._owners[run_id] == owner for run_id in self._waiting) if owner else 0
            if own >= LIMITS.queue_each:
                raise QueueFull(f"{own} requests of yours are waiting already. Ask again when one of them is done.")
            self._arriving += 1
            return waiting + (self._running is not None)

    def _refusal(self) -> str | None:
        return CLOSED.message if self._closed else self._message if self._state == "failed" else None

    def _announce(self) -> None:
        """Tells those that wait their new place."""
        with self._changed:
            ahead = int(self._running is not None)
            waiting = list(enumerate(self._waiting, start=ahead))
        for place, run_id in waiting:
            with suppress(StorageError, NoSuchRun):
                self._store.append(run_id, self._queued(place))

    def _queued(self, place: int) -> Event:
        left = place * self._mean_seconds if self._mean_seconds else None
        if place:
            message = f"Waiting: place {place} in the queue" + (f", about {_minutes(left)}." if left else ".")
        else:
            message = "Waiting for the models to be ready." if self._state != "ready" else "Starting."
        return Event(kind="queued", seconds_left=left, message=message)

    def _end_orphan(self, run_id: str) -> None:
        """Ends a run whose process is gone: nobody else would."""
        last, summary = self._store.last_event(run_id), self._store.summary(run_id)
        if summary and not (last and last.final) and run_id not in self._unsaved and not summary.owner.alive():
            self._end(run_id, CLOSED)


@contextmanager
def _for_the_person() -> Iterator[None]:
    try:
        yield
    except NoSuchRun as error:
        raise UnknownRun(str(error)) from None
    except RecordError as error:
        raise RunFailed(str(error)) from None
    except (StorageError, InputError) as error:
        raise BackendError(str(error)) from None


def _minutes(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"
