"""What is kept is deleted when its time is over: runs, question sets, pages of PDFs. Those are bounded in size too."""

from __future__ import annotations

import os
import shutil
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from core.runs import NoSuchRun, RunStore, StorageError
from core.settings.limits import CLOCK_JUMP, LIMITS, PAGE_STORE_BYTES, PAGES_IN_USE, RETENTION_EVERY


def expire(store: RunStore, cache: Path, kept_seconds: float, now: float, most: int = LIMITS.runs_kept) -> list[str]:
    """Deletes runs, sets and pages of PDFs that are older than ``kept_seconds``, and the oldest runs above ``most``.

    A run that goes on is left alone. What cannot be deleted is passed over: the next look tries again.

    Returns:
        the names of the folders that were deleted.
    """
    runs = sorted(_dated(store.root), reverse=True)
    late = [path for place, (changed, path) in enumerate(runs) if now - changed > kept_seconds or place >= most]
    late = [path for path in late if not _going_on(store, path.name)]
    for root in (store.root / "sets", cache / "pages"):
        late += [path for changed, path in _dated(root) if now - changed > kept_seconds]
    return [path.name for path in late if _deleted(path)]


def shrink(store: RunStore, cache: Path, now: float, most_bytes: int = PAGE_STORE_BYTES) -> list[str]:
    """Deletes the PDFs with their pages that were not used for longest, until the rest takes ``most_bytes`` at most.

    Left alone is what a run in work reads, and what was used within ``PAGES_IN_USE`` seconds: a run of a question set,
    or of another run folder, is not seen from here, so what was used of late may go beyond the bound for a while.

    Returns:
        the names of the folders that were deleted.
    """
    sized = [(used, _bytes(path), path) for used, path in _dated(cache / "pages")]
    over = sum(size for _, size, _ in sized) - most_bytes
    if over <= 0:
        return []
    read = _in_work(store)
    gone: list[str] = []
    for used, size, path in sorted(sized):
        if over <= 0 or now - used < PAGES_IN_USE:
            break
        if path.name not in read and _deleted(path):
            gone.append(path.name)
            over -= size
    return gone


class Retention:
    """Looks once an hour, in a thread of its own.

    Nothing is deleted after the wall clock has jumped: it may be the clock that is wrong, not the runs that are old.
    """

    def __init__(
        self,
        store: RunStore,
        cache: Path,
        kept_seconds: float | None,
        wall: Callable[[], float] = time.time,
        running: Callable[[], float] = time.monotonic,
    ) -> None:
        """Starts nothing yet; the two clocks are compared from here on. No ``kept_seconds``: nothing is too old."""
        self._store, self._cache, self._kept = store, cache, kept_seconds
        self._wall, self._running = wall, running
        self._began = wall() - running()
        self._closed = threading.Event()

    def start(self) -> None:
        """Looks now and then every hour."""
        threading.Thread(target=self._work, name="retention", daemon=True).start()

    def close(self) -> None:
        """No further look."""
        self._closed.set()

    def look(self) -> list[str]:
        """One look; the names of what was deleted."""
        if abs(self._wall() - self._running() - self._began) > CLOCK_JUMP:
            return []
        now = self._wall()
        old = [] if self._kept is None else expire(self._store, self._cache, self._kept, now)
        return old + shrink(self._store, self._cache, now)

    def _work(self) -> None:
        while not self._closed.is_set():
            self.look()
            self._closed.wait(RETENTION_EVERY)


def _dated(root: Path) -> list[tuple[float, Path]]:
    """(last change, folder) of the folders directly under ``root``, but for the one that holds sets."""
    found: list[tuple[float, Path]] = []
    with suppress(OSError), os.scandir(root) as entries:
        for entry in entries:
            with suppress(OSError):
                if entry.is_dir(follow_symlinks=False) and entry.name != "sets":
                    found.append((entry.stat(follow_symlinks=False).st_mtime, Path(entry.path)))
    return found


def _going_on(store: RunStore, run_id: str) -> bool:
    try:
        last, summary = store.last_event(run_id), store.summary(run_id)
    except (NoSuchRun, StorageError):
        return False
    return bool(summary and not (last and last.final) and summary.owner.alive())


def _in_work(store: RunStore) -> set[str]:
    """The SHA-256 of the PDFs that runs in work ask about."""
    found = set()
    for _, path in _dated(store.root):
        if _going_on(store, path.name):
            with suppress(NoSuchRun, StorageError):
                if pdf := store.request(path.name).pdf:
                    found.add(pdf.sha256)
    return found


def _bytes(folder: Path) -> int:
    total = 0
    for inside, _, names in os.walk(folder):
        for name in names:
            with suppress(OSError):
                total += os.lstat(os.path.join(inside, name)).st_size
    return total


def _deleted(path: Path) -> bool:
    shutil.rmtree(path, ignore_errors=True)
    return not path.exists()
