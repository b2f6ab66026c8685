"""Head sets as text, in the lab's address and among Inspect's controls."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.settings.methods import RunSettings
from ui.head_sets import MOST, heads_in, heads_of, spelled
from ui.inspect_whatif import Values, values_of

PAIRS = st.lists(st.tuples(st.integers(0, 999), st.integers(0, 999)), max_size=20)


@given(PAIRS)
def test_a_set_is_read_as_it_is_spelled(pairs: list[tuple[int, int]]) -> None:
    heads = tuple(sorted(set(pairs)))
    assert heads_in(spelled(heads)) == heads_of(spelled(heads)) == heads


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    assert len(heads_of(text)) <= MOST
    try:
        assert heads_in(text) == heads_of(text)
    except ValueError as error:
        assert "head" in str(error)


@pytest.mark.parametrize("text", ["1", "1.2.3", "-1.2", "1.2 x", "<b>", "1234.1"])
def test_what_is_no_head_is_named(text: str) -> None:
    with pytest.raises(ValueError, match=r"is not a head: write layer\.head"):
        heads_in(text)


def test_too_many_heads_are_refused() -> None:
    with pytest.raises(ValueError, match="at most 256"):
        heads_in(" ".join(f"0.{i}" for i in range(MOST + 1)))


def test_a_head_set_is_a_setting_of_the_inspector() -> None:
    settings = RunSettings(head_set=((12, 3), (2, 1)))
    values = values_of(settings)
    assert values.head_set == "12.3 2.1" and values.settings(RunSettings()).head_set == ((2, 1), (12, 3))
    assert values_of(RunSettings()).head_set == ""
    blank = Values(*[*values.row()[:-1], "  "])
    assert blank.settings(settings).head_set == ()
