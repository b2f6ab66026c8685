from __future__ import annotations

import math

import numpy as np
import pytest

from core.models.lexical import best_first, bm25_scores, word_tokens
from core.settings.models import BM25_B, BM25_K1


def idf(n: int, df: int) -> float:
    return math.log(1 + (n - df + 0.5) / (df + 0.5))


def saturated(count: int, length: int, mean: float) -> float:
    return count / (count + BM25_K1 * (1 - BM25_B + BM25_B * length / mean))


def test_scores_are_the_formula() -> None:
    texts = ["Cats chase mice, cats!", "Dogs chase cats", "A quiet river"]
    mean = (4 + 3 + 3) / 3
    scores = bm25_scores("cats river", texts)
    assert scores[0] == pytest.approx(idf(3, 2) * saturated(2, 4, mean))
    assert scores[1] == pytest.approx(idf(3, 2) * saturated(1, 3, mean))
    assert scores[2] == pytest.approx(idf(3, 1) * saturated(1, 3, mean))


def test_a_word_that_all_texts_hold_never_counts_against_one() -> None:
    scores = bm25_scores("the", ["the the cat", "the dog", "the"])
    assert (scores > 0).all()


@pytest.mark.parametrize(
    ("query", "texts"),
    [("", ["a"]), ("?!", ["a"]), ("a", []), ("a", [""]), ("a", ["", "  ", "…"]), ("zebra", ["a", "b"])],
)
def test_nothing_in_common_is_zero(query: str, texts: list[str]) -> None:
    scores = bm25_scores(query, texts)
    assert scores.shape == (len(texts),) and scores.dtype == np.float64 and not scores.any()


def test_empty_texts_beside_others_score_zero() -> None:
    scores = bm25_scores("river", ["", "the river", ""])
    assert scores[1] > 0 and scores[0] == scores[2] == 0


def test_words_are_lower_case_in_any_script_and_numbers_count() -> None:
    assert word_tokens("Été 2019: ΑΒΓ, R2-D2") == ["été", "2019", "αβγ", "r2", "d2"]
    assert bm25_scores("5", ["table 4", "TABLE 5"]).argmax() == 1


def test_stems_join_the_forms_of_a_word() -> None:
    texts = ["The gates are shut.", "Gating currents", "A keeper shuts each gate at night"]
    stemmed = bm25_scores("shutting gate", texts, stemmed=True)
    assert stemmed[0] > 0 and stemmed[2] > 0 and bm25_scores("shutting", texts).max() == 0


def test_ties_go_to_the_lower_index() -> None:
    assert best_first(np.array([1.0, 3.0, 3.0, 2.0, 3.0])) == [1, 2, 4, 3, 0]
    assert best_first(np.array([])) == []
