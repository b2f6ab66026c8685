"""Analyses of the pruning stage: the gate's threshold, DocScore of gold and of the rest, two views and the Judge."""

from __future__ import annotations

import numpy as np
from scipy import stats

from core.duquad.pruning import gate
from core.evaluation.analyses_record import Analysis, Cell, nothing
from core.evaluation.numbers import Numbers, PoolNumbers
from core.evaluation.table import SetTable
from core.settings.evaluation import DOCSCORE_BINS, TAU_STEPS
from core.settings.methods import RunSettings

NO_POOL = "No system of this set scores candidates, or no gold is known."


def with_pool(table: SetTable, system: str = "") -> list[Numbers]:
    """One line a question that has scored candidates and gold: of one system, or of the first that has them."""
    found = [line for line in table.numbers.values() if line.pool and line.gold]
    chosen = system or next((name for name in table.systems if any(line.system == name for line in found)), "")
    return [line for line in found if line.system == chosen]


def tau_sweep(table: SetTable, system: str = "") -> Analysis:
    """Recall of gold and size of the pool for thresholds from 0 to 1, gated again from recorded DocScores."""
    columns = ("tau", "recall of gold", "recall of pool's gold", "documents kept", "share below tau", "this run")
    title = "The gate: τ against recall and pool size"
    lines = with_pool(table, system)
    if not lines:
        return nothing("tau", title, columns, NO_POOL)
    own = _pool(lines[0]).tau
    rows = [(*_gated(lines, tau), abs(tau - own) < 1e-9) for tau in sorted({*TAU_STEPS, own})]
    note = (
        f"{len(lines)} questions by {lines[0].system}. 'Recall of pool's gold' leaves out what no agent chose. "
        "'Share below tau': questions where no candidate reaches the threshold, so that the best one is kept or none."
    )
    return Analysis(
        name="tau",
        title=title,
        columns=columns,
        rows=tuple(rows),
        note=note,
        drawing="line",
        x="tau",
        y=("recall of gold", "recall of pool's gold"),
        y2=("documents kept",),
    )


def _gated(lines: list[Numbers], tau: float) -> tuple[Cell, ...]:
    found, inside, sizes, below = [], [], [], []
    for line in lines:
        pool = _pool(line)
        keeps = gate(pool.scores, RunSettings(tau=tau, fallback=pool.fallback))
        kept = {document for document, keep in zip(pool.documents, keeps, strict=True) if keep}
        gold, chosen = set(line.gold), set(line.gold) & set(pool.documents)
        found.append(len(gold & kept) / len(gold))
        inside += [len(chosen & kept) / len(chosen)] if chosen else []
        sizes.append(len(kept))
        below.append(all(score < tau for score in pool.scores))
    return (
        tau,
        float(np.mean(found)),
        float(np.mean(inside)) if inside else None,
        float(np.mean(sizes)),
        float(np.mean(below)),
    )


def docscore_of_gold(table: SetTable, system: str = "") -> Analysis:
    """How DocScore is spread over gold candidates and over the others."""
    columns = ("DocScore from", "DocScore to", "candidates", "count", "share")
    title = "DocScore of gold and of the rest"
    lines = with_pool(table, system)
    if not lines:
        return nothing("docscore", title, columns, NO_POOL)
    scores = np.array([score for line in lines for score in _pool(line).scores])
    gold = np.array([document in line.gold for line in lines for document in _pool(line).documents], dtype=bool)
    edges = np.linspace(0, 1, DOCSCORE_BINS + 1)
    rows: list[tuple[Cell, ...]] = []
    for name, chosen in (("gold", gold), ("others", ~gold)):
        counts, _ = np.histogram(scores[chosen], edges)
        rows += [
            (float(edges[i]), float(edges[i + 1]), name, int(count), float(count / counts.sum()))
            for i, count in enumerate(counts)
            if counts.sum()
        ]
    auc = area_under_curve(scores[gold], scores[~gold])
    told = "cannot be computed" if auc is None else f"{auc:.3f}"
    note = f"{len(scores)} candidates of {len(lines)} questions, {lines[0].system}. AUC, gold against the rest: {told}."
    return Analysis(
        name="docscore",
        title=title,
        columns=columns,
        rows=tuple(rows),
        note=note,
        drawing="bar",
        x="DocScore from",
        y=("share",),
        series="candidates",
    )


def area_under_curve(gold: np.ndarray, rest: np.ndarray) -> float | None:
    """Chance that a gold document scores above another one, ties by half (Mann-Whitney); None where a side is empty."""
    if not len(gold) or not len(rest):
        return None
    return float(stats.mannwhitneyu(gold, rest).statistic / (len(gold) * len(rest)))


def local_and_global(table: SetTable, system: str = "") -> Analysis:
    """How often the two agents say the same, and how often the Judge is right when they differ."""
    columns = ("agents", "questions", "share", "Local right", "Global right", "Judge right", "same evidence")
    title = "Local and Global Agent, and the Judge"
    found = [line for line in table.numbers.values() if line.views and line.views.local_right is not None]
    chosen = system or next((name for name in table.systems if any(line.system == name for line in found)), "")
    lines = [line for line in found if line.system == chosen]
    if not lines:
        return nothing("views", title, columns, "No system of this set has two agents, or no answers are known.")
    final = {row.id: row.right for row in table.rows if row.system == chosen}
    differ = [line for line in lines if line.views and not line.views.same]
    kinds = {
        "say the same": [line for line in lines if line.views and line.views.same],
        "differ": differ,
        "differ, one is right": [v for v in differ if v.views and v.views.local_right != v.views.global_right],
    }
    rows = [_views_row(name, members, len(lines), final) for name, members in kinds.items()]
    note = (
        f"{len(lines)} questions by {chosen}. Two answers are the same where one contains the other in whole words or "
        "both are right. 'Same evidence': mean overlap (Jaccard) of the documents that the two chose."
    )
    return Analysis(
        name="views",
        title=title,
        columns=columns,
        rows=tuple(rows),
        note=note,
        drawing="bar",
        x="agents",
        y=("Local right", "Global right", "Judge right"),
    )


def _views_row(name: str, lines: list[Numbers], total: int, final: dict[str, bool | None]) -> tuple[Cell, ...]:
    if not lines:
        return (name, 0, 0.0, None, None, None, None)
    views = [line.views for line in lines if line.views]
    overlap = [len({*v.local} & {*v.global_}) / len({*v.local} | {*v.global_}) for v in views if v.local or v.global_]
    return (
        name,
        len(lines),
        len(lines) / total,
        float(np.mean([bool(view.local_right) for view in views])),
        float(np.mean([bool(view.global_right) for view in views])),
        float(np.mean([bool(final.get(line.id)) for line in lines])),
        float(np.mean(overlap)) if overlap else None,
    )


def _pool(line: Numbers) -> PoolNumbers:
    assert line.pool
    return line.pool
