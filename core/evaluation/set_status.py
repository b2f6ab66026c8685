"""What is known about a set that runs in the background: the plan, how far it has come, and both on disk."""

from __future__ import annotations

import re
import traceback
from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationError

from core.backend.protocol import BackendError
from core.evaluation.progress import Progress
from core.evaluation.record import Mapping, SetFormat
from core.files import write_whole
from core.ingest.lines import InputError
from core.records import Record
from core.runs import Owner, StorageError
from core.settings.methods import RunSettings

_SET_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
_STATUS_FILE = "status.json"
SetState = Literal["running", "paused", "stopped", "interrupted", "finished", "failed"]
"""``interrupted``: the app was closed in the middle; ``resume`` goes on where it was."""


class UnknownSet(LookupError):
    """No set has this id."""


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
    """Who asks; the queue is fair between owners, and only the owner may pause, resume or stop."""


class SetStatus(Record):
    """How far a set has come."""

    set_id: str
    name: str
    created: str
    """UTC, ISO 8601."""
    state: SetState
    message: str
    """One line for the person: what happens, or what went wrong and what to do."""
    format: SetFormat
    systems: tuple[str, ...]
    profile: str
    total: int
    """Answers that are asked for: questions times systems."""
    done: int = 0
    """Rows of results, errors among them."""
    errors: int = 0
    right: int = 0
    """Of those that could be marked."""
    marked: int = 0
    per_minute: float | None = None
    """Answers a minute, of this stretch of running."""
    seconds_left: float | None = None


class Kept(Record):
    """``status.json``: the status as last written, what was asked, and the process that carries it out."""

    status: SetStatus
    plan: SetPlan
    process: Owner

    @property
    def elsewhere(self) -> bool:
        """Whether another process that lives carries the set out."""
        return self.process != Owner.this_process() and self.process.alive()


def grown(status: SetStatus, progress: Progress) -> SetStatus:
    """The status with the numbers as they are now."""
    names = ("total", "done", "errors", "right", "marked", "per_minute", "seconds_left")
    return status.model_copy(update={name: getattr(progress, name) for name in names})


def interrupted(status: SetStatus) -> SetStatus:
    """The status of a set whose process is gone."""
    message = "The app was closed in the middle. What is done is kept: go on where it was."
    unknown = {"per_minute": None, "seconds_left": None}
    return status.model_copy(update={"state": "interrupted", "message": message, **unknown})


def read(root: Path, set_id: str) -> Kept:
    """What is kept about a set. Raises UnknownSet."""
    if isinstance(set_id, str) and _SET_ID.fullmatch(set_id):
        try:
            return Kept.model_validate_json((root / set_id / _STATUS_FILE).read_bytes())
        except (OSError, ValidationError):
            pass
    raise UnknownSet("No set has this address. It may have been deleted, or the address was cut short.")


def write(root: Path, status: SetStatus, plan: SetPlan) -> None:
    """Keeps it. Raises OSError."""
    kept = Kept(status=status, plan=plan, process=Owner.this_process())
    write_whole(root / status.set_id / _STATUS_FILE, kept.model_dump_json(exclude_none=True).encode())


def finished(progress: Progress) -> str:
    """The end, in words."""
    errors = f", {progress.errors} of them errors" if progress.errors else ""
    return f"Done: {progress.done:,} answers{errors}."


def told(error: Exception) -> str:
    """What ended a set, for the person; what nobody foresaw goes to the log as well."""
    if isinstance(error, InputError | StorageError | BackendError):
        return str(error)
    traceback.print_exception(error)
    return f"Something went wrong inside W-Lens ({type(error).__name__}). What is done is kept: go on where it was."
