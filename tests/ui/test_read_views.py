"""The tab's views of a record: what they say, and that hostile text stays text."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace

import pytest

from core.page_record import PageMap
from core.records import Page, RunRecord, Similarity
from tests.ui.checking import ATTRIBUTES, TAGS, VOID, Checked
from tests.ui.read_sample import CANDIDATES, EVIDENCE, HOSTILE, LINE, READ_STAGES, ReadStage, layout, read_sample
from tests.ui.sample import IMAGE, SCRIPT
from ui.derived import derive
from ui.figures_pages import page_scores, summary_pages
from ui.pages_boxes import map_levels, placed
from ui.pages_strip import label_badge, strip_html
from ui.pages_view import page_html, quoted
from ui.pages_words import page_name, page_steps
from ui.read_cards import answer_html, views_html
from ui.read_export import EXPORTS, exported
from ui.read_state import WHOLE, ReadView, fitted
from ui.read_tables import candidates_html, citations_html, clues_html
from ui.read_views import Drawn, draw

FIGURES = ("scores", "curve", "ranking")


class Drawing(Checked):
    """``Checked`` with what a page picture and its boxes need."""

    TAGS = TAGS | {"img", "svg", "text", "nav", "h2", "h3"}
    ATTRIBUTES = ATTRIBUTES | {
        "data-read", "data-value", "data-page", "data-picture", "data-key", "data-thumb", "data-zoom", "disabled",
        "alt", "viewbox", "x", "y", "font-size", "textlength", "lengthadjust",
    }  # fmt: skip

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in self.TAGS, tag
        assert {name for name, _ in attrs} <= self.ATTRIBUTES, attrs
        self.seen.append((tag, dict(attrs)))
        if tag not in VOID | {"img"}:
            self.open.append(tag)

    def bars(self) -> list[str | None]:
        """The styles of the small bars."""
        return [a["style"] for tag, a in self.seen if tag == "span" and (a.get("style") or "").startswith("width:")]

    def acts(self, what: str) -> list[str | None]:
        """The values of the buttons and rows that do something."""
        return [attrs.get("data-value") for _, attrs in self.seen if attrs.get("data-read") == what]


def opened(record: RunRecord, **fields: object) -> ReadView:
    return fitted(replace(ReadView("held"), **fields), record)  # type: ignore[arg-type]


def drawn(stage: ReadStage = "final", **fields: object) -> Drawn:
    record = read_sample(stage)
    return draw(record, opened(record, **fields))


def changed(record: RunRecord, **fields: object) -> RunRecord:
    return RunRecord.from_json(record.model_copy(update=fields).to_json())


@pytest.mark.parametrize("stage", READ_STAGES)
@pytest.mark.parametrize("view", [{}, {"page": 2, "token": WHOLE}, {"text": True, "page": 2, "first": True}])
def test_every_view_is_sound_html_and_nothing_hostile_is_markup(stage: ReadStage, view: dict[str, object]) -> None:
    values = drawn(stage, **view)._asdict()
    for name, value in values.items():
        if name in FIGURES:
            assert "<img" not in json.dumps(json.loads(value)).replace("&lt;img", "")
            continue
        checked = Drawing(value)
        assert "\u202e" not in value
        assert all(attrs.get("data-picture") for tag, attrs in checked.seen if tag == "img")


def test_nothing_open_invites() -> None:
    values = draw(None, ReadView())
    assert "upload your own PDF" in values.head
    assert "No PDF yet" in values.source
    assert values.page == values.strip == ""


# ---- words


def test_a_page_is_named_by_its_number_with_the_printed_label_beside_it() -> None:
    record = read_sample()
    assert page_name(record, 0) == "Page 1 (printed i)"
    assert page_name(record, EVIDENCE) == "Page 8 (printed 6)"
    same = changed(
        record, pages=tuple(page.model_copy(update={"printed": str(page.page + 1)}) for page in record.pages or ())
    )
    assert page_name(same, 3) == "Page 4"


def test_the_way_of_a_page_is_told_as_far_as_it_went() -> None:
    assert page_steps(read_sample("start"), 0) == [("not scored yet", None)]
    assert page_steps(read_sample("retrieval"), EVIDENCE) == [("rank 1 of 12", None), ("candidate", True)]
    assert [step for step, _ in page_steps(read_sample(), EVIDENCE)] == [
        "rank 1 of 12", "candidate", "completely relevant", "2 clues", "cited",
    ]  # fmt: skip
    assert page_steps(read_sample(), CANDIDATES[0])[2:] == [
        ("irrelevant", False),
        ("1 clue", True),
        ("not cited", False),
    ]
    assert page_steps(read_sample(), 0)[-1] == ("not a candidate", False)


def test_labels_differ_by_letter_and_by_shape() -> None:
    badges = [label_badge(label) for label in ("CR", "R", "IR", "none")]
    assert len({Drawing(badge).text for badge in badges}) == 4
    assert len({badge.split('"')[1] for badge in badges}) == 4
    assert label_badge(None) == ""


def test_disagreement_and_agreement_are_said() -> None:
    record = read_sample()
    assert "SFS ranks it first of 5" in Drawing(views_html(record, derive(record))).text
    kept = [page.model_copy(update={"label": "CR", "kept": True}) for page in record.pages or ()]
    agreed = changed(record, pages=(*kept[:8], *(record.pages or ())[8:]))
    assert "two views agree" in Drawing(views_html(agreed, derive(agreed))).text
    assert views_html(read_sample("agents"), None) == ""


def test_no_answer_is_an_outcome_of_its_own() -> None:
    said = Drawing(answer_html(read_sample("none"))).text
    assert "No answer in this document" in said and "an outcome, not a failure" in said
    assert "contains a known answer: no" in said
    assert "contains a known answer: yes" in Drawing(answer_html(read_sample())).text
    assert "No answer, so nothing is cited" in citations_html(read_sample("none"), ReadView())


# ---- strip


def test_the_strip_stands_in_page_order_or_with_the_candidates_first() -> None:
    record = read_sample()
    assert Drawing(strip_html(record, ReadView())).acts("page") == [str(page) for page in range(12)]
    first = Drawing(strip_html(record, ReadView(first=True))).acts("page")
    assert first[:5] == [str(page) for page in CANDIDATES] and len(first) == 12


def test_one_thumb_is_a_stop_of_the_tab_key() -> None:
    checked = Drawing(strip_html(read_sample(), ReadView(page=4)))
    stops = [attrs["data-value"] for attrs in checked.having("wl-thumb") if attrs["tabindex"] == "0"]
    assert stops == ["4"]
    assert checked.having("is-selected")[0]["aria-pressed"] == "true"


def test_bars_of_the_strip_span_from_the_lowest_score_to_the_highest() -> None:
    pages = tuple(Page(page=i, score=score, rank=i) for i, score in enumerate((0.5, 0.4, None, 0.3)))
    record = changed(read_sample("start"), pages=pages)
    assert Drawing(strip_html(record, ReadView())).bars() == ["width:100.0%", "width:53.0%", "width:0.0%", "width:6.0%"]


def test_the_figure_of_all_scores_names_pages_and_says_where_its_axis_begins() -> None:
    figure = page_scores(read_sample(), EVIDENCE, False)
    clicked = sorted(int(point[0]) for trace in figure.data if trace.type == "bar" for point in trace.customdata)
    assert clicked == list(range(12))
    assert {trace.name for trace in figure.data} >= {"completely relevant", "irrelevant", "holds the evidence"}
    assert figure.layout.yaxis.range[0] == 0
    alike = changed(read_sample("start"), pages=tuple(Page(page=i, score=0.9 + 0.02 * i, rank=1 - i) for i in range(2)))
    high = page_scores(alike, None, False)
    assert high.layout.yaxis.range[0] == pytest.approx(0.897)
    assert high.layout.xaxis.title.text == "page · the axis begins at 0.897"
    alone = changed(read_sample("start"), pages=(Page(page=0, score=0.7, rank=0),))
    assert list(page_scores(alone, 0, False).layout.yaxis.range) == pytest.approx([0, 0.84])
    assert "ranked 1 of 12" in summary_pages(read_sample())


# ---- the page


def test_boxes_are_percent_of_the_page_and_nonsense_has_none() -> None:
    assert placed((0.1, 0.2, 0.3, 0.25)) == "left:10.00%;top:20.00%;width:20.00%;height:5.00%"
    assert placed((-1.0, 0.5, 2.0, 0.5005)) == "left:0.00%;top:50.00%;width:100.00%;height:0.40%"
    for nonsense in (
        (0.5, 0.5, 0.5, 0.6),
        (0.9, 0.1, 0.2, 0.3),
        (float("nan"), 0, 1, 1),
        (0, 0, float("inf"), 1),
        (2, 2, 3, 3),
    ):
        assert placed(nonsense) is None


def test_the_lit_citation_is_on_its_page_and_hidden_boxes_are_gone_but_for_it() -> None:
    record = read_sample()
    checked = Drawing(page_html(record, opened(record, cite=0), None, True))
    assert [attrs["data-value"] for attrs in checked.having("is-lit")] == ["0"]
    assert len(checked.having("is-cite")) == 1 and len(checked.having("is-clue")) == 2
    bare = Drawing(page_html(record, opened(record, cite=0, hidden=frozenset({"clues", "citations"})), None, True))
    assert len(bare.having("wl-box")) == 1
    other = Drawing(page_html(record, opened(record, page=4), None, True))
    assert [attrs["data-value"] for attrs in other.having("wl-box")] == ["2"], "the unverified one has no box"


def test_without_a_picture_the_words_stand_where_they_do_on_paper_and_it_says_so() -> None:
    record = read_sample()
    checked = Drawing(draw(record, opened(record, page=2)).page)
    words = [attrs for tag, attrs in checked.seen if tag == "text"]
    assert len(words) == len(layout(2).words)
    assert words[0]["x"] == f"{1000 * layout(2).words[0].box[0]:.1f}"
    assert "its words are drawn where they stand" in checked.text
    assert SCRIPT.split(">")[0] in checked.text
    assert "words are not in the record" in Drawing(draw(record, opened(record, page=0)).page).text


def test_a_page_says_how_it_was_read_and_what_was_odd() -> None:
    record = read_sample()
    assert "read by OCR" in Drawing(draw(record, opened(record, page=CANDIDATES[1])).page).text
    assert f"A note {IMAGE}" in Drawing(draw(record, opened(record, page=CANDIDATES[0])).page).text
    broken = layout(0).model_copy(update={"error": "a stream is cut off", "hidden": True})
    said = Drawing(page_html(record, opened(record, page=0), broken, False)).text
    assert "could not be read: a stream is cut off" in said and "invisible in the picture" in said


def test_similarity_lights_the_word_that_the_token_is() -> None:
    record = read_sample()
    words = layout(EVIDENCE).words
    levels = map_levels(record, EVIDENCE, 2)
    assert words[int(levels.argmax())].text == "passengers" and int(levels.max()) == 8
    checked = Drawing(draw(record, opened(record, page=EVIDENCE, token=2)).page)
    assert "Most similar here: “passengers”" in checked.text
    assert len(checked.having("w8")) >= 2, "in the key and on the page"
    assert "known for candidate pages only" in Drawing(draw(record, opened(record, page=0, token=2)).page).text


def test_patches_lie_row_by_row_and_a_grid_that_does_not_fit_draws_nothing() -> None:
    lit = (0.0,) * 5 + (1.0,)
    found = PageMap(page=2, kind="patches", grid=(2, 3), values=(lit,))
    record = changed(read_sample(), similarity=Similarity(tokens=("q",), pages=(found,)))
    checked = Drawing(draw(record, opened(record, page=2, token=0)).page)
    patch = [attrs["style"] for attrs in checked.having("w8") if "style" in attrs]
    assert patch == ["left:66.67%;top:50.00%;width:33.33%;height:50.00%"]
    wrong = found.model_copy(update={"grid": (9, 9)})
    record = changed(record, similarity=Similarity(tokens=("q",), pages=(wrong,)))
    checked = Drawing(draw(record, opened(record, page=2, token=0)).page)
    assert [attrs for attrs in checked.having("w8") if "style" in attrs] == []


def test_quotes_are_marked_in_the_text_whatever_its_white_space() -> None:
    assert quoted("a <b>\nc d", ["<B> c"]) == "a <mark>&lt;b&gt;\nc</mark> d"
    assert quoted("one two", ["three", "", "one two", "two"]) == "<mark>one two</mark>"
    record = read_sample()
    assert "<mark>carried 4,310 passengers</mark>" in draw(record, opened(record, page=EVIDENCE, text=True)).page


# ---- tables


def test_the_citation_table_says_what_was_checked_and_why() -> None:
    record = read_sample()
    checked = Drawing(citations_html(record, opened(record, cite=1)))
    for said in ("verified", "unverified", "found word for word", "no place on the page could be found", IMAGE):
        assert said in checked.text
    assert [attrs["data-value"] for attrs in checked.having("is-lit")] == ["1"]
    assert checked.acts("page") == [str(EVIDENCE), "4", "4"]


def test_clues_and_candidates_have_a_row_each() -> None:
    record = read_sample()
    assert LINE in Drawing(clues_html(record, ReadView())).text
    checked = Drawing(candidates_html(record, ReadView()))
    assert checked.acts("back") == [str(page) for page in (2, 8, 10)], "what screening kept cannot be put back"
    assert Drawing(candidates_html(read_sample("agents"), ReadView())).acts("back") == [], "not before it has ended"
    back = Drawing(candidates_html(record, ReadView(back=(8,))))
    assert [a["data-value"] for _, a in back.seen if a.get("data-read") == "back" and a["aria-pressed"] == "true"] == [
        "8"
    ]


def test_empty_parts_say_why() -> None:
    record = read_sample("none")
    assert "No clue was found" in clues_html(record, ReadView())
    pdf = record.settings.pdf.model_copy(update={"clue": False, "difficulty": False})
    off = changed(read_sample("retrieval"), settings=record.settings.model_copy(update={"pdf": pdf}))
    assert "Clue discovery was off" in clues_html(off, ReadView())
    assert "its switch was off" in draw(off, ReadView()).difficulty
    assert "citations come with the answer" in citations_html(off, ReadView())


def test_what_the_run_counted_stands_under_its_calls() -> None:
    record = changed(read_sample(), counts={"page_prefills": 5.0, "page_prefills_per_page": 1.0})
    assert "Counted: page prefills 5, page prefills per page 1." in draw(record, ReadView()).calls
    assert "Counted" not in drawn().calls


def test_a_level_that_follows_from_a_rule_says_so() -> None:
    found = read_sample().difficulty
    assert found
    ruled = changed(read_sample(), difficulty=found.model_copy(update={"kind": "rule", "probability": None}))
    assert "from the words of the question" in draw(ruled, ReadView()).difficulty
    assert "from the words of the question" not in drawn().difficulty


# ---- files


@pytest.mark.parametrize("what", EXPORTS)
def test_exports_hold_what_is_shown_and_no_formula(what: str) -> None:
    record = read_sample()
    file = exported(what, record)
    assert file and file["name"] == f"w-lens-read-sample-{what}.{'json' if what == 'record' else 'csv'}"
    if what == "record":
        assert RunRecord.from_json(file["text"]) == record
        return
    rows = list(csv.reader(io.StringIO(file["text"])))
    assert len(rows) - 1 == {"citations": 3, "clues": 3, "pages": 12, "documents": 5, "calls": 0}[what]
    assert len({len(row) for row in rows}) == 1
    assert exported(what, None) is None


def test_a_page_in_a_file_counts_from_one() -> None:
    file = exported("citations", read_sample())
    assert file
    rows = list(csv.DictReader(io.StringIO(file["text"])))
    assert rows[0]["page"] == str(EVIDENCE + 1) and rows[0]["verified"] == "True"
    assert rows[1]["boxes"] == "" and HOSTILE[:10] in rows[1]["evidence"]
