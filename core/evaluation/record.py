"""The vocabulary of question sets and their results."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from core.records import Record
from core.set_record import Columns, Dirt, Mapping, SetFormat, SetQuestion, SetSummary, Skipped

__all__ = [
    "EVAL_SCHEMA",
    "Columns",
    "Dirt",
    "LossStage",
    "Mapping",
    "ResultRow",
    "SetFormat",
    "SetQuestion",
    "SetSummary",
    "Skipped",
]

EVAL_SCHEMA: Literal["w-lens-eval/1"] = "w-lens-eval/1"

LossStage = Literal[
    "not_in_input",
    "below_k",
    "not_selected",
    "pruned",
    "not_quoted",
    "judged_wrong",
    "metric",
    "not_retrieved",
    "labelled_irrelevant",
    "no_clue",
    "decided_wrong",
    "cited_wrong",
    "none",
    "unknown",
]
"""The first stage at which gold evidence was lost; ``none`` where it arrived, ``unknown`` where gold is not known."""


class ResultRow(Record):
    """One question asked of one system: a line of ``results.jsonl``."""

    schema_: Literal["w-lens-eval/1"] = Field(EVAL_SCHEMA, alias="schema")
    id: str
    """Of the question."""
    place: str
    system: str
    question: str
    answers: tuple[str, ...] = ()
    answer: str = ""
    """What the system answered."""
    no_answer: bool = False
    right: bool | None = None
    """By the set's main metric; None where no answer is known."""
    scores: dict[str, float] = Field(default_factory=dict)
    """Metric → value in [0, 1]: accuracy, accuracy_word, em, f1, support_f1, anls, recall_sfs_1, recall_pool, ..."""
    lost_at: LossStage = "unknown"
    lucky: bool = False
    """Right although gold evidence did not arrive."""
    calls: int = 0
    """Replies that were generated, each of a batch counted, and passes that a method counts as calls."""
    prompt_tokens: int = 0
    new_tokens: int = 0
    seconds: float = 0.0
    """Of all its uses of a model; work that another system had done before counts as if it had been done again."""
    record: str = ""
    """File of the run record, relative to the results' folder; empty for an error."""
    error: str = ""
    """Why there is no answer; the run of the set went on."""
    meta: dict[str, str] = Field(default_factory=dict)
    """Of the question."""
