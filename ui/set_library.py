"""The question sets that the page can show: those that ship with it, and those that were started here."""

from __future__ import annotations

import logging
import re
import time
from collections import OrderedDict
from functools import cached_property
from pathlib import Path
from threading import Lock

from core.evaluation.labels import LABELS_FILE, LabelStore
from core.evaluation.labels_record import LabelError, known_failures
from core.evaluation.record import ResultRow
from core.evaluation.service import SetService, SetStatus, UnknownSet
from core.evaluation.store import RESULTS_FILE, SetStore
from core.evaluation.table_view import Labelled
from core.ingest.lines import InputError
from core.records import RecordError, RunRecord
from core.settings.limits import LIMITS
from ui.set_open import Labels, OpenSet
from ui.visitor import visitor

_OPEN = 3  # tables kept open; one of 10,000 rows is about 60 MB
_RECORDS = 8  # kept open: a click on a document reads none anew; one of 20 documents is about 5 MB
_FRESH = 3.0  # seconds between two looks at the results of a set that still grows
_SLUG = re.compile(r"[a-z0-9-]{1,40}")
_VISITOR = re.compile(r"[0-9a-f]{64}")

_log = logging.getLogger(__name__)


class Sets:
    """Finds sets by their key. Safe from several threads.

    Args:
        service: runs sets and knows those of this server.
        shipped: folder of the sets that ship with the page, a folder each.
        root: where runs are kept; labels of shipped sets lie below it, apart for each visitor.
    """

    def __init__(self, service: SetService, shipped: Path, root: Path) -> None:
        self.service = service
        self._shipped = shipped
        self._own_labels = root / "sets" / "labels-of-examples"
        self._open: OrderedDict[str, OpenSet] = OrderedDict()
        self._said: dict[Path, Labels] = {}
        self._records: OrderedDict[tuple[str, str], RunRecord] = OrderedDict()
        self._lock = Lock()

    @cached_property
    def shipped(self) -> dict[str, str]:
        """Key → name of the sets that ship with the page."""
        found: dict[str, str] = {}
        for path in sorted(self._shipped.glob(f"*/{RESULTS_FILE}")):
            if _SLUG.fullmatch(path.parent.name):
                found[path.parent.name] = _manifest_name(path.parent)
        return found

    def questions(self, key: str) -> Path:
        """The questions of a shipped set, to ask them anew. Raises UnknownSet."""
        path = self._shipped / key / "questions.jsonl"
        if key not in self.shipped or not path.is_file():
            raise UnknownSet("There is no example set of this name.")
        return path

    def status(self, key: str) -> SetStatus | None:
        """How far a set has come; None for one that ships with the page. Raises UnknownSet."""
        return None if key in self.shipped else self.service.status(key)

    def open(self, key: str) -> OpenSet:
        """The results of a set so far.

        Raises:
            UnknownSet: there is none.
        """
        shipped = key in self.shipped
        folder = self._shipped / key if shipped else self.service.folder(key)
        with self._lock:
            found = self._open.get(key)
            now = time.monotonic()
            if found is None or (now - found.read > _FRESH and found.version != _version(folder)):
                found = self._read(key, folder, shipped)
                self._open[key] = found
            self._open.move_to_end(key)
            while len(self._open) > _OPEN:
                self._open.popitem(last=False)
            return found

    def _read(self, key: str, folder: Path, shipped: bool) -> OpenSet:
        status = self.status(key)
        name = status.name if status else self.shipped[key]
        found = OpenSet(key, name, folder, shipped, _version(folder), time.monotonic(), _facts(folder, status))
        _ = found.table, found.view  # read now, so that version and rows belong together
        return found

    def labels(self, key: str) -> LabelStore:
        """Where the labels of a set are kept: beside its results; of a shipped one for each visitor apart.

        Raises:
            UnknownSet: there is no such set.
            LabelError: a visitor without a cookie cannot have labels of a shipped set.
        """
        if key not in self.shipped:
            return LabelStore(self.service.folder(key))
        name = visitor()
        if not _VISITOR.fullmatch(name):
            raise LabelError(
                "Labels of an example set belong to one browser, and this one keeps no cookies: allow cookies for "
                "this page, then label again."
            )
        folder = self._own_labels / name / key
        folder.mkdir(parents=True, exist_ok=True)
        return LabelStore(folder)

    def labelled(self, key: str) -> Labels:
        """What reviewers said, and when that last changed; nothing where labels cannot be read."""
        try:
            store = self.existing_labels(key)
            changed = _changed(store.path) if store else 0.0
            if store is None or not changed:
                return 0.0, Labelled()
            kept = self._said.get(store.path)
            if kept is None or kept[0] != changed:
                kept = self._said[store.path] = (changed, store.labelled())
            return kept
        except (LabelError, UnknownSet) as error:
            _log.warning("labels cannot be shown: %s", error)
            return 0.0, Labelled()

    def existing_labels(self, key: str) -> LabelStore | None:
        """The labels where there may be any; looking makes no folder. Raises UnknownSet."""
        if key in self.shipped:
            path = self._own_labels / (visitor() or "nobody") / key
            return LabelStore(path) if (path / LABELS_FILE).exists() else None
        return LabelStore(self.service.folder(key))

    def failure_types(self, key: str) -> tuple[str, ...]:
        """What the form of a label offers. Raises UnknownSet, LabelError."""
        store = self.existing_labels(key)
        return store.failure_types() if store else known_failures()

    def record(self, found: OpenSet, row: ResultRow) -> RunRecord:
        """The full run of an answer.

        Raises:
            RecordError: it ended in an error, its file is gone, or is of another kind.
        """
        if row.error:
            raise RecordError(f"This question ended in an error: {row.error}")
        name = (found.key, row.record)
        with self._lock:
            if name in self._records:
                return self._records[name]
        record = _record(found.folder, row.record)
        with self._lock:
            self._records[name] = record
            while len(self._records) > _RECORDS:
                self._records.popitem(last=False)
        return record


def _record(folder: Path, name: str) -> RunRecord:
    """Raises RecordError."""
    path = (folder / name).resolve()
    if not path.is_relative_to(folder.resolve()) or path.suffix != ".json":
        raise RecordError("The set names a file that is not its own.")
    try:
        if path.stat().st_size > LIMITS.record_bytes:
            raise RecordError("The record is larger than any that can be shown.")
        return RunRecord.from_json(path.read_bytes())
    except OSError:
        raise RecordError("The record of this answer is not there any more; its marks are.") from None


def _version(folder: Path) -> tuple[int, int]:
    try:
        found = (folder / RESULTS_FILE).stat()
    except OSError:
        return (0, 0)
    return (found.st_mtime_ns, found.st_size)


def _changed(path: Path) -> float:
    """When a database last changed; the newest lines stand in a file of their own at first."""
    files = (path, path.with_name(f"{path.name}-wal"))
    return max((file.stat().st_mtime_ns / 1e9 for file in files if file.exists()), default=0.0)


def _manifest_name(folder: Path) -> str:
    try:
        manifest = SetStore(folder).manifest()
    except InputError:
        manifest = None
    return manifest.name if manifest else folder.name


def _facts(folder: Path, status: SetStatus | None) -> tuple[tuple[str, str], ...]:
    if status:
        return (("profile", status.profile), ("format", status.format), ("started", status.created[:16]))
    try:
        manifest = SetStore(folder).manifest()
    except InputError:
        manifest = None
    if manifest is None:
        return ()
    return (("profile", manifest.profile), ("format", manifest.format), ("recorded", manifest.created[:10]))
