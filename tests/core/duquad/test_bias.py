"""Hand numbers for bias, calibration and ranks."""

from __future__ import annotations

import numpy as np
import pytest

from core.duquad.bias import (
    SIGNALS,
    bias,
    calibrate,
    control,
    grids,
    ranks,
    recall,
    shares,
    sweep_numbers,
)
from core.settings.methods import RunSettings
from tests.core.sweeps import place_of, sweep_of

CURVES = {0: (5, 1, 4), 1: (3, 3, 4), 2: (3, 1, 6)}  # ends draw 3 and 4, the middle 1; gold adds 2


def test_shares_sum_to_one_and_follow_the_head_set() -> None:
    sweep = sweep_of(CURVES)
    assert shares(grids(sweep.places), RunSettings()).tolist() == [[0.5, 0.1, 0.4], [0.3, 0.3, 0.4], [0.3, 0.1, 0.6]]
    grid = np.zeros((1, 2, 2, 3))
    grid[0, 1, 0] = (1, 1, 2)
    grid[0, 0, 1] = (3, 1, 0)
    assert shares(grid, RunSettings(head_set=((1, 0),))).tolist() == [[0.25, 0.25, 0.5]]
    assert shares(grid, RunSettings(head_set=((1, 0), (0, 1), (1, 0)))).tolist() == [[0.5, 0.25, 0.25]]
    assert shares(grid, RunSettings(layers=(1,))).tolist() == [[0.25, 0.25, 0.5]]
    assert shares(np.zeros((1, 1, 1, 3)), RunSettings()).tolist() == [[0, 0, 0]]
    for outside in ((2, 0), (0, 2), (-1, 0)):
        with pytest.raises(ValueError, match="layers 0 to 1 with heads 0 to 1"):
            shares(grid, RunSettings(head_set=(outside,)))


def test_bias_is_the_mean_where_gold_is_elsewhere() -> None:
    share = shares(grids(sweep_of(CURVES).places), RunSettings())
    assert bias(share, (0, 1, 2)).tolist() == pytest.approx([0.3, 0.1, 0.4])
    found = calibrate(share, bias(share, (0, 1, 2)))
    assert np.diag(found).tolist() == pytest.approx([0.2, 0.2, 0.2])
    assert (found - np.diag(np.diag(found))).ravel().tolist() == pytest.approx([0] * 9)


def test_calibration_subtracts_or_divides() -> None:
    share, place_bias = np.array([[0.5, 0.1, 0.4]]), np.array([0.25, 0.1, 0.0])
    assert calibrate(share, place_bias).ravel().tolist() == pytest.approx([0.25, 0, 0.4])
    assert calibrate(share, place_bias, "divide").ravel().tolist() == pytest.approx([2, 1, 1])


@pytest.mark.parametrize("n", [1, 2, 3])
def test_degenerate_sweeps(n: int) -> None:
    for read in range(1, n + 1):
        sweep = sweep_of({0: (1.0,) * n}).model_copy(
            update={"places": tuple(place_of(place, np.ones((1, 1, n))) for place in range(read))}
        )
        found = sweep_numbers(sweep).ranks
        assert set(found) == set(SIGNALS) and all(len(values) == read for values in found.values())
        # No spread in attention: the first in the prompt leads.
        assert found["attention"] == found["contrast"] == tuple(range(1, read + 1))
        assert found["likelihood"] == found["semantic"] == found["SFS"] == (1,) * read
        assert control(sweep, RunSettings()).shape == (n,) and np.isnan(control(sweep, RunSettings())).all()
        numbers = sweep_numbers(sweep, how="divide")
        assert np.isfinite(numbers.bias).all() and numbers.evidence == pytest.approx(0)
        assert np.isfinite(calibrate(numbers.share, numbers.bias, "divide")).all() and numbers.control is None


def test_a_place_that_no_other_row_tells_about_has_no_evidence() -> None:
    share = np.array([[0.5, 0.1, 0.4]])
    assert bias(share, (1,)).tolist() == pytest.approx([0.5, 0.1, 0.4])
    assert bias(np.zeros((0, 3)), ()).tolist() == [0, 0, 0]


def test_each_signal_ranks_the_moved_document_at_each_place() -> None:
    found = sweep_numbers(sweep_of(CURVES)).ranks
    assert found["attention"] == (1, 3, 1)  # both ends draw as much as gold in the middle, or more
    assert found["calibrated"] == (1, 1, 1)
    assert found["contrast"] == (1, 3, 1)  # 2·3 − 3 − 4 is below 0: the end leans on its only neighbour
    assert found["likelihood"] == found["semantic"] == found["SFS"] == (1, 1, 1)
    assert sweep_numbers(sweep_of(CURVES), how="divide").ranks["calibrated"] == (1, 1, 1)
    only = RunSettings(alpha=0, beta=0, gamma=1)
    assert sweep_numbers(sweep_of(CURVES), only).ranks["SFS"] == found["contrast"]


def test_likelihood_and_meaning_follow_the_base_order() -> None:
    sweep = sweep_of(CURVES, gold=1, semantic=(0.9, 0.5, 0.1), query_nll=(1.0, 2.0, 3.0))
    found = sweep_numbers(sweep).ranks
    assert found["semantic"] == found["likelihood"] == (2, 2, 2)


def test_of_equal_values_the_first_leads() -> None:
    assert [int(ranks(np.array([2.0, 2.0, 1.0]), at)) for at in range(3)] == [1, 2, 3]
    assert ranks(np.array([[1.0, 2.0], [3.0, 2.0]]), 1).tolist() == [1, 2]


def test_recall_counts_ranks_in_reach() -> None:
    assert recall((1, 3, 7, 6), 6) == 0.75
    assert recall((), 6) == 0.0


def test_the_control_is_what_the_dummy_draws_where_it_stands() -> None:
    sweep = sweep_of(CURVES, dummy=(place_of(0, [[[3, 1, 4]]]), place_of(2, [[[3, 1, 4]]])))
    drawn = control(sweep, RunSettings())
    assert drawn[[0, 2]].tolist() == [0.375, 0.5] and np.isnan(drawn[1])
