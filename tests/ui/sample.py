"""A realistic synthetic run of twenty documents, some of them hostile; no model runs."""

from __future__ import annotations

from typing import Literal

import numpy as np

from core.duquad.contrast import contrast, document_attention
from core.duquad.fusion import rank
from core.duquad.pruning import candidates, gate, snippets
from core.records import (
    AgentReply,
    Agents,
    Call,
    Document,
    Final,
    PoolEntry,
    Question,
    RunRecord,
    Signals,
    TokenWeight,
)
from core.settings.methods import RunSettings

Stage = Literal["start", "signals", "agents", "pool", "final"]
STAGES: tuple[Stage, ...] = ("start", "signals", "agents", "pool", "final")

GOLD = 9
SCRIPT = "<script>alert(1)</script>"
IMAGE = '<img src=x onerror="window.pwned=1">'
OVERRIDE = "\u202egnp.exe"

GOLD_TEXT = (
    "I Want a Hippopotamus for Christmas is a Christmas novelty song written by John Rox (1902–1957). "
    "It was recorded by Gayla Peevey, ten years old, in 1953. "
    "The song was released by Columbia Records and peaked at number 24 on Billboard's pop chart in December 1953. "
    "Peevey was given a real hippopotamus named Matilda, which she donated to the Oklahoma City Zoo."
)
FILLER = (
    "was released in April 1974 as the first single from the album. The song was written by a staff writer in "
    "Nashville and recorded in a single session. It reached number 38 on the country chart, and reviewers called "
    "it a tropical little ditty, awash in delicate guitar work. A later cover version was less successful."
)
TITLES = (
    "I Just Want to Dance with You",
    "I Wouldn't Want to Live If You Didn't Love Me",
    "I Only Want to Be with You",
    f"Dappy {IMAGE}",
    "All I Want for Christmas Is You",
    "Want {x} of $y$ and %{z} & <b>more</b>",
    '=HYPERLINK("http://x.example")',
    "أغنية عيد الميلاد",
    "W" * 130,
    "I Want a Hippopotamus for Christmas",
    "All I Want for Christmas (Is My Two Front Teeth)",
    f"photo{OVERRIDE}",
    "Do They Know It's Christmas?",
    "",
    "The Christmas Song\x07\x00",
    "クリスマス・イブ (山下達郎の曲)",
    "Santa Baby",
    SCRIPT,
    "I'll Be Home for Christmas",
    "Merry Xmas Everybody",
)
HEIGHTS = (13.5, 8.2, 6.1, 4.4, 3.6, 3.0, 2.9, 2.6, 2.5, 6.4, 2.4, 2.3, 3.9, 2.6, 2.7, 3.0, 3.4, 4.6, 6.8, 11.0)
"""Attention per document: high at both ends, with spikes at 10 and 13 in the valley."""


def _documents(n: int) -> tuple[Document, ...]:
    texts = [GOLD_TEXT if i == GOLD or n <= GOLD else f"{TITLES[i % 20] or 'It'} {FILLER}" for i in range(n)]
    if n > 3:
        texts[3] = f"{IMAGE}\n\u202eevil\u202c {FILLER} {SCRIPT}\x1b[31m " + "x" * 300
    gold = GOLD if n > GOLD else 0
    return tuple(
        Document(id=f"doc-{i}", title=TITLES[i % 20] if n > GOLD else TITLES[GOLD], text=texts[i], gold=i == gold)
        for i in range(n)
    )


def _tokens(text: str, base: float, rng: np.random.Generator) -> tuple[TokenWeight, ...]:
    found, start = [], 0
    for word in text.split(" "):
        weight = base * float(rng.lognormal(0, 0.9)) * (6 if word in ("Gayla", "Peevey,", "recorded") else 1)
        found.append(TokenWeight(start=start, end=start + len(word), weight=weight))
        start += len(word) + 1
    return tuple(token for token in found if token.end > token.start)


def _signals(documents: tuple[Document, ...]) -> Signals:
    rng = np.random.default_rng(7)
    n = len(documents)
    base = np.array(HEIGHTS * (n // 20 + 1))[:n] * 1e-4
    grid = base * rng.lognormal(0, 0.25, (30, 9, n))
    gold = GOLD if n > GOLD else 0
    semantic = rng.uniform(0.05, 0.35, n)
    nll = rng.uniform(3.0, 4.2, n)
    semantic[gold], nll[gold] = 0.78, 1.4
    return Signals(
        attention=tuple(tuple(tuple(map(float, head)) for head in layer) for layer in grid),
        contrast=tuple(map(float, contrast(document_attention(grid)))),
        semantic=tuple(map(float, semantic)),
        query_nll=tuple(map(float, nll)),
        query_nll_empty=4.4,
        tokens=tuple(_tokens(d.text, float(b), rng) for d, b in zip(documents, base, strict=True)),
    )


def _reply(important: tuple[int, ...], shown: tuple[int, ...], answer: str, **extra: str) -> AgentReply:
    return AgentReply.model_validate(
        {
            "answer": answer,
            "reasoning": f"Document {important[0] + 1} names the singer of the 1953 recording. {IMAGE}",
            "important_documents": important,
            "documents_shown": shown,
            "raw": f'{{"answer": "{answer}", "note": "{SCRIPT}"}}',
            **extra,
        }
    )


def _pool(record: RunRecord) -> tuple[PoolEntry, ...]:
    assert record.agents
    chosen = candidates(record.agents.local, record.agents.global_)
    known = dict(zip(chosen, (0.91, 0.37, 0.12, 0.43, 0.05), strict=False))
    kept = gate(list(known.values()), record.settings)
    return tuple(
        PoolEntry.model_validate(
            {
                "document": document,
                "selected_by": chosen[document],
                "score": score,
                "answer": "Gayla Peevey" if document == GOLD else f"a staff writer {SCRIPT}",
                "kept": keep,
                "snippets": snippets(record.documents[document].text, "Gayla Peevey recorded", record.question.text)
                if keep
                else (),
                "kind": "likelihood",
            }
        )
        for (document, score), keep in zip(known.items(), kept, strict=True)
    )


def sample(n: int = 20, stage: Stage = "final", settings: RunSettings | None = None) -> RunRecord:
    """A run over ``n`` documents as far as ``stage``; document 10 (or 1 of fewer) is gold."""
    documents = _documents(n)
    gold = GOLD if n > GOLD else 0
    record = RunRecord(
        schema="w-lens/1",
        run_id="sample-run",
        created="2026-01-05T10:00:00Z",
        system="duquad",
        question=Question(
            text="who sang original i want a hippopotamus for christmas", answers=("Gayla Peevey",), gold=(gold,)
        ),
        documents=documents,
        settings=settings or RunSettings(),
        models={"profile": "embedded", "backbone": "SmolLM2-135M-Instruct"},
    )
    reached = STAGES.index(stage)
    if reached >= 1:
        signals = _signals(documents)
        record = record.model_copy(update={"signals": signals, "ranking": rank(signals, record.settings)})
    if reached >= 2:
        record = record.model_copy(update={"agents": _agents(record)})
    if reached >= 3:
        record = record.model_copy(update={"pool": _pool(record)})
    if reached >= 4:
        record = record.model_copy(update=_end())
    return RunRecord.from_json(record.to_json())


def _agents(record: RunRecord) -> Agents:
    n = len(record.documents)
    assert record.ranking
    shown = tuple(ranked.document for ranked in record.ranking[: record.settings.k])
    everything = tuple(range(n))
    other = (0, GOLD, n - 1) if n > GOLD else (0,)
    return Agents(
        local=_reply(shown[:3], shown, "Gayla Peevey"),
        **{"global": _reply(other, everything, f"Brenda Lee {SCRIPT}", parsed="repaired")},
    )


def _end() -> dict[str, object]:
    model = "SmolLM2-135M-Instruct"
    return {
        "final": Final(answer="The song was first sung by Gayla Peevey.", raw="Gayla Peevey."),
        "calls": (
            Call(stage="signals", model=model, kind="score", prompt_tokens=3120, new_tokens=0, seconds=4.21),
            Call(
                stage="signals",
                model="MiniLM",
                kind="embed",
                sequences=21,
                prompt_tokens=2890,
                new_tokens=0,
                seconds=0.4,
            ),
            Call(
                stage="agents",
                model=model,
                kind="generate",
                sequences=2,
                prompt_tokens=980,
                new_tokens=211,
                seconds=9.5,
            ),
            Call(stage="judge", model=model, kind="generate", prompt_tokens=410, new_tokens=9, seconds=0.8),
        ),
        "warnings": (f"The Global Agent's reply was repaired {IMAGE}",),
    }
