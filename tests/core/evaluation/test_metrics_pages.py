from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.evaluation.metrics_extract import says_no_answer, short_answer
from core.evaluation.metrics_pages import anls, literal, longdocurl, mmlongbench


@pytest.mark.parametrize(
    ("gold", "said", "mark"),
    [
        ("kitten", "sitting", 1 - 3 / 7),  # three edits over seven letters: 0.571
        ("abcd", "abxy", 0.0),  # 1 − 2/4 is not above one half
        ("same", "same", 1.0),
        ("", "", 1.0),
        ("", "x", 0.0),
    ],
)
def test_anls_by_hand(gold: str, said: str, mark: float) -> None:
    assert anls(gold, said) == pytest.approx(mark)


@pytest.mark.parametrize(
    ("gold", "said", "kind", "mark"),
    [
        ("8", "8", "Int", 1),
        ("8", "8.9", "Int", 1),  # int(float("8.9")) is 8
        ("8", "eight", "Int", 0),
        ("8", "inf", "Int", 0),
        ("eight", "8", "Int", 0),
        ("0.25", "25%", "Float", 1),  # a hundredfold
        ("25", "$25.20", "Float", 1),  # within one percent
        ("25", "25.3", "Float", 0),  # 1.2 percent off
        ("0.1", "0.104", "Float", 1),  # four percent off, but 0.10 both after rounding to two digits
        ("x", "25", "Float", 0),
        ("25", "nan", "Float", 0),
        ("Less well-off", "less well off", "Str", 1 - 1 / 13),
        ("Figure 3 (left)", "figure 3", "Str", 1),  # parentheses are dropped
        ('"quoted"', "quoted", "Str", 1),
        ("page 12", "page 13", "Str", 0),  # exact match only
        ("2012-05", "2012-06", "Str", 0),
        ("555-1234", "555-1235", "Str", 0),
        ("a@b.org", "a@b.com", "Str", 0),
        ("train.py", "trains.py", "Str", 0),
        ("https://x.org/a", "https://x.org/b", "Str", 0),
        ("10 a.m.", "11 a.m.", "Str", 0),
        ("Not answerable", "Not answerable", "None", 1),
        ("['b', 'a']", "['A', 'B']", "List", 1),  # sorted, lower case
        ("['a', 'b']", "['a']", "List", 0),  # another length
        ("['red apple', 'green pear']", "['red apple', 'green bear']", "List", 1 - 1 / 10),  # the worst pair
        ("['1', '2']", "['1', '3']", "List", 0),  # numbers must all match
        ("['1', '2']", "['2', '1']", "List", 1),  # after sorting
        ("['a'", "['a'", "List", 1),  # not a literal: a list of that one text
        ("12%", "12", "Str", 1),
    ],
)
def test_mmlongbench_by_hand(gold: str, said: str, kind: str, mark: float) -> None:
    assert mmlongbench(gold, said, kind) == pytest.approx(mark)


@pytest.mark.parametrize(
    ("gold", "said", "kind", "mark"),
    [
        ("96,395", "96395", "Integer", 1),
        ("12", "12 kg", "Integer", 1),
        ("12", "12.5", "Integer", 0),  # no truncation here
        ("3.5", "3.5 million", "Float", 1),
        ("0.125", "12.5%", "Float", 1),
        ("kitten", "sitting", "String", 1 - 3 / 7),
        ("forum", "foru", "String", 1),  # "m" is taken for metres: an oddity of the official rule
        ("£5", "5", "String", 1),
        # Two of two gold found, three said: 1 · sqrt(2/3).
        ("['alpha', 'beta']", "['beta', 'alpha', 'xxxxx']", "List", math.sqrt(2 / 3)),
        # One of two gold found, one said; a shorter list is not punished twice.
        ("['alpha', 'beta']", "['alpha']", "List", 0.5),
        ("['1', '2']", "['2', '1']", "List", 0),  # in order where the first is a number
        ("['1', '2']", "['1', '2']", "List", 1),
        ("[{'a': 1, 'b': 'x'}]", "[{'a': 1, 'b': 'x'}]", "List", 1),  # records are their values: 1-x
        ("[]", "['a']", "List", 0),
        ("['a word']", "[]", "List", 0),
        ("none given", "none given", "None", 1),
    ],
)
def test_longdocurl_by_hand(gold: str, said: str, kind: str, mark: float) -> None:
    assert longdocurl(gold, said, kind) == pytest.approx(mark)


def test_lists_may_come_as_items() -> None:
    assert mmlongbench(("b", "a"), ["A", "B"], "List") == 1
    assert longdocurl(("alpha", "beta"), ["beta", "alpha"], "List") == 1


@pytest.mark.parametrize("text", ["exit()", "[exit()]", "[" * 5000, "[1" * 90_000])
def test_nothing_is_evaluated(text: str) -> None:
    assert literal(text) == [text]


@pytest.mark.parametrize(
    ("reply", "kind", "short"),
    [
        ("The report names 1,234 plants.", "Int", "1234"),
        ("Between 3 and 4.", "Int", "Between 3 and 4."),  # two numbers: no choice is made
        ("It rose by 12.5%.", "Float", "12.5%"),
        ("- red apple\n- green pear", "List", ["red apple", "green pear"]),
        ("1. red\n2) green", "List", ["red", "green"]),
        ("red, green and blue.", "List", ["red", "green", "blue"]),
        ("['a', 'b']", "List", "['a', 'b']"),
        ("  Paris ", "Str", "Paris"),
    ],
)
def test_the_short_answer_in_a_long_one(reply: str, kind: str, short: str | list[str]) -> None:
    assert short_answer(reply, kind) == short


@pytest.mark.parametrize(
    ("reply", "silent"),
    [
        ("No answers found!", True),
        (" not answerable. ", True),
        ("No answer found", True),
        ("No answers found on page 3, but page 4 says 12", False),
        ("", False),
    ],
)
def test_set_phrases_for_no_answer(reply: str, silent: bool) -> None:
    assert says_no_answer(reply) is silent


@given(st.text(max_size=80), st.text(max_size=80), st.sampled_from(["Int", "Float", "Str", "List", "None", "?"]))
def test_foreign_answers_get_a_mark_between_zero_and_one(gold: str, said: str, kind: str) -> None:
    assert 0 <= mmlongbench(gold, said, kind) <= 1
    assert 0 <= longdocurl(gold, said, kind) <= 1
    assert 0 <= mmlongbench(gold, short_answer(said, kind), kind) <= 1
