"""The lab's figures: what is drawn where, for sweeps of every shape, and that hostile text stays text."""

from __future__ import annotations

import json

import numpy as np
import pytest

from core.records import SweepRecord
from tests.ui.sweep_sample import HEADS, LAYERS, fix_sample, length_sample, sweep_sample
from ui.lab_figures import TOO_FEW, split, walk
from ui.lab_figures_heads import finders, grid
from ui.lab_figures_map import heat
from ui.lab_lesson import scene
from ui.lab_lessons import Lessons
from ui.lab_numbers import Sweep
from ui.lab_state import FREE, LAST_STEP, LabView
from ui.lab_views import draw, moved
from ui.palette import palette


@pytest.fixture(scope="module")
def sweep() -> Sweep:
    return Sweep(sweep_sample())


def trace(figure: object, name: str) -> dict[str, object]:
    data = json.loads(figure.to_json())["data"]  # type: ignore[attr-defined]
    return next(found for found in data if found["name"] == name)


def test_the_star_stands_at_the_place_of_gold_and_the_scale_stays(sweep: Sweep) -> None:
    numbers = sweep.numbers()
    figures = [walk(sweep, numbers, place, False) for place in (0, 9)]
    for place, figure in zip((0, 9), figures, strict=True):
        gold = trace(figure, "gold")
        assert gold["x"] == [place + 1] and gold["customdata"] == [[place]]
        assert gold["y"] == [pytest.approx(100 * numbers.share[place, place])]
    assert figures[0].layout.yaxis.range == figures[1].layout.yaxis.range


def test_the_map_has_a_cell_for_each_place_and_a_mark_for_each_answer(sweep: Sweep) -> None:
    figure = heat(sweep, sweep.numbers(), 3, False)
    cells = trace(figure, "shares")
    assert np.array(cells["z"]).shape == (20, 20)
    assert np.allclose(np.sum(cells["z"], axis=1), 100, atol=0.1)
    assert cells["customdata"][4][7] == [4]  # type: ignore[index]
    marks = trace(figure, "answers")
    assert marks["text"].count("✓") == 9 and len(marks["text"]) == 20  # type: ignore[attr-defined, arg-type]
    assert "answers" not in [found.name for found in heat(sweep, sweep.numbers(), 3, False, answers=False).data]
    calibrated = trace(heat(sweep, sweep.numbers(), 3, False, calibrated=True), "shares")
    assert np.allclose(calibrated["z"], 100 * sweep.numbers().evidence, atol=0.001)


def test_bias_evidence_and_control_are_drawn_together(sweep: Sweep) -> None:
    numbers = sweep.numbers()
    figure = split(sweep, numbers, 9, "calibrate", True, control=True)
    assert {found.name for found in figure.data} >= {"bias", "evidence", "text with no content", "calibrate"}
    bars = next(found for found in figure.data if found.name == "calibrate")
    assert np.allclose(bars.y, 100 * numbers.evidence[9])
    assert bars.marker.color[9] == palette(True).gold


def test_ranks_and_heads_are_cells_that_can_be_clicked(sweep: Sweep) -> None:
    ranks = trace(finders(sweep, sweep.numbers(), 2, False), "ranks")
    assert ranks["text"][0] == list(sweep.numbers().ranks["attention"])  # type: ignore[index]
    heads = trace(grid(sweep, ((2, 1),), (3, 0), False), "heads")
    assert np.array(heads["z"]).shape == (HEADS, LAYERS)
    assert heads["customdata"][1][2] == [2, 1]  # type: ignore[index]


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize(
    "record",
    [sweep_sample(3), sweep_sample(40), sweep_sample(places=1), sweep_sample(places=2, dummy=False), sweep_sample(12)],
    ids=["three", "forty", "one place", "two places", "twelve"],
)
def test_every_step_of_every_sweep_can_be_drawn(record: SweepRecord, dark: bool) -> None:
    sweep, lessons = Sweep(record), Lessons(length_sample(), fix_sample())
    for step in (FREE, *range(1, LAST_STEP + 1)):
        for answers in ((), ((step, 0),)):
            view = LabView("sweep", "x", step=step, answers=answers, focus=(0, 0), control=True, dark=dark)
            drawn = draw(sweep, view, {}, lessons)
            assert drawn["card"] and drawn["parts"]
            assert ">nan" not in drawn["card"]
            assert set(moved(sweep, view)) <= set(drawn)


def test_a_place_that_was_not_read_says_so() -> None:
    sweep = Sweep(sweep_sample(places=4))
    numbers = sweep.numbers()
    assert "place 10" in str(walk(sweep, numbers, 9, False).layout.annotations[0].text)
    assert TOO_FEW in str(split(sweep, numbers, 9, "contrast", False).layout.annotations[0].text)


def test_an_unknown_answer_has_no_mark() -> None:
    record = sweep_sample()
    places = tuple(place.model_copy(update={"right": None}) for place in record.places)
    sweep = Sweep(record.model_copy(update={"places": places}))
    assert "answers" not in [found.name for found in heat(sweep, sweep.numbers(), 3, False).data]
    assert scene(sweep, 0).facts.answered == 0
    view = LabView("sweep", "x", step=2)
    assert "No accepted answer is known" in draw(sweep, view, {})["card"]


def test_hostile_titles_reach_no_figure_as_markup(sweep: Sweep) -> None:
    numbers = sweep.numbers()
    for place in range(20):
        text = walk(sweep, numbers, place, False).to_json() + heat(sweep, numbers, place, False).to_json()
        assert "<script" not in text and "<img" not in text and "\\u202e" not in text
