"""The marks of one answer: metrics, right or wrong, and where gold evidence was lost."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import Field

from core.evaluation.evidence import document_recalls, gold_documents, gold_pages, page_recalls, used
from core.evaluation.loss import is_answerable, is_lucky, lost_at
from core.evaluation.metrics import accuracy, accuracy_word, exact_match, f1, set_f1, uda_f1
from core.evaluation.metrics_extract import NOT_ANSWERABLE, says_no_answer, short_answer
from core.evaluation.metrics_pages import kind_of, longdocurl, mmlongbench
from core.evaluation.record import LossStage, SetQuestion
from core.records import Record, RunRecord
from core.settings.evaluation import RIGHT_AT

MAIN_METRIC = {
    "lost_in_the_middle": "accuracy",
    "musique": "accuracy",
    "hotpotqa": "accuracy",
    "mmlongbench": "mmlongbench",
    "longdocurl": "longdocurl",
    "papertab": "uda_f1",
    "fetatab": "uda_f1",
    "ragchecker": "f1",
    "mapped": "accuracy",
}
"""Format → the metric that decides what is right. Multi-hop sets go by accuracy, as DuQUAD does, with EM and F1 beside
it; RAGChecker's answers are whole paragraphs, which no answer contains."""
_PAGE_RULES = {"mmlongbench": mmlongbench, "longdocurl": longdocurl}


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


def main_metric(format: str) -> str:
    """The metric by which answers of a set in this format are right or wrong."""
    return MAIN_METRIC.get(format, "accuracy")


def score(question: SetQuestion, record: RunRecord, format: str = "mapped") -> Score:
    """The marks of a finished run.

    Args:
        question: as it stands in the set.
        record: the run that answered it.
        format: of the set (``SetFormat``); it decides the rules.
    """
    reply = record.final.answer if record.final else ""
    silent = bool(record.final and record.final.no_answer) or says_no_answer(reply)
    marks = answer_marks(question, reply, silent, format)
    right = is_right(marks, format) if is_answerable(question) else silent
    if record.pages is not None:
        pages = gold_pages(question, record)
        if pages:
            marks |= page_recalls(record, pages)
            if record.citations is not None:
                marks["citation_f1"] = set_f1((citation.page for citation in record.citations), pages)
    else:
        marks |= _document_marks(record, gold_documents(question, record))
    stage = lost_at(question, record, right)
    return Score(scores=marks, right=right, lost_at=stage, lucky=is_lucky(stage, right))


def is_right(marks: dict[str, float], format: str) -> bool | None:
    """Whether the main metric says so; a graded one from one half on. None where it could not be computed."""
    mark = marks.get(main_metric(format))
    return None if mark is None else mark >= RIGHT_AT


def answer_marks(question: SetQuestion, reply: str, silent: bool, format: str) -> dict[str, float]:
    """The metrics of a reply's text.

    Args:
        question: as it stands in the set.
        reply: the final answer.
        silent: whether it says that there is no answer.
        format: of the set.
    """
    if not is_answerable(question):
        return {"no_answer": float(silent)} | _page_rules(question, reply, silent, format)
    answers = question.question.answers
    if format in _PAGE_RULES and kind_of(question.meta.get("answer_format", "")) == "list":
        return _page_rules(question, reply, silent, format)  # a part of a list is no answer
    # The evaluator of lost-in-the-middle reads one line; it cuts before it strips, which fails on a leading line break.
    said = reply.strip().split("\n")[0] if format == "lost_in_the_middle" else reply
    found = {
        "accuracy": accuracy(said, answers),
        "accuracy_word": accuracy_word(said, answers),
        "em": exact_match(said, answers),
        "f1": f1(said, answers, closed=format != "musique"),
    }
    if format in ("papertab", "fetatab"):
        found["uda_f1"] = uda_f1(said, answers)
    marks = {name: mark for name, mark in found.items() if mark is not None}
    return marks | _page_rules(question, reply, silent, format)


def _page_rules(question: SetQuestion, reply: str, silent: bool, format: str) -> dict[str, float]:
    if format not in _PAGE_RULES:
        return {}
    kind = question.meta.get("answer_format", "Str")
    gold = question.question.answers
    if not is_answerable(question) or (kind_of(kind) == "none" and not gold):
        return {format: 1.0 if silent else max(_by_rules(format, gold or (NOT_ANSWERABLE,), reply, "Str"))}
    if not gold:
        return {}
    said = NOT_ANSWERABLE if silent else short_answer(reply, kind)
    return {format: max(_by_rules(format, gold, said, kind))}


def _by_rules(format: str, answers: Sequence[str], said: str | Sequence[str], kind: str) -> list[float]:
    """The mark against each accepted answer; several answers to a question that asks for a list are its items."""
    rule = _PAGE_RULES[format]
    if kind_of(kind) == "list" and len(answers) > 1:
        return [rule(answers, said, kind)]
    return [rule(answer, said, kind) for answer in answers]


def _document_marks(record: RunRecord, gold: Sequence[int]) -> dict[str, float]:
    if not gold:
        return {}
    marks = document_recalls(record, gold)
    evidence = used(record)
    return marks if evidence is None else marks | {"support_f1": set_f1(evidence, gold)}
