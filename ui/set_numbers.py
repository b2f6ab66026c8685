"""What the tab works out of analyses that exist: accuracy against cost, and the table of systems and metrics."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from core.evaluation.analyses import ANALYSES, Analysis, Offered, by_group, costs, systems_by_metrics
from core.evaluation.analyses_record import Cell, nothing
from core.evaluation.table import SetTable
from ui.set_open import OpenSet

FIRST = "position"
"""The analysis that a set opens on, where it has rows."""
_LEVELS = (0.05, 0.01, 0.001)  # of p, a star each: the convention of the field
GROUP = "by_"
"""What the name of an analysis by a group begins with."""


def offered(found: OpenSet) -> dict[str, str]:
    """Name → title of every analysis of a set; those by its groups last."""
    own = {"worth": "Accuracy against cost"}
    groups = {f"{GROUP}{name}": f"By {name.replace('_', ' ')}" for name in found.groups}
    groups.pop(f"{GROUP}gold_position", None)  # is an analysis of its own
    return {one.name: one.title for one in ANALYSES} | own | groups


def analysed(found: OpenSet, name: str) -> Analysis:
    """One analysis, computed once for these results."""
    if name not in found.analyses:
        found.analyses[name] = _run(name)(found.table)
    return found.analyses[name]


def opening(found: OpenSet) -> str:
    """The analysis that a set opens on."""
    return FIRST if analysed(found, FIRST).rows else "systems"


def _run(name: str) -> Callable[[SetTable], Analysis]:
    known: dict[str, Offered] = {one.name: one for one in ANALYSES}
    if name in known:
        return known[name].run
    if name == "worth":
        return worth
    return lambda table: by_group(table, name.removeprefix(GROUP))


def worth(table: SetTable) -> Analysis:
    """Share of right answers against mean seconds of a question, a point for each system."""
    columns = ("system", "seconds a question", "share right", "low", "high", "questions", "tokens in")
    title = "Accuracy against cost"
    means = {(row[0], row[1]): row[2] for row in costs(table).rows}
    rows: list[tuple[Cell, ...]] = []
    for row in systems_by_metrics(table, metrics=("right",)).rows:
        seconds = means.get((row[0], "seconds"))
        if isinstance(seconds, float) and seconds > 0:
            rows.append((row[0], seconds, row[2], row[3], row[4], row[5], means.get((row[0], "prompt tokens"))))
    if not rows:
        return nothing("worth", title, columns, "No answer of this set was both marked and timed.")
    note = (
        "Mean over questions; errors left out. Up and to the left is better. Seconds are of this machine and profile, "
        "and what systems share is counted for each."
    )
    drawn = {
        "drawing": "line",
        "x": columns[1],
        "y": ("share right",),
        "series": "system",
        "low": "low",
        "high": "high",
    }
    return Analysis.model_validate(
        {"name": "worth", "title": title, "columns": columns, "rows": rows, "note": note, **drawn}
    )


@dataclass(frozen=True)
class Score:
    """A cell of the table of systems and metrics."""

    mean: float
    low: float
    high: float
    questions: int
    stars: str
    """How sure the difference from the system that is compared with is; empty for none, or that system itself."""
    difference: float | None


def matrix(analysis: Analysis) -> tuple[list[str], list[str], dict[tuple[str, str], Score]]:
    """Systems, metrics and the cells of ``systems_by_metrics``."""
    cells: dict[tuple[str, str], Score] = {}
    for system, metric, mean, low, high, questions, gap, _, _, _, adjusted in analysis.rows:
        numbers = [float(value) for value in (mean, low, high) if isinstance(value, int | float)]
        if len(numbers) == 3 and isinstance(questions, int):
            change = float(gap) if isinstance(gap, int | float) else None
            p = float(adjusted) if isinstance(adjusted, int | float) else None
            ends = (numbers[0], numbers[1], numbers[2])
            cells[str(system), str(metric)] = Score(*ends, questions, stars(p), change)
    systems = list(dict.fromkeys(system for system, _ in cells))
    return systems, list(dict.fromkeys(metric for _, metric in cells)), cells


def stars(p: float | None) -> str:
    """The usual stars: ``*`` below 0.05, ``**`` below 0.01, ``***`` below 0.001."""
    if p is None:
        return ""
    return "*" * sum(p < level for level in _LEVELS)
