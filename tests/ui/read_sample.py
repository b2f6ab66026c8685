"""A made run over a PDF of twelve pages, some of its words hostile; no model runs, no file is read."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from core.duquad.contrast import contrast, document_attention
from core.duquad.fusion import rank
from core.page_record import Box, Label, PageMap, Region, Word
from core.records import (
    Citation,
    Clue,
    Difficulty,
    Document,
    Final,
    Page,
    PageLayout,
    Question,
    RunRecord,
    Signals,
    Similarity,
    Source,
)
from core.settings.methods import RunSettings
from tests.ui.sample import IMAGE, OVERRIDE, SCRIPT

ReadStage = Literal["start", "retrieval", "agents", "final", "none"]
READ_STAGES: tuple[ReadStage, ...] = ("start", "retrieval", "agents", "final", "none")

COUNT = 12
EVIDENCE = 7
"""The page that holds the evidence, 0-based."""
CANDIDATES = (2, 4, 7, 8, 10)
LABELS: tuple[Label, ...] = ("IR", "R", "CR", "none", "IR")
SHA = "5a" * 32
LINE = "The northern line carried 4,310 passengers on the day of the opening"
HOSTILE = f"{IMAGE} {SCRIPT} {OVERRIDE} ${{window.pwned=2}} {{{{constructor}}}}"
_FILL = (
    "The network was planned in three phases. Trams ran from the harbour to the upper town, and the depot was built "
    "beside the old mill. Costs were shared between the city and the region, and the first year was a trial."
)


def layout(page: int) -> PageLayout:
    """Two paragraphs and, on the page with the evidence, its line; words set in lines as a printer would."""
    lines = [f"Chapter {page + 1}", *_wrapped(_FILL), *_wrapped(_FILL)]
    if page == EVIDENCE:
        lines[4:4] = [LINE]
    if page == CANDIDATES[0]:
        lines.append(HOSTILE)
    words, text = [], "\n".join(lines)
    for number, line in enumerate(lines):
        left, top = 0.12, 0.1 + 0.034 * number
        for word in line.split():
            width = 0.0112 * min(len(word), 30)
            words.append(Word(text=word, box=(left, top, min(left + width, 0.99), top + 0.02)))
            left = min(left + width + 0.01, 0.95)
    region = Region(kind="text", box=(0.1, 0.1, 0.9, 0.1 + 0.034 * len(lines)), text=text)
    return PageLayout(
        page=page,
        printed=_printed(page),
        width=595,
        height=842,
        pixels=(1190, 1684),
        words=tuple(words),
        regions=(region,),
        text=text,
        read_by="ocr" if page == CANDIDATES[1] else "text",
        notes=(f"A note {HOSTILE}",) if page == CANDIDATES[0] else (),
    )


def _wrapped(text: str) -> list[str]:
    words, lines = text.split(), [""]
    for word in words:
        if len(lines[-1]) + len(word) > 62:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def _printed(page: int) -> str:
    return ("i", f"<b>{IMAGE}")[page] if page < 2 else str(page - 1)


def boxes_of(quote: str, page: int) -> tuple[Box, ...]:
    """The box around a quote that stands in one line of the page."""
    words, wanted = layout(page).words, quote.split()
    for start in range(len(words)):
        if [word.text for word in words[start : start + len(wanted)]] == wanted:
            found = [word.box for word in words[start : start + len(wanted)]]
            return ((found[0][0], found[0][1], found[-1][2], found[-1][3]),)
    raise AssertionError(quote)


def _pages(stage: ReadStage) -> tuple[Page, ...]:
    scores = [0.31 + 0.02 * (page % 5) for page in range(COUNT)]
    for place, page in enumerate((EVIDENCE, 4, 2, 10, 8)):
        scores[page] = 0.9 - 0.07 * place
    order = sorted(range(COUNT), key=lambda page: -scores[page])
    judged = stage in ("agents", "final", "none")
    found = []
    for page in range(COUNT):
        base: dict[str, object] = {"page": page, "printed": _printed(page), "read_by": layout(page).read_by}
        if stage != "start":
            base |= {"score": scores[page], "rank": order.index(page), "candidate": page in CANDIDATES}
        if judged and page in CANDIDATES:
            label = LABELS[CANDIDATES.index(page)]
            kept = label in ("CR", "R") and stage != "none"
            base |= {"label": label, "rationale": f"Seen as {label}. {HOSTILE}", "raw": f"Relevance: {label} {SCRIPT}"}
            base |= {"kept": kept, "kept_by": "label" if kept else "", "parsed": "schema"}
        found.append(Page.model_validate(base))
    return tuple(found)


def _clues() -> tuple[Clue, ...]:
    return (
        Clue(page=2, region="Text 1", content=HOSTILE, insight=HOSTILE, confidence="low"),
        Clue(
            page=EVIDENCE, region="Text 2", content=LINE, insight="It names the day.", confidence="high",
            rationale="A count of passengers.", boxes=boxes_of(LINE, EVIDENCE), placed="exact",
        ),
        Clue(page=EVIDENCE, content="The network was planned", boxes=boxes_of("The network was planned", EVIDENCE)),
    )  # fmt: skip


def _citations() -> tuple[Citation, ...]:
    return (
        Citation(
            page=EVIDENCE, evidence="carried 4,310 passengers", source="text", verified=True, placed="exact",
            reason="found word for word", boxes=boxes_of("carried 4,310 passengers", EVIDENCE),
        ),
        Citation(page=4, evidence=f"Trams ran {HOSTILE}", source=SCRIPT, verified=False, reason=f"not found {IMAGE}"),
        Citation(
            page=4, evidence="Trams ran from the harbour", source="text", verified=True, placed="fuzzy",
            reason="found with small differences", boxes=boxes_of("Trams ran", 4),
        ),
    )  # fmt: skip


def _documents() -> tuple[Document, ...]:
    return tuple(
        Document(id=str(page + 1), title=f"Page {page + 1}", text=layout(page).text, gold=page == EVIDENCE, page=page)
        for page in CANDIDATES
    )


def _signals() -> Signals:
    base = np.array([9.0, 3.0, 5.0, 2.0, 7.0]) * 1e-4
    grid = base * np.random.default_rng(3).lognormal(0, 0.2, (6, 4, 5))
    return Signals(
        attention=tuple(tuple(tuple(map(float, head)) for head in layer) for layer in grid),
        contrast=tuple(map(float, contrast(document_attention(grid)))),
        semantic=(0.82, 0.30, 0.55, 0.12, 0.28),
        query_nll=(1.1, 3.2, 2.0, 3.9, 3.3),
        query_nll_empty=4.2,
    )


def _similarity() -> Similarity:
    rng = np.random.default_rng(5)
    tokens = ("How", "many", "passengers", f"<b>{IMAGE}")
    maps = []
    for page in CANDIDATES:
        words = [word.text.casefold() for word in layout(page).words]
        values = rng.uniform(0.0, 0.4, (len(tokens), len(words)))
        for row, token in enumerate(tokens):
            values[row, [i for i, word in enumerate(words) if word == token.casefold()]] = 0.95
        maps.append(PageMap(page=page, kind="words", values=tuple(tuple(map(float, row)) for row in values)))
    return Similarity(tokens=tokens, pages=tuple(maps))


def _found(stage: ReadStage) -> dict[str, Any]:
    """The fields that grow with the run."""
    reached = READ_STAGES.index(stage)
    found: dict[str, Any] = {"pages": _pages(stage), "documents": ()}
    if reached >= 1:
        found |= {"documents": _documents(), "similarity": _similarity()}
        found |= {"layouts": tuple(layout(page) for page in CANDIDATES)}
    if reached >= 2:
        found |= {"clues": _clues() if stage != "none" else ()}
    if reached >= 3:
        signals = _signals()
        found |= {"signals": signals, "ranking": rank(signals, RunSettings())}
        found |= {"difficulty": Difficulty(level=0, probability=0.2, instructions=f"Look up. {HOSTILE}", raw=SCRIPT)}
        found |= {"citations": _citations(), "final": Final(answer=f"4,310 passengers {IMAGE}")}
    if stage == "none":
        found |= {"citations": (), "final": Final(answer="", raw="No answers found!", no_answer=True)}
    return found


def read_sample(stage: ReadStage = "final") -> RunRecord:
    """The run as far as ``stage``; ``none`` ends with no answer in the document."""
    found = _found(stage)
    record = RunRecord(
        run_id="read-sample",
        created="2026-01-05T10:00:00Z",
        system="sleuth",
        question=Question(
            text=f"How many passengers did the northern line carry? {IMAGE}",
            answers=("4,310",),
            gold_pages=(EVIDENCE,),
            gold=(CANDIDATES.index(EVIDENCE),) if found["documents"] else (),
        ),
        settings=RunSettings(),
        models={"reader": f"backbone {SCRIPT}", "page_encoder": "embedder"},
        source=Source(
            name=f"report {IMAGE}.pdf",
            sha256=SHA,
            pages=COUNT,
            title=f"Trams {HOSTILE}",
            notes=(f"Repaired {HOSTILE}",),
        ),
        warnings=(f"A reply was repaired {IMAGE}",),
        **found,
    )
    return RunRecord.from_json(record.to_json())
