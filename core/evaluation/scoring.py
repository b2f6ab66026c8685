"""The marks of one answer: metrics, right or wrong, and where gold evidence was lost."""

from __future__ import annotations

from pydantic import Field

from core.evaluation.record import LossStage, SetQuestion
from core.records import Record, RunRecord
from core.text import contains_answer


class Score(Record):
    """What is known about one answer; the fields of the same names in ``ResultRow``."""

    scores: dict[str, float] = Field(default_factory=dict)
    """Metric → value in [0, 1]; metrics that do not apply are absent."""
    right: bool | None = None
    """By the main metric of the set's format; None where no answer is known."""
    lost_at: LossStage = "unknown"
    """The first stage at which gold evidence was lost."""
    lucky: bool = False
    """Right although gold evidence did not arrive."""


def score(question: SetQuestion, record: RunRecord, format: str = "") -> Score:
    """The marks of a finished run.

    Args:
        question: as it stands in the set.
        record: the run that answered it.
        format: of the set (``QuestionSet.format``); it decides the rules. One that is not known is marked by the
            rule of lost-in-the-middle.
    """
    answer = record.final.answer if record.final else ""
    right = contains_answer(answer, question.question.answers)
    scores = {} if right is None else {"accuracy": float(right)}
    return Score(scores=scores, right=right)
