"""Waiting for what a back end does by itself."""

from __future__ import annotations

import time
from collections.abc import Callable

from core.backend.protocol import Backend
from core.records import Event


def until(met: Callable[[], object], seconds: float = 20.0, what: str = "it") -> float:
    """Waits until ``met()`` is true; returns the seconds that it took, fails after ``seconds``."""
    start = time.monotonic()
    while not met():
        assert time.monotonic() - start < seconds, f"{what} did not happen within {seconds} s"
        time.sleep(0.01)
    return time.monotonic() - start


def end_of(backend: Backend, run_id: str, seconds: float = 20.0) -> Event:
    """The run's final event."""
    until(lambda: _final(backend, run_id), seconds, f"the end of {run_id}")
    event = _final(backend, run_id)
    assert event
    return event


def _final(backend: Backend, run_id: str) -> Event | None:
    return next((event for event in backend.events(run_id) if event.final), None)


def running(backend: Backend, run_id: str, seconds: float = 20.0) -> None:
    """Waits until the run has shown a first stage."""
    until(lambda: any(event.kind in ("stage", "record") for event in backend.events(run_id)), seconds)
