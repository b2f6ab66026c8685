"""What is chosen in the tab, as an address and after a click."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.ui.read_sample import EVIDENCE, read_sample
from ui.read_acts import act
from ui.read_asking import grown, readable, request, undecided
from ui.read_state import WHOLE, ReadView, back_of, fitted, read_address


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({}, (EVIDENCE, 0, None, None)),
        ({"p": "3"}, (2, None, None, None)),
        ({"p": "99"}, (None, None, None, None)),
        ({"p": "3", "clue": "2"}, (EVIDENCE, None, 1, None)),
        ({"cite": "2", "clue": "2", "token": "all"}, (4, 1, None, WHOLE)),
        ({"p": "-1", "cite": "0", "token": "<b>"}, (EVIDENCE, 0, None, None)),
        ({"p": "1", "token": "4"}, (0, None, None, 3)),
        ({"p": "1", "token": "5"}, (0, None, None, None)),
    ],
)
def test_an_address_opens_what_it_names(query: dict[str, str], expected: tuple[int | None, ...]) -> None:
    view = fitted(replace(read_address(query, False), kind="run", key="r"), read_sample())
    assert (view.page, view.cite, view.clue, view.token) == expected


def test_an_address_leads_back_to_the_same_view() -> None:
    record = read_sample()
    view = fitted(ReadView("run", "r", page=4, cite=2, token=WHOLE, text=True, chosen=True), record)
    assert view.address == {"run": "r", "p": "5", "cite": "3", "token": "all", "show": "text"}
    again = fitted(replace(read_address(view.address, False), kind="run", key="r"), record)
    assert again.address == view.address
    assert ReadView("held").address == {}


def test_a_growing_run_opens_the_best_page_and_leaves_a_choice_alone() -> None:
    assert fitted(ReadView("run"), read_sample("start")).page == 0
    assert fitted(ReadView("run"), read_sample("retrieval")).page == EVIDENCE
    closed = act(fitted(ReadView("run"), read_sample()), read_sample(), "go", "none")
    assert fitted(closed, read_sample()).page is None


def test_one_selection_is_shared() -> None:
    record = read_sample()
    view = act(ReadView("held", page=0), record, "cite", "2")
    assert (fitted(view, record).page, view.cite, view.clue) == (4, 2, None)
    view = act(view, record, "clue", 1)
    assert (fitted(view, record).page, view.cite, view.clue) == (EVIDENCE, None, 1)
    view = fitted(view, record)
    assert (act(view, record, "clue", 1).page, act(view, record, "clue", 1).clue) == (EVIDENCE, None)
    view = act(view, record, "page", "3")
    assert (view.page, view.clue) == (3, None)


@pytest.mark.parametrize(
    ("start", "to", "end"), [(0, "previous", 0), (0, "next", 1), (11, "next", 11), (None, "previous", 11)]
)
def test_arrows_step_and_stop_at_the_ends(start: int | None, to: str, end: int) -> None:
    assert act(ReadView(page=start), read_sample(), "go", to).page == end


@pytest.mark.parametrize(
    ("what", "value"),
    [
        ("page", 99), ("page", -1), ("page", "<b>"), ("page", True), ("page", None), ("cite", 3), ("clue", "1e3"),
        ("back", 7), ("back", 0), ("show", "all"), ("token", [1]), (None, None), ("constructor", 1),
    ],
)  # fmt: skip
def test_what_makes_no_sense_changes_nothing(what: object, value: object) -> None:
    view = ReadView("held", page=4)
    after = fitted(act(view, read_sample(), what, value), read_sample())
    assert (after.page, after.cite, after.clue, after.token, after.hidden, after.back) == (
        4,
        None,
        None,
        None,
        frozenset(),
        None,
    )
    assert act(view, None, "page", 1) is view


def test_switches_go_on_and_off() -> None:
    record, view = read_sample(), ReadView("held", page=4)
    hidden = act(view, record, "show", "clues")
    assert hidden.hidden == {"clues"} and act(hidden, record, "show", "clues").hidden == frozenset()
    assert act(view, record, "text", "").text and act(view, record, "first", "").first
    lit = act(view, record, "token", "all")
    assert lit.token == WHOLE and act(lit, record, "token", "all").token is None


def test_a_dropped_page_is_put_back_and_let_go() -> None:
    record = read_sample()
    view = act(act(ReadView("held"), record, "back", 8), record, "back", "2")
    assert back_of(view, record) == (2, 8)
    assert back_of(act(view, record, "back", 8), record) == (2,)
    assert act(ReadView("held"), read_sample("agents"), "back", 8).back is None, "not while it runs"
    kept = tuple(
        page.model_copy(update={"kept": True, "kept_by": "hand"}) if page.page == 8 else page
        for page in record.pages or ()
    )
    again = record.model_copy(update={"pages": kept})
    assert back_of(ReadView("held"), again) == (8,)
    assert back_of(act(ReadView("held"), again, "back", 8), again) == ()


def test_a_request_keeps_what_is_known_of_its_question_only() -> None:
    record = read_sample()
    asked = request(record, record.question.text, record.settings.pdf)
    assert asked.pdf and asked.pdf.sha256 == record.source.sha256 and asked.question.gold_pages == (EVIDENCE,)  # type: ignore[union-attr]
    assert request(record, "Another one?", record.settings.pdf).question.gold_pages == ()
    nowhere = record.model_copy(update={"source": record.source.model_copy(update={"sha256": "../../etc"})})  # type: ignore[union-attr]
    with pytest.raises(ValueError, match="upload the PDF"):
        request(nowhere, "q", record.settings.pdf)
    assert undecided(record, "r").final is None and undecided(record, "r").clues == record.clues


def test_an_opened_record_must_be_of_a_pdf_and_of_a_size() -> None:
    record = read_sample()
    assert readable(record) is record
    with pytest.raises(ValueError, match="tab Inspect"):
        readable(record.model_copy(update={"source": None}))
    many = record.model_copy(update={"clues": (record.clues or ()) * 1000})
    with pytest.raises(ValueError, match="clues or citations"):
        readable(many)


def test_a_run_that_has_not_read_its_pages_shows_them_as_they_were_known() -> None:
    before, started = read_sample("start"), read_sample("start").model_copy(update={"pages": None, "source": None})
    assert grown(started, before) == before.model_copy(update={"pages": before.pages})
    assert grown(None, before) is before and grown(started, None) is started
    assert grown(read_sample(), before) == read_sample()


def test_where_nothing_is_cited_a_clue_of_the_best_page_is_lit() -> None:
    record = read_sample().model_copy(update={"citations": ()})
    view = fitted(ReadView("run"), record)
    assert (view.page, view.cite, view.clue) == (EVIDENCE, None, 1)
