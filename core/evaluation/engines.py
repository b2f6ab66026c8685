"""Who answers a set's questions: one interface, whether in this process, in several, or on a cluster.

Imports no model, nor what a model is.
"""

from __future__ import annotations

import threading
from collections.abc import Generator, Iterator, Sequence
from typing import Protocol

from core.records import AnyResult, CompareRecord, Record, Request, RunRecord
from core.settings.methods import MOST_COMPARED
from core.systems import SYSTEMS


class Job(Record):
    """One question and the systems that have not answered it yet."""

    number: int
    """Place of the question in its set, from 0."""
    systems: tuple[str, ...]
    request: Request
    """The question as it is asked of each of them; its own ``system`` is of no use."""


class Answer(Record):
    """What one system made of a question: a record or an error."""

    system: str
    record: RunRecord | None = None
    error: str = ""


class Outcome(Record):
    """A job that is done."""

    number: int
    answers: tuple[Answer, ...]
    """One a system, in the job's order."""


class Control:
    """Pause, resume and stop, from any thread."""

    def __init__(self) -> None:
        self._may_start = threading.Event()
        self._may_start.set()
        self._stopped = threading.Event()

    def pause(self) -> None:
        """No further question is started."""
        self._may_start.clear()

    def resume(self) -> None:
        """Questions are started again."""
        self._may_start.set()

    def stop(self) -> None:
        """The run ends; what is being answered is given up."""
        self._stopped.set()
        self._may_start.set()

    @property
    def paused(self) -> bool:
        """Whether no further question may be started."""
        return not self._may_start.is_set()

    @property
    def stopped(self) -> bool:
        """Whether the run is to end."""
        return self._stopped.is_set()

    def wait(self) -> bool:
        """Waits as long as it is paused; whether a further question may be started."""
        self._may_start.wait()
        return not self.stopped


Outcomes = Generator[Outcome, None, None]


class Engine(Protocol):
    """Answers jobs, in whatever order they are done."""

    def run(self, jobs: Iterator[Job], control: Control) -> Outcomes:
        """Takes jobs as it can use them and yields each once it is done; all of both in the caller's thread.

        Ends when the jobs do, or soon after ``control`` says stop; jobs that were going on then are not yielded. A
        failing question is an outcome with an error, never an exception.

        Raises:
            ModelError, BackendError: no question can be answered at all; the message says why.
        """
        ...

    def close(self) -> None:
        """Lets go of models and processes."""
        ...


def requests(job: Job) -> list[Request]:
    """What is asked of the systems: one by itself, several as a comparison, which shares the work between them."""
    groups = [job.systems[start : start + MOST_COMPARED] for start in range(0, len(job.systems), MOST_COMPARED)]
    return [
        job.request.model_copy(
            update={"system": group[0], "systems": ()} if len(group) == 1 else {"system": "compare", "systems": group}
        )
        for group in groups
    ]


def taken_apart(request: Request, result: AnyResult) -> list[Answer]:
    """The answers of one of ``requests``, one a system."""
    if isinstance(result, RunRecord):
        return [Answer(system=request.system, record=result)]
    if not isinstance(result, CompareRecord):
        return failed(request, f"The system {request.system!r} gives no answer that could be marked.")
    errors = {column.system: column.error for column in result.systems}
    return [
        Answer(system=name, record=record) if record else Answer(system=name, error=errors.get(name) or "No record.")
        for name, record in ((name, result.record(name)) for name in request.systems)
    ]


def failed(request: Request, error: str) -> list[Answer]:
    """The same error for each system of a request."""
    return [Answer(system=name, error=error) for name in request.systems or (request.system,)]


def run_name(number: int, system: str) -> str:
    """The run id of an answer: the same for every engine, sorted as the set is."""
    return f"{number:06d}-{system}"


def lost(job: Job, reason: str) -> Outcome:
    """A job whose answers cannot be had."""
    return Outcome(number=job.number, answers=tuple(Answer(system=name, error=reason) for name in job.systems))


def known_systems(names: Sequence[str]) -> None:
    """Raises ValueError where a name is no system that answers questions; the message lists those that do."""
    able = [system.name for system in SYSTEMS.values() if system.kind in ("documents", "pdf")]
    wrong = [name for name in names if name not in able]
    if wrong or not names or len(set(names)) < len(names):
        raise ValueError(f"Name systems, each once, with commas between: {', '.join(able)}.")
