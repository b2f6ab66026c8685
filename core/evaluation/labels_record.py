"""What a reviewer says of one answer: a fixed form."""

from __future__ import annotations

import unicodedata
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from core.evaluation.loss import STAGES
from core.records import Record
from core.settings.evaluation import FAILURE_TYPES, LABEL_ANSWER_CHARS, LABEL_NOTE_CHARS, REVIEWER_CHARS

Verdict = Literal["right", "partly right", "wrong", "cannot say"]
VERDICTS: tuple[Verdict, ...] = ("right", "partly right", "wrong", "cannot say")
Answer = tuple[str, str]
"""(question id, system): what a label is about."""


class LabelError(RuntimeError):
    """Labels cannot be kept or read. The message is for the person: what, and what to do."""


def tidy(value: object) -> object:
    """A text without control characters (line breaks stay), in one Unicode form, without space at its ends."""
    if not isinstance(value, str):
        return value
    kept = (mark for mark in value if mark in "\n\t" or unicodedata.category(mark) not in ("Cc", "Cs"))
    return unicodedata.normalize("NFC", "".join(kept)).strip()


def one_line(value: object) -> object:
    """The same on one line."""
    text = tidy(value)
    return " ".join(text.split()) if isinstance(text, str) else text


Line = Annotated[str, BeforeValidator(one_line)]
Text = Annotated[str, BeforeValidator(tidy)]


class Label(Record):
    """One filled form."""

    question: str = Field(min_length=1)
    """Id of the question."""
    system: str = Field(min_length=1)
    reviewer: Line = Field(min_length=1, max_length=REVIEWER_CHARS)
    """Who says so; a name, not an account."""
    verdict: Verdict
    failure: Line = Field("", max_length=REVIEWER_CHARS)
    """What went wrong: one of the failure types, a stage of loss, or a type of the set's own; empty for nothing."""
    corrected: Text = Field("", max_length=LABEL_ANSWER_CHARS)
    """The answer that should count."""
    note: Text = Field("", max_length=LABEL_NOTE_CHARS)


class SavedLabel(Label):
    """A label as it was saved; a later one of the same reviewer replaces it, and both stay in the history."""

    number: int
    """In the order of saving, from 1."""
    saved: str
    """UTC, ISO 8601."""


class Agreement(Record):
    """How far two reviewers agree over the answers that both labelled."""

    first: str
    second: str
    answers: int
    same_verdict: float
    """Share of the answers."""
    kappa_verdict: float | None
    """Cohen's kappa; None where both gave one and the same verdict throughout."""
    kappa_failure: float | None


def known_failures(own: tuple[str, ...] = ()) -> tuple[str, ...]:
    """What a form offers: the fixed list, the stages at which evidence is lost, the set's own types."""
    stages = tuple(stage for stage in STAGES if stage not in ("none", "unknown"))
    return tuple(dict.fromkeys((*FAILURE_TYPES, *stages, *own)))
