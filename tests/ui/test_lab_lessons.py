"""Length and noise, and four ways to ask: numbers, figures, words, and live runs over the fake back end."""

from __future__ import annotations

import csv
import io
import json
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.backend.fake import FakeBackend
from core.records import SweepRecord
from core.runs import RunStore
from tests.browser.serve import assets
from tests.core.sweeps import sweep_of
from tests.ui.sweep_sample import fix_sample, length_sample, sweep_sample
from ui import lab_lesson_more as more
from ui import lab_words_lessons as words
from ui.lab_export import exported
from ui.lab_figures_lessons import NOT_READ, fix_figure, length_figure
from ui.lab_flow import LabFlow, LabPage
from ui.lab_lesson import Scene, scene
from ui.lab_lessons import MEASURES, Lessons, brought_back, groups, lengths, noises, of_way, right_of
from ui.lab_numbers import Sweep
from ui.lab_state import LabView
from ui.lab_sweeps import Sweeps
from ui.lab_words import table_html
from ui.state import Library

WAIT = 60  # seconds that a scripted run may take on a busy machine


@pytest.fixture(scope="module")
def told() -> Scene:
    return scene(Sweep(sweep_sample()), 9, Lessons(length_sample(), fix_sample()))


@pytest.fixture
def flow(tmp_path: Path) -> Iterator[LabFlow]:
    store = RunStore(tmp_path / "runs")
    backend = FakeBackend(store, delay=0.0)
    yield LabFlow(Sweeps(Library(assets(tmp_path / "assets"), backend, store)))
    backend.close()


def finish(flow: LabFlow, page: LabPage) -> LabPage:
    end = time.monotonic() + WAIT
    while page.follow.run_id:
        assert time.monotonic() < end
        time.sleep(0.02)
        page = flow.tick(page.view, page.follow) or page
    return page


def tiny(attention: tuple[float, ...], n: int = 3) -> SweepRecord:
    from core.sweep_record import SweepLength

    base = sweep_of({0: (1.0,) * n}, gold=1)
    cell = SweepLength(noise="hard", seed=1, order=tuple(range(n)), attention=attention, right=True)
    return base.model_copy(update={"lengths": (cell, cell.model_copy(update={"seed": 2, "right": False}))})


def test_a_share_is_told_in_even_shares() -> None:
    (group,) = groups(tiny((1.0, 2.0, 1.0)), "hard", "share")
    assert group.length == 3 and group.mean == group.low == group.high == pytest.approx(1.5)
    (ranked,) = groups(tiny((3.0, 2.0, 1.0)), "hard", "attention")
    assert [cell.value for cell in ranked.cells] == [2, 2] and [cell.right for cell in ranked.cells] == [True, False]
    assert right_of(tiny((1.0, 2.0, 1.0))) == (1, 2) and lengths(tiny((1.0, 2.0, 1.0))) == (3,)


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("dark", [False, True])
def test_every_measure_is_drawn_for_every_kind(measure: str, dark: bool) -> None:
    data = json.loads(length_figure(length_sample(), measure, dark).to_json())["data"]  # type: ignore[arg-type]
    points = {trace["name"]: trace for trace in data if trace["mode"] == "markers"}
    assert set(points) == {"hard", "random", "duplicated"}
    assert len(points["hard"]["x"]) == 9 and len(points["random"]["x"]) == 12
    assert np.isfinite(points["hard"]["y"]).all()
    assert "circle-open" in points["hard"]["marker"]["symbol"] and "circle" in points["hard"]["marker"]["symbol"]


def test_stars_stand_where_gold_is_read_and_marks_beside_them() -> None:
    record = fix_sample()
    data = {trace["name"]: trace for trace in json.loads(fix_figure(record, False).to_json())["data"]}
    assert data["gold"]["x"] == [1, 11, 20, *[1] * 9]
    assert data["answers"]["text"] == ["✕"] * 3 + ["✓"] * 9


def test_gold_that_is_left_out_has_no_star() -> None:
    record = fix_sample()
    fixes = tuple(
        fix.model_copy(update={"ways": tuple(
            way.model_copy(update={"order": tuple(i for i in way.order if i != record.gold)})
            if way.way == "duquad" else way for way in fix.ways)})
        for fix in record.fixes or ()
    )  # fmt: skip
    left_out = record.model_copy(update={"fixes": fixes})
    data = {trace["name"]: trace for trace in json.loads(fix_figure(left_out, False).to_json())["data"]}
    assert len(data["gold"]["x"]) == 9
    assert "left out" in words.said_fix(left_out)


def test_what_was_not_read_says_so(told: Scene) -> None:
    for figure in (length_figure(None, "share", False), fix_figure(None, True)):
        assert NOT_READ in str(figure.layout.annotations[0].text)
    assert words.said_length(None, "share") == words.said_fix(None) == NOT_READ
    bare = told._replace(lessons=Lessons())
    assert more.right_length(bare) == more.right_fix(bare) == -1
    assert more.result_length(bare) == more.result_fix(bare) == ""


def test_the_numbers_bear_out_one_choice(told: Scene) -> None:
    hard = groups(length_sample(), "hard", "share")
    grown = hard[-1].mean / hard[0].mean
    assert more.right_length(told) == (0 if grown > 1.1 else 2 if grown < 0.9 else 1)
    assert f"{hard[0].mean:.1f}" in more.result_length(told) and "among 20" in more.result_length(told)
    assert more.right_fix(told) == 0
    assert "As given” <b>0 of 3</b>" in more.result_fix(told) and "9 by attention, 1 by SFS" in more.result_fix(told)


@pytest.mark.parametrize(
    ("before", "after", "quoted", "said"),
    [
        (9, 1, True, "SFS brings it back: number 9 by attention, 1 by SFS"),
        (2, 1, True, "never lost"),
        (2, 7, False, "lost at the cut: number 7 by SFS"),
        (9, 3, False, "not quoted"),
    ],
)
def test_the_stage_that_brought_gold_back(before: int, after: int, quoted: bool, said: str) -> None:
    record = fix_sample()
    way = of_way(record, "duquad")[0][1]
    changed = way.model_copy(update={"attention_rank": before, "sfs_rank": after, "quoted": quoted})
    assert said in brought_back(record, changed)


def test_tables_are_whole_and_hostile_text_stays_text(told: Scene) -> None:
    for headers, rows in (words.table_length(told.lessons.length), words.table_fix(told.lessons.fix)):
        assert rows and all(len(row) == len(headers) for row in rows)
        assert "<script" not in table_html((headers, rows), "x")
    assert len(words.table_length(told.lessons.length)[1]) == 33 and len(words.table_fix(told.lessons.fix)[1]) == 12
    for figure in (length_figure(told.lessons.length, "share", False), fix_figure(told.lessons.fix, False)):
        assert "<script" not in figure.to_json() and "\\u202e" not in figure.to_json()


def test_lessons_are_saved_as_tables(told: Scene) -> None:
    view = LabView("sweep", "recorded")
    for what, rows in (("length", 33), ("fix", 12)):
        file = exported(what, told.sweep, view, told.lessons)
        assert file and file["name"] == f"w-lens-{what}-recorded.csv"
        assert len(list(csv.DictReader(io.StringIO(file["text"])))) == rows
        assert exported(what, told.sweep, view) is None


def test_recorded_lessons_stand_in_their_steps(flow: LabFlow) -> None:
    for step, part in ((9, "length"), (10, "fix")):
        page = flow.load({"tab": "lab", "step": str(step), "answer": "1"}, False)
        assert page.drawn["parts"] == {part} and page.drawn[part] and "wl-lesson-result" in page.drawn["card"]


@pytest.mark.parametrize(("step", "part"), [("9", "length"), ("10", "fix")])
def test_a_lesson_that_was_not_recorded_is_run_and_opens_again(
    tmp_path: Path, flow: LabFlow, step: str, part: str
) -> None:
    for file in (tmp_path / "assets").glob("*s/recorded.json"):
        if file.parent.name in ("lengths", "fixes"):
            file.unlink()
    page = flow.load({"tab": "lab", "step": step, "place": "10", "heads": "2.1"}, False)
    assert f'data-value="{part}"' in page.drawn["card"] and "not been read" in page.drawn["card"]
    started = flow.act(page.view, page.follow, "live", part)
    assert started.follow.run_id == started.view.address[part] and started.view.key == "recorded"
    attached = flow.load({"tab": "lab", **started.view.address}, False)
    page = finish(flow, attached)
    lessons = flow.sweeps.lessons(page.view, flow.sweep(page.view))
    record = lessons.length if part == "length" else lessons.fix
    assert record and record.settings.head_set == ((2, 1),)
    assert page.view.kind == "sweep" and "not been read" not in page.drawn["card"]
    if part == "length":
        # The examples of these tests all ask one question, so no documents of another one are at hand.
        assert lengths(record) == (5, 10, 20, 30) and noises(record) == ("hard", "duplicated")
    other = flow.act(page.view, page.follow, "sweep", "recorded")
    assert part not in other.view.address


@pytest.mark.parametrize("run_id", ["x" * 22, "../../etc/passwd"])
def test_a_lesson_of_no_run_says_so(flow: LabFlow, run_id: str) -> None:
    page = flow.load({"tab": "lab", "step": "9", "length": run_id}, False)
    assert 'role="alert"' in page.notice and page.drawn["card"]


def test_a_lesson_about_another_question_is_not_shown(flow: LabFlow) -> None:
    page = flow.load({"tab": "lab", "step": "9"}, False)
    sweep = flow.sweep(page.view)
    assert sweep
    question = sweep.record.question.model_copy(update={"text": "Another one?"})
    other = Sweep(sweep.record.model_copy(update={"question": question}))
    assert flow.sweeps.lessons(page.view, sweep).length
    assert flow.sweeps.lessons(replace(page.view), other).length is None
