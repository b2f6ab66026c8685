"""Analyses of recorded signals: the W, recall against k, the weights of the fusion, agreement of evidence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import product

import numpy as np
from numpy.typing import NDArray

from core.duquad.contrast import attention_share
from core.duquad.fusion import softmax, standardize
from core.evaluation.analyses_record import Analysis, Cell, nothing
from core.evaluation.numbers import Numbers, SignalNumbers
from core.evaluation.table import SetTable
from core.settings.evaluation import RECALL_AT, WEIGHT_STEPS

Floats = NDArray[np.float64]
NO_SIGNALS = "No system of this set records signals and has known gold documents."


def with_signals(table: SetTable, system: str = "") -> list[Numbers]:
    """One line a question that has signals and gold: of one system, or of the first that has them."""
    found = [line for line in table.numbers.values() if line.signals and line.gold and min(line.gold) >= 0]
    chosen = system or next((name for name in table.systems if any(line.system == name for line in found)), "")
    return [line for line in found if line.system == chosen]


def attention_by_place(table: SetTable, system: str = "") -> Analysis:
    """Mean share of attention at each place, where gold stands there and where it does not: the W.

    Over the most common number of documents, since places of prompts of other lengths are not the same places.
    """
    columns = ("place", "attention", "mean share", "documents")
    title = "Attention by place, with and without gold"
    lines = with_signals(table, system)
    if not lines:
        return nothing("attention", title, columns, NO_SIGNALS)
    size = Counter(line.documents for line in lines).most_common(1)[0][0]
    lines = [line for line in lines if line.documents == size]
    shares = np.stack([attention_share(np.array(_signals(line).attention)) for line in lines])  # (Q, N)
    gold = np.stack([np.isin(np.arange(size), line.gold) for line in lines])  # (Q, N)
    rows: list[tuple[Cell, ...]] = []
    for name, chosen in (("with gold", gold), ("without gold", ~gold)):
        counts = chosen.sum(axis=0)
        sums = (shares * chosen).sum(axis=0)
        rows += [
            (place + 1, name, float(sums[place] / counts[place]), int(counts[place]))
            for place in range(size)
            if counts[place]
        ]
    note = f"{len(lines)} questions with {size} documents each, by {lines[0].system}; all documents share 100 %."
    return Analysis(
        name="attention",
        title=title,
        columns=columns,
        rows=tuple(rows),
        note=note,
        drawing="line",
        x="place",
        y=("mean share",),
        series="attention",
    )


def recall_against_k(table: SetTable, system: str = "") -> Analysis:
    """Share of gold documents among the first k, by each signal and by SFS, and by every other system's ranking."""
    columns = ("k", "ranked by", "recall", "questions")
    title = "Recall of gold against k"
    gold: dict[str, list[NDArray[np.int64]]] = {}  # places of gold, from 0, one array a question
    lines = with_signals(table, system)
    for line in lines:
        signals = _signals(line)
        own = {
            "attention": signals.attention,
            "contrast": signals.contrast,
            "semantic": signals.semantic,
            "likelihood": [-nll for nll in signals.query_nll],
        }
        for name, values in own.items():
            gold.setdefault(name, []).append(ranks(np.array(values))[list(line.gold)])
    for line in table.numbers.values():
        if line.ranking and line.gold and min(line.gold) >= 0:
            name = "SFS" if lines and line.system == lines[0].system else line.system
            order = np.argsort(np.array(line.ranking))
            gold.setdefault(name, []).append(order[list(line.gold)])
    if not gold:
        return nothing("recall", title, columns, "No system of this set ranks documents, or no gold is known.")
    longest = max(line.documents for line in table.numbers.values())
    rows = [
        (k, name, float(recall), len(places))
        for name, places in gold.items()
        for k, recall in enumerate(_recall_curve(places, longest), start=1)
    ]
    note = "Mean over questions of the share of their gold documents that stands among the first k."
    return Analysis(
        name="recall",
        title=title,
        columns=columns,
        rows=tuple(rows),
        note=note,
        drawing="line",
        x="k",
        y=("recall",),
        series="ranked by",
    )


def _recall_curve(places: list[NDArray[np.int64]], longest: int) -> Floats:
    """Recall at each k from 1; every question counts the same, however many gold documents it has: (longest,)."""
    weights = np.concatenate([np.full(len(found), 1 / len(found)) for found in places])
    counted = np.bincount(np.concatenate(places), weights=weights, minlength=longest)
    recall: Floats = np.cumsum(counted)[:longest] / len(places)
    return recall


def weight_grid(table: SetTable, system: str = "") -> Analysis:
    """Recall of SFS under other weights: α, β, γ from 0 to 1, all fused again from recorded signals."""
    columns = ("alpha", "beta", "gamma", *(f"recall@{k}" for k in RECALL_AT), "this run")
    title = "Weights of the fusion"
    lines = with_signals(table, system)
    if not lines:
        return nothing("weights", title, columns, NO_SIGNALS)
    own = _signals(lines[0]).weights
    grid = [weights for weights in product(WEIGHT_STEPS, repeat=3) if any(weights)]
    grid += [] if own in grid else [own]
    found = np.stack([_recalls(line, np.array(grid)) for line in lines]).mean(axis=0)  # (G, K)
    rows: list[tuple[Cell, ...]] = [
        (*weights, *(float(value) for value in found[i]), weights == own) for i, weights in enumerate(grid)
    ]
    note = (
        f"{len(lines)} questions by {lines[0].system}. Only the proportions of the three weights matter. "
        "The best of many weights is best on these questions partly by chance: choose on some, test on others."
    )
    return Analysis(
        name="weights",
        title=title,
        columns=columns,
        rows=tuple(rows),
        note=note,
        drawing="grid",
        x="alpha",
        y=("gamma", f"recall@{RECALL_AT[0]}"),
        series="beta",
    )


def _recalls(line: Numbers, grid: Floats) -> Floats:
    """Recall at each cut-off under each row of weights (G, 3): (G, K)."""
    signals = _signals(line)
    raw = (np.array(signals.semantic), -np.array(signals.query_nll), np.array(signals.contrast))
    scaled = [standardize(signal, signals.norm) for signal in raw]
    parts = np.stack([softmax(signal) for signal in scaled] if signals.fuse == "sum_of_softmax" else scaled)  # (3, N)
    # As in fusion.fuse: rounding keeps the last bits of a sum from deciding a tie.
    scores = np.round(grid @ parts, 12)  # (G, N); a softmax over a sum keeps the order of the sum
    places = np.argsort(np.argsort(-scores, axis=1, kind="stable"), axis=1)[:, list(line.gold)]  # (G, gold)
    return np.stack([(places < k).mean(axis=1) for k in RECALL_AT], axis=1)


def ranks(values: Floats) -> NDArray[np.int64]:
    """Place of each value from 0, largest first, ties by lower index: (N,)."""
    places: NDArray[np.int64] = np.argsort(np.argsort(-values, kind="stable"))
    return places


def _signals(line: Numbers) -> SignalNumbers:
    assert line.signals
    return line.signals


def evidence_agreement(table: SetTable, other: SetTable | None = None) -> Analysis:
    """How far two systems, or one system with two models, go by the same evidence on the same questions.

    Args:
        table: the set.
        other: the same set under other models; without it the systems of ``table`` are compared with each other.
    """
    columns = ("first", "second", "evidence (Jaccard)", "same first place", "ranking (Spearman)", "questions")
    rows = [row for pair in _pairs(table, other) if (row := _agreement(*pair))]
    if not rows:
        why = "Fewer than two systems of this set choose documents or pages."
        return nothing("agreement", "Evidence agreement between systems", columns, why)
    note = (
        "Evidence: what the answer was made from (kept by the gate, cited, or shown in part), as the share of common "
        "documents among all that either used. Ranking: rank correlation, averaged over questions."
    )
    return Analysis(
        name="agreement", title="Evidence agreement between systems", columns=columns, rows=tuple(rows), note=note
    )


Side = tuple[str, dict[str, Numbers]]


def _pairs(table: SetTable, other: SetTable | None) -> Iterator[tuple[Side, Side]]:
    ours = _sides(table)
    if other is not None:
        theirs = dict(_sides(other))
        yield from (((name, own), (f"{name} (other)", theirs[name])) for name, own in ours if name in theirs)
        return
    yield from ((ours[i], ours[j]) for i in range(len(ours)) for j in range(i + 1, len(ours)))


def _sides(table: SetTable) -> list[Side]:
    return [
        (system, {line.id: line for line in table.numbers.values() if line.system == system})
        for system in table.systems
    ]


def _agreement(first: Side, second: Side) -> tuple[Cell, ...] | None:
    pairs = [(line, second[1][name]) for name, line in first[1].items() if name in second[1]]
    shared = _mean(pairs, lambda a, b: _jaccard(a.used, b.used))
    top = _mean(pairs, lambda a, b: float(a.ranking[0] == b.ranking[0]) if a.ranking and b.ranking else None)
    correlation = _mean(pairs, _spearman)
    if shared is None and top is None and correlation is None:
        return None
    return (first[0], second[0], shared, top, correlation, len(pairs))


def _mean(pairs: list[tuple[Numbers, Numbers]], measure: Callable[[Numbers, Numbers], float | None]) -> float | None:
    found = [value for a, b in pairs if (value := measure(a, b)) is not None]
    return sum(found) / len(found) if found else None


def _jaccard(first: tuple[int, ...] | None, second: tuple[int, ...] | None) -> float | None:
    if first is None or second is None or not (first or second):
        return None
    return len({*first} & {*second}) / len({*first} | {*second})


def _spearman(first: Numbers, second: Numbers) -> float | None:
    if not (first.ranking and second.ranking) or len(first.ranking) != len(second.ranking) or len(first.ranking) < 2:
        return None
    ours, theirs = (np.argsort(np.array(line.ranking)) for line in (first, second))
    n = len(ours)
    return 1 - 6 * float(((ours - theirs) ** 2).sum()) / (n * (n * n - 1))  # Spearman's rho; a ranking has no ties
