"""Pasted text, question files, opened records, cards, exports, status: the page's parts around the views."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from core.backend.protocol import BackendStatus
from core.ingest.questions import InputError
from core.records import Event, RecordError, RunRecord
from core.settings.app import AppSettings
from core.settings.limits import LIMITS
from tests.browser.serve import assets
from tests.ui.sample import sample
from ui import inspect_inputs as inputs
from ui.inspect_export import exported
from ui.inspect_inputs import Chosen
from ui.inspect_run import ended, notice, privacy_html, progress_html, status_html, still_running
from ui.inspect_whatif import values_of
from ui.samples import Samples

EVIL = '<script>alert(1)</script>"><img src=x onerror=alert(2)>'


def test_cards_show_where_gold_stands(tmp_path: Path) -> None:
    html = inputs.cards_html(assets(tmp_path))
    assert 'data-example="recorded"' in html
    assert html.count("is-gold") == 2
    assert "10 of 20" in html


def test_every_shipped_example_can_be_read_and_asked() -> None:
    examples = Samples().examples
    assert len(examples) >= 8
    for slug, example in examples.items():
        assert slug == example.slug
        assert all(example.documents[i].gold for i in example.question.gold)
        assert 10 <= len(example.documents) <= 20


def test_a_recorded_run_of_another_version_is_passed_over(tmp_path: Path) -> None:
    samples = assets(tmp_path)
    (tmp_path / "runs" / "unrecorded.json").write_text('{"schema": "w-lens/9"}')
    assert samples.recorded("unrecorded") is None
    assert samples.recorded("../runs/recorded") is None
    assert samples.first() == "recorded"


def test_pasted_text_becomes_a_draft() -> None:
    draft, said = inputs.pasted("who?", " a \n\n b", "# One\ntext\n\nsecond text")
    assert draft.question.answers == ("a", "b")
    assert [document.title for document in draft.documents] == ["One", ""]
    assert said == ""


def test_what_was_passed_over_is_told_and_escaped() -> None:
    draft, said = inputs.pasted("who?", "", f'{{"text": "fine"}}\n{{"title": 3{EVIL}')
    assert len(draft.documents) == 1
    assert "Line 2" in said
    assert "<script" not in said
    with pytest.raises(InputError, match="Line 1"):
        inputs.pasted("who?", "", '{"title": "no text"}')


@pytest.mark.parametrize(("question", "documents"), [("", "text"), ("q", ""), ("q", "x\n\n" * (LIMITS.documents + 1))])
def test_what_cannot_be_asked_says_why(question: str, documents: str) -> None:
    with pytest.raises(InputError):
        inputs.pasted(question, "", documents)


def test_rows_are_found_by_number_and_words(tmp_path: Path) -> None:
    path = tmp_path / "set.jsonl"
    rows = [{"question": f"about {i} {EVIL}", "answers": [], "ctxs": [{"title": "", "text": "t"}]} for i in range(60)]
    path.write_text("\n".join(map(json.dumps, rows)))
    file = inputs.rows_of(Chosen(str(path)))
    html = inputs.rows_html(file, "")
    assert "60 questions, the first 40 shown" in html
    assert "<script" not in html
    assert inputs.rows_html(file, "17").count("data-row") == 1 + inputs.rows_html(file, "about 17").count("data-row")
    assert inputs.row_draft(Chosen(str(path)), 3).question.text.startswith("about 3")
    for row in (60, -1, "3", None):
        with pytest.raises(InputError):
            inputs.row_draft(Chosen(str(path)), row)
    path.unlink()
    with pytest.raises(InputError, match="choose it again"):
        inputs.rows_of(Chosen(str(path)))


def test_a_record_that_is_too_large_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "big.json"
    with path.open("wb") as file:
        file.truncate(LIMITS.record_bytes + 1)
    with pytest.raises(RecordError, match="larger than"):
        inputs.open_record(str(path))


def test_a_record_of_more_documents_than_a_run_can_have_is_refused(tmp_path: Path) -> None:
    many = json.loads(sample().to_json()) | {"documents": [{"id": "", "title": "", "text": "x"}] * 201}
    for part in ("signals", "ranking", "agents", "pool"):
        del many[part]
    path = tmp_path / "many.json"
    path.write_text(json.dumps(many))
    with pytest.raises(RecordError, match="201 documents; at most 200"):
        inputs.open_record(str(path))


def test_a_record_whose_titles_are_books_is_refused(tmp_path: Path) -> None:
    record = json.loads(sample().to_json())
    record["documents"][0]["title"] = "t" * (LIMITS.title_chars + 1)
    path = tmp_path / "title.json"
    path.write_text(json.dumps(record))
    with pytest.raises(RecordError, match="title in this record is longer than 500"):
        inputs.open_record(str(path))


def test_exports_hold_what_is_shown() -> None:
    record, values = sample(), values_of(sample().settings)
    whole = exported("record", record, values)
    assert whole and RunRecord.from_json(whole["text"]) == record
    assert whole["name"] == "w-lens-sample-run-record.json"
    pool = exported("pool", record, values_of(record.settings.model_copy(update={"tau": 1.0})))
    assert pool and [row[6] for row in csv.reader(io.StringIO(pool["text"]))][1:].count("quoted") == 1
    assert exported("record", None, values) is None


def test_progress_says_stage_share_and_time_left() -> None:
    html = progress_html(Event(kind="stage", stage="agents", fraction=0.5, seconds_left=130, message=f"Agents {EVIL}"))
    assert 'aria-valuenow="50"' in html
    assert "about 2 min left" in html
    assert "<script" not in html
    assert progress_html(Event(kind="done")) == progress_html(None) == ""


def test_ends_are_told_and_escaped() -> None:
    assert ended(Event(kind="done")) == ""
    assert 'role="alert"' in ended(Event(kind="error", message=EVIL))
    assert "<script" not in ended(Event(kind="error", message=EVIL)) + notice(EVIL) + still_running(EVIL)
    assert "did not say why" in ended(Event(kind="error"))


@pytest.mark.parametrize("state", ["starting", "ready", "busy", "restarting", "failed"])
def test_the_status_line_names_profile_and_docscore(state: str) -> None:
    html = status_html(BackendStatus(state, "embedded", 2, EVIL))  # type: ignore[arg-type]
    assert "DocScore from likelihoods" in html
    assert "2 waiting" in html
    assert "<script" not in html and "<img" not in html
    assert ("models loading" in html) == (state == "starting")


def test_the_page_says_what_it_keeps() -> None:
    assert "whoever has the link" in privacy_html(AppSettings(runs=Path("<runs>")))
    assert "<runs>" not in privacy_html(AppSettings(runs=Path("<runs>")))
