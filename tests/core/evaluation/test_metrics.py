from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.evaluation.metrics import accuracy, accuracy_word, exact_match, f1, same_text, set_f1, uda_f1

text = st.text(max_size=60)


@pytest.mark.parametrize(
    ("said", "answers", "contained", "in_words", "exact"),
    [
        ("It was Wilhelm Röntgen.", ("Wilhelm Röntgen",), 1, 1, 0),
        ("The Beatles", ("beatles!",), 1, 1, 1),  # case, article and punctuation do not count
        ("an unknown painter", ("no",), 1, 0, 0),  # "no" stands inside "unknown"
        ("nothing of the kind", ("1912", "kind"), 1, 1, 0),  # any accepted answer will do
        ("1,912", ("1912",), 1, 1, 1),  # a comma is punctuation
        ("in 1913", ("1912",), 0, 0, 0),
        ("", ("1912",), 0, 0, 0),
        ("a star * above", ("*", "star"), 1, 1, 0),  # "*" alone is skipped
    ],
)
def test_contained_and_exact_by_hand(
    said: str, answers: tuple[str, ...], contained: float, in_words: float, exact: float
) -> None:
    assert (accuracy(said, answers), accuracy_word(said, answers), exact_match(said, answers)) == (
        contained,
        in_words,
        exact,
    )


@pytest.mark.parametrize("metric", [accuracy, accuracy_word, exact_match, f1, uda_f1])
def test_without_an_answer_to_compare_with_there_is_no_mark(metric) -> None:
    assert metric("anything", ()) is None
    assert metric("anything", ("*", "the")) is None


@pytest.mark.parametrize(
    ("said", "answers", "mark"),
    [
        # 2 common words of 3 said and 2 gold: P = 2/3, R = 1, F1 = 0.8
        ("president Barack Obama", ("Barack Obama",), 0.8),
        # bags: "the" is dropped, "new" twice on one side counts once: common 2 of 3 and 2, F1 = 4/5
        ("New New York", ("the New York",), 0.8),
        # the best of several answers (MuSiQue's aliases): "NYC" 0, "New York City" P = 1, R = 2/3
        ("New York", ("NYC", "New York City"), 0.8),
        ("Paris", ("London",), 0.0),
        ("", ("London",), 0.0),
    ],
)
def test_f1_by_hand(said: str, answers: tuple[str, ...], mark: float) -> None:
    assert f1(said, answers) == pytest.approx(mark)


def test_f1_has_hotpots_rule_for_yes_and_no_and_musique_does_not() -> None:
    # One common word of four and one: 2·1/(4+1) = 0.4 by the words, 0 by HotpotQA's rule.
    assert f1("no it was not", ("no",), closed=False) == pytest.approx(0.4)
    assert f1("no it was not", ("no",)) == 0
    assert f1("No.", ("no",)) == 1
    assert f1("yes", ("no",)) == 0
    assert f1("noanswer", ("noanswer given",)) == 0


def test_uda_aligns_yes_and_no_by_the_beginning() -> None:
    assert uda_f1("Yes, they compare with three baselines.", ("Yes",)) == 1
    assert uda_f1("No, never.", ("Yes",)) == 0
    # Against another reference nothing is aligned: 2 common of 7 and 2, F1 = 4/9.
    assert uda_f1("Yes, they compare with three strong baselines", ("three baselines",)) == pytest.approx(4 / 9)
    # The best of up to three references.
    assert uda_f1("BERT", ("RoBERTa", "BERT", "GPT")) == 1


def test_support_f1_by_hand() -> None:
    # Two of three found are gold, and two of four gold are found: P = 2/3, R = 1/2, F1 = 4/7.
    assert set_f1([1, 2, 9], [1, 2, 3, 4]) == pytest.approx(4 / 7)
    assert set_f1([], []) == 1
    assert set_f1([], [1]) == set_f1([1], []) == 0


@pytest.mark.parametrize(
    ("said", "gold", "alike"),
    [
        ("December 14, 1972", "14 December 1972", True),  # another order
        ("Wilhelm Rontgen", "Wilhelm Röntgen", True),  # without accents
        ("about 1,000 people", "1000", True),
        ("co operative bank", "co-operative bank", True),
        ("Tchaikovski", "Tchaikovsky", True),  # 10 of 11 letters
        ("14 December 1973", "14 December 1972", False),  # another number is another answer
        ("York", "New York", False),
        ("yes", "no", False),
        ("", "x", False),
        ("x", "*", False),
    ],
)
def test_right_text_that_a_metric_may_fail(said: str, gold: str, alike: bool) -> None:
    assert same_text(said, (gold,)) is alike


@given(text, st.lists(text, max_size=3))
def test_marks_lie_between_zero_and_one_and_exact_is_the_strictest(said: str, answers: list[str]) -> None:
    marks = {metric: metric(said, answers) for metric in (accuracy, accuracy_word, exact_match, f1, uda_f1)}
    assert all(mark is None or 0 <= mark <= 1 for mark in marks.values())
    if marks[exact_match] == 1:
        assert marks[accuracy] == marks[accuracy_word] == marks[f1] == 1
    if marks[accuracy_word] == 1:
        assert marks[accuracy] == 1
