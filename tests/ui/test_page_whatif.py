"""What-if values to settings and back."""

from __future__ import annotations

import pytest

from core.settings.methods import RunSettings
from ui.inspect_whatif import numbers, values_of


@pytest.mark.parametrize(
    "settings",
    [
        RunSettings(),
        RunSettings(alpha=0, beta=1.75, gamma=2, k=3, tau=0.9, norm="none", fuse="softmax_of_sum"),
        RunSettings(layers="last_half", heads="max"),
        RunSettings(layers=(7,), heads=(0, 2)),
        RunSettings(layers=(0, 3, 4)),
    ],
)
def test_settings_survive_the_controls(settings: RunSettings) -> None:
    assert values_of(settings).settings(RunSettings(instruction="kept")) == settings.model_copy(
        update={"instruction": "kept"}
    )


@pytest.mark.parametrize(
    ("text", "found"), [("0", (0,)), ("0, 4-7", (0, 4, 5, 6, 7)), ("3 – 5;1", (1, 3, 4, 5)), ("2 2 2", (2,))]
)
def test_numbers_and_ranges_are_read(text: str, found: tuple[int, ...]) -> None:
    assert numbers("layer", text) == found


@pytest.mark.parametrize("text", ["", " , ", "x", "5-3", "-1", "1.5", "0-99999", "9" * 40, "<b>"])
def test_what_is_no_list_says_how_to_write_one(text: str) -> None:
    with pytest.raises(ValueError, match="write numbers and ranges"):
        numbers("layer", text)


def test_a_value_outside_its_bounds_is_named() -> None:
    wrong = values_of(RunSettings()).__class__(*(99, *values_of(RunSettings()).row()[1:]))
    with pytest.raises(ValueError, match="alpha"):
        wrong.settings(RunSettings())
