"""Where was it lost? The first stage at which gold evidence was lost, and answers that are right all the same.

A question with several gold documents or pages needs all of them: data sets name just the links of the chain that
leads to the answer. So evidence is lost where the *first* of them is lost.

Over documents: not in the input → below k by SFS and chosen by no agent → chosen by neither agent → pruned at the
gate → lost in the snippets → in front of the Judge and still wrong → right text, failed by the metric. Over pages:
not retrieved → screened out → no clue taken → decided wrong → cited a wrong page.

A page reaches the decision in two ways, as itself or through its clues. One that was screened out but gave a clue is
not lost; one that was kept without a clue arrived as an image, so it counts as lost ("no clue") only where the answer
is wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

from core.evaluation.evidence import gold_documents, gold_pages, holds, quoted_text, selected
from core.evaluation.metrics import same_text
from core.evaluation.record import LossStage, SetQuestion
from core.records import RunRecord

STAGES: tuple[LossStage, ...] = get_args(LossStage)
"""In the order in which evidence passes them, documents first."""
BEFORE_THE_ANSWER: frozenset[LossStage] = frozenset(
    {
        *("not_in_input", "below_k", "not_selected", "pruned", "not_quoted"),
        *("not_retrieved", "labelled_irrelevant", "no_clue"),
    }
)
"""Stages after which the deciding model did not have the gold evidence."""


def is_answerable(question: SetQuestion) -> bool:
    """Whether the set does not mark the question as one without an answer."""
    return question.meta.get("answerable", "yes").strip().lower() not in ("no", "false")


def lost_at(question: SetQuestion, record: RunRecord, right: bool | None) -> LossStage:
    """The first stage at which gold evidence was lost; ``right`` is by the set's main metric.

    ``none`` where it arrived (and the answer is right, or no answer is known), ``unknown`` where gold is not known.
    A question without an answer has no evidence to lose: it is decided right or wrong.
    """
    pages = record.pages is not None
    if not is_answerable(question):
        return "none" if right else "decided_wrong" if pages else "judged_wrong"
    stage = _pages(question, record, right) if pages else _documents(question, record)
    if stage != "none" or right is not False:
        return stage
    answer = record.final.answer if record.final else ""
    if same_text(answer, question.question.answers):
        return "metric"
    return "decided_wrong" if pages else "judged_wrong"


def is_lucky(stage: LossStage, right: bool | None) -> bool:
    """Right although gold evidence did not arrive in front of the deciding model."""
    return bool(right) and stage in BEFORE_THE_ANSWER


def _first(stages: Sequence[LossStage]) -> LossStage:
    return min(stages, key=STAGES.index, default="none")


def _documents(question: SetQuestion, record: RunRecord) -> LossStage:
    gold = gold_documents(question, record)
    if not gold:
        marks = [document.gold for document in question.documents or record.documents]
        return "not_in_input" if marks and all(mark is False for mark in marks) else "unknown"
    stage = _first([_document(record, document) for document in gold])
    return "not_quoted" if stage == "none" and not _answer_quoted(record, gold) else stage


def _document(record: RunRecord, document: int) -> LossStage:
    """How far one gold document came."""
    if document < 0:
        return "not_in_input"
    chosen = selected(record)
    if chosen is not None and document not in chosen:
        return "not_selected" if document in _read_closely(record) else "below_k"
    dropped = {judged.document for judged in record.judged or () if not judged.kept}
    if record.pool is not None:
        dropped |= set(range(len(record.documents))) - {entry.document for entry in record.pool if entry.kept}
    if document in dropped:
        return "pruned"
    if record.shown is not None and document not in record.shown:
        return "below_k"
    return "none"


def _read_closely(record: RunRecord) -> Sequence[int]:
    """What the Local Agent was shown: the k best."""
    local = record.agents.local if record.agents else None
    if local:
        return local.documents_shown
    return [ranked.document for ranked in (record.ranking or ())[: record.settings.k]]


def _answer_quoted(record: RunRecord, gold: Sequence[int]) -> bool:
    """Whether what was quoted, or left by compression, carries the answer where the gold documents' texts have it.

    Of a chain only the last link holds the answer, so one document that quotes it is enough.
    """
    answers = record.question.answers
    seen = {excerpt.document: excerpt.text for excerpt in record.excerpts or ()}
    seen |= {entry.document: quoted_text(entry) for entry in record.pool or ()}
    texts = {document: record.documents[document].text for document in gold if document in seen}
    if any(text.strip() and not seen[document].strip() for document, text in texts.items()):
        return False
    holding = [document for document, text in texts.items() if holds(text, answers)]
    return not holding or any(holds(seen[document], answers) for document in holding)


def _pages(question: SetQuestion, record: RunRecord, right: bool | None) -> LossStage:
    gold = gold_pages(question, record)
    if not gold:
        return "unknown"
    stage = _first([_page(record, page, right) for page in gold])
    if stage == "none" and right and record.citations and not {c.page for c in record.citations} & set(gold):
        return "cited_wrong"
    return stage


def _page(record: RunRecord, number: int, right: bool | None) -> LossStage:
    """How far one gold page came."""
    page = (record.pages or ())[number]
    if not page.candidate or (record.shown is not None and not page.kept):
        return "not_retrieved"  # of a system without screening: it never came before the reader
    if record.clues is None:
        return "none" if page.kept or page.label is None else "labelled_irrelevant"
    if any(clue.page == number for clue in record.clues):
        return "none"
    if page.kept:
        return "no_clue" if right is False else "none"
    return "no_clue" if page.label is None else "labelled_irrelevant"
