from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from core.evaluation.statistics import adjusted, cohen_kappa, difference, estimate, mcnemar, wilcoxon


def test_mcnemar_is_a_fair_coin_by_hand() -> None:
    # 1 against 5: two-sided chance of at most one head in six throws, 2·(1 + 6)/64.
    assert mcnemar(1, 5) == pytest.approx(2 * 7 / 64)
    assert mcnemar(5, 1) == mcnemar(1, 5)
    assert mcnemar(0, 0) == mcnemar(3, 3) == 1


def test_an_interval_of_marks_agrees_with_scipys() -> None:
    marks = np.array([1.0] * 120 + [0.0] * 180)
    found = estimate(marks)
    assert found and found.mean == 0.4 and found.questions == 300
    reference = stats.bootstrap((marks,), np.mean, method="percentile", n_resamples=9999, rng=np.random.default_rng(7))
    assert (found.low, found.high) == pytest.approx(tuple(reference.confidence_interval), abs=0.01)
    # Normal approximation: 0.4 ± 1.96·sqrt(0.24/300).
    assert (found.low, found.high) == pytest.approx((0.4 - 0.0554, 0.4 + 0.0554), abs=0.01)


def test_an_interval_of_graded_marks_agrees_with_the_multinomial_one() -> None:
    random = np.random.default_rng(3)
    graded = random.random(400)
    found = estimate(graded)
    reach = 1.96 * graded.std() / 20
    assert found and (found.low, found.high) == pytest.approx((graded.mean() - reach, graded.mean() + reach), abs=0.005)


def test_the_same_rows_give_the_same_numbers() -> None:
    marks = [0.0, 1.0, 1.0, 0.5, 0.25] * 9
    assert estimate(marks) == estimate(marks)
    assert difference(marks, marks[::-1]) == difference(marks, marks[::-1])


def test_a_paired_difference_by_hand() -> None:
    first, second = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0], [1.0, 1.0, 1.0, 0.0, 0.0, 1.0]
    found = difference(first, second)
    assert found and found.mean == pytest.approx(2 / 6)
    assert (found.only_first, found.only_second, found.questions) == (1, 3, 6)
    assert found.p == mcnemar(1, 3) and found.low < found.mean < found.high


def test_pairing_sees_what_two_intervals_do_not() -> None:
    random = np.random.default_rng(1)
    base = random.random(300)
    found = difference(base, base + 0.02)
    assert found and found.low == pytest.approx(0.02) and found.p < 1e-6
    first, second = estimate(base), estimate(base + 0.02)
    assert first and second and second.low < first.high


def test_graded_marks_go_through_wilcoxon() -> None:
    gaps = [0.1, 0.2, 0.3, -0.05, 0.0]
    assert wilcoxon(gaps) == pytest.approx(stats.wilcoxon(gaps[:4]).pvalue)
    assert wilcoxon([0.0, 0.0]) == 1


def test_degenerate_rows() -> None:
    assert estimate([]) is None and difference([], []) is None
    alone = estimate([1.0])
    assert alone and (alone.mean, alone.low, alone.high) == (1, 1, 1)
    same = difference([0.5, 0.5], [0.5, 0.5])
    assert same and (same.mean, same.low, same.high, same.p) == (0, 0, 0, 1)
    with pytest.raises(ValueError, match="2 and 1 marks"):
        difference([1.0, 0.0], [1.0])


def test_p_values_of_several_comparisons_after_benjamini_and_hochberg() -> None:
    # Sorted 0.01, 0.02, 0.03 of three: 0.03, 0.03, 0.03.
    assert adjusted([0.03, 0.01, 0.02]) == pytest.approx((0.03, 0.03, 0.03))
    assert adjusted([0.04]) == (0.04,) and adjusted([]) == ()


def test_cohens_kappa_by_hand() -> None:
    # Ten items: both yes 4, both no 3, first alone yes 2, second alone yes 1.
    first = ["y"] * 4 + ["n"] * 3 + ["y"] * 2 + ["n"]
    second = ["y"] * 4 + ["n"] * 3 + ["n"] * 2 + ["y"]
    # Observed 0.7; chance 0.6·0.5 + 0.4·0.5 = 0.5.
    assert cohen_kappa(first, second) == pytest.approx((0.7 - 0.5) / (1 - 0.5))
    assert cohen_kappa(["a", "b"], ["a", "b"]) == 1
    assert cohen_kappa(["a", "a"], ["a", "a"]) is None and cohen_kappa([], []) is None
    assert cohen_kappa(["a", "b"], ["b", "a"]) == -1


@given(st.lists(st.floats(0, 1), min_size=1, max_size=40))
def test_an_interval_holds_its_mean(marks: list[float]) -> None:
    found = estimate(marks)
    assert found and found.low <= found.mean + 1e-9 and found.mean <= found.high + 1e-9
    assert min(marks) - 1e-9 <= found.low and found.high <= max(marks) + 1e-9
