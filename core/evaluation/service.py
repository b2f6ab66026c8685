"""Question sets that run in the background, through the back end: what the page may ask. Imports no model library."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import Field

from core.evaluation.record import Mapping, SetFormat, SetSummary
from core.records import Record
from core.settings import RunSettings

SetState = Literal["running", "paused", "stopped", "interrupted", "finished", "failed"]
"""``interrupted``: the app was closed in the middle; ``resume`` goes on where it was."""


class SetPlan(Record):
    """What a person asks for."""

    name: str = Field(max_length=255)
    """Of the set, as shown; never used as a path."""
    systems: tuple[str, ...] = Field(min_length=1, max_length=20)
    settings: RunSettings = RunSettings()
    mapping: Mapping | None = None
    """Which columns are what, for a table of no known format."""
    limit: int | None = Field(None, ge=1)
    """Only the first questions; None for all."""
    owner: str = ""
    """Who asks; the queue is fair between owners."""


class SetStatus(Record):
    """How far a set has come."""

    set_id: str
    name: str
    created: str
    """UTC, ISO 8601."""
    state: SetState
    message: str
    """One line for the person: what happens, or what went wrong and what to do."""
    format: SetFormat | None
    systems: tuple[str, ...]
    profile: str
    total: int
    """Answers that are asked for: questions times systems."""
    done: int
    """Rows of results, errors among them."""
    errors: int
    right: int
    """Of those that could be marked."""
    marked: int
    per_minute: float | None
    """Answers a minute, of this stretch of running."""
    seconds_left: float | None


class SetService:
    """Question sets under one folder: ``<root>/sets/<set id>/`` holds the input, the results and the records.

    Every call returns at once but ``look`` and ``start``, which read the file once; safe from several threads.
    """

    def look(self, questions: Path, pdfs: Path | None = None, mapping: Mapping | None = None) -> SetSummary:
        """What a file holds, before anything is run.

        Raises:
            NeedsMapping: a table of no known format; it carries the columns and a guess.
            InputError: the file cannot be used; the message says why.
        """
        raise NotImplementedError

    def start(self, plan: SetPlan, questions: Path, pdfs: Path | None = None) -> str:
        """Copies the input, starts the run and returns its id (unguessable). Raises as ``look`` does, BackendError."""
        raise NotImplementedError

    def pause(self, set_id: str) -> None:
        """No further question is started; those that run are finished. Raises UnknownSet."""
        raise NotImplementedError

    def resume(self, set_id: str) -> None:
        """Goes on after a pause, a stop or the end of the app. Raises UnknownSet, InputError."""
        raise NotImplementedError

    def stop(self, set_id: str) -> None:
        """Ends the run; the questions that run are given up, what is done is kept. Raises UnknownSet."""
        raise NotImplementedError

    def status(self, set_id: str) -> SetStatus:
        """How far it has come. Raises UnknownSet."""
        raise NotImplementedError

    def list(self, limit: int = 50) -> list[SetStatus]:
        """The sets of this folder, newest first."""
        raise NotImplementedError

    def folder(self, set_id: str) -> Path:
        """Where its results lie: ``results.jsonl`` and the files that its rows name. Raises UnknownSet."""
        raise NotImplementedError

    def close(self) -> None:
        """Stops what runs; it can be resumed later."""
        raise NotImplementedError


class UnknownSet(LookupError):
    """No set has this id."""
