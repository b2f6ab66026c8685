"""Runs and rows whose marks can be worked out on paper."""

from __future__ import annotations

from pathlib import Path

from core.evaluation.numbers import Numbers
from core.evaluation.record import ResultRow, SetQuestion
from core.page_record import Citation, Clue, Page
from core.records import AgentReply, Agents, Document, Final, PoolEntry, Question, Ranked, RunRecord, Signals, Snippet
from core.settings.methods import RunSettings

TEXTS = ("The moon is bright.", "Triton was found by Lassell. It is cold.", "Rain falls.", "Lassell brewed beer.")
ANSWERS = ("Lassell",)


def question(gold: tuple[int, ...] = (1,), answers: tuple[str, ...] = ANSWERS, **meta: str) -> SetQuestion:
    """A question over four short documents."""
    documents = tuple(
        Document(id=f"d{i}", title=f"Title {i}", text=text, gold=i in gold) for i, text in enumerate(TEXTS)
    )
    asked = Question(text="Who found Triton?", answers=answers, gold=gold)
    return SetQuestion(id="q1", place="line 1", question=asked, documents=documents, meta=meta)


def run(of: SetQuestion, answer: str = "Lassell", system: str = "duquad", **fields: object) -> RunRecord:
    """A finished run of that question, with nothing but an answer unless told otherwise."""
    base: dict[str, object] = {
        **{"schema": "w-lens/1", "run_id": "r", "created": "2026-01-05T10:00:00Z", "system": system},
        **{"question": of.question, "documents": of.documents, "settings": RunSettings(k=2), "models": {}},
        "final": Final(answer=answer),
    }
    return RunRecord.model_validate({**base, **fields})


def signals(attention: tuple[float, ...] = (0.4, 0.1, 0.2, 0.3)) -> Signals:
    """One layer, one head; by likelihood and meaning document 1 is best."""
    return Signals(
        attention=((attention,),),
        contrast=(0.3, -0.4, 0.0, 0.1),
        semantic=(0.1, 0.9, 0.2, 0.3),
        query_nll=(3.0, 1.0, 4.0, 2.0),
        query_nll_empty=4.0,
    )


def ranking(*order: int) -> tuple[Ranked, ...]:
    """These documents, best first."""
    return tuple(Ranked(document=document, score=-float(place)) for place, document in enumerate(order))


def agents(local: tuple[int, ...], other: tuple[int, ...], shown: tuple[int, ...], *answers: str) -> Agents:
    """What the Local Agent (shown ``shown``) and the Global Agent chose, and perhaps said."""
    said = answers or ("Lassell", "Lassell")
    replies = [
        AgentReply(answer=text, reasoning="", raw="{}", important_documents=chosen, documents_shown=seen)
        for text, chosen, seen in ((said[0], local, shown), (said[1], other, (0, 1, 2, 3)))
    ]
    return Agents(local=replies[0], **{"global": replies[1]})


def entry(document: int, score: float, kept: bool, quote: str | None = None) -> PoolEntry:
    """A candidate; kept ones quote their whole text unless told otherwise."""
    text = TEXTS[document] if quote is None else quote
    snippets = (Snippet(text=text, start=0, end=len(text)),) if kept and text else ()
    base = {"selected_by": ("local",), "answer": "", "kind": "spoken", "snippets": snippets}
    return PoolEntry.model_validate({"document": document, "score": score, "kept": kept, **base})


def pdf_question(gold: tuple[int, ...] = (2,), answers: tuple[str, ...] = ANSWERS, **meta: str) -> SetQuestion:
    """A question about a PDF of five pages."""
    asked = Question(text="Who found Triton?", answers=answers, gold_pages=gold)
    return SetQuestion(id="q1", place="row 1", question=asked, pdf="moons.pdf", meta=meta)


def pdf_run(
    of: SetQuestion,
    candidates: tuple[int, ...],
    kept: tuple[int, ...],
    clues: tuple[int, ...] | None,
    cited: tuple[int, ...] | None,
    answer: str = "Lassell",
) -> RunRecord:
    """A run over five pages, ranked in page order: who was a candidate, who was kept, gave a clue, was cited."""
    pages = tuple(
        Page(
            page=i,
            score=-float(i),
            rank=i,
            candidate=i in candidates,
            label=("CR" if i in kept else "IR") if i in candidates else None,
            kept=i in kept,
        )
        for i in range(5)
    )
    return run(
        of,
        answer,
        "sleuth",
        documents=(),
        pages=pages,
        clues=None if clues is None else tuple(Clue(page=page, content="x") for page in clues),
        citations=None if cited is None else tuple(Citation(page=page, evidence="x", verified=True) for page in cited),
    )


def row(number: int, system: str = "duquad", right: bool | None = True, **fields: object) -> ResultRow:
    """The result of question ``number``."""
    base: dict[str, object] = {
        **{"id": f"q{number}", "place": f"line {number + 1}", "system": system, "question": f"Question {number}?"},
        **{"answers": ("Lassell",), "answer": f"answer {number}", "right": right, "record": f"records/{number}.json"},
        "scores": {} if right is None else {"accuracy": float(right)},
    }
    return ResultRow.model_validate({**base, **fields})


def write(folder: Path, rows: list[ResultRow], numbers: tuple[Numbers, ...] = ()) -> Path:
    """A set's folder with these results."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = (item.model_dump_json(by_alias=True, exclude_none=True) for item in rows)
    (folder / "results.jsonl").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    lines = (item.model_dump_json(by_alias=True, exclude_none=True) for item in numbers)
    (folder / "numbers.jsonl").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return folder
