from __future__ import annotations

import json

import pytest

from core.settings.pages import PLACING, REPLY_LIMITS
from core.sleuth.decision import Row, decision_schema, read_decision, says_none

ROWS = [{"page": 7, "evidence": "opened in 1937", "source": "text"}]


def test_the_object_that_is_asked_for() -> None:
    found = read_decision(json.dumps({"answer": "1937", "citations": ROWS}))
    assert (found.answer, found.rows, found.parsed) == ("1937", (Row(6, "opened in 1937", "text"),), "schema")
    assert not found.no_answer


def test_an_answer_with_an_array_behind_it() -> None:
    rows = [{"Page": "Page 7 (printed ii)", "Evidence": "opened in 1937", "Source": "Text"}]
    found = read_decision(f"In 1937.\n- twice\n\n```json\n{json.dumps(rows)}\n```\nDone.")
    assert (found.answer, found.rows, found.parsed) == (
        "In 1937.\n- twice",
        (Row(6, "opened in 1937", "text"),),
        "repaired",
    )
    cut = read_decision('1937 [{"page index": 7, "evidence content": "a"}, {"page": 8, "evid')
    assert cut.answer == "1937" and cut.rows == (Row(6, "a", ""),)


@pytest.mark.parametrize("text", ["1937", "It is [so] said", "{broken", '{"answer": ["1937"]}'])
def test_a_reply_with_neither_is_the_answer(text: str) -> None:
    found = read_decision(text)
    assert found.answer == text and found.rows == () and found.parsed == "repaired"


def test_an_empty_reply_failed() -> None:
    assert read_decision(" \n").parsed == "failed"


def test_odd_rows() -> None:
    rows = [
        "x",
        None,
        {"evidence": "a"},
        {"page": None},
        {"page": "seven"},
        {"page": 0, "evidence": 5},
        {"page": 10**9},
    ]
    found = read_decision(json.dumps({"answer": 3, "citations": rows}))
    assert found.answer == "3"
    assert [row.page for row in found.rows] == [None, None, None, -1, None]
    many = read_decision(json.dumps({"answer": "a" * 9_999, "citations": [{"page": 1, "evidence": "e" * 10_000}] * 99}))
    assert len(many.rows) == REPLY_LIMITS.citations and len(many.answer) == REPLY_LIMITS.answer
    assert len(many.rows[0].evidence) == PLACING.chars


@pytest.mark.parametrize(
    "said", ["No answers found!", "**No answer found** in the evidence.", "Not answerable", "unanswerable."]
)
def test_no_answer(said: str) -> None:
    assert says_none(said) and read_decision(said).no_answer


@pytest.mark.parametrize("said", ["", "None", "No", "The report says that no answers were found in 1937", "1937"])
def test_other_answers(said: str) -> None:
    assert not says_none(said)


def test_only_pages_that_were_read_can_be_cited() -> None:
    schema = decision_schema([6, 11])
    assert schema["properties"]["citations"]["items"]["properties"]["page"]["enum"] == [7, 12]
