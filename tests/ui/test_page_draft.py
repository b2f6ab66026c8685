"""Moving, removing and resetting the documents of the next run."""

from __future__ import annotations

import pytest

from core.records import Document, Question
from core.settings.methods import RunSettings
from ui import inspect_draft as drafts
from ui.inspect_draft import Draft, draft_of


@pytest.fixture
def draft() -> Draft:
    documents = tuple(Document(id=str(i), title=f"t{i}", text=f"text {i}", gold=i == 1) for i in range(4))
    return draft_of(Question(text="q", answers=("a",), gold=(1,)), documents)


def test_steps_and_places_are_cut_to_the_list(draft: Draft) -> None:
    assert drafts.step(draft, 0, -1).order == (0, 1, 2, 3)
    assert drafts.step(draft, 3, 1).order == (0, 1, 2, 3)
    assert drafts.step(draft, 0, 1).order == (1, 0, 2, 3)
    assert drafts.put(draft, 0, 99).order == (1, 2, 3, 0)
    assert drafts.put(draft, 9, 0) is draft


def test_gold_moves_and_its_place_is_told(draft: Draft) -> None:
    moved = drafts.move_gold(draft, 3)
    assert moved.order == (0, 2, 3, 1)
    assert moved.gold == (3,)
    assert moved.changed
    assert moved.shown_as(1) == 1
    request = drafts.request(moved, "asked", RunSettings())
    assert request.question.gold == (3,)
    assert [document.gold for document in request.documents] == [False, False, False, True]
    assert request.documents[3].id == "1"


def test_two_clicks_mean_the_same_document(draft: Draft) -> None:
    once = drafts.edit(draft, {"what": "down", "item": 0})
    assert drafts.edit(once, {"what": "down", "item": 0}).order == (1, 2, 0, 3)


def test_the_last_document_stays_and_reset_brings_all_back(draft: Draft) -> None:
    for item in range(4):
        draft = drafts.edit(draft, {"what": "remove", "item": item})
    assert draft.order == (3,)
    assert draft.gold == ()
    assert drafts.reset(draft).order == (0, 1, 2, 3)


@pytest.mark.parametrize(
    "asked", [{}, {"what": "up"}, {"what": "up", "item": "0"}, {"what": "put", "item": 0}, {"what": "x", "item": 0}]
)
def test_an_edit_that_makes_no_sense_changes_nothing(draft: Draft, asked: dict[str, object]) -> None:
    assert drafts.edit(draft, asked).order == draft.order


def test_a_draft_without_gold_moves_nothing() -> None:
    draft = draft_of(Question(text="q"), (Document(id="1", title="", text="x"), Document(id="2", title="", text="y")))
    assert drafts.move_gold(draft, 1).order == (0, 1)
    assert drafts.request(draft, "q", RunSettings()).documents[0].gold is None
