from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pandas as pd
import pytest

from core.evaluation.analyses import loss_flow
from core.evaluation.export import analysis_csv, analysis_json, as_csv, as_jsonl, as_parquet, shown
from core.evaluation.labels import LabelStore
from core.evaluation.labels_record import Label
from core.evaluation.table import SetTable, open_table
from core.evaluation.table_view import Query, View
from tests.core.evaluation.handmade import row, write

FORMULA = '=HYPERLINK("http://x","y")'


@pytest.fixture
def table(tmp_path: Path) -> SetTable:
    rows = [
        row(0, "duquad", False, answer=FORMULA, lost_at="pruned", seconds=1.5, meta={"id": "a group called id"}),
        row(0, "vanilla", True, answer="one\ntwo \u202e three", meta={"id": "a group called id"}),
        row(1, "duquad", True, answers=("a", "b")),
        row(2, "duquad", None, error="no memory"),
    ]
    return open_table(write(tmp_path / "set", rows))


def test_what_is_shown_is_what_is_written(table: SetTable) -> None:
    order = View(table).select(Query(marks=("wrong", "error"), descending=True))
    seen = shown(table, order)
    cells = [dict(zip(seen.columns, cells, strict=True)) for cells in seen.rows]
    assert [line["id"] for line in cells] == ["q2", "q0"]
    assert cells[1]["duquad: mark"] == "wrong" and cells[1]["duquad: lost at"] == "pruned"
    assert cells[1]["group: id"] == "a group called id" and cells[0]["duquad: error"] == "no memory"
    assert cells[0]["vanilla: mark"] is None  # did not answer

    lines = [json.loads(line) for line in as_jsonl(seen).decode().splitlines()]
    assert lines == cells
    frame = pd.read_parquet(io.BytesIO(as_parquet(seen)))
    assert tuple(frame.columns) == seen.columns
    assert frame["duquad: answer"].tolist() == ["answer 2", FORMULA]
    assert frame["duquad: seconds"].tolist() == [0.0, 1.5] and frame["vanilla: mark"].isna().tolist() == [True, False]
    read = list(csv.reader(io.StringIO(as_csv(seen).decode())))
    assert tuple(read[0]) == seen.columns and len(read) == 3


def test_csv_is_safe_against_formulas_and_shows_hidden_characters(table: SetTable) -> None:
    read = list(csv.DictReader(io.StringIO(as_csv(shown(table, [0])).decode())))
    assert read[0]["duquad: answer"] == f"'{FORMULA}"
    assert read[0]["vanilla: answer"] == "one two ⟨U+202E⟩ three"


def test_labels_of_several_reviewers_stand_in_the_same_order(table: SetTable) -> None:
    store = LabelStore(table.folder)
    about = {"question": "q0", "system": "duquad"}
    store.save(Label.model_validate({**about, "reviewer": "Ada", "verdict": "wrong", "failure": "made up"}))
    store.save(Label.model_validate({**about, "reviewer": "Bob", "verdict": "right", "note": "@note"}))
    seen = shown(table, [0], store.current(), systems=("duquad",))
    cells = dict(zip(seen.columns, seen.rows[0], strict=True))
    assert cells["duquad: verdict"] == "wrong | right" and cells["duquad: reviewer"] == "Ada | Bob"
    assert cells["duquad: failure"] == "made up | " and cells["duquad: note"] == " | @note"
    assert cells["duquad: corrected"] is None and "vanilla: answer" not in cells


def test_nothing_shown_is_still_a_table(table: SetTable, tmp_path: Path) -> None:
    for empty in (shown(table, []), shown(open_table(tmp_path), [])):
        assert as_jsonl(empty) == b""
        assert as_csv(empty).decode().strip() == ",".join(empty.columns)
        assert tuple(pd.read_parquet(io.BytesIO(as_parquet(empty))).columns) == empty.columns


def test_an_analysis_is_written_with_its_note(table: SetTable) -> None:
    found = loss_flow(table)
    assert analysis_csv(found).decode().splitlines()[0] == "system,stage,mark,answers"
    assert json.loads(analysis_json(found))["note"] == found.note
