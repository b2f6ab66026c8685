"""Analyses of answers and marks: by place, by group, systems side by side, losses, costs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from core.evaluation.analyses_record import Analysis, Cell, nothing
from core.evaluation.loss import STAGES
from core.evaluation.statistics import Difference, adjusted, difference, estimate
from core.evaluation.table import MARKS, SetTable
from core.evaluation.table_view import natural, parts
from core.records import Record

RIGHT = "right"
COSTS = ("calls", "prompt_tokens", "new_tokens", "seconds")


def values_of(table: SetTable, system: str, metric: str = RIGHT) -> pd.Series[float]:
    """A system's marks by question number; errors and questions without a mark are left out.

    ``metric`` is ``right`` (by the set's main metric) or the name of a score.
    """
    column = metric if metric in (RIGHT, *COSTS) else f"score:{metric}"
    frame = table.frame
    if column not in frame:
        return pd.Series(dtype=np.float64)
    own = frame[(frame["system"] == system) & (frame["mark"] != "error")]
    return pd.Series(own[column].to_numpy(dtype=np.float64), index=own["question"].to_numpy()).dropna()


def by_position(table: SetTable, metric: str = RIGHT) -> Analysis:
    """Accuracy by the place of the one gold document: the U curve (lost in the middle)."""
    found = by_group(table, "gold_position", metric)
    rows = tuple((row[0], int(str(row[1])) + 1, *row[2:]) for row in found.rows if str(row[1]).isdecimal())
    columns = ("system", "place of gold", *found.columns[2:])
    title = "Accuracy by the place of gold"
    if not rows:
        return nothing("position", title, columns, "No question of this set has exactly one gold document.")
    note = "Place 1 is the first in the prompt. Questions with one gold document, errors left out."
    return found.model_copy(
        update={
            **{"name": "position", "title": title, "columns": columns, "rows": rows, "note": note},
            **{"drawing": "line", "x": "place of gold"},
        }
    )


def by_group(table: SetTable, group: str, metric: str = RIGHT) -> Analysis:
    """A metric by the values of a group (hops, type, evidence source ...), per system, with bootstrap intervals.

    A question with several values counts in each of them, as in MMLongBench-Doc's evidence sources.
    """
    columns = ("system", group, "share", "low", "high", "questions")
    name, title = f"by_{group}", f"Right answers by {group.replace('_', ' ')}"
    values = [parts(rows[0].meta.get(group, "")) for rows in table.questions]
    names = sorted({value for found in values for value in found}, key=natural)
    members = {value: [number for number, found in enumerate(values) if value in found] for value in names}
    rows: list[tuple[Cell, ...]] = []
    for system in table.systems:
        marks = values_of(table, system, metric)
        for value in names:
            found = estimate(marks[marks.index.isin(members[value])].to_numpy())
            if found:
                rows.append((system, value, found.mean, found.low, found.high, found.questions))
    if not rows:
        return nothing(name, title, columns, f"No question of this set says its {group.replace('_', ' ')}.")
    note = "Errors left out. A question with several values counts in each."
    spread = {"x": group, "y": ("share",), "series": "system", "low": "low", "high": "high"}
    return Analysis.model_validate(
        {"name": name, "title": title, "columns": columns, "rows": rows, "note": note, "drawing": "bar", **spread}
    )


class Compared(Record):
    """Two systems on one metric."""

    first: str
    second: str
    metric: str
    difference: Difference


def compare(table: SetTable, first: str, second: str, metric: str = RIGHT) -> Compared | None:
    """The paired difference of two systems over the questions that both answered; None where there are none."""
    ours, theirs = values_of(table, first, metric), values_of(table, second, metric)
    both = ours.index.intersection(theirs.index)
    found = difference(ours[both].to_numpy(), theirs[both].to_numpy())
    return Compared(first=first, second=second, metric=metric, difference=found) if found else None


def systems_by_metrics(table: SetTable, against: str = "", metrics: Sequence[str] = ()) -> Analysis:
    """Every system on every metric with intervals, and the paired difference from one system.

    Args:
        table: the set.
        against: the system that the others are compared with; ``vanilla`` where it ran, else the first.
        metrics: ``right`` and names of scores; by default ``right`` and the marks of answers.
    """
    columns = ("system", "metric", "mean", "low", "high", "questions", "difference", "from", "to", "p", "p adjusted")
    base = against or ("vanilla" if "vanilla" in table.systems else next(iter(table.systems), ""))
    names = tuple(metrics) or (RIGHT, *(name for name in table.metrics if not name.startswith("recall_")))
    rows: list[tuple[Cell, ...]] = []
    p_values: list[float] = []
    for metric in names:
        for system in table.systems:
            found = estimate(values_of(table, system, metric).to_numpy())
            if not found:
                continue
            compared = compare(table, base, system, metric) if system != base else None
            gap = compared.difference if compared else None
            p_values += [gap.p] if gap else []
            ends: tuple[Cell, ...] = (gap.mean, gap.low, gap.high, gap.p) if gap else (None,) * 4
            rows.append((system, metric, found.mean, found.low, found.high, found.questions, *ends))
    corrected = iter(adjusted(p_values))
    finished = tuple((*row, next(corrected) if row[9] is not None else None) for row in rows)
    note = (
        f"Differences from {base}, over the questions that both answered; errors left out. Intervals: bootstrap, 95 %. "
        "p: McNemar's exact test for marks of 0 and 1, else Wilcoxon's signed-rank test; adjusted for the number of "
        "comparisons in this table after Benjamini and Hochberg."
    )
    return Analysis(
        name="systems",
        title="Systems and metrics",
        columns=columns,
        rows=finished,
        note=note,
        drawing="bar",
        x="metric",
        y=("mean",),
        series="system",
        low="low",
        high="high",
    )


def loss_flow(table: SetTable) -> Analysis:
    """How many answers of each system lost their evidence at which stage, by mark."""
    columns = ("system", "stage", "mark", "answers")
    counts = table.frame.groupby(["system", "lost_at", "mark"], observed=True).size()
    rows: list[tuple[Cell, ...]] = [
        (system, stage, mark, int(counts.get((system, stage, mark), 0)))
        for system in table.systems
        for stage in STAGES
        for mark in MARKS
        if counts.get((system, stage, mark), 0)
    ]
    note = (
        "The first stage at which a gold document or page was lost. A lucky answer is right although the evidence "
        "did not arrive; 'none' arrived; 'unknown' where the set does not say what is gold."
    )
    return Analysis(
        name="loss",
        title="Where evidence was lost",
        columns=columns,
        rows=tuple(rows),
        note=note,
        drawing="flow",
        x="stage",
        y=("answers",),
        series="mark",
    )


def costs(table: SetTable, against: str = "vanilla") -> Analysis:
    """Calls, tokens and seconds a question, and how many times those of Vanilla, over the questions both answered."""
    columns = ("system", "cost", "mean", "median", f"times {against}", "questions")
    rows: list[tuple[Cell, ...]] = []
    for system in table.systems:
        for cost in COSTS:
            own = values_of(table, system, cost)
            if own.empty:
                continue
            times = _times(own, values_of(table, against, cost))
            rows.append((system, cost.replace("_", " "), float(own.mean()), float(own.median()), times, len(own)))
    note = (
        f"A question each. The ratio is between the means over questions that both systems answered; empty where "
        f"{against} did not run. What systems share is counted for each, as if it had run alone."
    )
    return Analysis(
        name="costs",
        title="What it costs",
        columns=columns,
        rows=tuple(rows),
        note=note,
        drawing="bar",
        x="cost",
        y=(f"times {against}",),
        series="system",
    )


def _times(own: pd.Series[float], base: pd.Series[float]) -> float | None:
    both = own.index.intersection(base.index)
    total = float(base[both].sum())
    return float(own[both].sum()) / total if total > 0 else None


def set_f1(table: SetTable) -> Analysis:
    """MMLongBench-Doc's F1: recall over answerable questions, precision over those that were answered."""
    columns = ("system", "accuracy", "recall", "precision", "F1", "questions")
    title = "F1 over answerable questions"
    rows: list[tuple[Cell, ...]] = []
    for system in table.systems:
        marks = values_of(table, system, "mmlongbench")
        if marks.empty:
            continue
        own = table.frame[table.frame["system"] == system].set_index("question").loc[marks.index]
        answerable = np.array([table.questions[i][0].meta.get("answerable", "yes") != "no" for i in marks.index])
        answered = ~own["no_answer"].to_numpy(dtype=bool)
        earned = float(marks.to_numpy()[answerable].sum())
        recall = earned / answerable.sum() if answerable.any() else None
        precision = earned / answered.sum() if answered.any() else None
        both = (recall or 0) + (precision or 0)
        f1 = 2 * (recall or 0) * (precision or 0) / both if both else 0.0
        rows.append((system, float(marks.mean()), recall, precision, f1, len(marks)))
    if not rows:
        return nothing("set_f1", title, columns, "Only sets with unanswerable questions (MMLongBench-Doc) have it.")
    note = "Accuracy is the mean mark. Recall and precision share the marks earned on answerable questions."
    return Analysis(name="set_f1", title=title, columns=columns, rows=tuple(rows), note=note)
