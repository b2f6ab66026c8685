"""A set's results on disk: whole lines, whole files, each answer once, whatever ends the process.

``<folder>/manifest.json`` says what was asked; ``records/<number>-<system>.json`` is a full run record;
``results.jsonl`` has a line an answer, ``numbers.jsonl`` the numbers that the analyses need. Lines are appended as
answers come and put in the order of the set at the end, so that results do not depend on who computed them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, TypeVar

from pydantic import Field, ValidationError

from core.evaluation.engines import run_name
from core.evaluation.numbers import NUMBERS_FILE, Numbers
from core.evaluation.record import EVAL_SCHEMA, Mapping, ResultRow, SetFormat
from core.files import write_whole
from core.ingest.lines import InputError
from core.records import Record
from core.runs import StorageError
from core.settings.methods import RunSettings

RESULTS_FILE = "results.jsonl"
RECORDS_FOLDER = "records"
_MANIFEST_FILE = "manifest.json"
_LOCK_FILE = ".lock"
_SAME = ("fingerprint", "format", "mapping", "profile", "settings")

Row = TypeVar("Row", ResultRow, Numbers)


class Manifest(Record):
    """What was asked, so that a run can be taken up again and never mixed with another."""

    schema_: Literal["w-lens-eval/1"] = Field(EVAL_SCHEMA, alias="schema")
    name: str
    """Of the set, as shown."""
    fingerprint: str
    """SHA-256 of the set's file."""
    format: SetFormat
    mapping: Mapping | None = None
    profile: str
    systems: tuple[str, ...]
    settings: RunSettings
    questions: int
    """How many are to be asked."""
    created: str = Field(default_factory=lambda: datetime.now(UTC).isoformat(timespec="seconds"))
    """UTC, ISO 8601."""


class SetStore:
    """One set's folder; one process writes at a time."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.expanduser().absolute()

    def manifest(self) -> Manifest | None:
        """What was asked; None in a new folder. Raises InputError where it cannot be read."""
        try:
            return Manifest.model_validate_json((self.folder / _MANIFEST_FILE).read_bytes())
        except FileNotFoundError:
            return None
        except (ValidationError, OSError):
            raise InputError(
                f"{self.folder} holds a manifest that cannot be read: name another folder for the results."
            ) from None

    @contextmanager
    def opened(self, manifest: Manifest) -> Iterator[Manifest]:
        """Makes the folder, or takes it up again: torn lines are removed, systems and questions may be added.

        Raises:
            InputError: the folder holds the results of something else, or another process writes to it.
            StorageError: the folder cannot be written.
        """
        with _explained(self.folder):
            (self.folder / RECORDS_FOLDER).mkdir(parents=True, exist_ok=True)
            lock = (self.folder / _LOCK_FILE).open("w")
        with lock:
            if not _locked(lock.fileno()):
                raise InputError(f"Another process is writing to {self.folder}: wait for it, or name another folder.")
            joined = self._joined(manifest)
            with _explained(self.folder):
                write_whole(self.folder / _MANIFEST_FILE, _dump(joined).encode())
                self._repair()
            yield joined

    def rows(self) -> list[ResultRow]:
        """The answers so far; a line that cannot be read is passed over.

        Raises:
            StorageError: the folder or its file is none.
        """
        with _explained(self.folder):
            return _read(self.folder / RESULTS_FILE, ResultRow)

    def write(self, row: ResultRow, record: str = "", numbers: str = "") -> None:
        """Adds one answer: its record first, its line last, so that a line never names what is not there.

        Raises:
            StorageError: the folder cannot be written.
        """
        with _explained(self.folder):
            if record:
                write_whole(self.folder / row.record, record.encode())
                _append(self.folder / NUMBERS_FILE, numbers)
            _append(self.folder / RESULTS_FILE, _dump(row) + "\n")

    def drop_errors(self) -> None:
        """Forgets answers that are errors, so that they are asked again; only while no one else writes.

        Raises:
            StorageError: the folder cannot be written.
        """
        kept = [row for row in self.rows() if not row.error]
        with _explained(self.folder):
            _rewrite(self.folder / RESULTS_FILE, kept)

    def arrange(self, numbers: dict[str, int], systems: Sequence[str]) -> None:
        """Puts the lines in the order of the set. Raises StorageError.

        Args:
            numbers: place of each question in the set, by id.
            systems: in the order in which their answers stand for one question.
        """
        ranks = {system: rank for rank, system in enumerate(systems)}

        def place(row: ResultRow | Numbers) -> tuple[int, int]:
            return numbers.get(row.id, len(numbers)), ranks.get(row.system, len(ranks))

        with _explained(self.folder):
            _rewrite(self.folder / RESULTS_FILE, sorted(self.rows(), key=place))
            latest = {(line.id, line.system): line for line in _read(self.folder / NUMBERS_FILE, Numbers)}
            _rewrite(self.folder / NUMBERS_FILE, sorted(latest.values(), key=place))

    def _joined(self, manifest: Manifest) -> Manifest:
        before = self.manifest()
        if before is None:
            return manifest
        differ = [name for name in _SAME if getattr(before, name) != getattr(manifest, name)]
        if differ:
            raise InputError(
                f"{self.folder} holds results of another run (of {before.name!r}; its {' and '.join(differ)} differ): "
                "name another folder, or ask the same again."
            )
        systems = dict.fromkeys((*manifest.systems, *before.systems))
        return manifest.model_copy(update={"systems": tuple(systems), "created": before.created})

    def _repair(self) -> None:
        """Keeps the first whole line of each answer whose record is there; a kill can leave half of the last one."""
        for half in (*self.folder.glob(".*.json*"), *(self.folder / RECORDS_FOLDER).glob(".*.json*")):
            half.unlink(missing_ok=True)  # a file that was being written
        there = {f"{RECORDS_FOLDER}/{name}" for name in os.listdir(self.folder / RECORDS_FOLDER)}
        first: dict[tuple[str, str], ResultRow] = {}
        for row in self.rows():
            if row.error or row.record in there:
                first.setdefault((row.id, row.system), row)
        _rewrite(self.folder / RESULTS_FILE, list(first.values()))
        _rewrite(self.folder / NUMBERS_FILE, _read(self.folder / NUMBERS_FILE, Numbers))


def record_name(number: int, system: str) -> str:
    """File of an answer's record, relative to the folder."""
    return f"{RECORDS_FOLDER}/{run_name(number, system)}.json"


def _read(path: Path, kind: type[Row]) -> list[Row]:
    """Every whole line that is a row."""
    rows: list[Row] = []
    try:
        with path.open("rb") as file:
            for line in file:
                try:
                    rows += [kind.model_validate_json(line)] if line.endswith(b"\n") else []
                except ValidationError:
                    continue
    except FileNotFoundError:
        pass
    return rows


def _rewrite(path: Path, rows: Sequence[ResultRow | Numbers]) -> None:
    data = "".join(_dump(row) + "\n" for row in rows).encode()
    if not path.exists() or path.read_bytes() != data:
        write_whole(path, data)


def _append(path: Path, line: str) -> None:
    """The whole line in one write, behind what is there."""
    with path.open("ab", buffering=0) as file:
        data = line.encode()
        if file.write(data) != len(data):
            raise OSError(28, "No space left on device")


def _dump(record: Record) -> str:
    return record.model_dump_json(by_alias=True, exclude_none=True)


@contextmanager
def _explained(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StorageError(f"The results cannot be written to {folder}: {error.strerror or error}.") from error


def _locked(descriptor: int) -> bool:
    """Whether this process now holds the lock; it goes with the process, however that ends."""
    try:
        import fcntl  # noqa: PLC0415 - not on Windows, where the folder is not guarded
    except ImportError:
        return True
    lock: Callable[[int, int], None] = fcntl.flock
    try:
        lock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
