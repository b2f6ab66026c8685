"""The numbers of one run that the analyses need: one short line beside the result, so no record is opened again.

The runner appends ``line(question, record, format)`` to ``numbers.jsonl`` in the set's folder *before* it appends the
row to ``results.jsonl``: a row then always has its numbers, and of two lines with the same id and system the last one
counts. There are no times in it, so that two runs of a set give the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterable

from pydantic import Field

from core.duquad.contrast import chosen_attention
from core.evaluation.evidence import gold_documents, gold_pages, ranked_pages, used
from core.evaluation.record import SetQuestion
from core.evaluation.scoring import answer_marks, is_right
from core.records import Record, RunRecord
from core.settings.evaluation import MOST_RANKED_PAGES
from core.settings.methods import ATTENTION_DIGITS, Fallback, Fuse, Norm
from core.text import normalize_answer

NUMBERS_FILE = "numbers.jsonl"


class SignalNumbers(Record):
    """The four signals, one value per document, and the settings that fused them."""

    attention: tuple[float, ...]
    """Under the run's layers and heads."""
    contrast: tuple[float, ...]
    semantic: tuple[float, ...]
    query_nll: tuple[float, ...]
    weights: tuple[float, float, float]
    """α, β, γ."""
    norm: Norm
    fuse: Fuse
    k: int


class PoolNumbers(Record):
    """The gate's candidates, in the order of the pool."""

    documents: tuple[int, ...]
    scores: tuple[float, ...]
    tau: float
    fallback: Fallback


class ViewNumbers(Record):
    """The two agents: what they chose, and whether they were right."""

    local: tuple[int, ...]
    global_: tuple[int, ...] = Field(alias="global")
    same: bool
    """Whether both answers say the same: one contains the other in whole words, or both are right."""
    local_right: bool | None = None
    global_right: bool | None = None


class Numbers(Record):
    """Signals, selections and ranks of one question under one system; what it does not have is absent."""

    id: str
    system: str
    documents: int
    gold: tuple[int, ...] = ()
    """Indexes of the gold documents; -1 for one that the run did not have."""
    signals: SignalNumbers | None = None
    ranking: tuple[int, ...] | None = None
    """Documents by the system's own ranking, best first."""
    pool: PoolNumbers | None = None
    views: ViewNumbers | None = None
    used: tuple[int, ...] | None = None
    """The documents or pages that the answer was made from."""
    pages: int | None = None
    """Of the PDF."""
    gold_pages: tuple[int, ...] | None = None
    ranked_pages: tuple[int, ...] | None = None
    """By retrieval, best first; the first ones of a long file."""


def numbers(question: SetQuestion, record: RunRecord, format: str = "mapped") -> Numbers:
    """The numbers of one run; ``format`` decides when an agent was right."""
    on_pages = record.pages is not None
    return Numbers(
        id=question.id,
        system=record.system,
        documents=len(record.documents),
        gold=gold_documents(question, record),
        signals=_signals(record),
        ranking=tuple(ranked.document for ranked in record.ranking) if record.ranking else None,
        pool=_pool(record),
        views=_views(question, record, format),
        used=used(record),
        pages=len(record.pages or ()) if on_pages else None,
        gold_pages=gold_pages(question, record) if on_pages else None,
        ranked_pages=tuple(ranked_pages(record)[:MOST_RANKED_PAGES]) if on_pages else None,
    )


def line(question: SetQuestion, record: RunRecord, format: str = "mapped") -> str:
    """The same as one line of JSON, with its line break."""
    return numbers(question, record, format).model_dump_json(by_alias=True, exclude_none=True) + "\n"


def _short(values: Iterable[float]) -> tuple[float, ...]:
    return tuple(float(f"{value:.{ATTENTION_DIGITS}g}") for value in values)


def _signals(record: RunRecord) -> SignalNumbers | None:
    if record.signals is None:
        return None
    settings = record.settings
    return SignalNumbers(
        attention=_short(chosen_attention(record.signals.attention, settings)),
        contrast=_short(record.signals.contrast),
        semantic=_short(record.signals.semantic),
        query_nll=_short(record.signals.query_nll),
        weights=(settings.alpha, settings.beta, settings.gamma),
        norm=settings.norm,
        fuse=settings.fuse,
        k=settings.k,
    )


def _pool(record: RunRecord) -> PoolNumbers | None:
    if record.pool is None:
        return None
    return PoolNumbers(
        documents=tuple(entry.document for entry in record.pool),
        scores=_short(entry.score for entry in record.pool),
        tau=record.settings.tau,
        fallback=record.settings.fallback,
    )


def _views(question: SetQuestion, record: RunRecord, format: str) -> ViewNumbers | None:
    local = record.agents.local if record.agents else None
    other = record.agents.global_ if record.agents else None
    if local is None or other is None:
        return None
    marks = [is_right(answer_marks(question, reply.answer, False, format), format) for reply in (local, other)]
    return ViewNumbers.model_validate(
        {
            "local": local.important_documents,
            "global": other.important_documents,
            "same": all(marks) or _one_in_the_other(local.answer, other.answer),
            "local_right": marks[0],
            "global_right": marks[1],
        }
    )


def _one_in_the_other(first: str, second: str) -> bool:
    short, long = sorted((normalize_answer(first), normalize_answer(second)), key=len)
    return short == long or (bool(short) and f" {short} " in f" {long} ")
