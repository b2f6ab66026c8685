from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import rankdata

from core.models.calls import CallLog
from core.models.page_protocol import PageVectors, PageView, QueryVectors
from core.models.protocol import Stop
from core.models.scripted_pages import ScriptedPageEncoder
from core.page_record import PageLayout, Word
from core.settings.methods import PdfSettings
from core.settings.pages import LEXICAL_WEIGHT, RECIPROCAL_RANK_OFFSET, SENTENCE_WEIGHT
from core.sleuth.retrieval import Retrieval, Retrieved, reciprocal_ranks, retrieve

QUESTION = "Where does the Potaro plunge?"
TEXTS = (
    "A list of rivers",
    "",
    "The Potaro does plunge over Kaieteur where the rock ends",
    "Where the Potaro rises",
    "Gold was found",
    "Nothing of the kind",
)


def go() -> None:
    """Never stops."""


def views(texts: Sequence[str] = TEXTS) -> list[PageView]:
    return [
        PageView(
            PageLayout(
                page=page,
                width=100,
                height=100,
                pixels=(100, 100),
                words=tuple(Word(text=word, box=(0, 0, 1, 1)) for word in text.split()),
                text=text,
            )
        )
        for page, text in enumerate(texts)
    ]


def ask(tmp_path: Path, texts: Sequence[str] = TEXTS, **settings: int) -> Retrieved:
    own = PdfSettings.model_validate(settings)
    return retrieve(QUESTION, views(texts), ScriptedPageEncoder(), own, tmp_path, CallLog(), go)


class Pictures:
    """A visual encoder whose pages are given vectors."""

    name = key = "pictures"
    sees = "image"

    def __init__(self, pages: Sequence[PageVectors], query: QueryVectors) -> None:
        self.pages, self.query = pages, query

    def encode_pages(self, pages: Sequence[PageView], stop: Stop) -> tuple[list[PageVectors], int]:
        return [self.pages[page.layout.page] for page in pages], 10 * len(pages)

    def encode_query(self, text: str) -> QueryVectors:
        return self.query


def test_the_page_that_answers_is_first_and_all_pages_are_told(tmp_path: Path) -> None:
    found = ask(tmp_path, top_k=2)
    assert found.candidates == (2, 3)
    assert [page.page for page in found.pages] == list(range(6))
    assert [page.rank for page in found.pages][2:4] == [0, 1]
    assert [page.candidate for page in found.pages] == [False, False, True, True, False, False]
    assert not any(page.neighbour for page in found.pages)


def test_a_page_without_text_has_no_score_and_is_no_candidate(tmp_path: Path) -> None:
    found = ask(tmp_path, top_k=20)
    assert found.pages[1].score is None and found.pages[1].rank is None and not found.pages[1].candidate
    assert sorted(found.candidates) == [0, 2, 3, 4, 5]
    assert found.warnings == ("Not searched, for want of any text that could be read: page 2.",)


def test_where_no_page_has_text_the_first_ones_are_taken(tmp_path: Path) -> None:
    found = ask(tmp_path, ["", "", ""], top_k=2)
    assert found.candidates == (0, 1) and all(page.score is None for page in found.pages)
    assert len(found.warnings) == 1 and "No page has any text" in found.warnings[0]


def test_pages_that_were_not_searched_are_named_in_runs(tmp_path: Path) -> None:
    found = ask(tmp_path, ["", "a", "", "", "", "b", "", ""])
    assert found.warnings[0].endswith("pages 1, 3–5, 7–8.")


def test_neighbours_of_hits_come_on_request(tmp_path: Path) -> None:
    found = ask(tmp_path, top_k=1, neighbours=1)
    # Page 1 has no text, so it is no neighbour either.
    assert found.candidates == (2, 3)
    assert found.pages[3].candidate and found.pages[3].neighbour and not found.pages[2].neighbour
    assert ask(tmp_path, top_k=1, neighbours=2).candidates == (2, 0, 3, 4)


def test_equal_pages_are_ranked_by_their_place(tmp_path: Path) -> None:
    found = ask(tmp_path, ["same words here"] * 4, top_k=3)
    assert found.candidates == (0, 1, 2)
    assert len({page.score for page in found.pages}) == 1


def test_the_map_lights_the_words_that_the_question_names(tmp_path: Path) -> None:
    found = ask(tmp_path, top_k=1)
    assert found.similarity.tokens == tuple(QUESTION.split())
    (page,) = found.similarity.pages
    assert (page.page, page.kind, page.grid) == (2, "words", None)
    row = page.values[found.similarity.tokens.index("Potaro")]
    assert len(row) == len(TEXTS[2].split()) and int(np.argmax(row)) == 1 and row[1] == 1.0


def test_a_second_question_encodes_no_page(tmp_path: Path) -> None:
    encoder, log = ScriptedPageEncoder(), CallLog()
    first, second = (
        retrieve(text, views(), encoder, PdfSettings(), tmp_path, log, go) for text in (QUESTION, "Was gold found?")
    )
    assert (first.encoded, second.encoded) == (6, 0)
    assert [(call.sequences, call.prompt_tokens > 0) for call in log.calls] == [(6, True), (0, False)]
    assert second.candidates[0] == 4


def test_progress_is_told_page_by_page_and_pages_may_come_in_parts(tmp_path: Path) -> None:
    retrieval = Retrieval(QUESTION, ScriptedPageEncoder(), tmp_path, CallLog())
    counted = [*retrieval.score(views()[:2], go), *retrieval.score(views()[2:], go)]
    assert counted == [1, 2, 3, 4, 5, 6]
    assert retrieval.found(PdfSettings(), go) == ask(tmp_path / "other")


def test_visual_pages_are_ranked_by_late_interaction_alone(tmp_path: Path) -> None:
    lit, dark = np.eye(2, dtype=np.float32)[[0, 1, 0, 0]], np.zeros((4, 2), dtype=np.float32)
    grid = {"grid": (2, 2), "patch": np.arange(4, dtype=np.int32)}
    none = PageVectors(np.zeros((0, 2), dtype=np.float32))
    query = QueryVectors(np.array([[0, 1], [0, 1]], dtype=np.float32), ("gold", ""))
    encoder = Pictures([PageVectors(dark, **grid), none, PageVectors(lit, **grid)], query)
    for page in (0, 1, 2):
        (tmp_path / f"{page}.png").write_bytes(bytes([page]))
    pages = [PageView(view.layout, tmp_path / f"{view.layout.page}.png") for view in views(["words"] * 3)]
    found = retrieve("gold", pages, encoder, PdfSettings(top_k=1), tmp_path, CallLog(), go)  # type: ignore[arg-type]
    assert [page.score for page in found.pages] == [0.0, None, 2.0]
    assert found.pages[2].lexical is None and found.candidates == (2,)
    assert "picture: page 2" in found.warnings[0]
    (page,) = found.similarity.pages
    assert (page.kind, page.grid, page.values) == ("patches", (2, 2), ((0.0, 1.0, 0.0, 0.0),))
    assert found.similarity.tokens == ("gold",)


def test_reciprocal_ranks_by_hand() -> None:
    lists = [(np.array([3.0, 1.0, 2.0, np.nan]), 1.0), (np.array([0.0, 0.0, 5.0, 9.0]), 0.25)]
    fused = reciprocal_ranks(lists)
    # The last page has no score in the first list, so it takes no place in the second.
    at = RECIPROCAL_RANK_OFFSET
    assert fused[:3] == pytest.approx(
        [1 / (at + 1) + 0.25 / (at + 2.5), 1 / (at + 3) + 0.25 / (at + 2.5), 1 / (at + 2) + 0.25 / (at + 1)]
    )
    assert np.isnan(fused[3])
    assert np.isnan(reciprocal_ranks([(np.array([np.nan]), 1.0)])).all()


def test_the_best_by_both_lists_has_the_highest_score_there_is(tmp_path: Path) -> None:
    found = ask(tmp_path, top_k=3)
    best, second = (found.pages[page] for page in found.candidates[:2])
    assert best.late_interaction is not None and best.lexical is not None
    assert second.late_interaction is not None and best.late_interaction > second.late_interaction
    assert best.score == pytest.approx((1 + LEXICAL_WEIGHT) / (RECIPROCAL_RANK_OFFSET + 1))


class Sentences(ScriptedPageEncoder):
    """Gives every page with text one sentence, whose cosine with the question is the page's."""

    key = "sentences"
    cosines: tuple[float | None, ...] = (0.1, None, 0.2, None, 0.9, 0.3)

    def encode_pages(self, pages: Sequence[PageView], stop: Stop) -> tuple[list[PageVectors], int]:
        found, tokens = super().encode_pages(pages, stop)
        own = [self.cosines[page.layout.page] for page in pages]
        rows = [np.array([[c, 0], [-1, 0]] if c is not None else [], np.float32).reshape(-1, 2) for c in own]
        return [replace(page, sentences=two) for page, two in zip(found, rows, strict=True)], tokens

    def encode_query(self, text: str) -> QueryVectors:
        return replace(super().encode_query(text), whole=np.array([1, 0], np.float32))


def test_the_closest_sentence_is_the_third_list(tmp_path: Path) -> None:
    found = retrieve(QUESTION, views(), Sentences(), PdfSettings(), tmp_path, CallLog(), go)
    cosines = [page.sentence for page in found.pages]
    # A page whose text gave no sentence comes last in this list, and is scored all the same; one without text is not.
    assert cosines[0] == pytest.approx(0.1, abs=1e-3) and cosines[3] == -1 and cosines[1] is None
    late, lexical = ([getattr(page, name) for page in found.pages] for name in ("late_interaction", "lexical"))
    known = [0, 2, 3, 4, 5]
    expected = sum(
        weight / (RECIPROCAL_RANK_OFFSET + rankdata([-values[i] for i in known]))
        for values, weight in ((late, 1), (lexical, LEXICAL_WEIGHT), (cosines, SENTENCE_WEIGHT))
    )
    assert [found.pages[i].score for i in known] == pytest.approx(expected.tolist())
    again = retrieve(QUESTION, views(), Sentences(), PdfSettings(), tmp_path, CallLog(), go)
    assert again.encoded == 0 and again.pages == found.pages
