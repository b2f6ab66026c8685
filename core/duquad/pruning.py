"""Quality-aware evidence pruning (DuQUAD §3.3): candidates, gate, snippets. Pure functions."""

from __future__ import annotations

from collections.abc import Sequence

from core.records import AgentReply, PoolEntry, Snippet
from core.settings.methods import SNIPPETS_PER_DOCUMENT, RunSettings
from core.text import sentences, words

_NO_SPAN = frozenset({"", "yes", "no", "none", "unknown"})


def candidates(local: AgentReply | None, global_: AgentReply | None) -> dict[int, tuple[str, ...]]:
    """Document → who selected it: the Local Agent's picks first, then the Global Agent's, each in its order."""
    pool: dict[int, tuple[str, ...]] = {}
    for name, reply in (("local", local), ("global", global_)):
        for document in reply.important_documents if reply else ():
            pool[document] = (*pool.get(document, ()), name)
    return pool


def gate(scores: Sequence[float], settings: RunSettings) -> tuple[bool, ...]:
    """Which candidates are kept: score ≥ τ (DuQUAD App. C).

    When none reaches τ, the settings decide: the best-scored one is kept (ties: the earlier one), or none.
    """
    kept = [score >= settings.tau for score in scores]
    if scores and not any(kept) and settings.fallback == "best":
        kept[max(range(len(scores)), key=lambda i: (scores[i], -i))] = True
    return tuple(kept)


def regate(pool: Sequence[PoolEntry], settings: RunSettings) -> tuple[PoolEntry, ...]:
    """The recorded pool under another τ or fallback: no model runs."""
    kept = gate([entry.score for entry in pool], settings)
    return tuple(entry.model_copy(update={"kept": keep}) for entry, keep in zip(pool, kept, strict=True))


def snippets(text: str, answer: str, question: str) -> tuple[Snippet, ...]:
    """The two sentences that share the most words with the document's own answer, in document order.

    Overlap is counted in SQuAD-normalised words; ties go to the earlier sentence. An answer that is
    empty, "yes", "no" or the like has no words to look for: the question's are taken instead.
    """
    target = words(answer)
    if len(target) <= 1 and target <= _NO_SPAN:
        target = words(question)
    spans = sentences(text)
    overlap = [len(words(text[span.start : span.end]) & target) for span in spans]
    best = sorted(range(len(spans)), key=lambda i: (-overlap[i], i))[:SNIPPETS_PER_DOCUMENT]
    return tuple(
        Snippet(text=text[spans[i].start : spans[i].end], start=spans[i].start, end=spans[i].end) for i in sorted(best)
    )
