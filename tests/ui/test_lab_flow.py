"""The lab's callbacks as functions, over the fake back end; no browser."""

from __future__ import annotations

import csv
import io
import json
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.backend.fake import FakeBackend
from core.records import Document, Question, Request, SweepRecord
from core.runs import RunStore
from tests.browser.serve import assets
from tests.ui.sample import GOLD, sample
from tests.ui.sweep_sample import sweep_sample
from ui.inspect_draft import draft_of
from ui.lab_export import exported
from ui.lab_flow import LabFlow, LabPage
from ui.lab_own import COUNTS, Choice, arranged, own_form, own_request
from ui.lab_state import FREE, LAST_STEP, LabView, read_address
from ui.lab_steps import STEPS
from ui.lab_sweeps import Sweeps
from ui.lab_views import PARTS
from ui.samples import Samples
from ui.state import Follow, Library

WAIT = 60  # seconds that a scripted sweep may take on a busy machine


@pytest.fixture
def flow(tmp_path: Path) -> Iterator[LabFlow]:
    store = RunStore(tmp_path / "runs")
    backend = FakeBackend(store, delay=0.0)
    yield LabFlow(Sweeps(Library(assets(tmp_path / "assets"), backend, store)))
    backend.close()


def opened(flow: LabFlow, **query: str) -> LabPage:
    return flow.load({"tab": "lab", **query}, dark=False)


def act(flow: LabFlow, page: LabPage, what: str, value: object) -> LabPage:
    return flow.act(page.view, page.follow, what, value)


def finish(flow: LabFlow, page: LabPage) -> LabPage:
    end = time.monotonic() + WAIT
    while page.follow.run_id:
        assert time.monotonic() < end
        time.sleep(0.02)
        page = flow.tick(page.view, page.follow) or page
    return page


def test_the_lab_opens_on_the_first_recorded_sweep_at_its_first_step(flow: LabFlow) -> None:
    page = flow.load({}, dark=True)
    assert page.view.address == {"sweep": "recorded", "step": "1", "place": str(GOLD + 1)}
    assert page.view.dark and page.drawn["parts"] == {"walk"}
    assert "hippopotamus" in page.drawn["title"]


def test_one_answer_shows_the_diagonal(flow: LabFlow) -> None:
    page = act(flow, opened(flow), "answer", "2")
    assert "heat" in page.drawn["parts"]
    assert "This sweep shows" not in page.drawn["card"] or "That is what this sweep shows" in page.drawn["card"]
    assert json.loads(page.drawn["heat"])["data"][0]["type"] == "heatmap"


def test_every_step_is_told_before_and_after_its_question(flow: LabFlow) -> None:
    page = opened(flow)
    for number, step in enumerate(STEPS, start=1):
        assert page.view.step == number
        assert step.title in page.drawn["card"] and "nan" not in page.drawn["card"]
        before = page.drawn["card"]
        if step.choices:
            page = act(flow, page, "answer", "0")
            assert len(page.drawn["card"]) > len(before)
            assert "nan" not in page.drawn["card"]
        page = act(flow, page, "step", "next")
    assert page.view.step == LAST_STEP
    page = act(flow, page, "step", "free")
    assert page.drawn["parts"] == set(PARTS) - {"echo"}
    assert all(page.drawn[part] and page.drawn[f"{part}_said"] for part in PARTS if part != "echo")
    assert act(flow, page, "step", "guide").view.step == 1


def test_hostile_titles_and_answers_stay_text(flow: LabFlow) -> None:
    page = opened(flow, step="free")
    said = "".join(str(value) for name, value in page.drawn.items() if name not in PARTS)
    assert "<script" not in said and "<img" not in said and "\u202e" not in said
    for part in set(PARTS) - {"echo"}:
        assert "<script" not in json.dumps(json.loads(page.drawn[part])["data"])


def test_an_address_opens_the_view_that_wrote_it(flow: LabFlow) -> None:
    page = opened(flow, step="8")
    page = act(flow, page, "answer", "1")
    page = act(flow, page, "lens", "contrast")
    page = flow.move(page.view, 4)
    again = opened(flow, **page.view.address)
    assert again.view.address == page.view.address
    assert again.drawn["parts"] == {"echo", "finders", "grid"}
    assert again.view.heads == page.view.heads != ()


@pytest.mark.parametrize(
    "query",
    [
        {"step": "99", "place": "999", "heads": "99.99 1.1 x", "answer": "0"},
        {"step": "-1", "place": "<b>", "heads": "<script>", "answer": "٣"},
        {"step": "", "place": "0", "lens": "x", "control": "x"},
    ],
)
def test_an_address_that_makes_no_sense_opens_the_lab(flow: LabFlow, query: dict[str, str]) -> None:
    page = opened(flow, **query)
    assert 1 <= page.view.step <= LAST_STEP
    assert 0 <= page.view.place < 20
    assert set(page.view.heads) <= {(1, 1)}
    assert page.drawn["parts"]


@pytest.mark.parametrize("query", [{"sweep": "../recorded"}, {"run": "x" * 22}, {"run": "../../etc/passwd"}])
def test_an_address_of_nothing_says_so_and_opens_the_first(flow: LabFlow, query: dict[str, str]) -> None:
    page = opened(flow, **query)
    assert 'role="alert"' in page.notice
    assert page.view.key == "recorded"


def test_play_walks_to_the_last_place(flow: LabFlow) -> None:
    page = flow.move(opened(flow).view, 17)
    walked = []
    while page:
        walked.append(page.view.place)
        page = flow.advance(page.view)  # type: ignore[assignment]
    assert walked == [17, 18, 19]


def test_heads_are_chosen_turned_and_let_go(flow: LabFlow) -> None:
    page = opened(flow, step="free")
    page = act(flow, page, "cell", [3, 2])
    assert page.view.focus == (3, 2) and "Layer 3, head 2" in page.drawn["grid_bar"]
    page = act(flow, page, "heads", "toggle")
    assert page.view.heads == ((3, 2),) and "Only <b>1 head</b>" in page.drawn["chosen"]
    page = act(flow, act(flow, page, "turn", "head+1"), "turn", "head+1")
    assert page.view.focus == (3, 3), "the last head is the last"
    for what in ("best", "early", "middle", "late"):
        assert act(flow, page, "heads", what).view.heads
    page = act(flow, page, "heads", "all")
    assert page.view.heads == () and page.drawn["chosen"] == ""


@pytest.mark.parametrize(
    ("what", "value"),
    [("cell", [99, 0]), ("cell", "x"), ("place", [20]), ("place", 3), ("step", "x"), ("answer", "²"), ("heads", None),
     (None, None), ("turn", "up"), ("sweep", "../x"), ("lens", "<b>")],
)  # fmt: skip
def test_a_click_that_makes_no_sense_changes_nothing(flow: LabFlow, what: str, value: object) -> None:
    page = opened(flow, step="free")
    assert act(flow, page, what, value).view.address == page.view.address


def test_a_sweep_runs_live_is_attached_to_and_opens_again(flow: LabFlow) -> None:
    started = flow.run(opened(flow).view, Follow(), Choice())
    assert started.follow.run_id and "progressbar" in started.progress
    attached = opened(flow, run=started.view.key)
    assert "hippopotamus" in attached.drawn["title"]
    page = finish(flow, attached)
    sweep = flow.sweep(page.view)
    assert sweep and len(sweep.places) == 20 and sweep.record.dummy
    assert sweep.record.gold == GOLD
    assert page.notice == page.progress == ""
    again = opened(flow, **page.view.address)
    assert again.drawn["title"] == page.drawn["title"] and not again.follow.run_id


def test_a_sweep_that_is_cancelled_keeps_what_it_has(flow: LabFlow) -> None:
    started = flow.run(opened(flow).view, Follow(), Choice())
    flow.sweeps.library.backend.cancel(started.follow.run_id)
    page = finish(flow, started)
    assert "Stopped" in page.notice or page.notice == ""
    assert page.drawn["card"]


def test_a_run_that_is_no_sweep_is_sent_to_the_inspector(flow: LabFlow) -> None:
    record = sample()
    run_id = flow.sweeps.library.backend.submit(Request(question=record.question, documents=record.documents))
    assert "Inspect" in opened(flow, run=run_id).notice


def test_with_nothing_recorded_the_lab_invites_and_runs_an_example(tmp_path: Path, flow: LabFlow) -> None:
    for file in (tmp_path / "assets" / "sweeps").glob("*"):
        file.unlink()
    fresh = LabFlow(Sweeps(flow.sweeps.library))
    page = opened(fresh)
    assert page.view.kind == "none" and "Run it yourself" in page.drawn["card"] and not page.drawn["parts"]
    assert act(fresh, page, "step", "next").view.step == 1
    started = fresh.run(page.view, Follow(), Choice())
    assert started.view.asked and started.view.asked.question.gold
    fresh.sweeps.library.backend.cancel(started.follow.run_id)


def test_without_any_question_run_says_so(tmp_path: Path, flow: LabFlow) -> None:
    library = flow.sweeps.library
    bare = LabFlow(Sweeps(Library(Samples(tmp_path / "none"), library.backend, RunStore(tmp_path / "runs"))))
    assert "no question" in bare.run(LabView(), Follow(), Choice()).notice


def test_a_damaged_recorded_sweep_is_passed_over(tmp_path: Path, flow: LabFlow) -> None:
    (tmp_path / "assets" / "sweeps" / "a-damaged-one.json").write_text("{", encoding="utf-8")
    assert opened(flow).view.key == "recorded"


def test_exports_hold_the_sweep_and_nothing_that_a_spreadsheet_runs(flow: LabFlow) -> None:
    page = opened(flow)
    sweep = flow.sweep(page.view)
    found = exported("json", sweep, page.view)
    assert found and SweepRecord.from_json(found["text"]) == sweep_sample()
    table = exported("csv", sweep, replace(page.view, heads=((2, 1),)))
    assert table and table["name"] == "w-lens-sweep-recorded.csv"
    rows = list(csv.DictReader(io.StringIO(table["text"])))
    assert len(rows) == 400
    assert sum(row["gold"] == "gold" for row in rows) == 20
    assert not any(cell.startswith("=") for row in rows for cell in row.values())
    assert exported("csv", None, page.view) is None


def test_the_free_mode_is_an_address(flow: LabFlow) -> None:
    assert read_address({"step": "free"}, False).step == FREE
    assert opened(flow, step="free").view.address["step"] == "free"


OWN = "# A\nOne text.\n\n# B\nThe answer stands here.\n\n# C\nA third text."


def test_own_documents_are_run(flow: LabFlow) -> None:
    page = flow.run_own(opened(flow).view, Follow(), Choice(control=False), "Where does it stand?", "here", OWN, 2)
    page = finish(flow, page)
    sweep = flow.sweep(page.view)
    assert sweep and sweep.count == len(sweep.places) == 3 and sweep.record.gold == 1
    assert not sweep.record.dummy
    assert page.drawn["card"] and page.notice == ""


@pytest.mark.parametrize(
    ("form", "said"),
    [
        (("", "", OWN, 2), "question"),
        (("q", "", "", 2), "document"),
        (("q", "", OWN, None), "which document"),
        (("q", "", OWN, 9), "from 1 to 3"),
        (("q", "", "# A\nOne.\n\n# B\nTwo.", 1), "Three documents"),
    ],
)
def test_own_documents_that_cannot_be_run_say_why(flow: LabFlow, form: tuple[object, ...], said: str) -> None:
    page = flow.run_own(opened(flow).view, Follow(), Choice(), *form)
    assert said in page.notice and page.view.kind == "sweep"


def test_a_draft_of_the_inspector_comes_into_the_form_as_it_is() -> None:
    texts = ("One.\n\nTwo paragraphs.", '# {"no": "title"}', "Third \u2028 text.")
    documents = tuple(Document(id=str(i), title=f"T{i}", text=text) for i, text in enumerate(texts))
    draft = draft_of(Question(text="q?", answers=("a", "b"), gold=(2,)), documents)
    question, answers, lines, gold = own_form(draft)
    assert (question, answers, gold) == ("q?", "a\nb", 3)
    asked = own_request(question, answers, lines, 1)
    assert [document.text for document in asked.documents] == list(texts)
    assert asked.sweep.moved == 2 and asked.question.answers == ("a", "b")


@pytest.mark.parametrize("count", COUNTS)
def test_fewer_documents_in_another_order_keep_the_gold_one(count: str) -> None:
    asked = own_request("q", "a", "\n\n".join(f"# T{i}\nText {i}." for i in range(12)), 8)
    found = arranged(asked, Choice(count, 3, True))
    assert len(found.documents) == min(int(count), 12) if count.isdecimal() else len(found.documents) == 12
    assert found.sweep.moved is not None and found.documents[found.sweep.moved].title == "T7"
    assert found.question.gold == (found.sweep.moved,) and found.sweep.dummy
    assert arranged(asked, Choice()).documents == asked.documents
    assert arranged(asked, Choice(count, 3)) == found


def test_the_way_back_to_a_running_sweep_is_kept(flow: LabFlow) -> None:
    started = flow.run(opened(flow).view, Follow(), Choice())
    other = act(flow, started, "sweep", "recorded")
    assert other.view.kind == "sweep" and started.view.key in other.notice
    back = act(flow, other, "run", started.view.key)
    assert back.view.key == started.view.key
    finish(flow, back)


def test_the_step_on_evidence_speaks_of_the_place_that_is_shown(flow: LabFlow) -> None:
    page = flow.move(opened(flow, step="4").view, 11)
    assert "With gold at place 12" in page.drawn["card"]
    assert "card" not in flow.move(opened(flow, step="5").view, 11).drawn
