from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from core.duquad.contrast import (
    attention_share,
    chosen_attention,
    chosen_layers,
    contrast,
    document_attention,
    head_attention,
    trend,
)
from core.settings.methods import RunSettings

GRID = np.arange(2 * 3 * 4, dtype=float).reshape(2, 3, 4)  # layer, head, document
vectors = hnp.arrays(float, st.integers(0, 30), elements=st.floats(0, 1, width=32))


def test_mean_over_all_layers_and_heads() -> None:
    assert document_attention(GRID).tolist() == [10.0, 11.0, 12.0, 13.0]


@pytest.mark.parametrize(
    ("layers", "heads", "first"),
    [
        ("last", "mean", 16.0),
        ("last_half", "mean", 16.0),
        ((0,), "mean", 4.0),
        ((1, 0, 1), "mean", 10.0),
        ("all", "max", 14.0),
        ("all", (2,), 14.0),
        ((1,), (0, 1), 14.0),
    ],
)
def test_layers_and_heads_are_chosen(layers: object, heads: object, first: float) -> None:
    assert document_attention(GRID, layers, heads)[0] == first  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("layers", "heads", "message"),
    [
        ((7,), "mean", "layer 7 does not exist"),
        ("all", (3,), "head 3 does not exist"),
        ((), "mean", "no layer is chosen"),
    ],
)
def test_what_does_not_exist_is_named(layers: object, heads: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        document_attention(GRID, layers, heads)  # type: ignore[arg-type]


def test_last_half_of_an_odd_depth() -> None:
    assert chosen_layers("last_half", 5) == [2, 3, 4]


def test_contrast_by_hand() -> None:
    assert contrast(np.array([0.4, 0.1, 0.3, 0.1, 0.2])) == pytest.approx([0.3, -0.5, 0.4, -0.3, 0.1])


def test_contrast_of_none_one_and_two() -> None:
    assert contrast(np.array([])).tolist() == []
    assert contrast(np.array([0.7])).tolist() == [0.0]
    assert contrast(np.array([0.7, 0.2])) == pytest.approx([0.5, -0.5])


def test_a_straight_slope_has_no_contrast_inside() -> None:
    assert contrast(np.linspace(0, 1, 9))[1:-1] == pytest.approx(np.zeros(7), abs=1e-12)


@given(vectors, st.floats(0.1, 10))
def test_contrast_scales_with_attention_and_mirrors(values: np.ndarray, factor: float) -> None:
    assert np.allclose(contrast(values * factor), contrast(values) * factor)
    assert np.allclose(contrast(values[::-1]), contrast(values)[::-1])


def test_the_trend_does_not_follow_a_spike() -> None:
    flat = np.full(11, 0.05)
    spiked = flat.copy()
    spiked[5] = 0.5
    assert trend(spiked) == pytest.approx(flat)


def test_the_trend_keeps_the_rise_at_the_ends() -> None:
    u = np.array([0.3, 0.1, 0.05, 0.05, 0.05, 0.05, 0.1, 0.3])
    smooth = trend(u)
    assert smooth[0] == 0.3 and smooth[-1] == 0.3
    assert smooth[3] < 0.1


@given(vectors)
def test_the_trend_stays_inside_the_curve(values: np.ndarray) -> None:
    smooth = trend(values)
    assert len(smooth) == len(values)
    if len(values):
        assert smooth.min() >= values.min() - 1e-12 and smooth.max() <= values.max() + 1e-12


def test_share_sums_to_one_and_nothing_stays_nothing() -> None:
    assert attention_share(np.array([1.0, 3.0])).tolist() == [0.25, 0.75]
    assert attention_share(np.zeros(3)).tolist() == [0.0, 0.0, 0.0]


def test_a_head_set_is_the_mean_of_its_heads() -> None:
    grid = np.arange(24.0).reshape(2, 3, 4)  # (L, H, N)
    assert head_attention(grid, ((0, 1), (1, 2))).tolist() == [12, 13, 14, 15]
    assert head_attention(np.stack([grid, grid + 1]), ((0, 0),)).tolist() == [[0, 1, 2, 3], [1, 2, 3, 4]]
    assert chosen_attention(grid, RunSettings(head_set=((0, 1), (1, 2)), layers="last")).tolist() == [12, 13, 14, 15]
    assert chosen_attention(grid, RunSettings(layers="last")).tolist() == document_attention(grid, "last").tolist()
    for pairs in ((), ((2, 0),), ((0, 3),), ((0, -1),)):
        with pytest.raises(ValueError, match="head"):
            head_attention(grid, pairs)


def test_rows_are_treated_one_by_one() -> None:
    rows = np.array([[1.0, 4.0, 1.0, 2.0], [0.0, 0.0, 0.0, 0.0], [3.0, 1.0, 1.0, 5.0]])
    assert contrast(rows).tolist() == [contrast(row).tolist() for row in rows]
    assert attention_share(rows).tolist() == [attention_share(row).tolist() for row in rows]
    stack = np.stack([np.arange(24.0).reshape(2, 3, 4)] * 2)
    assert document_attention(stack, (0,), "max").tolist() == [document_attention(stack[0], (0,), "max").tolist()] * 2
    assert contrast(np.ones((3, 1))).tolist() == [[0], [0], [0]]
