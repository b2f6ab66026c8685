from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.duquad.fusion import fuse, rank, softmax, standardize
from core.records import Signals
from core.settings.methods import RunSettings

NORMS = ["zscore", "minmax", "none"]
FUSES = ["sum_of_softmax", "softmax_of_sum"]
values = st.lists(st.floats(-50, 50), min_size=1, max_size=25)


def ask(**options: object) -> RunSettings:
    return RunSettings.model_validate(options)


def test_the_formula_by_hand() -> None:
    semantic, nll, phi = np.array([0.0, 1.0]), np.array([3.0, 2.0]), np.array([0.5, -0.5])
    ranking = fuse(semantic, nll, phi, ask(norm="none"))
    a, b, c = 1 / (1 + math.e), math.e / (1 + math.e), math.e / (1 + math.e)
    first = next(item for item in ranking if item.document == 0)
    assert first.parts.semantic == pytest.approx(0.5 * a)
    assert first.parts.inference == pytest.approx(1.0 * a)  # lower likelihood loss is better
    assert first.parts.contrast == pytest.approx(0.5 * c)
    assert first.score == pytest.approx(0.5 * a + 1.0 * (1 - b) + 0.5 * c)
    assert [item.document for item in ranking] == [1, 0]


def test_zscore_and_minmax_by_hand() -> None:
    assert standardize(np.array([1.0, 2.0, 3.0]), "zscore") == pytest.approx([-math.sqrt(1.5), 0, math.sqrt(1.5)])
    assert standardize(np.array([1.0, 2.0, 5.0]), "minmax") == pytest.approx([0, 0.25, 1])
    assert standardize(np.array([1.0, 2.0]), "none").tolist() == [1.0, 2.0]


def test_standardising_wakes_a_small_signal() -> None:
    phi = np.array([0.0, 2e-4, 0.0, 0.0])
    flat = np.zeros(4)
    raw = fuse(flat, flat, phi, ask(norm="none"))
    woken = fuse(flat, flat, phi, ask())
    assert raw[0].score - raw[1].score < 1e-3 < woken[0].score - woken[1].score


@pytest.mark.parametrize("norm", ["zscore", "minmax"])
def test_no_spread_carries_no_information(norm: str) -> None:
    for same in (0.1, 1e-7, 1e9):
        assert standardize(np.full(3, same) + np.array([0, same * 1e-16, 0]), norm).tolist() == [0, 0, 0]  # type: ignore[arg-type]


@pytest.mark.parametrize("fuse_kind", FUSES)
@pytest.mark.parametrize("norm", NORMS)
def test_ties_go_to_the_earlier_document(norm: str, fuse_kind: str) -> None:
    same = np.full(5, 0.3)
    ranking = fuse(same, same, same, ask(norm=norm, fuse=fuse_kind))
    assert [item.document for item in ranking] == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("fuse_kind", FUSES)
@pytest.mark.parametrize("norm", NORMS)
def test_none_one_and_two_documents(norm: str, fuse_kind: str) -> None:
    settings = ask(norm=norm, fuse=fuse_kind)
    assert fuse(np.array([]), np.array([]), np.array([]), settings) == ()
    (only,) = fuse(np.array([0.2]), np.array([3.0]), np.array([0.0]), settings)
    assert only.document == 0 and math.isfinite(only.score)
    two = fuse(np.array([0.1, 0.2]), np.array([3.0, 2.0]), np.array([-0.1, 0.1]), settings)
    assert [item.document for item in two] == [1, 0]


@given(values, st.sampled_from(NORMS), st.sampled_from(FUSES), st.data())
def test_invariants(signal: list[float], norm: str, fuse_kind: str, data: st.DataObject) -> None:
    other = data.draw(st.lists(st.floats(-50, 50), min_size=len(signal), max_size=len(signal)))
    settings = ask(norm=norm, fuse=fuse_kind)
    ranking = fuse(np.array(signal), np.array(other), np.array(signal), settings)
    assert sorted(item.document for item in ranking) == list(range(len(signal)))
    scores = [item.score for item in ranking]
    assert all(a >= b - 1e-9 for a, b in pairwise(scores))
    for item in ranking:
        parts = item.parts.semantic + item.parts.inference + item.parts.contrast
        assert parts == pytest.approx(item.score, abs=1e-9)
        assert min(item.parts.semantic, item.parts.inference, item.parts.contrast) >= 0
    total = settings.alpha + settings.beta + settings.gamma if fuse_kind == "sum_of_softmax" else 1
    assert sum(scores) == pytest.approx(total)


@given(values, st.integers(1, 24))
def test_the_order_does_not_depend_on_the_order_given(signal: list[float], turn: int) -> None:
    """Rotating the documents rotates the ranking: only ties may look at places."""
    n = len(signal)
    turned = np.roll(np.array(signal), turn)
    settings = ask()
    zero = np.zeros(n)
    plain = [signal[item.document] for item in fuse(np.array(signal), zero, zero, settings)]
    moved = [float(turned[item.document]) for item in fuse(turned, zero, zero, settings)]
    assert plain == pytest.approx(moved, abs=1e-6)


def test_softmax_of_large_values() -> None:
    assert softmax(np.array([1e4, 1e4 - 1])) == pytest.approx([1 / (1 + math.exp(-1)), 1 / (1 + math.e)])


def test_recorded_signals_are_ranked_again_without_a_model() -> None:
    attention = (((0.1, 0.1, 0.9, 0.1),), ((0.9, 0.1, 0.1, 0.1),))
    signals = Signals(
        attention=attention,
        contrast=(0.0, 0.0, 0.0, 0.0),
        semantic=(0.1, 0.1, 0.1, 0.1),
        query_nll=(2.0, 2.0, 2.0, 2.0),
        query_nll_empty=3.0,
    )
    assert rank(signals, ask(layers=(0,)))[0].document == 2
    assert rank(signals, ask(layers=(1,)))[0].document == 0
    with pytest.raises(ValueError, match="layer 5 does not exist"):
        rank(signals, ask(layers=(5,)))
