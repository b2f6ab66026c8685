from __future__ import annotations

import pytest

from core.records import Clue
from core.sleuth.citations import agreement, checked_rows, cited, from_clues
from core.sleuth.decision import Row
from tests.core.models.pages import layout

PAGES = {
    6: layout(6, ("text", ["The bridge opened in 1937."]), ("table", ["Year|Cars", "1937|32,000"])),
    8: layout(8, ("text", ["It is painted orange."])),
    9: layout(9),
}


def test_a_quote_that_stands_on_its_page() -> None:
    found = cited(6, "opened in 1937", "text", PAGES)
    assert found.verified and found.placed == "exact" and len(found.boxes) == 1
    assert (found.page, found.source, found.reason) == (6, "text", "These words stand on the page.")


def test_quotes_that_do_not() -> None:
    reasons = {
        (8, "opened in 1937"): "These words do not stand on page 9; they stand on page 7.",
        (6, "opened in 1938"): "These words do not stand on page 7.",
        (6, "  "): "It quotes nothing, so there is nothing to look up.",
        (5, "opened in 1937"): "Page 6 was not among the pages that were read.",
        (9, "a bar of 40 %"): "No words could be read on page 10, so what was seen in its picture cannot be checked.",
        (6, "q" * 10_000): "These words do not stand on page 7.",
    }
    for (page, evidence), reason in reasons.items():
        found = cited(page, evidence, "text", PAGES)
        assert (found.verified, found.boxes, found.placed, found.reason) == (False, (), "", reason)


def test_rows_about_pages_that_do_not_exist_are_left_out_aloud() -> None:
    rows = [Row(6, "opened in 1937", ""), Row(400, "x", ""), Row(None, "y", ""), Row(-1, "z", "")]
    found, warnings = checked_rows(rows, PAGES, 12)
    assert [citation.page for citation in found] == [6]
    assert [warning.split(";")[0] for warning in warnings] == [
        "A citation names page 401", "A citation names no page", "A citation names page 0",
    ]  # fmt: skip


def test_an_answer_without_citations_gets_the_clues_that_it_agrees_with() -> None:
    clues = [
        Clue(page=6, content="The bridge opened in 1937.", confidence="high"),
        Clue(page=6, content="1937 | 32,000", kind="table", confidence="low"),
        Clue(page=8, content="It is painted orange.", confidence="high"),
    ]
    asked = "When did the bridge open?"
    (one,) = from_clues(asked, "It opened in 1937", clues, PAGES)
    assert (one.page, one.evidence, one.verified) == (6, "The bridge opened in 1937.", True)
    (other,) = from_clues(asked, "32,000 cars", clues, PAGES)  # no clue of high confidence has the number
    assert other.source == "table" and other.verified
    for answer in ("Sydney", "No answers found!", "", "It opened in 1938", "it was"):
        assert from_clues(asked, answer, clues, PAGES) == ()
    assert from_clues(asked, "1937", [], PAGES) == ()


def test_agreement_by_hand() -> None:
    text = "The bridge opened in 1937 and is painted orange."
    assert agreement(text, "What colour is it?", "painted bright orange") == pytest.approx(2 / 3)
    assert agreement(text, "Is it painted orange?", "orange") == 1.0  # nothing but words of the question: they count
    assert agreement(text, "What colour is the bridge?", "the bridge is green") == 0.0
    assert agreement(text, "When?", "1937, 1938") == 0.0 == agreement(text, "When?", "was it")
