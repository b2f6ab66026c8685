"""Quotes on hand-made pages: a word is 0.02 wide a character, a line 0.02 high, the first line at 0.1."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.page_record import PageLayout, Word
from core.settings.pages import PLACING
from core.sleuth.placing import NOWHERE, place, plain
from tests.core.models.pages import layout

REPORT = layout(
    4,
    ("text", ["The Potaro River is 140 km long and not navigable.", "It plunges over Kaieteur Falls, 226 m high."]),
    ("table", ["Year | Visitors | Income", "2020 | 1,250 | 3.5", "2021 | 12,500 | 4.8"]),
    ("caption", ["Table 1: Visitors and income in millions"]),
)


def page(*words: str, line: float = 0.1) -> PageLayout:
    """One line of words, a tenth of the page each."""
    made = [
        Word(text=text, box=(round(0.1 * i, 2), line, round(0.1 * i + 0.09, 2), round(line + 0.02, 2)))
        for i, text in enumerate(words)
    ]
    return REPORT.model_copy(update={"words": tuple(made), "regions": (), "text": " ".join(words)})


def test_word_for_word_whatever_case_and_punctuation() -> None:
    found = place("“the potaro river”", REPORT)
    assert (found.placed, found.times) == ("exact", 1)
    assert found.boxes == ((0.1, 0.1, 0.4, 0.12),)  # The (0.06) + Potaro (0.12) + River (0.10) and two gaps of 0.01


def test_a_quote_over_two_lines_has_a_box_for_each() -> None:
    found = place("not navigable. It plunges", REPORT)
    assert found.placed == "exact" and [box[1] for box in found.boxes] == [0.1, 0.13]


def test_words_are_found_whole() -> None:
    assert place("Potaro Riv", REPORT) == NOWHERE
    assert place("otaro River", REPORT) == NOWHERE


def test_a_hyphen_at_the_end_of_a_line_and_a_soft_one() -> None:
    assert place("evidence sparsity matters", page("evi-", "dence", "spar\u00adsity", "matters")).placed == "exact"
    assert place("co-operation", page("cooperation", "today")).placed == "exact"


def test_ligatures_and_full_width_letters() -> None:
    found = place("efficient flow", page("an", "eﬃcient", "ﬂow"))
    assert found.placed == "exact" and found.boxes == ((0.1, 0.1, 0.29, 0.12),)
    assert place("ＡＢＣ 12", page("ABC", "12")).placed == "exact"


def test_right_to_left_as_files_may_store_it() -> None:
    said = "שלום עולם טוב"
    words = said.split()
    assert place(said, page(*words)).placed == "exact"
    assert place(said, page(*words[::-1])).placed == "exact"  # the line from left to right
    assert place(said, page(*(word[::-1] for word in words[::-1]))).placed == "exact"  # letter by letter
    assert place("עולם שלום רע", page(*words)) == NOWHERE


def test_numbers_are_compared_as_numbers() -> None:
    assert plain("1,250") == "1250" and plain("3.5%") == "3.5" and plain("(−7)") == "-7" and plain("$12") == "12"
    assert place("12,500", REPORT).boxes == place("12500", REPORT).boxes != ()
    assert place("35", page("3.5", "percent")) == NOWHERE  # no point, no match
    assert place("15 items", page("1", "5", "items")) == NOWHERE
    assert place("5 °C", page("-5", "°C")) == NOWHERE


def test_words_that_stand_there_several_times_are_all_marked_unless_the_region_is_known() -> None:
    twice = layout(0, ("text", ["Net income rose."]), ("text", ["Net income fell."]))
    both = place("net income", twice)
    assert both.times == 2 and len(both.boxes) == 2
    one = place("net income", twice, "Text 2")
    assert one.times == 1 and one.boxes == (both.boxes[1],)


def test_cells_of_a_row_in_whatever_order_the_page_has_its_words() -> None:
    by_column = REPORT.model_copy(update={"words": tuple(sorted(REPORT.words, key=lambda word: word.box[0]))})
    found = place("2021 | 12,500 | 4.8", by_column)
    row = [cell.box for cell in REPORT.regions[1].cells if cell.row == 2]
    assert found.placed == "exact" and found.boxes == tuple(row)
    assert place("2021 12,500 4.8", REPORT).placed == "exact"


def test_nearly_the_words_with_the_same_numbers() -> None:
    found = place("It plumges over Kaieteur Fal1s, 226 m high", REPORT)
    assert found.placed == "fuzzy" and found.boxes[0][1] == 0.13
    assert place("It plunges over Kaieteur Falls, 228 m high", REPORT) == NOWHERE  # another number
    assert place("The Potaro River is 140 km long and now navigable", REPORT) == NOWHERE  # the denial is gone


def test_the_numbers_of_a_table_in_other_words_are_placed_in_its_row() -> None:
    found = place("Visitors in Year 2021: 12,500", REPORT)
    row = [cell.box for cell in REPORT.regions[1].cells if cell.row == 2]
    assert found.placed == "region" and found.boxes == ((row[0][0], row[0][1], row[-1][2], row[0][3]),)
    assert place("Visitors in Year 2021: 13,500", REPORT) == NOWHERE


def test_other_words_of_running_text_are_placed_only_where_the_region_was_named() -> None:
    turned = "Kaieteur Falls high 226 m"
    assert place(turned, REPORT) == NOWHERE
    assert place(turned, REPORT, "[Text 1], second line").boxes == (REPORT.regions[0].box,)
    assert place(turned, REPORT, "Text 10") == NOWHERE


@pytest.mark.parametrize("quote", ["", "  \n", "…!?", "The Nile crosses Egypt.", "x" * 10_000, "river " * 2_000])
def test_what_does_not_stand_there_gets_no_box(quote: str) -> None:
    assert place(quote, REPORT) == NOWHERE
    assert place(quote, layout(0)) == NOWHERE


def test_a_long_quote_that_does_stand_there_is_found() -> None:
    words = [f"word{i}" for i in range(1500)]
    long = layout(0, ("text", [" ".join(words[i : i + 10]) for i in range(0, 1500, 10)]))
    found = place(" ".join(words), long)
    assert found.placed == "exact" and len(found.boxes) == 150


WORDS = st.lists(st.text("abcdefghijklmnopqrstuvwxyz0123456789.,-", min_size=1, max_size=9), min_size=1, max_size=40)


@given(WORDS, st.data())
def test_any_words_of_a_page_are_found_where_they_stand(words: list[str], data: st.DataObject) -> None:
    lines = layout(0, ("text", [" ".join(words[i : i + 5]) for i in range(0, len(words), 5)]))
    first = data.draw(st.integers(0, len(words) - 1))
    last = data.draw(st.integers(first, len(words) - 1))
    quote = " ".join(words[first : last + 1])
    found = place(quote, lines)
    if not any(map(plain, words[first : last + 1])):
        assert found == NOWHERE
        return
    assert found.placed == "exact" and found.times >= 1
    said = [word for word in lines.words[first : last + 1] if plain(word.text)]
    centres = [((w.box[0] + w.box[2]) / 2, (w.box[1] + w.box[3]) / 2) for w in said]
    if found.times < PLACING.places:
        assert all(any(box[0] <= x <= box[2] and box[1] <= y <= box[3] for box in found.boxes) for x, y in centres)


@given(WORDS, st.text("äöüßéñ", min_size=3, max_size=30))
def test_words_of_another_page_are_not_found(words: list[str], quote: str) -> None:
    assert place(quote, layout(0, ("text", [" ".join(words)]))) == NOWHERE
