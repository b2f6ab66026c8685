"""The page's callbacks as functions, over the fake back end; no browser."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.backend.fake import FakeBackend
from core.records import RecordError, RunRecord
from core.runs import RunStore
from core.settings.methods import RunSettings
from tests.browser.serve import assets
from tests.ui.sample import GOLD, sample
from ui import inspect_draft as drafts
from ui.inspect_flow import Flow, Page
from ui.samples import Samples
from ui.state import Library

WAIT = 30  # seconds that a scripted run may take on a busy machine


@pytest.fixture
def flow(tmp_path: Path) -> Iterator[Flow]:
    store = RunStore(tmp_path / "runs")
    backend = FakeBackend(store, delay=0.01)
    yield Flow(Library(assets(tmp_path / "assets"), backend, store))
    backend.close()


def finish(flow: Flow, page: Page) -> Page:
    """Ticks until the followed run is over."""
    end = time.monotonic() + WAIT
    while page.follow.run_id:
        assert time.monotonic() < end
        time.sleep(0.02)
        page = flow.tick(page.view, page.draft, page.follow, page.values) or page
    return page


def test_the_page_opens_on_the_recorded_example_with_gold_selected(flow: Flow) -> None:
    page = flow.load({}, dark=True)
    assert page.view.address == {"example": "recorded", "doc": str(GOLD + 1)}
    assert page.view.dark
    assert "Gayla Peevey" in page.drawn.answer
    assert page.notice == ""


def test_without_examples_the_page_invites(tmp_path: Path, flow: Flow) -> None:
    bare = Flow(Library(Samples(tmp_path / "none"), flow.library.backend, RunStore(tmp_path / "runs")))
    page = bare.load({}, dark=False)
    assert "Choose an example" in page.drawn.head
    assert "No documents yet" in page.drawn.listed


@pytest.mark.parametrize(
    ("query", "selected"),
    [
        ({"example": "recorded", "doc": "3"}, 2),
        ({"example": "recorded", "doc": "0"}, GOLD),
        ({"example": "recorded", "doc": "99"}, GOLD),
        ({"example": "recorded", "doc": "<b>"}, GOLD),
    ],
)
def test_the_address_selects_a_document(flow: Flow, query: dict[str, str], selected: int) -> None:
    assert flow.load(query, dark=False).view.selected == selected


@pytest.mark.parametrize("query", [{"run": "x" * 22}, {"run": "../../etc/passwd"}, {"example": "nope"}])
def test_an_address_of_nothing_opens_the_page_with_a_notice(flow: Flow, query: dict[str, str]) -> None:
    page = flow.load(query, dark=False)
    assert 'role="alert"' in page.notice
    assert page.view.kind == "example"


def test_a_run_is_followed_to_its_end_and_opens_from_its_address(flow: Flow) -> None:
    opened = flow.load({"example": "unrecorded"}, dark=False)
    moved = drafts.move_gold(opened.draft, 4)
    values = replace(opened.values, k=2)
    page = flow.run(opened.view, moved, opened.follow, opened.draft.question.text, values)
    assert page.follow.run_id == page.view.key
    assert page.view.selected == 4, "the selected document moved with its place"
    assert "progressbar" in page.progress
    page = finish(flow, page)
    record = flow.record(page.view)
    assert record and record.final and record.settings.k == 2 and record.question.gold == (4,)
    assert page.progress == page.notice == ""
    again = flow.load({"run": page.view.key}, dark=False)
    assert again.drawn.answer == page.drawn.answer
    assert not again.follow.run_id


def test_a_run_is_attached_to_while_it_goes_on(flow: Flow) -> None:
    opened = flow.load({}, dark=False)
    started = flow.run(opened.view, opened.draft, opened.follow, "who sang it", opened.values)
    again = flow.load({"run": started.view.key}, dark=False)
    assert len(again.draft.order) == 20
    page = finish(flow, again)
    assert "wl-final-answer" in page.drawn.answer


def test_leaving_a_run_shows_the_way_back_and_stops_following(flow: Flow) -> None:
    opened = flow.load({}, dark=False)
    started = flow.run(opened.view, opened.draft, opened.follow, "who sang it", opened.values)
    left = flow.example("recorded", started.view, started.follow)
    assert f'data-run="{started.view.key}"' in left.notice
    assert left.follow.run_id == ""
    assert flow.tick(left.view, left.draft, started.follow, left.values) is None


def test_a_question_that_cannot_be_asked_keeps_the_page(flow: Flow) -> None:
    opened = flow.load({}, dark=False)
    page = flow.run(opened.view, opened.draft, opened.follow, " ", opened.values)
    assert "no question" in page.notice
    assert page.view is opened.view
    wrong = replace(opened.values, layers="list", layer_list="x")
    assert "not a layer" in flow.run(opened.view, opened.draft, opened.follow, "who", wrong).notice


def test_selecting_again_lets_go_and_nonsense_selects_nothing(flow: Flow) -> None:
    view = flow.load({}, dark=False).view
    assert flow.pick(view, 3).selected == 3
    assert flow.pick(flow.pick(view, 3), 3).selected is None
    assert flow.pick(view, 99).selected is None
    assert flow.pick(view, "<b>").selected is None
    assert flow.go(view, "next").selected == GOLD + 1
    assert flow.go(flow.pick(view, 19), "next").selected == 19
    assert flow.go(flow.pick(view, 0), "previous").selected == 0
    assert flow.go(flow.go(view, "none"), "previous").selected == 19


def test_what_if_re_ranks_with_no_model_call_and_says_when_the_agents_would_differ(flow: Flow) -> None:
    page = flow.load({}, dark=False)
    moved = flow.draw(page.view, page.draft, replace(page.values, beta=0, alpha=0))
    assert moved.ranking != page.drawn.ranking
    assert "would read other documents" in moved.note
    gated = flow.draw(page.view, page.draft, replace(page.values, tau=0.95))
    assert gated.pool != page.drawn.pool
    wrong = flow.draw(page.view, page.draft, replace(page.values, layers="one", layer=99))
    assert "does not exist" in wrong.note
    assert wrong.ranking == page.drawn.ranking


def damaged(**change: object) -> RunRecord:
    data = json.loads(sample().to_json())
    data.update(change)
    return RunRecord.from_json(json.dumps(data))


def test_an_opened_record_is_drawn_or_refused_in_words(flow: Flow) -> None:
    page = flow.load({}, dark=False)
    opened = flow.opened(sample(), page.view, page.follow)
    assert opened.view.address == {}
    absent = json.loads(RunSettings(layers=(99,)).model_dump_json())
    empty = json.loads(sample().to_json())["signals"] | {"attention": []}
    for record in (damaged(settings=absent), damaged(signals=empty)):
        with pytest.raises(RecordError, match="cannot be drawn"):
            flow.opened(record, page.view, page.follow)
