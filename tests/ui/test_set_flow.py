"""The callbacks of the tab "Question set" as functions, over the fake back end; no browser."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.backend.fake import FakeBackend
from core.ingest.questions import InputError
from core.runs import RunStore
from core.settings.app import AppSettings
from tests.core.backend.waiting import until
from tests.core.evaluation.small_sets import litm_file
from tests.ui.sample import SCRIPT
from tests.ui.set_sample import set_sample
from ui import set_flow
from ui.samples import Samples
from ui.set_export import exported
from ui.set_flow import SetFlow, SetPage, mapped
from ui.set_layout import MAPPED
from ui.set_numbers import offered
from ui.set_state import Given, SetView
from ui.state import Library

ANN, BOB = "a" * 64, "b" * 64


@pytest.fixture(scope="module")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("assets")
    set_sample(folder / "sets" / "recorded")
    return folder


@pytest.fixture
def flow(tmp_path: Path, shipped: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SetFlow]:
    monkeypatch.setattr(set_flow, "visitor", lambda: ANN)
    store = RunStore(tmp_path / "runs")
    backend = FakeBackend(store, delay=0.01)
    library = Library(Samples(shipped), backend, store, tmp_path / "cache")
    yield SetFlow(library.sets, backend, AppSettings())
    library.sets.service.close()
    backend.close()


def given(flow: SetFlow, path: Path, **more: object) -> Given:
    found, said = flow.look(replace(Given(str(path), path.name), **more))  # type: ignore[arg-type]
    assert not said
    return found


def ended(flow: SetFlow, page: SetPage) -> SetPage:
    until(lambda: not flow.show(page.view).running)
    return flow.show(page.view)


def test_it_opens_on_the_recorded_set_with_every_analysis(flow: SetFlow) -> None:
    page = flow.load({}, dark=False)
    assert page.view.address == {"set": "recorded"} and not page.running
    assert "6 questions" in page.drawn.head and "12 answers" in page.drawn.head
    assert "Vanilla" in page.drawn.matrix and "DuQUAD" in page.drawn.matrix
    found = flow.found(page.view)
    assert found is not None
    for name in offered(found):
        one = flow.act(page.view, "analysis", name)
        assert one.view.address["analysis"] == name
        assert f'data-value="{name}" aria-pressed="true"' in one.drawn.chooser
        assert json.loads(one.drawn.figure)["layout"]["meta"]["said"]
        assert "<table" in one.drawn.analysis or "wl-empty" in one.drawn.analysis


def test_foreign_text_stays_text(flow: SetFlow) -> None:
    page = flow.load({"tab": "set", "analysis": "by_type"}, dark=True)
    for part in page.drawn:
        assert SCRIPT not in part and "<img" not in part
    assert "&lt;script&gt;" in page.drawn.head


def test_the_accuracy_of_each_system_is_that_of_its_rows(flow: SetFlow) -> None:
    page = flow.load({}, dark=False)
    assert page.drawn.matrix.count("<b>66.7</b>") >= 2  # four of six are right in both systems
    assert "difference +0.0 points" in page.drawn.matrix


def test_a_file_is_summed_up_started_watched_and_listed_for_its_owner_alone(
    flow: SetFlow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = litm_file(tmp_path, 3)
    path.write_text(path.read_text() + "{broken\n")
    mine = given(flow, path)
    asked = flow.asked(mine)
    assert "<dd>3</dd>" in asked.summary and "line 4" in asked.summary and "left out" in asked.summary
    assert 'data-value="duquad" checked' in asked.systems and "no reranker" in asked.systems
    page = flow.start(SetView(), replace(mine, systems=("vanilla",), limit=2))
    assert page.running and page.view.key and not page.notice
    page = ended(flow, page)
    assert "finished" in page.drawn.head and "2 of 2 answers" in page.drawn.head
    assert page.view.key in page.drawn.listed
    seconds = flow.asked(replace(mine, systems=("vanilla",))).estimate
    assert "known after the first questions" in seconds or "about" in seconds
    monkeypatch.setattr(set_flow, "visitor", lambda: BOB)
    other = flow.show(page.view)
    assert "2 of 2 answers" in other.drawn.head and page.view.key not in other.drawn.listed


def test_a_set_is_paused_stopped_and_taken_up_again_by_its_owner(
    flow: SetFlow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = flow.start(SetView(), replace(given(flow, litm_file(tmp_path, 30)), systems=("vanilla",)))
    page = flow.act(page.view, "pause", "")
    assert "paused" in page.drawn.head and 'data-set="resume"' in page.drawn.head
    monkeypatch.setattr(set_flow, "visitor", lambda: BOB)
    other = flow.act(page.view, "stop", "")
    assert "started by somebody else" in other.notice and 'data-set="resume"' not in other.drawn.head
    monkeypatch.setattr(set_flow, "visitor", lambda: ANN)
    flow.act(page.view, "stop", "")
    page = ended(flow, page)
    assert "stopped" in page.drawn.head and "Go on" in page.drawn.head
    page = ended(flow, flow.act(page.view, "resume", ""))
    assert "30 of 30 answers" in page.drawn.head


def test_a_table_asks_for_its_columns(flow: SetFlow, tmp_path: Path) -> None:
    path = tmp_path / "own.csv"
    path.write_text(f"what,truth,passage\nWhere lived Ada?,Town,Ada lived in Town. {SCRIPT}\n")
    mine = given(flow, path)
    assert mine.summary is None and mine.columns is not None
    sample = flow.asked(mine).sample
    assert "passage" in sample and SCRIPT not in sample
    values: list[object] = ["what", ["truth"], ["passage"], None, None, None, None, []]
    mine = given(flow, path, mapping=mapped(values, 0, 1, MAPPED))
    assert mine.summary is not None and mine.summary.questions == 1 and mine.summary.format == "mapped"
    with pytest.raises(InputError, match="which column holds the question"):
        mapped([None, [], [], None, None, None, None, []], 0, 1, MAPPED)


@pytest.mark.parametrize(("content", "said"), [(b"", "empty"), (b"\x00\x01\x02", "file"), (b"{}", "")])
def test_a_file_that_is_no_set_says_why(flow: SetFlow, tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "x.bin"
    path.write_bytes(content)
    found, notice = flow.look(Given(str(path), "x.bin"))
    assert found.summary is None
    assert (notice and said in notice) or found.columns is not None
    assert "There is no set to run" in flow.start(SetView(), found).notice


def test_systems_are_chosen_in_the_order_of_the_list(flow: SetFlow, tmp_path: Path) -> None:
    mine = given(flow, litm_file(tmp_path, 1))
    mine = flow.toggled(flow.toggled(mine, "rrf"), "duquad")
    assert mine.systems == ("vanilla", "rrf")
    assert flow.toggled(mine, "<b>").systems == mine.systems
    assert "Choose at least one" in flow.start(SetView(), replace(mine, systems=())).notice


@pytest.mark.parametrize("key", ["nothing", "../recorded", "x" * 200])
def test_an_unknown_address_says_so(flow: SetFlow, key: str) -> None:
    page = flow.load({"tab": "set", "set": key}, dark=False)
    assert "No set has this address" in page.notice and not page.view.key and "wl-welcome" in page.drawn.head
    assert flow.found(SetView(key)) is None and flow.status(SetView(key)) is None


def test_exports_are_of_what_is_shown(flow: SetFlow) -> None:
    view = flow.load({"tab": "set", "analysis": "loss"}, dark=False).view
    found = flow.found(view)
    assert found is not None
    labels = flow.sets.labelled(view.key)
    table = exported("csv", found, view, labels)
    assert table and table["name"] == "w-lens-set-recorded-loss.csv"
    assert table["text"].splitlines()[0] == "system,stage,mark,answers" and "duquad,pruned,wrong,1" in table["text"]
    whole = exported("report", found, view, labels)
    assert whole and "Accuracy against cost" in whole["text"] and "<script" not in whole["text"]
    assert json.loads((exported("json", found, view, labels) or {})["text"])["name"] == "loss"
    assert exported("csv", None, view, labels) is None
