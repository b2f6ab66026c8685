from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.duquad.docscore import likelihood_scores, parse_score, read_score
from core.models.protocol import Reply
from core.records import Signals


@pytest.mark.parametrize(
    ("written", "score"),
    [
        (0.8, 0.8),
        (1, 1.0),
        (7, 1.0),
        (-2, 0.0),
        ("0.8", 0.8),
        ("80%", 0.8),
        ("4/5", 0.8),
        (" 4 / 5 ", 0.8),
        ("150 %", 1.0),
        ("1/0", None),
        ("high", None),
        (True, None),
        (float("nan"), None),
        (None, None),
        ([0.5], None),
    ],
)
def test_what_a_model_may_write_for_a_score(written: object, score: float | None) -> None:
    assert parse_score(written) == (pytest.approx(score) if score is not None else None)


@pytest.mark.parametrize(
    ("text", "score", "answer", "readable"),
    [
        ('{"answer_span":"Potaro","score":0.75}', 0.75, "Potaro", True),
        ('{"answer_span":"none","score":"2/4"}', 0.5, "none", True),
        ("Score: 60%", 0.6, "", True),
        ("I think so.", 0.0, "", False),
        ('{"answer_span":["x"],"score":{}}', 0.0, "", False),
    ],
)
def test_spoken_scores_are_read(text: str, score: float, answer: str, readable: bool) -> None:
    scored = read_score(Reply(text, 1, 1))
    assert (scored.score, scored.answer, scored.readable) == (pytest.approx(score), answer, readable)


def signals(nll: list[float], empty: float) -> Signals:
    n = len(nll)
    zero = (0.0,) * n
    return Signals(attention=((zero,),), contrast=zero, semantic=zero, query_nll=tuple(nll), query_nll_empty=empty)


@given(st.lists(st.floats(0.01, 12), min_size=1, max_size=20), st.floats(0.01, 12))
def test_likelihood_scores_are_between_0_and_1_and_order_like_the_likelihoods(nll: list[float], empty: float) -> None:
    scores = likelihood_scores(signals(nll, empty))
    assert scores.min() >= 0 and scores.max() <= 1
    order = np.argsort(nll, kind="stable")
    assert all(scores[a] >= scores[b] - 1e-9 for a, b in pairwise(order))


def test_a_document_that_makes_the_question_likely_passes_and_one_that_does_not_fails() -> None:
    scores = likelihood_scores(signals([5.5, 2.2, 5.3, 5.1], empty=6.0))
    assert scores[1] > 0.9 and max(scores[0], scores[2], scores[3]) < 0.1
