"""How sure a figure is: bootstrap intervals, paired differences, McNemar's test.

Seeded: the same rows give the same numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from core.records import Record
from core.settings.evaluation import BOOTSTRAP_SAMPLES, CONFIDENCE, STATISTICS_SEED

_FEW = 200  # distinct values up to which the multinomial is faster
_BATCH = 100  # resamples held in memory at once
Values = Sequence[float] | NDArray[np.floating[Any]]


class Estimate(Record):
    """A mean with its interval."""

    mean: float
    low: float
    """Lower end of the percentile bootstrap interval."""
    high: float
    questions: int
    """How many values went in."""


class Difference(Record):
    """How the second of two systems differs from the first on the questions that both answered."""

    mean: float
    """Mean of second − first."""
    low: float
    """Lower end of the paired bootstrap interval."""
    high: float
    only_first: int
    """Questions that only the first has right (marks of 0 and 1), or where its mark is higher."""
    only_second: int
    p: float
    """Of McNemar's exact test for marks of 0 and 1, else of Wilcoxon's signed-rank test."""
    questions: int


def estimate(values: Values) -> Estimate | None:
    """Mean and bootstrap interval; None without values."""
    marks = np.asarray(values, dtype=np.float64)
    if len(marks) == 0:
        return None
    low, high = _interval(marks)
    return Estimate(mean=float(marks.mean()), low=low, high=high, questions=len(marks))


def difference(first: Values, second: Values) -> Difference | None:
    """Paired comparison of the marks that two systems got on the same questions; None without questions.

    Raises:
        ValueError: the two are not equally long.
    """
    ours, theirs = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if ours.shape != theirs.shape:
        raise ValueError(f"the systems have {len(ours)} and {len(theirs)} marks; a pair needs one of each")
    if len(ours) == 0:
        return None
    gaps = theirs - ours
    low, high = _interval(gaps)
    only_first, only_second = int((gaps < 0).sum()), int((gaps > 0).sum())
    binary = bool(np.isin(np.concatenate([ours, theirs]), (0.0, 1.0)).all())
    return Difference(
        mean=float(gaps.mean()),
        low=low,
        high=high,
        only_first=only_first,
        only_second=only_second,
        p=mcnemar(only_first, only_second) if binary else wilcoxon(gaps),
        questions=len(gaps),
    )


def mcnemar(only_first: int, only_second: int) -> float:
    """The p value of McNemar's exact test: a fair coin for each question that just one of the two has right."""
    discordant = only_first + only_second
    return float(stats.binomtest(only_first, discordant, 0.5).pvalue) if discordant else 1.0


def adjusted(p_values: Sequence[float]) -> tuple[float, ...]:
    """The p values of several comparisons made together, after Benjamini and Hochberg."""
    return tuple(float(p) for p in stats.false_discovery_control(p_values)) if p_values else ()


def wilcoxon(gaps: Values) -> float:
    """The p value of Wilcoxon's signed-rank test that paired gaps lie around 0; 1 where none differs from it."""
    moved = [gap for gap in gaps if gap != 0]
    return float(stats.wilcoxon(moved).pvalue) if moved else 1.0


def _interval(marks: NDArray[np.float64]) -> tuple[float, float]:
    """Percentile bootstrap of the mean.

    How often each distinct value is drawn is multinomial: the same distribution as drawing questions one by one, and
    far faster where the distinct values are few, as marks of 0 and 1 are.
    """
    distinct, counts = np.unique(marks, return_counts=True)
    if len(distinct) == 1:
        return float(distinct[0]), float(distinct[0])
    random = np.random.default_rng(STATISTICS_SEED)
    if len(distinct) > _FEW:
        options = {"n_resamples": BOOTSTRAP_SAMPLES, "batch": _BATCH, "confidence_level": CONFIDENCE, "rng": random}
        found = stats.bootstrap((marks,), np.mean, method="percentile", **options).confidence_interval
        return float(found.low), float(found.high)
    drawn = random.multinomial(len(marks), counts / len(marks), size=BOOTSTRAP_SAMPLES)  # (samples, distinct)
    tail = (1 - CONFIDENCE) / 2
    low, high = np.quantile(drawn @ distinct / len(marks), (tail, 1 - tail))
    return float(low), float(high)


def cohen_kappa(first: Sequence[str], second: Sequence[str]) -> float | None:
    """Agreement of two reviewers over the same items beyond chance (Cohen 1960).

    None without items, and where both used one and the same category throughout, since chance then explains all.
    """
    if not first or len(first) != len(second):
        return None
    categories = sorted({*first, *second})
    shares = [np.array([labels.count(category) for category in categories]) / len(first) for labels in (first, second)]
    observed = sum(a == b for a, b in zip(first, second, strict=True)) / len(first)
    chance = float(shares[0] @ shares[1])
    return None if chance >= 1 else (observed - chance) / (1 - chance)
