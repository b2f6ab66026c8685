"""Run records on disk: a folder per run, every file written whole and renamed.

``<root>/<run id>/`` holds ``summary.json``, ``request.json``, ``events/000001.json`` …, ``partial.json`` and,
at the end, ``result.json``. Several processes may share one root: an event's number is claimed by the file
system, and nothing is ever rewritten by two of them.
"""

from __future__ import annotations

import errno
import os
import re
import secrets
import shutil
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

import psutil
from pydantic import ValidationError

from core.files import write_new, write_whole
from core.records import AnyResult, Event, EventKind, Record, RecordError, Request, open_result
from core.settings.limits import LIMITS

_RUN_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_REFUSED = (errno.EACCES, errno.EPERM, errno.EROFS)

AnyRecord = TypeVar("AnyRecord", bound=Record)


class NoSuchRun(LookupError):
    """No run has this id in this folder."""


class StorageError(RuntimeError):
    """The run folder cannot be used. The message is for the person: which folder, why, what to do."""


class Owner(Record):
    """The process that carries a run out."""

    host: str
    pid: int
    started: float
    """When that process started, in seconds since the epoch: a number is used again, the pair is not."""

    @classmethod
    def this_process(cls) -> Owner:
        """The process that runs this line."""
        return cls(host=socket.gethostname(), pid=os.getpid(), started=psutil.Process().create_time())

    def alive(self) -> bool:
        """Whether that process still runs; assumed of one on another machine."""
        if self.host != socket.gethostname():
            return True
        try:
            return abs(psutil.Process(self.pid).create_time() - self.started) < 1
        except psutil.Error:
            return False


class Summary(Record):
    """What a list of runs shows about one; written once, small."""

    run_id: str
    created: str
    """UTC, ISO 8601."""
    system: str
    question: str
    """The beginning of the question."""
    documents: int
    """How many there are."""
    owner: Owner
    visitor: str = ""
    """Who asked, as a hash of what their browser alone knows; empty where that is not known."""


class RecentRun(Record):
    """One line of the list of runs."""

    summary: Summary
    state: EventKind
    """Kind of the newest event."""
    message: str
    """Message of the newest event."""


class RunStore:
    """The run records under one folder. Safe from several threads and processes."""

    def __init__(self, root: Path) -> None:
        self.root = root.expanduser().absolute()
        self._owner = Owner.this_process()

    def create(self, request: Request, visitor: str = "") -> str:
        """Writes the request under a new, unguessable id and returns the id; ``visitor`` goes into its summary.

        Raises:
            StorageError: the folder cannot be written.
        """
        run_id = secrets.token_urlsafe(16)
        folder = self.root / run_id
        summary = Summary(
            run_id=run_id,
            created=datetime.now(UTC).isoformat(timespec="seconds"),
            system=request.system,
            question=request.question.text[:200],
            documents=len(request.documents),
            owner=self._owner,
            visitor=visitor,
        )
        try:
            with self._explained():
                (folder / "events").mkdir(parents=True)
            self._write(folder / "request.json", _dump(request))
            self._write(folder / "summary.json", _dump(summary))
        except StorageError:
            shutil.rmtree(folder, ignore_errors=True)  # no one learns the id of half a run
            raise
        return run_id

    def append(self, run_id: str, event: Event) -> Event:
        """Adds an event and returns it with its number and time; after a final one, returns that instead.

        Raises:
            NoSuchRun, StorageError.
        """
        folder = self._folder(run_id) / "events"
        while True:
            numbers = _numbers(folder)
            last = self._event(folder, numbers[-1]) if numbers else None
            if last and last.final:
                return last
            seq = numbers[-1] + 1 if numbers else 1
            numbered = event.model_copy(update={"seq": seq, "time": time.time()})
            with self._explained():
                if write_new(folder / f"{seq:06d}.json", _dump(numbered)):
                    return numbered

    def events(self, run_id: str, after: int = 0) -> list[Event]:
        """The events with ``seq`` > ``after``, in order; a file that cannot be read is passed over.

        Raises:
            NoSuchRun.
        """
        folder = self._folder(run_id) / "events"
        found = (self._event(folder, number) for number in _numbers(folder) if number > after)
        return [event for event in found if event]

    def last_event(self, run_id: str) -> Event | None:
        """The newest event that can be read. Raises NoSuchRun."""
        folder = self._folder(run_id) / "events"
        found = (self._event(folder, number) for number in reversed(_numbers(folder)))
        return next((event for event in found if event), None)

    def write_partial(self, run_id: str, record: AnyResult) -> None:
        """Puts the record as far as it has come in place of the one before. Raises NoSuchRun, StorageError."""
        self._write(self._folder(run_id) / "partial.json", record.to_json().encode())

    def write_result(self, run_id: str, record: AnyResult) -> None:
        """Writes the finished record. Raises NoSuchRun, StorageError."""
        self._write(self._folder(run_id) / "result.json", record.to_json().encode())

    def partial(self, run_id: str) -> AnyResult | None:
        """The record as far as it has come, the finished one included; None where there is none.

        Raises:
            NoSuchRun, StorageError.
            RecordError: the file is damaged or of another version.
        """
        return self.result(run_id) or self._record(run_id, "partial.json")

    def result(self, run_id: str) -> AnyResult | None:
        """The finished record, or None. Raises as ``partial`` does."""
        return self._record(run_id, "result.json")

    def request(self, run_id: str) -> Request:
        """What was asked.

        Raises:
            NoSuchRun, StorageError.
            RecordError: the request is missing, damaged or of another version.
        """
        request = self._load(self._folder(run_id) / "request.json", Request)
        if request is None:
            raise RecordError("The request of this run is missing, damaged or of another version: ask again.")
        return request

    def summary(self, run_id: str) -> Summary | None:
        """The run's line in a list; None where it is missing or damaged. Raises NoSuchRun, StorageError."""
        return self._load(self._folder(run_id) / "summary.json", Summary)

    def remove(self, run_id: str) -> None:
        """Deletes all that is known about a run. Raises NoSuchRun."""
        shutil.rmtree(self._folder(run_id), ignore_errors=True)

    def recent(self, visitor: str, limit: int = 20) -> list[RecentRun]:
        """The visitor's newest runs, newest first; what cannot be read is left out.

        One look at each folder's summary tells its age; only as many as are needed are opened.
        """
        dated: list[tuple[int, str]] = []
        with suppress(OSError), os.scandir(self.root) as entries:
            for entry in entries:
                with suppress(OSError):
                    dated.append((os.stat(os.path.join(entry.path, "summary.json")).st_mtime_ns, entry.name))
        lines: list[RecentRun] = []
        for _, name in sorted(dated, reverse=True):
            if len(lines) >= limit:
                break
            with suppress(NoSuchRun, StorageError):
                summary, last = self.summary(name), self.last_event(name)
                if summary and summary.run_id == name and summary.visitor == visitor and last:
                    lines.append(RecentRun(summary=summary, state=last.kind, message=last.message))
        return lines

    def _folder(self, run_id: str) -> Path:
        if not isinstance(run_id, str) or not _RUN_ID.fullmatch(run_id) or not (self.root / run_id).is_dir():
            raise NoSuchRun("No run has this address. It may have been deleted, or the address was cut short.")
        return self.root / run_id

    def _event(self, folder: Path, number: int) -> Event | None:
        with suppress(StorageError):
            return self._load(folder / f"{number:06d}.json", Event)
        return None

    def _record(self, run_id: str, name: str) -> AnyResult | None:
        data = self._read(self._folder(run_id) / name)
        return None if data is None else open_result(data)

    def _load(self, path: Path, kind: type[AnyRecord]) -> AnyRecord | None:
        data = self._read(path)
        try:
            return None if data is None else kind.model_validate_json(data)
        except ValidationError:
            return None

    def _read(self, path: Path) -> bytes | None:
        with self._explained():
            try:
                if path.stat().st_size > LIMITS.record_bytes:
                    raise RecordError(f"{path.name} of this run is larger than {LIMITS.record_bytes // 2**20} MiB.")
                return path.read_bytes()
            except FileNotFoundError:
                return None

    def _write(self, path: Path, data: bytes) -> None:
        with self._explained():
            write_whole(path, data)

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise StorageError(self._explain(error)) from error

    def _explain(self, error: OSError) -> str:
        advice = "Set W_LENS_RUNS to a folder that can be written, and start the app again."
        if error.errno in _FULL:
            return f"The disk is full: nothing can be written to {self.root}. Free some space there, then ask again."
        if error.errno in _REFUSED:
            return f"The run folder {self.root} is read-only or belongs to someone else. {advice}"
        return f"The run folder {self.root} cannot be used ({error.strerror or error}). {advice}"


def _dump(record: Record) -> bytes:
    return record.model_dump_json(by_alias=True, exclude_none=True).encode()


def _numbers(folder: Path) -> list[int]:
    with suppress(OSError):
        return sorted(int(name[:-5]) for name in os.listdir(folder) if name[:-5].isdecimal() and name.endswith(".json"))
    return []
