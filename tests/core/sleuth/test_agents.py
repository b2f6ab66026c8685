from __future__ import annotations

import json
from typing import Any

import pytest

from core.models.protocol import Reply
from core.settings.pages import REPLY_LIMITS
from core.sleuth.agents import read_clues, read_difficulty, read_screening
from tests.core.models.pages import layout

PAGE = layout(6, ("text", ["The bridge opened in 1937."]), ("table", ["Year|Cars", "1937|32,000"]))


def said(text: Any) -> Reply:
    return Reply(text if isinstance(text, str) else json.dumps(text), 0, 0)


def item(**more: Any) -> dict[str, Any]:
    own = {
        "evidence_type": "table",
        "content": "1937 | 32,000",
        "location": "Table 1",
        "relevance": "asked",
        "confidence": "high",
    }
    return own | more


def test_clues_are_placed_and_keep_every_field_of_the_paper() -> None:
    reply = {
        "has_relevant_evidence": True,
        "evidence_items": [item()],
        "key_insights": "rose",
        "page_summary": "A bridge.",
    }
    found = read_clues(said(reply), PAGE)
    (clue,) = found.clues
    assert (found.parsed, found.summary) == ("schema", "A bridge.")
    assert (clue.page, clue.region, clue.insight, clue.rationale) == (6, "Table 1", "rose", "asked")
    assert (clue.kind, clue.confidence, clue.placed) == ("table", "high", "exact") and len(clue.boxes) == 1


def test_tolerated_clue_replies() -> None:
    spaced = {"Has Relevant Evidence": True, "Evidence Items": [item(evidence_type="Graph", confidence="very")]}
    found = read_clues(said(f"```json\n{json.dumps(spaced)},\n```"), PAGE)
    assert found.parsed == "repaired" and found.clues[0].kind == "text" and found.clues[0].confidence == "medium"
    cut = json.dumps({"evidence_items": [item(), item(content="The bridge opened in 1937.")]})[:-40]
    assert read_clues(said(cut), PAGE).clues[0].content == "1937 | 32,000"
    odd = {"evidence_items": ["text", 5, item(content=""), item(content=["x"]), item(content=1937, location=None)]}
    assert [clue.content for clue in read_clues(said(odd), PAGE).clues] == ["1937"]


def test_a_page_without_evidence_is_no_failure_and_a_reply_without_sense_is_one() -> None:
    none = read_clues(said({"has_relevant_evidence": False, "page_summary": "Nothing."}), PAGE)
    assert none.clues == () and none.parsed == "repaired" and none.summary == "Nothing."
    assert read_clues(said({"has_relevant_evidence": False, "evidence_items": []}), PAGE).parsed == "schema"
    for text in ("I found nothing", "", "[1, 2]", '{"evidence_items": "many"}'):
        assert read_clues(said(text), PAGE).parsed == "failed"


def test_lengths_are_limited() -> None:
    reply = {"evidence_items": [item(content="x" * 9_999)] * 99, "page_summary": "s" * 9_999}
    found = read_clues(said(reply), PAGE)
    assert len(found.clues) == REPLY_LIMITS.items and len(found.clues[0].content) == REPLY_LIMITS.content
    assert len(found.summary) == REPLY_LIMITS.reason


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ('{"has_chart":true,"relevance":"Completely Relevant","reasoning":"It shows it."}', "CR"),
        ('{"has_chart":true,"relevance":"Relevant","reasoning":"It shows it."}', "R"),
        ('{"relevance":"Irrelevant","reasoning":"It shows it."}', "IR"),
        ('{"has_chart":false,"relevance":"Completely Relevant","reasoning":"It shows it."}', "none"),
        ("Has Chart: Yes\nRelevance: Completely Relevant\nReasoning: It shows it.", "CR"),
        ("**Has Chart:** No\n**Relevance:** Relevant\n**Reasoning:** It shows it.", "none"),
        ("relevance: COMPLETELY-RELEVANT\nreasoning: It shows it.", "CR"),
        ('{"relevance":"none","reasoning":"It shows it."}', "none"),
        ('{"relevance":"Somewhat","reasoning":"It shows it."}', "none"),
    ],
)
def test_labels(text: str, label: str) -> None:
    found = read_screening(said(text))
    assert (found.label, found.rationale) == (label, "It shows it.")


@pytest.mark.parametrize("text", ["", "I like this page", '{"relevance": null}', '{"has_chart": true}'])
def test_replies_without_a_label(text: str) -> None:
    assert (read_screening(said(text)).label, read_screening(said(text)).parsed) == (None, "failed")


def test_difficulty() -> None:
    hard = read_difficulty(said({"difficulty_level": 1, "instruction_set": "Add both."}), 0.8)
    assert (hard.level, hard.instructions, hard.probability, hard.parsed) == (1, "Add both.", 0.8, "schema")
    assert read_difficulty(said('Sure: {"Difficulty Level": "1"}'), None).level == 1
    for text in ("", "hard", '{"difficulty_level": 7}'):
        found = read_difficulty(said(text), None)
        assert (found.level, found.parsed) == (0, "failed") and found.instructions and found.raw == text
