"""What the page and the command line may ask of a back end. Imports no model library."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from core.records import AnyResult, Event, Request


class BackendError(RuntimeError):
    """Base of what a back end says instead of a result. The message is for the person."""


class UnknownRun(BackendError):
    """No run has this id."""


class RunFailed(BackendError):
    """The run ended in an error or was cancelled; the message says why and what to do."""


class NotYours(BackendError):
    """A run was started by somebody else, and only they may stop it."""


class QueueFull(BackendError):
    """Too many requests are waiting."""


@dataclass(frozen=True)
class BackendStatus:
    """What a back end is doing, for the page's status line."""

    state: Literal["starting", "ready", "busy", "restarting", "failed"]
    profile: str
    waiting: int
    """Requests in the queue, the running one not counted."""
    message: str
    """One line for the person: device and models, or what went wrong and what to do."""


class Backend(Protocol):
    """Submit → events → result. Every call returns at once; safe from several threads."""

    def submit(self, request: Request, owner: str = "") -> str:
        """Queues the request and returns its run id (unguessable).

        Requests of one owner stand behind those of the others that have had fewer turns; without an owner, a request
        is one of its own.

        Raises:
            QueueFull: too many are waiting.
            BackendError: the run could not be written (disk full, no permission).
        """
        ...

    def events(self, run_id: str, after: int = 0) -> Sequence[Event]:
        """The events with ``seq`` > ``after``, in order. Raises UnknownRun."""
        ...

    def partial(self, run_id: str) -> AnyResult | None:
        """The record as far as it has come; None before the first signals. Raises UnknownRun."""
        ...

    def result(self, run_id: str) -> AnyResult | None:
        """The finished record, or None while it runs. Raises UnknownRun, RunFailed."""
        ...

    def cancel(self, run_id: str, owner: str = "") -> None:
        """Asks the run to stop; it ends with a ``cancelled`` event within two seconds.

        Raises:
            UnknownRun: no run has this id.
            NotYours: somebody else started it; whoever knows a run's id may look at it, and no more.
        """
        ...

    def status(self) -> BackendStatus:
        """What the back end is doing now."""
        ...

    def close(self) -> None:
        """Stops the worker."""
        ...
