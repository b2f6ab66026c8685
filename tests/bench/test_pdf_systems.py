"""The table of systems over PDFs on rows that were made by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from core.records import Call, Final, Page, Question, RunRecord
from core.settings.methods import RunSettings
from tests.bench import pdf_systems
from tests.bench.growing import known
from tests.bench.pdf_systems import markdown, table


def row(question: str, system: str, right: bool, **more: Any) -> dict[str, Any]:
    given = {"answer": "a", "rank": 1, "read_at": 1, "read": 5, "calls": 1, "tokens_in": 90, "tokens_out": 10}
    return given | {"question": question, "system": system, "right": right, "seconds": 2.0} | more


def test_figures_of_a_system() -> None:
    rows = [row("a", "pdf_base", True), row("b", "pdf_base", False, read_at=None)]
    rows += [row("a", "mact", False, seconds=6.0, calls=7), row("b", "mact", False, seconds=10.0, calls=8)]
    rows += [row("a", "mact", True)]  # asked twice: the first time counts
    found = table(rows, ["pdf_base", "mact", "molorag"])["systems"]
    assert list(found) == ["pdf_base", "mact"]
    base, mact = found["pdf_base"], found["mact"]
    assert (base["accuracy"], base["gold_read"], base["pages_read"], base["tokens"]) == (0.5, 0.5, 5, 100)
    assert (mact["accuracy"], mact["calls"], mact["seconds"], mact["times_base"]) == (0, 7.5, 8, 4)
    assert 0 <= base["interval"][0] < 0.5 < base["interval"][1] <= 1


def test_a_run_that_failed_is_wrong_and_costs_nothing() -> None:
    failed = {"question": "b", "system": "pdf_base", "right": False, "answer": "", "seconds": 0, "error": "too long"}
    found = table([row("a", "pdf_base", True), failed], ["pdf_base"])["systems"]["pdf_base"]
    assert (found["questions"], found["failed"], found["accuracy"], found["calls"]) == (2, 1, 0.5, 1)


def test_the_table_in_words() -> None:
    said = markdown(table([row("a", "m3docrag", True)], ["m3docrag"]))
    assert "| M3DocRAG | 1 | 1.00 (1.00 to 1.00) | 1.00 | 5.0 | 1.0 | 100 | – |" in said


def test_a_line_that_was_cut_short_is_asked_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = tmp_path / "rows.jsonl"
    kept.write_text(json.dumps(row("a", "mact", True)) + '\n{"question": "b", "sys', encoding="utf-8")
    monkeypatch.setattr(pdf_systems, "ROWS", kept)
    assert [one["question"] for one in known(pdf_systems.ROWS)] == ["a"]


def test_encoding_the_pages_is_charged_to_none() -> None:
    example = pdf_systems.read_pdf_examples(pdf_systems.PDFS)[0]
    (gold, *_) = example.question.gold_pages
    calls = [
        Call(stage="pages: encode", model="m", kind="embed", prompt_tokens=900, new_tokens=0, seconds=9),
        Call(stage="answer", model="m", kind="generate", prompt_tokens=70, new_tokens=5, seconds=2),
    ]
    pages = tuple(Page(page=i, rank=gold - i if i <= gold else None, kept=i == gold) for i in range(gold + 2))
    record = RunRecord(
        run_id="r", created="", system="pdf_base", question=Question(text="q", answers=("1937",)), documents=(),
        settings=RunSettings(), models={}, pages=pages, calls=tuple(calls), final=Final(answer="In 1937."),
    )  # fmt: skip
    made = pdf_systems._row(record, example)
    assert (made["tokens_in"], made["tokens_out"], made["seconds"], made["calls"]) == (70, 5, 2, 1)
    assert (made["right"], made["rank"], made["read_at"]) == (True, 1, 1)
