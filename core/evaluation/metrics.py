"""Marks for an answer's text: contained, exact, F1. All share SQuAD's normalisation; gold "*" and the like is skipped.

An answer that normalises to nothing ("*") would be contained in everything: it is left out, and a question that has
no other answer gets no mark.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence

from rapidfuzz import fuzz

from core.settings.evaluation import COMPARED_CHARS, SAME_TEXT_RATIO
from core.text import contains_answer, normalize_answer

_CLOSED = frozenset({"yes", "no", "noanswer"})
_WORD = re.compile(r"\w+")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


def golds(answers: Iterable[str]) -> tuple[str, ...]:
    """The accepted answers that can be compared with, normalised."""
    return tuple(gold for gold in map(normalize_answer, answers) if gold)


def accuracy(prediction: str, answers: Sequence[str]) -> float | None:
    """Whether an accepted answer is contained (lost-in-the-middle, ``best_subspan_em``); None without one."""
    found = contains_answer(prediction, tuple(answers))
    return None if found is None else float(found)


def accuracy_word(prediction: str, answers: Sequence[str]) -> float | None:
    """The same in whole words: "no" is not contained in "known"."""
    said = f" {normalize_answer(prediction)} "
    known = golds(answers)
    return float(any(f" {gold} " in said for gold in known)) if known else None


def exact_match(prediction: str, answers: Sequence[str]) -> float | None:
    """Whether an accepted answer is the whole prediction (SQuAD EM, best over the answers)."""
    known = golds(answers)
    return float(normalize_answer(prediction) in known) if known else None


def f1(prediction: str, answers: Sequence[str], closed: bool = True) -> float | None:
    """F1 of the words as bags, best over the answers (SQuAD, MuSiQue's ``answer_f1``).

    Args:
        prediction: what was answered.
        answers: the accepted answers.
        closed: HotpotQA's rule: 0 where exactly one side is yes, no or noanswer, however many words they share.
    """
    said = normalize_answer(prediction)
    scores = [
        0.0 if closed and said != gold and {said, gold} & _CLOSED else _bags(said, gold) for gold in golds(answers)
    ]
    return max(scores, default=None)


def _bags(said: str, gold: str) -> float:
    ours, theirs = said.split(), gold.split()
    same = sum((Counter(ours) & Counter(theirs)).values())
    return 2 * same / (len(ours) + len(theirs)) if same else 0.0


def uda_f1(prediction: str, answers: Sequence[str]) -> float | None:
    """UDA's F1 for PaperTab and FetaTab: the words as bags, best over the references.

    Against a yes/no reference, a prediction that begins with yes or no counts as that word alone, as in UDA's
    ``paper_eval``.
    """
    scores = [_bags(_aligned(prediction, gold), gold) for gold in golds(answers)]
    return max(scores, default=None)


def _aligned(prediction: str, gold: str) -> str:
    lowered = prediction.strip().lower()
    if gold in ("yes", "no"):
        for word in ("yes", "no"):
            if lowered.startswith(word):
                return word
    return normalize_answer(prediction)


def set_f1(found: Iterable[int], wanted: Iterable[int]) -> float:
    """F1 of two sets of indexes (MuSiQue's support F1, over ``idx``); 1 where both are empty."""
    ours, gold = set(found), set(wanted)
    if not ours and not gold:
        return 1.0
    return 2 * len(ours & gold) / (len(ours) + len(gold))


def same_text(prediction: str, answers: Sequence[str]) -> bool:
    """Whether a person would probably take the prediction for an accepted answer, though a metric may not.

    Accents and punctuation are dropped; then all words of the answer stand in the prediction in any order, or both
    are spelt nearly alike. Numbers must be the same. Our choice: a hint to look at, never a mark.
    """
    said = _folded(prediction)
    return any(_alike(said, _folded(gold)) for gold in answers if normalize_answer(gold))


def _folded(text: str) -> str:
    """Words alone: no accents, no case, no punctuation, digits of one number together."""
    plain = unicodedata.normalize("NFKD", text[:COMPARED_CHARS]).casefold()
    plain = "".join(mark for mark in plain if not unicodedata.combining(mark))
    plain = _NUMBER.sub(lambda number: number[0].replace(",", ""), plain)
    return " ".join(word for word in _WORD.findall(plain) if word not in ("a", "an", "the"))


def _alike(said: str, gold: str) -> bool:
    ours, theirs = said.split(), gold.split()
    if not theirs or not ours:
        return False
    numbers = Counter(word for word in theirs if word[0].isdigit())
    if numbers - Counter(ours):
        return False
    return not Counter(theirs) - Counter(ours) or fuzz.token_sort_ratio(said, gold) >= SAME_TEXT_RATIO
