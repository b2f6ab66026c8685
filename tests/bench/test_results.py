"""The table of results, on rows made by hand; nothing is measured."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.models.scripted import scripted_models
from tests.bench import results
from tests.core.baselines.asking import request


def row(
    question: int, place: int, system: str, right: bool, rank: int | None = None, seconds: float = 1
) -> results.Row:
    return {
        "question": question,
        "place": place,
        "system": system,
        "right": right,
        "answer": "x",
        "rank": rank,
        "read_at": rank,
        "read": 20,
        "calls": 1,
        "tokens_in": 90,
        "tokens_out": 10,
        "seconds": seconds,
        "times_vanilla": seconds,
    }


ROWS = [
    row(question, place, system, right=system == "bm25" or (question == 0 and place == 19), rank=rank, seconds=seconds)
    for question in range(4)
    for place in results.PLACES
    for system, rank, seconds in (("vanilla", None, 1.0), ("bm25", 1 + (question > 1), 1.5))
]


def test_figures_by_hand() -> None:
    found = results.table(ROWS, ["vanilla", "bm25"])["systems"]
    assert found["vanilla"]["accuracy"] == pytest.approx(1 / 12, abs=1e-4)
    assert found["vanilla"]["by_place"] == {"1": 0.0, "10": 0.0, "20": 0.25}
    assert found["vanilla"]["gold_first"] is None and found["vanilla"]["against_vanilla"]["mean"] == 0
    assert found["bm25"]["accuracy"] == 1 and found["bm25"]["interval"] == [1, 1]
    assert found["bm25"]["gold_first"] == 0.5 and found["bm25"]["times_vanilla"] == 1.5
    assert found["bm25"]["against_vanilla"]["mean"] == pytest.approx(11 / 12, abs=1e-4)
    low, high = found["vanilla"]["interval"]  # of four questions: three at 0, one at a third
    assert low == 0 and high == pytest.approx(0.25, abs=0.01)


def test_questions_count_once_and_only_with_all_their_places() -> None:
    more = [*ROWS, *(dict(one, right=False) for one in ROWS), row(9, 0, "bm25", False)]
    assert results.table(more, ["vanilla", "bm25"]) == results.table(ROWS, ["vanilla", "bm25"])
    assert results.table([], ["vanilla"])["systems"] == {}


def test_the_table_has_a_line_for_each_system() -> None:
    lines = results.markdown(results.table(ROWS, ["vanilla", "bm25", "dense"])).splitlines()
    assert len(lines) == 6 and lines[0].startswith("NQ-pool-20, a stand-in")
    assert len({line.count("|") for line in lines[2:]}) == 1
    assert lines[4].startswith("| Vanilla | 4 | 0.083 (")


def test_what_was_cut_short_is_asked_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps(ROWS[0]) + "\n" + json.dumps(ROWS[1])[:40], encoding="utf-8")
    monkeypatch.setattr(results, "ROWS", path)
    assert results.known(results.ROWS) == ROWS[:1]


def test_only_what_is_missing_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps(row(results.FIRST, 0, "bm25", True)), encoding="utf-8")
    monkeypatch.setattr(results, "ROWS", path)
    monkeypatch.setattr(results, "pool20", lambda place: [request("x")] * (results.FIRST + 1))
    monkeypatch.setattr(results, "models", scripted_models)
    batches = list(results.asked(["vanilla", "bm25"], 1, "each", float("inf")))
    assert [[(one["place"], one["system"]) for one in batch] for batch in batches] == [
        [(0, "vanilla")],
        [(9, "vanilla"), (9, "bm25")],
        [(19, "vanilla"), (19, "bm25")],
    ]
    with pytest.raises(results.OutOfTime):
        list(results.asked(["bm25", "dense"], 1, "each", 0.0))


def test_rows_say_where_gold_went() -> None:
    found = {
        one["system"]: one for one in results.ask(request("x"), scripted_models(), ["vanilla", "bm25"], 7, 9, "each")
    }
    assert found["vanilla"]["rank"] is None and found["vanilla"]["read_at"] == 10
    assert found["bm25"]["rank"] == 1 and found["bm25"]["read_at"] == 1 and found["bm25"]["read"] == 20
    assert found["vanilla"]["times_vanilla"] == 1 and found["vanilla"]["right"] is True
