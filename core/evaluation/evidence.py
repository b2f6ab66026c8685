"""Where the gold evidence of one run went: what each stage had in hand. Pure, over the record."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from core.duquad.contrast import chosen_attention
from core.evaluation.metrics import golds
from core.evaluation.record import SetQuestion
from core.records import PoolEntry, RunRecord
from core.settings.evaluation import PAGE_RECALL_AT, RECALL_AT
from core.text import normalize_answer


def gold_documents(question: SetQuestion, record: RunRecord) -> tuple[int, ...]:
    """Indexes, in the record, of the gold documents; -1 for one that the run did not have. Empty where not known."""
    if len(record.documents) == len(question.documents) or not question.documents:
        return record.question.gold
    places = {(document.id, document.text): i for i, document in enumerate(record.documents)}
    wanted = [question.documents[i] for i in question.question.gold]
    return tuple(places.get((document.id, document.text), -1) for document in wanted)


def gold_pages(question: SetQuestion, record: RunRecord) -> tuple[int, ...]:
    """The 0-based gold pages that the file has; a number past its end is no page (MMLongBench-Doc has such)."""
    pages = record.source.pages if record.source else len(record.pages or ())
    return tuple(page for page in question.question.gold_pages or record.question.gold_pages if 0 <= page < pages)


def order_by(values: Sequence[float] | np.ndarray) -> list[int]:
    """Indexes by value, largest first, ties by lower index."""
    return sorted(range(len(values)), key=lambda i: (-values[i], i))


def orders(record: RunRecord) -> dict[str, list[int]]:
    """The documents in the order of each signal that the run has: attention, contrast, semantic, likelihood, sfs."""
    found: dict[str, list[int]] = {}
    if record.signals:
        found["attention"] = order_by(chosen_attention(record.signals.attention, record.settings))
        found["contrast"] = order_by(record.signals.contrast)
        found["semantic"] = order_by(record.signals.semantic)
        found["likelihood"] = order_by([-nll for nll in record.signals.query_nll])
    if record.ranking:
        found["sfs" if record.signals else "rank"] = [ranked.document for ranked in record.ranking]
    return found


def selected(record: RunRecord) -> set[int] | None:
    """The documents that an agent chose; None for a system without agents."""
    replies = [record.agents.local, record.agents.global_] if record.agents else []
    known = [reply for reply in replies if reply]
    return {i for reply in known for i in reply.important_documents} if known else None


def is_quoted(entry: PoolEntry, text: str, answers: Sequence[str]) -> bool:
    """Whether a kept document's snippets carry what it knows: the answer, where its text has it, else anything."""
    said = quoted_text(entry)
    return bool(entry.kept and said and (holds(said, answers) or not holds(text, answers)))


def quoted_text(entry: PoolEntry) -> str:
    """The snippets of a candidate, one after the other."""
    return " ".join(snippet.text for snippet in entry.snippets)


def holds(text: str, answers: Sequence[str]) -> bool:
    """Whether a text contains an accepted answer in whole words; "yes" and "no" stand in no text as answers."""
    known = [gold for gold in golds(answers) if gold not in ("yes", "no")]
    return bool(known) and any(f" {gold} " in f" {normalize_answer(text)} " for gold in known)


def used(record: RunRecord) -> tuple[int, ...] | None:
    """The documents or pages that the answer was made from; None where the system read all that it was given.

    Pages: cited ones, or else those that reached the decision. Documents: those that a gate kept, or else those that
    the final reader was shown, where that is a part of all.
    """
    if record.pages is not None:
        if record.citations is not None:
            return tuple(sorted({citation.page for citation in record.citations}))
        return tuple(page.page for page in record.pages if page.kept)
    if record.pool is not None:
        return tuple(sorted(entry.document for entry in record.pool if entry.kept))
    if record.judged is not None:
        return tuple(judged.document for judged in record.judged if judged.kept)
    if record.shown is not None and len(record.shown) < len(record.documents):
        return tuple(sorted(record.shown))
    return None


def recall(found: Iterable[int], gold: Sequence[int]) -> float:
    """The share of gold that was found."""
    return len(set(gold) & set(found)) / len(set(gold))


def document_recalls(record: RunRecord, gold: Sequence[int]) -> dict[str, float]:
    """Gold recall at every stage that the run has; ``gold`` is not empty."""
    marks = {f"recall_{name}_{k}": recall(order[:k], gold) for name, order in orders(record).items() for k in RECALL_AT}
    chosen = selected(record)
    if chosen is not None:
        marks["recall_selected"] = recall(chosen, gold)
    if record.pool is not None:
        answers, texts = record.question.answers, [document.text for document in record.documents]
        marks["recall_pool"] = recall((entry.document for entry in record.pool), gold)
        marks["recall_kept"] = recall((entry.document for entry in record.pool if entry.kept), gold)
        quoted = (entry.document for entry in record.pool if is_quoted(entry, texts[entry.document], answers))
        marks["recall_quoted"] = recall(quoted, gold)
    return marks


def ranked_pages(record: RunRecord) -> list[int]:
    """The pages by retrieval, best first; those without a score are left out."""
    ranked = [page for page in record.pages or () if page.rank is not None]
    return [page.page for page in sorted(ranked, key=lambda page: page.rank or 0)]


def page_recalls(record: RunRecord, gold: Sequence[int]) -> dict[str, float]:
    """Gold recall over pages at every stage that the run has; ``gold`` is not empty."""
    pages, order = record.pages or (), ranked_pages(record)
    marks = {f"recall_retrieved_{k}": recall(order[:k], gold) for k in PAGE_RECALL_AT} if order else {}
    marks["recall_retrieved"] = recall((page.page for page in pages if page.candidate), gold)
    marks["recall_kept"] = recall((page.page for page in pages if page.kept), gold)
    if record.clues is not None:
        marks["recall_clue"] = recall((clue.page for clue in record.clues), gold)
    if record.citations is not None:
        marks["recall_cited"] = recall((citation.page for citation in record.citations), gold)
    return marks
