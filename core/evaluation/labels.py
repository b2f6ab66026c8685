"""Labels of a set, in one SQLite file in its folder: saved at once, with history, and a queue that several work at.

Nothing is ever changed or deleted: a correction is a further line. The file is opened for each call and locked for
each write, so threads and processes may use it together. A row of the queue is lent to one reviewer for a while; it
comes back when it was labelled, given back, or the time is over.
"""

from __future__ import annotations

import datetime
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import combinations
from pathlib import Path

from pydantic import ValidationError

from core.evaluation.labels_record import (
    Agreement,
    Answer,
    Label,
    LabelError,
    SavedLabel,
    known_failures,
    one_line,
)
from core.evaluation.statistics import cohen_kappa
from core.evaluation.table import SetTable, mark_of
from core.evaluation.table_view import Labelled
from core.settings.evaluation import LEASE_SECONDS, OWN_FAILURE_TYPES, REVIEWER_CHARS

LABELS_FILE = "labels.sqlite3"
_WAIT_SECONDS = 30.0  # for another process that writes; a write takes milliseconds
_FIELDS = ("question", "system", "reviewer", "verdict", "failure", "corrected", "note")
_SCHEMA = f"""
CREATE TABLE IF NOT EXISTS labels (
    number INTEGER PRIMARY KEY AUTOINCREMENT, {", ".join(f"{name} TEXT NOT NULL" for name in _FIELDS)},
    saved TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS labels_of ON labels (question, system, reviewer, number);
CREATE TRIGGER IF NOT EXISTS labels_stay BEFORE UPDATE ON labels BEGIN SELECT RAISE(ABORT, 'labels stay'); END;
CREATE TRIGGER IF NOT EXISTS labels_last BEFORE DELETE ON labels BEGIN SELECT RAISE(ABORT, 'labels stay'); END;
CREATE TABLE IF NOT EXISTS leases (
    question TEXT NOT NULL, system TEXT NOT NULL, reviewer TEXT NOT NULL, until REAL NOT NULL,
    PRIMARY KEY (question, system, reviewer)
);
CREATE TABLE IF NOT EXISTS failure_types (name TEXT PRIMARY KEY);
"""
_COLUMNS = f"{', '.join(_FIELDS)}, number, saved"
_NEWEST = (
    f"SELECT {_COLUMNS} FROM labels WHERE number IN "
    "(SELECT max(number) FROM labels GROUP BY question, system, reviewer) ORDER BY number"
)


class LabelStore:
    """The labels of one set. Every call is whole: it is done, or it raises LabelError and nothing has changed."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / LABELS_FILE

    def save(self, label: Label) -> SavedLabel:
        """Keeps a label and gives its row back to the queue. One that changes nothing is not kept a second time."""
        values = tuple(getattr(label, name) for name in _FIELDS)
        with self._writing() as file:
            own = "question = ? AND system = ? AND reviewer = ?"
            file.execute(f"DELETE FROM leases WHERE {own}", values[:3])
            last = file.execute(f"SELECT {_COLUMNS} FROM labels WHERE {own} ORDER BY number DESC LIMIT 1", values[:3])
            before = last.fetchone()
            if before and before[: len(_FIELDS)] == values:
                return _saved(before)
            now = datetime.datetime.now(datetime.UTC).isoformat(timespec="milliseconds")
            marks = ", ".join("?" * (len(_FIELDS) + 1))
            added = file.execute(f"INSERT INTO labels ({', '.join(_FIELDS)}, saved) VALUES ({marks})", (*values, now))
            return _saved((*values, added.lastrowid, now))

    def history(self, answer: Answer) -> tuple[SavedLabel, ...]:
        """All that was ever said of one answer, oldest first."""
        query = f"SELECT {_COLUMNS} FROM labels WHERE question = ? AND system = ? ORDER BY number"
        return self._read(query, answer)

    def current(self) -> dict[Answer, tuple[SavedLabel, ...]]:
        """Of each labelled answer the newest label of each reviewer, in the order of saving."""
        found: dict[Answer, tuple[SavedLabel, ...]] = {}
        for label in self._read(_NEWEST):
            key = (label.question, label.system)
            found[key] = (*found.get(key, ()), label)
        return found

    def labelled(self) -> Labelled:
        """The same for the filters of the table."""
        said = {
            answer: frozenset({part for label in labels for part in (label.verdict, label.failure) if part})
            for answer, labels in self.current().items()
        }
        return Labelled(said)

    def take(
        self, reviewer: str, queue: Sequence[Answer], opinions: int = 1, lease: float = LEASE_SECONDS
    ) -> Answer | None:
        """The next answer for this reviewer, lent to nobody else meanwhile; None when the queue is worked off.

        Args:
            reviewer: who asks. What this reviewer holds already is given again, with its time renewed.
            queue: answers in the order in which they are to be looked at, such as ``wrong_answers``.
            opinions: how many reviewers are to label each answer; two for measuring agreement.
            lease: seconds after which the row goes to somebody else.
        """
        name = str(one_line(reviewer))[:REVIEWER_CHARS]
        if not name:
            raise LabelError("Say who you are before you take from the queue: labels are kept by name.")
        now = time.time()
        with self._writing() as file:
            file.execute("DELETE FROM leases WHERE until < ?", (now,))
            done, busy = _people(file, "labels"), _people(file, "leases")
            open_rows = [key for key in queue if name not in done.get(key, ()) and len(done.get(key, ())) < opinions]
            mine = [key for key in open_rows if name in busy.get(key, ())]
            free = (key for key in open_rows if len(done.get(key, set()) | busy.get(key, set())) < opinions)
            chosen = mine[0] if mine else next(free, None)
            file.execute("DELETE FROM leases WHERE reviewer = ?", (name,))
            if chosen:
                file.execute("INSERT INTO leases VALUES (?, ?, ?, ?)", (*chosen, name, now + lease))
            return chosen

    def give_back(self, reviewer: str) -> None:
        """Puts back what this reviewer holds."""
        with self._writing() as file:
            file.execute("DELETE FROM leases WHERE reviewer = ?", (str(one_line(reviewer))[:REVIEWER_CHARS],))

    def failure_types(self) -> tuple[str, ...]:
        """What the form offers, the set's own types last."""
        if not self.path.exists():
            return known_failures()
        with self._open() as file:
            names = file.execute("SELECT name FROM failure_types ORDER BY rowid").fetchall()
        return known_failures(tuple(str(name)[:REVIEWER_CHARS] for (name,) in names[:OWN_FAILURE_TYPES]))

    def add_failure_type(self, name: str) -> tuple[str, ...]:
        """Adds a type of the set's own; one that is known already stays as it is. Raises LabelError when too many."""
        text = str(one_line(name))
        if not text or len(text) > REVIEWER_CHARS:
            raise LabelError(f"A failure type has 1 to {REVIEWER_CHARS} characters.")
        if text not in self.failure_types():
            with self._writing() as file:
                if file.execute("SELECT count(*) FROM failure_types").fetchone()[0] >= OWN_FAILURE_TYPES:
                    raise LabelError(f"A set has at most {OWN_FAILURE_TYPES} failure types of its own.")
                file.execute("INSERT OR IGNORE INTO failure_types VALUES (?)", (text,))
        return self.failure_types()

    def agreement(self) -> tuple[Agreement, ...]:
        """Every two reviewers who labelled at least one common answer."""
        by_reviewer: dict[str, dict[Answer, SavedLabel]] = {}
        for answer, labels in self.current().items():
            for label in labels:
                by_reviewer.setdefault(label.reviewer, {})[answer] = label
        pairs = combinations(sorted(by_reviewer), 2)
        return tuple(found for a, b in pairs if (found := _agreement(a, by_reviewer[a], b, by_reviewer[b])))

    def _read(self, query: str, values: Sequence[str] = ()) -> tuple[SavedLabel, ...]:
        if not self.path.exists():
            return ()
        with self._open() as file:
            return tuple(_saved(row) for row in file.execute(query, values))

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        """A connection without a transaction. Raises LabelError."""
        try:
            file = sqlite3.connect(self.path, timeout=_WAIT_SECONDS, isolation_level=None)
            try:
                file.execute("PRAGMA trusted_schema = OFF")  # a file that came with a set may be anyone's
                file.execute("PRAGMA journal_mode = WAL")
                file.execute("PRAGMA synchronous = FULL")  # saved means saved, also when the power fails
                file.executescript(_SCHEMA)
                yield file
            finally:
                file.close()
        except sqlite3.Error as error:
            raise LabelError(
                f"The labels in {self.path.name} cannot be used ({error}). Nothing was saved: check that its folder "
                "can be written and has space, then save again."
            ) from error
        except ValidationError as error:
            raise LabelError(
                f"The labels in {self.path.name} were not written by this version of W-Lens "
                f"({error.errors()[0]['msg']}). Move the file away to begin anew, or update W-Lens."
            ) from error

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """A transaction that no other writer can come between."""
        with self._open() as file:
            file.execute("BEGIN IMMEDIATE")
            try:
                yield file
                file.execute("COMMIT")
            except BaseException:
                file.execute("ROLLBACK")
                raise


def wrong_answers(table: SetTable, system: str = "") -> tuple[Answer, ...]:
    """The wrong answers of one system, or of all, in the order of the file: what reviewers go through."""
    rows = (row for rows in table.questions for row in rows)
    return tuple((row.id, row.system) for row in rows if mark_of(row) == "wrong" and system in ("", row.system))


def _people(file: sqlite3.Connection, name: str) -> dict[Answer, set[str]]:
    found: dict[Answer, set[str]] = {}
    for question, system, reviewer in file.execute(f"SELECT DISTINCT question, system, reviewer FROM {name}"):
        found.setdefault((question, system), set()).add(reviewer)
    return found


def _saved(row: Iterable[object]) -> SavedLabel:
    return SavedLabel.model_validate(dict(zip((*_FIELDS, "number", "saved"), row, strict=True)))


def _agreement(
    first: str, ours: dict[Answer, SavedLabel], second: str, theirs: dict[Answer, SavedLabel]
) -> Agreement | None:
    both = [answer for answer in ours if answer in theirs]
    if not both:
        return None
    verdicts = [[side[answer].verdict for answer in both] for side in (ours, theirs)]
    failures = [[side[answer].failure for answer in both] for side in (ours, theirs)]
    return Agreement(
        first=first,
        second=second,
        answers=len(both),
        same_verdict=sum(a == b for a, b in zip(*verdicts, strict=True)) / len(both),
        kappa_verdict=cohen_kappa(*verdicts),
        kappa_failure=cohen_kappa(*failures),
    )
