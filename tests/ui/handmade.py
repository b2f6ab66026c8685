"""Tiny records whose figures can be worked out on paper."""

from __future__ import annotations

from core.records import AgentReply, Agents, Document, PoolEntry, Question, RunRecord, Signals
from core.settings.methods import RunSettings


def handmade(
    attention: tuple[float, ...] = (1.0, 2.0, 1.0), gold: tuple[int, ...] = (1,), **fields: object
) -> RunRecord:
    """A record over one layer and one head with the given attention; document i is called ``Title i``."""
    n = len(attention)
    documents = tuple(
        Document(id=f"d{i}", title=f"Title {i}", text=f"Text of {i}. More.", gold=i in gold) for i in range(n)
    )
    signals = Signals(
        attention=((attention,),),
        contrast=(0.0,) * n,
        semantic=tuple(float(i) for i in range(n)),
        query_nll=(2.0,) * n,
        query_nll_empty=3.0,
    )
    base: dict[str, object] = {
        "schema": "w-lens/1",
        "run_id": "r",
        "created": "2026-01-05T10:00:00Z",
        "system": "duquad",
        "question": Question(text="Which text?", answers=("text",), gold=gold),
        "documents": documents,
        "settings": RunSettings(k=2),
        "models": {},
        "signals": signals,
    }
    return RunRecord.model_validate({**base, **fields})


def reply(shown: tuple[int, ...], important: tuple[int, ...] = (), **fields: str) -> AgentReply:
    """An agent's reply over ``shown``."""
    base = {"answer": "an answer", "reasoning": "a reason", "raw": "{}"}
    return AgentReply.model_validate({"documents_shown": shown, "important_documents": important, **base, **fields})


def agents(local: tuple[int, ...]) -> Agents:
    """Both agents, the local one having been shown ``local``."""
    return Agents(local=reply(local, local[:1]), **{"global": reply((0, 1, 2))})


def entry(document: int, score: float, kept: bool, **fields: object) -> PoolEntry:
    """A candidate that both agents selected."""
    base = {"selected_by": ("local", "global"), "answer": "text", "kind": "spoken"}
    return PoolEntry.model_validate({"document": document, "score": score, "kept": kept, **base, **fields})
