"""The rows of the bench: registered by name, measured, printed, written to build/bench.json."""

from __future__ import annotations

import json
import operator
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

COMPARE = {"<=": operator.le, ">=": operator.ge, ">": operator.gt}


class NotHere(Exception):
    """A row cannot be measured on this machine; the message says why."""


@dataclass(frozen=True)
class Result:
    """One measured row."""

    name: str
    value: float | None
    """None where it could not be measured."""
    reach: str
    """What it should reach, such as ``<= 1.15``."""
    unit: str
    ok: bool | None
    """None where it could not be measured."""


@dataclass(frozen=True)
class Row:
    """One row before it is measured."""

    name: str
    reach: str
    unit: str
    measure: Callable[[], float]


ROWS: dict[str, Row] = {}


def row(name: str, reach: str, unit: str) -> Callable[[Callable[[], float]], Callable[[], float]]:
    """Registers a function that measures one value."""

    def register(measure: Callable[[], float]) -> Callable[[], float]:
        ROWS[name] = Row(name, reach, unit, measure)
        return measure

    return register


def run(only: str | None, out: Path) -> bool:
    """Measures the rows (those whose names begin with a part of ``only``), prints each; whether none fell short."""
    chosen = [item for name, item in ROWS.items() if not only or name.startswith(tuple(only.split(",")))]
    if not chosen:
        raise SystemExit(f"no row is called {only}; there are: {', '.join(ROWS)}")
    print(f"{'row':34} {'value':>10} {'reach':>10}  ok   unit")
    results = []
    for item in chosen:
        start = time.perf_counter()
        result = _measure(item)
        results.append(result)
        value = "-" if result.value is None else f"{result.value:.4g}"
        verdict = {True: "yes", False: "NO", None: "-"}[result.ok]
        seconds = time.perf_counter() - start
        print(f"{item.name:34} {value:>10} {item.reach:>10}  {verdict:4} {result.unit} [{seconds:.0f} s]", flush=True)
        _write(result, out)
    return all(result.ok is not False for result in results)


def _measure(item: Row) -> Result:
    sign, limit = item.reach.split()
    try:
        value = float(item.measure())
    except NotHere as reason:
        return Result(item.name, None, item.reach, f"{item.unit} (not measured: {reason})", None)
    return Result(item.name, value, item.reach, item.unit, bool(COMPARE[sign](value, float(limit))))


def _write(result: Result, out: Path) -> None:
    """Puts the row in place of its last measurement; the file keeps the order of the table."""
    out.parent.mkdir(parents=True, exist_ok=True)
    try:
        before = {row["name"]: row for row in json.loads(out.read_text(encoding="utf-8"))}
    except (OSError, ValueError, KeyError, TypeError):
        before = {}
    before[result.name] = asdict(result)
    kept = [before[name] for name in ROWS if name in before]
    out.write_text(json.dumps(kept, indent=1), encoding="utf-8")
