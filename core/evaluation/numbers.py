"""The numbers of one run that the analyses need: one short line beside the result, so no record is opened again.

The runner appends ``line(question, record)`` to ``numbers.jsonl`` in the set's folder *before* it appends the row
to ``results.jsonl``: a row then always has its numbers, and of two lines with the same id and system the last one
counts. There are no times in it, so that two runs of a set give the same bytes.
"""

from __future__ import annotations

from core.evaluation.record import SetQuestion
from core.records import Record, RunRecord

NUMBERS_FILE = "numbers.jsonl"


class Numbers(Record):
    """Signals, selections and ranks of one question under one system."""

    id: str
    system: str
    gold: tuple[int, ...] = ()
    """Indexes of the gold documents."""


def numbers(question: SetQuestion, record: RunRecord) -> Numbers:
    """The line of one run."""
    return Numbers(id=question.id, system=record.system, gold=record.question.gold)


def line(question: SetQuestion, record: RunRecord) -> str:
    """The same as JSON, with its line break."""
    return numbers(question, record).model_dump_json(exclude_none=True) + "\n"
