"""One request carried out: steps of its pipeline to events and records in the store."""

from __future__ import annotations

import sys
import time
import traceback
from collections.abc import Callable, Iterator

from core.backend.queued import CANCELLED
from core.ingest.questions import InputError
from core.models.profile import Models
from core.models.protocol import Cancelled, ModelError, Stop
from core.records import AnyResult, Event, RecordError, Request, Step
from core.runs import NoSuchRun, RunStore, StorageError
from core.systems import SYSTEMS


class Pace:
    """How long runs take, learnt from the earlier ones of the same system."""

    def __init__(self) -> None:
        self._seconds_per_char: dict[str, float] = {}

    def expected(self, request: Request) -> float | None:
        """Seconds that the whole run should take; None before the first run of its system.

        None of a PDF as well: how many pages there are to read, and how many were read before, is known by the run.
        """
        pace = self._seconds_per_char.get(_kind(request))
        return None if pace is None or request.pdf is not None else pace * _chars(request)

    def learn(self, request: Request, seconds: float) -> None:
        """Takes a finished run into account; newer runs count more."""
        measured = seconds / _chars(request)
        kind = _kind(request)
        self._seconds_per_char[kind] = (self._seconds_per_char.get(kind, measured) + measured) / 2

    def left(self, request: Request, fraction: float, elapsed: float) -> float | None:
        """Seconds that remain: earlier runs say it at the start, this run's own pace towards the end."""
        expected = self.expected(request)
        if expected is None:
            return elapsed / fraction * (1 - fraction) if fraction >= 0.05 else None
        return (1 - fraction) * (expected * (1 - fraction) + elapsed)


def _kind(request: Request) -> str:
    return " ".join((request.system, *request.systems))


def _chars(request: Request) -> int:
    chars = sum(len(document.text) + len(document.title) for document in request.documents) + 1
    if request.system != "sweep":
        return chars
    places = len(request.sweep.places) or len(request.documents)
    return chars * places * (2 if request.sweep.dummy else 1)


def run_stored(store: RunStore, run_id: str, models: Models, stop: Stop, pace: Pace) -> Event:
    """``run_job`` of a request that the store holds; one that cannot be read ends the run with an error."""
    try:
        request = store.request(run_id)
    except (RecordError, StorageError, NoSuchRun) as error:
        return _written(store, run_id, Event(kind="error", message=str(error)))
    return run_job(store, run_id, request, models, stop, pace)


def run_job(
    store: RunStore,
    run_id: str,
    request: Request,
    models: Models,
    stop: Stop,
    pace: Pace | None = None,
    notify: Callable[[Event], object] = lambda event: None,
) -> Event:
    """Carries a request out and returns its final event, which is also in the store unless that failed.

    Args:
        store: where events, partial records and the result are written.
        run_id: the run, made by ``store.create``.
        request: what is asked.
        models: the models to ask.
        stop: raises Cancelled when the run is to stop.
        pace: what earlier runs took; this run is added when it finishes.
        notify: called with every event, the final one included.
    """
    end = Event(kind="error")
    for end in job_events(store, run_id, request, models, stop, pace):
        notify(end)
    return end


def job_events(
    store: RunStore, run_id: str, request: Request, models: Models, stop: Stop, pace: Pace | None = None
) -> Iterator[Event]:
    """The events of ``run_job`` as they happen; the last one is final, whatever goes wrong."""
    started = time.monotonic()
    try:
        yield from _steps(store, run_id, request, models, stop, pace or Pace())
        end = Event(kind="done", fraction=1.0, seconds_left=0.0, message=f"Done in {time.monotonic() - started:.1f} s.")
    except Cancelled:
        end = CANCELLED
    except Exception as error:
        end = Event(kind="error", message=told(error, run_id))
    yield _written(store, run_id, end)


def told(error: Exception, run_id: str) -> str:
    """What went wrong, for the person; what nobody foresaw goes to the log as well."""
    if isinstance(error, ModelError | InputError | StorageError | NoSuchRun):
        return str(error)
    if isinstance(error, MemoryError):
        return "There was not enough memory. Try fewer or shorter documents."
    print(f"Run {run_id} failed:", file=sys.stderr)
    traceback.print_exception(error)
    return (
        f"Something went wrong inside W-Lens ({type(error).__name__}). Ask again; if it happens again, "
        f"report it with the run id {run_id}: the log says more."
    )


def _steps(store: RunStore, run_id: str, request: Request, models: Models, stop: Stop, pace: Pace) -> Iterator[Event]:
    system = SYSTEMS.get(request.system)
    if system is None:
        raise ModelError(f"There is no system {request.system!r}; choose one of {', '.join(SYSTEMS)}.")
    started = time.monotonic()
    record: AnyResult | None = None
    for step in system.load()(request, models, run_id, stop):
        if step.record is not None:
            record = step.record
            store.write_partial(run_id, record)
        left = pace.left(request, step.fraction, time.monotonic() - started)
        yield store.append(run_id, _event(step, left))
        stop()
    if record is None:
        raise RuntimeError(f"the pipeline of {request.system} ended without a record")
    store.write_result(run_id, record)
    pace.learn(request, time.monotonic() - started)


def _event(step: Step, left: float | None) -> Event:
    return Event(
        kind="stage" if step.record is None else "record",
        stage=step.stage,
        fraction=step.fraction,
        seconds_left=left,
        message=step.message,
    )


def _written(store: RunStore, run_id: str, end: Event) -> Event:
    """The final event as the store has it; where it cannot be written, one without a number."""
    try:
        return store.append(run_id, end)
    except (StorageError, NoSuchRun) as error:
        return Event(kind="error", message=str(error)) if end.kind == "done" else end
