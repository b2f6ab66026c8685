"""The tab Errors over a large finished set: what a press costs the server, the open run's figures included."""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from core.backend.fake import FakeBackend
from core.ingest.page_store import PageStore
from core.runs import RunStore
from tests.bench.analyses import FINISHED, _recorded, _write
from tests.bench.table import row
from ui.errors_flow import ErrorsFlow
from ui.errors_state import PAGE
from ui.pages_files import Files
from ui.samples import Samples
from ui.state import Library

_ACTS = (
    ("step", "1"),
    ("turn", "3"),
    ("mark", "wrong"),
    ("reset", ""),
    ("search", "moon"),
    ("search", ""),
    ("sort", "question"),
    ("sort", "answer"),
    ("group:type", "example"),
    ("open", "9000"),
    ("document", "2"),
)


@cache
def _measured() -> dict[str, float]:
    """Seconds of each act (median of three), and KB that one answer of the page carries."""
    with TemporaryDirectory() as name:
        folder = Path(name, "sets", "large")
        (folder / "records").mkdir(parents=True)
        _write(folder, FINISHED, ("duquad",))
        _link_records(folder / "records")
        store = RunStore(Path(name, "runs"))
        backend = FakeBackend(store)
        try:
            library = Library(Samples(Path(name)), backend, store, Path(name, "cache"))
            flow = ErrorsFlow(library.sets, Files(PageStore(Path(name, "cache")), Path(name)))
            start = time.perf_counter()
            page = flow.load({"tab": "errors", "set": "large"}, False, "")
            found = {"open": time.perf_counter() - start}
            for what, value in _ACTS:
                found[f"{what} {value}"] = _seconds(lambda what=what, value=value: flow.act(page.view, what, value, ""))
            assert page.drawn.table.count("data-row-number") == PAGE
            found["KB"] = sum(len(part) for part in page.drawn) / 1000
        finally:
            backend.close()
    return found


def _link_records(folder: Path) -> None:
    """A record for each row; those of one recorded run are one file under many names."""
    records = _recorded()
    for number in range(FINISHED):
        own = folder / f"{number}-duquad.json"
        first = folder / f"{number % len(records)}-duquad.json"
        if own == first:
            own.write_text(records[number].to_json())
        else:
            os.link(first, own)


def _seconds(work: Callable[[], Any]) -> float:
    taken = []
    for _ in range(3):
        start = time.perf_counter()
        work()
        taken.append(time.perf_counter() - start)
    return statistics.median(taken)


@row("errors_page_10000", "<= 1", "s for the slowest of open, filter, search, sort, step, turn over 10,000 questions")
def errors_page_10000() -> float:
    return max(seconds for name, seconds in _measured().items() if name != "KB")


@row("errors_page_size", "<= 300", "KB that the page holds of a set of 10,000, the open run's figures included")
def errors_page_size() -> float:
    return _measured()["KB"]
