from __future__ import annotations

import json

import numpy as np

from core.models.page_protocol import PageReader, PageTask, PageView
from core.models.scripted import scripted_models
from core.models.scripted_reader import ScriptedPageReader
from core.sleuth.agents import CLUE_SCHEMA, SCREENING_SCHEMA
from tests.core.models.pages import layout
from tests.core.models.prompts import never

PAGE = PageView(layout(1, ("text", ["The Golden Gate bridge opened in 1937.", "It is orange."])))
OTHER = PageView(layout(2, ("text", ["Ferries."])))


def task(view: PageView, ending: str, schema: object = None) -> PageTask:
    return PageTask(("Page 2:\n", view, "\nQuestion: When did the Golden Gate bridge open?\n", ending), 64, schema)  # type: ignore[arg-type]


def test_replies_are_made_of_the_page_that_is_shown() -> None:
    reader: PageReader = scripted_models().reader()
    clue, label, free = reader.complete(
        [task(PAGE, "Find.", CLUE_SCHEMA), task(PAGE, "Judge.", SCREENING_SCHEMA), task(PAGE, "Say.")], never
    )
    assert "1937" in str(json.loads(clue.text)["evidence_items"][0]["content"])
    assert json.loads(label.text)["relevance"] in ("Completely Relevant", "Relevant", "Irrelevant")
    assert free.text == "1937"


def test_pages_are_counted_once_for_what_they_share() -> None:
    reader = scripted_models().reader()
    replies = reader.complete([task(PAGE, "a"), task(PAGE, "b"), task(OTHER, "a"), task(PAGE, "a")], never)
    assert [reply.page_prefills for reply in replies] == [1, 0, 1, 0]
    assert reader.complete([task(PAGE, "a")], never)[0].page_prefills == 1


def test_scripted_replies_come_first_and_thoughts_are_cut() -> None:
    reader = ScriptedPageReader(lambda task: "made up", ["a</think>b</think> c", "never ends"], thinks=True)
    first, second, third = reader.complete([task(PAGE, "x")] * 3, never)
    assert (first.text, first.thought) == ("c", "a</think>b")
    assert (second.text, second.thought) == ("", "never ends") == ("", second.thought)
    assert third.text == ""  # what is made up ends no thought either
    plain = ScriptedPageReader(lambda task: "made up").complete([task(PAGE, "x")], never)[0]
    assert plain.text == "made up"


def test_options_are_probabilities() -> None:
    weights = scripted_models().reader().weigh(task(PAGE, "x"), [("0",), ("1",), ("2",)], never)
    assert np.exp(weights).sum() == 1.0 and weights[0] > weights[1] == weights[2]
