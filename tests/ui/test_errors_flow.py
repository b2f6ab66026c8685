"""The callbacks of the tab "Errors" as functions, over the fake back end; no browser."""

from __future__ import annotations

import csv
import io
import json
from base64 import b64decode
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from core.backend.fake import FakeBackend
from core.evaluation.table_view import Query
from core.ingest.page_store import PageStore
from core.runs import RunStore
from tests.ui.read_sample import read_sample
from tests.ui.sample import IMAGE, SCRIPT
from tests.ui.set_sample import QUESTIONS, set_sample
from ui import errors_flow, set_library
from ui.errors_beside import beside_html
from ui.errors_export import exported
from ui.errors_flow import ErrorsFlow, ErrorsPage
from ui.errors_labels import Form, about, told
from ui.errors_run import pages_run
from ui.errors_state import NONE, ErrorsView, filtered, read_address
from ui.pages_files import Files
from ui.samples import Samples
from ui.state import Library

ANN, BOB = "a" * 64, "b" * 64


@pytest.fixture(scope="module")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("assets")
    set_sample(folder / "sets" / "recorded")
    return folder


@pytest.fixture
def flow(tmp_path: Path, shipped: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ErrorsFlow]:
    browser(monkeypatch, ANN)
    store = RunStore(tmp_path / "runs")
    backend = FakeBackend(store, delay=0)
    library = Library(Samples(shipped), backend, store, tmp_path / "cache")
    yield ErrorsFlow(library.sets, Files(PageStore(tmp_path / "cache"), shipped))
    backend.close()


def browser(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Whose browser asks."""
    for module in (errors_flow, set_library):
        monkeypatch.setattr(module, "visitor", lambda: name)


def opened(flow: ErrorsFlow, reviewer: str = "Ann", **query: str) -> ErrorsPage:
    return flow.load({"tab": "errors", "set": "recorded", **query}, False, reviewer)


def acted(flow: ErrorsFlow, page: ErrorsPage, *acts: tuple[str, str], reviewer: str = "Ann") -> ErrorsPage:
    for what, value in acts:
        page = flow.act(page.view, what, value, reviewer)
    return page


def numbers(page: ErrorsPage) -> list[int]:
    """The questions of the table, as shown."""
    return [int(part.split('"')[0]) for part in page.drawn.table.split('data-row-number="')[1:]]


# ---- what is opened


def test_it_opens_on_the_first_question_with_its_gold_document(flow: ErrorsFlow) -> None:
    page = opened(flow)
    assert (page.view.question, page.view.system, page.view.document) == (0, "duquad", 0)
    assert numbers(page) == list(range(QUESTIONS))
    assert "1–6 of 6 questions" in page.drawn.pager and "1 of 6" in page.drawn.head
    assert (json.loads(page.drawn.first)["data"] and "wl-pool" in page.drawn.rest) or "wl-entry" in page.drawn.rest


def test_an_address_brings_back_what_was_open(flow: ErrorsFlow) -> None:
    page = acted(flow, opened(flow), ("stage", "judged_wrong"), ("mark", "wrong"), ("open", "1"), ("by", "vanilla"))
    address = page.view.address
    assert address == {"set": "recorded", "q": "2", "by": "vanilla", "stage": "judged_wrong", "mark": "wrong"}
    again = flow.load({"tab": "errors", **address}, False, "Ann")
    assert again.view.query == page.view.query
    assert (again.view.question, again.view.system) == (1, "vanilla")
    assert numbers(again) == [1]


@pytest.mark.parametrize("key", ["nothing", "../recorded", "x" * 300])
def test_an_unknown_address_says_so(flow: ErrorsFlow, key: str) -> None:
    page = flow.load({"tab": "errors", "set": key}, True, "")
    assert "No set has this address" in page.notice and "wl-welcome" in page.drawn.table and not page.view.key


@pytest.mark.parametrize("q", ["0", "-1", "999", "x", "1e3"])
def test_a_question_that_is_not_there_opens_the_first(flow: ErrorsFlow, q: str) -> None:
    assert opened(flow, q=q, by="<b>", stage="nonsense", mark="x").view.question == 0


def test_foreign_text_stays_text(flow: ErrorsFlow) -> None:
    page = acted(flow, opened(flow), ("open", "1"), ("other", "vanilla"))
    assert page.drawn.beside
    for part in page.drawn:
        assert SCRIPT not in part and IMAGE not in part and "<img" not in part
    assert "&lt;script&gt;" in page.drawn.table


# ---- what is shown


@pytest.mark.parametrize(
    ("acts", "shown"),
    [
        ([("mark", "wrong")], [0, 1, 3]),
        ([("mark", "wrong"), ("mark", "lucky")], [0, 1, 2, 3]),
        ([("mark", "wrong"), ("mark", "wrong")], [0, 1, 2, 3, 4, 5]),
        ([("stage", "pruned")], [0, 2]),
        ([("stage", "pruned"), ("mark", "wrong")], [0]),
        ([("filter_system", "vanilla"), ("mark", "wrong")], [1, 3]),
        ([("disagree", "")], [0, 3]),
        ([("group:type", "bridge")], [1, 3, 5]),
        ([("search", "ada0")], [0]),
        ([("label", "unlabelled")], [0, 1, 2, 3, 4, 5]),
        ([("sort", "place"), ("sort", "place")], [0, 1, 2, 3, 4, 5]),
        ([("sort", "place")], [5, 4, 3, 2, 1, 0]),
        ([("sort", "nonsense"), ("mark", "nonsense"), ("nonsense", "x")], [0, 1, 2, 3, 4, 5]),
    ],
)
def test_the_table_shows_what_is_asked_for(flow: ErrorsFlow, acts: list[tuple[str, str]], shown: list[int]) -> None:
    page = acted(flow, opened(flow), *acts)
    assert numbers(page) == shown
    assert numbers(acted(flow, page, ("reset", ""))) == list(range(QUESTIONS))


def test_an_answer_that_the_filters_are_about_is_the_one_that_opens(flow: ErrorsFlow) -> None:
    page = acted(flow, opened(flow), ("stage", "not_in_input"), ("step", "1"))
    assert (page.view.question, page.view.system) == (3, "vanilla")


def test_the_flow_counts_answers_and_a_press_filters(flow: ErrorsFlow) -> None:
    page = opened(flow)
    row = next(part for part in page.drawn.flow.split("<button") if 'data-value="pruned"' in part)
    assert "<b>2</b>" in row and 'title="1 wrong, 1 lucky"' in row
    page = acted(flow, page, ("stage", "pruned"))
    assert 'data-value="pruned" aria-pressed="true"' in page.drawn.flow


def test_steps_go_through_what_is_shown_and_stay_at_the_ends(flow: ErrorsFlow) -> None:
    page = acted(flow, opened(flow), ("mark", "wrong"))
    seen = [acted(flow, page, *[("step", "1")] * times).view.question for times in range(4)]
    assert seen == [0, 1, 3, 3]
    assert acted(flow, page, ("step", "2"), ("step", "-1")).view.question == 1
    assert acted(flow, page, ("open", "99"), ("open", "x"), ("step", "-")).view.question == 0


def test_a_page_of_the_table_has_fifty_questions_and_follows_the_steps(tmp_path: Path, flow: ErrorsFlow) -> None:
    folder = set_sample(tmp_path / "more" / "sets" / "many", 60)
    library = Library(Samples(folder.parent.parent), flow.sets.service._backend, RunStore(tmp_path / "r"), tmp_path)
    many = ErrorsFlow(library.sets, flow.files)
    page = many.load({"tab": "errors", "set": "many"}, False, "")
    assert numbers(page) == list(range(50))
    page = acted(many, page, ("turn", "1"))
    assert numbers(page) == list(range(50, 60)) and page.view.question == 0
    assert acted(many, page, ("turn", "7")).view.page == 1
    page = acted(many, page, ("turn", "-1"), ("step", "49"))
    assert (page.view.question, page.view.page) == (49, 0)
    assert acted(many, page, ("step", "1")).view.page == 1


# ---- one answer


def test_documents_are_stepped_through_and_closed(flow: ErrorsFlow) -> None:
    page = acted(flow, opened(flow), ("document", "2"))
    assert page.view.document == 2 and 'data-shown="2"' in page.drawn.reader
    assert acted(flow, page, ("go", "next")).view.document == 2
    assert acted(flow, page, ("go", "previous")).view.document == 1
    closed = acted(flow, page, ("go", "none"))
    assert closed.view.document == NONE and "Choose a document" in closed.drawn.reader
    assert acted(flow, page, ("document", "77"), ("first", "x")).view.document == 2


def test_two_systems_stand_side_by_side_with_documents_in_their_places(flow: ErrorsFlow) -> None:
    page = acted(flow, opened(flow), ("other", "vanilla"), ("document", "1"))
    assert page.drawn.beside.count('data-errors="document"') == 3
    assert page.drawn.beside.index("DuQUAD") < page.drawn.beside.index("Vanilla")
    assert '<tr class="is-open"><td>' in page.drawn.beside and "★" in page.drawn.beside
    swapped = acted(flow, page, ("by", "vanilla"))
    assert (swapped.view.system, swapped.view.other) == ("vanilla", "duquad")
    assert not acted(flow, swapped, ("other", "duquad")).drawn.beside


def test_a_run_over_a_pdf_opens_as_in_read_a_pdf(flow: ErrorsFlow) -> None:
    record = read_sample()
    run, view, picture = pages_run(record, ErrorsView("x"), flow.files)
    assert picture is None and view.read.page is not None
    assert 'data-read="go"' in run.reader and "wl-page" in run.reader and json.loads(run.first)["data"]
    assert 'data-errors="read:page"' in beside_html(record, record, view)


def test_a_record_that_is_gone_says_so(flow: ErrorsFlow, tmp_path: Path) -> None:
    folder = set_sample(tmp_path / "less" / "sets" / "less", 2)
    (folder / "records" / "0-duquad.json").unlink(missing_ok=True)
    for path in (folder / "records").iterdir():
        path.unlink()
    library = Library(Samples(folder.parent.parent), flow.sets.service._backend, RunStore(tmp_path / "r"), tmp_path)
    page = ErrorsFlow(library.sets, flow.files).load({"tab": "errors", "set": "less"}, False, "")
    assert "not there any more" in page.drawn.answer and numbers(page) == [0, 1]


# ---- labels


def form(page: ErrorsPage, **fields: str) -> Form:
    return page.form._replace(**fields)


def test_a_label_is_saved_at_once_with_its_history_and_found_by_the_filters(flow: ErrorsFlow) -> None:
    page = acted(flow, opened(flow), ("open", "1"))
    assert "Nobody has labelled" in page.drawn.history and page.form.verdict is None
    said, history = flow.save(page.view, "Ann", form(page, verdict="wrong", failure="pruned", note=SCRIPT))
    assert "Saved: wrong" in said and "Ann" in history and SCRIPT not in history
    flow.save(page.view, "Ann", form(page, verdict="partly right", failure="my own type"))
    page = flow.show(page.view, "Ann")
    assert (page.form.verdict, page.form.failure) == ("partly right", "my own type")
    assert page.drawn.history.count("<li>") == 2 and "my own type" in page.failures
    assert numbers(acted(flow, page, ("label", "partly right"))) == [1]
    assert flow.show(page.view, "Bo").form.verdict is None


def test_a_label_lands_on_the_answer_that_its_form_was_filled_for(flow: ErrorsFlow) -> None:
    page = acted(flow, opened(flow), ("open", "1"))
    elsewhere = acted(flow, page, ("step", "1"))
    flow.save(elsewhere.view, "Ann", form(page, verdict="wrong"))
    assert "Nobody" in flow.show(elsewhere.view, "Ann").drawn.history
    assert "<li>" in flow.show(page.view, "Ann").drawn.history


@pytest.mark.parametrize(
    ("reviewer", "fields", "said"),
    [
        ("", {"verdict": "wrong"}, "Say who you are"),
        (" \n", {"verdict": "wrong"}, "Say who you are"),
        ("Ann", {}, "Choose a verdict"),
        ("Ann", {"verdict": "perhaps"}, "verdict"),
        ("Ann", {"verdict": "wrong", "note": "x" * 5000}, "note"),
        ("Ann", {"verdict": "wrong", "about": ""}, "open one first"),
        ("Ann", {"verdict": "wrong", "about": "[1, 2]"}, "open one first"),
        ("Ann", {"verdict": "wrong", "about": '["recorded", "none", "duquad"]'}, "not in the set"),
        ("Ann", {"verdict": "wrong", "about": '["other", "none", "duquad"]'}, "No set"),
    ],
)
def test_a_label_that_cannot_be_kept_says_why(
    flow: ErrorsFlow, reviewer: str, fields: dict[str, str], said: str
) -> None:
    page = opened(flow)
    notice, history = flow.save(page.view, reviewer, form(page, **fields))
    assert said in notice and not history
    assert "Nobody" in flow.show(page.view, "Ann").drawn.history


def test_labels_of_an_example_are_one_browsers_own(flow: ErrorsFlow, monkeypatch: pytest.MonkeyPatch) -> None:
    page = opened(flow)
    flow.save(page.view, "Ann", form(page, verdict="wrong"))
    browser(monkeypatch, BOB)
    assert "Nobody" in flow.show(page.view, "Ann").drawn.history
    browser(monkeypatch, "")
    notice, _ = flow.save(page.view, "Ann", form(page, verdict="wrong"))
    assert "cookies" in notice


def test_two_reviewers_work_through_the_wrong_answers_and_their_agreement_is_shown(flow: ErrorsFlow) -> None:
    page = opened(flow)
    first, second = flow.following(page.view, "Ann", False), flow.following(page.view, "Bo", False)
    assert (first.view.question, first.view.system) == (0, "duquad")
    assert (second.view.question, second.view.system) == (1, "duquad")
    for who in ("Ann", "Bo"):
        for _ in range(8):
            page = flow.following(page.view, who, True)
            if "No wrong answer is left" in page.notice:
                break
            flow.save(page.view, who, form(page, verdict="wrong" if page.view.system == "duquad" else "right"))
    assert "No wrong answer is left" in page.notice
    shown = flow.show(page.view, "Bo").drawn.agreement
    assert "Ann" in shown and "100 %" in shown and "1.00" in shown
    assert "Say who you are" in flow.following(page.view, " ", False).notice


def test_about_is_read_back() -> None:
    assert told(about(("q", "s"), "key")) == ("key", ("q", "s")) and about(None, "key") == ""
    assert told("{") is None and told('["a"]') is None and told('["a", 1, "b"]') is None


# ---- files


def test_exports_hold_exactly_what_is_shown(flow: ErrorsFlow) -> None:
    page = acted(flow, opened(flow), ("mark", "wrong"), ("sort", "place"))
    flow.save(page.view, "Ann", form(page, verdict="wrong"))
    found = flow.sets.open("recorded")
    rows = list(csv.DictReader(io.StringIO(exported("csv", found, page.view, flow.sets)["text"])))
    assert [row["question"] for row in rows] == [found.table.questions[i][0].question for i in (3, 1, 0)]
    lines = exported("jsonl", found, page.view, flow.sets)["text"].splitlines()
    assert [json.loads(line)["id"] for line in lines] == [row["id"] for row in rows]
    frame = pd.read_parquet(io.BytesIO(b64decode(exported("parquet", found, page.view, flow.sets)["base64"])))
    assert list(frame["id"]) == [row["id"] for row in rows]
    assert "wrong" in set(frame["duquad: verdict"].dropna())
    whole = exported("report", found, page.view, flow.sets)["text"]
    assert whole.startswith("<!") and "<script" not in whole


def test_the_address_takes_only_what_makes_sense() -> None:
    view = read_address({"set": "k", "q": "3", "stage": "pruned,<b>", "mark": "wrong,right"}, True)
    assert (view.key, view.question, view.dark) == ("k", 2, True)
    assert view.query == Query(stages=("pruned",), marks=("right", "wrong"))
    assert filtered(Query(), "search", "x" * 900).search == "x" * 500
    assert replace(view, key="").address == {}
