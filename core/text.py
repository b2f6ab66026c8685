"""Text measures that every room shares: SQuAD normalisation, words, sentences."""

from __future__ import annotations

import re
import string
from dataclasses import dataclass

import sentencex

_PUNCTUATION = str.maketrans("", "", string.punctuation)
_ARTICLES = re.compile(r"\b(a|an|the)\b")


def normalize_answer(text: str) -> str:
    """SQuAD's normalisation: lower case, no ASCII punctuation, no articles, single spaces.

    Shared by SQuAD, HotpotQA, MuSiQue and lost-in-the-middle.
    """
    return " ".join(_ARTICLES.sub(" ", text.lower().translate(_PUNCTUATION)).split())


def words(text: str) -> frozenset[str]:
    """The distinct normalised words of a text."""
    return frozenset(normalize_answer(text).split())


def contains_answer(prediction: str, answers: tuple[str, ...]) -> bool | None:
    """Whether any gold answer is contained in the prediction (lost-in-the-middle's ``best_subspan_em``).

    Answers that normalise to nothing (such as "*") are skipped, since they would always count as right.
    None when no answer is left to compare with.
    """
    golds = [gold for gold in map(normalize_answer, answers) if gold]
    if not golds:
        return None
    said = normalize_answer(prediction)
    return any(gold in said for gold in golds)


@dataclass(frozen=True)
class Span:
    """A stretch of a text: [start, end)."""

    start: int
    end: int


def sentences(text: str) -> list[Span]:
    """The sentences of a text as stretches without surrounding space, in order; none of a blank text."""
    spans = []
    for boundary in sentencex.get_sentence_boundaries("en", text):
        piece = text[boundary["start_index"] : boundary["end_index"]]
        start = boundary["start_index"] + len(piece) - len(piece.lstrip())
        end = start + len(piece.strip())
        if end > start:
            spans.append(Span(start, end))
    return spans
