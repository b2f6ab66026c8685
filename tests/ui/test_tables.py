import csv
import io

import pytest

from core.records import RunRecord
from tests.ui.handmade import entry, handmade
from tests.ui.sample import GOLD, STAGES, sample
from ui import export, tables
from ui.derived import derive


def test_documents_in_numbers():
    record = handmade((1.0, 2.0, 1.0))
    headers, rows = tables.documents_rows(record, derive(record))
    assert dict(zip(headers, rows[1], strict=True)) == {
        "document": 2,
        "title": "Title 1",
        "gold": "gold",
        "attention (%)": 50.0,
        "attention rank": 1,
        "trend (%)": 25.0,
        "contrast (points)": 50.0,
        "semantic": 1.0,
        "query NLL": 2.0,
        "SFS": round(derive(record).ranking[0].score, 5),
        "SFS place": 1,
        "fate": "in the local view",
    }


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("n", [1, 2, 20])
def test_rows_fit_their_headers_at_every_stage(n, stage):
    record = sample(n, stage)
    derived = derive(record)
    for headers, rows in (
        tables.documents_rows(record, derived),
        tables.pool_rows(record, derived),
        tables.calls_rows(record),
    ):
        assert all(len(row) == len(headers) for row in rows)
    assert len(tables.documents_rows(record, derived)[1]) == n
    assert len(tables.calls_totals(record)) == len(tables.calls_rows(record)[0])


def test_pool_in_numbers():
    record = handmade(pool=(entry(1, 0.8, True), entry(0, 0.2, False)))
    assert tables.pool_rows(record, derive(record))[1] == [
        [2, "Title 1", "gold", "local and global", 0.8, "spoken", "quoted", "text", ""],
        [1, "Title 0", "", "local and global", 0.2, "spoken", "pruned", "text", ""],
    ]


def test_the_exported_record_opens_again():
    record = sample()
    assert RunRecord.from_json(export.record_json(record)) == record


def read(text):
    return list(csv.reader(io.StringIO(text)))


def test_csv_holds_the_same_cells():
    record = sample()
    derived = derive(record)
    lines = read(export.documents_csv(record, derived))
    assert lines[0] == tables.documents_rows(record, derived)[0]
    assert lines[GOLD + 1][:4] == ["10", "I Want a Hippopotamus for Christmas", "gold", "6.547"]
    assert len(read(export.pool_csv(record, derived))) == 4
    assert len(read(export.calls_csv(record))) == 5


def test_csv_of_a_formula_is_text_but_a_negative_number_stays_one():
    record = sample()
    lines = read(export.documents_csv(record, derive(record)))
    assert lines[7][1] == '\'=HYPERLINK("http://x.example")'
    assert float(lines[2][6]) < 0


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        ("=1+1", "'=1+1"),
        ("+1", "'+1"),
        ("-1", "'-1"),
        ("@a", "'@a"),
        ("\ta", "'\ta"),
        ("\ra", "'\ra"),
        (" =1", "' =1"),
        ("＝1", "'＝1"),
        (-1, "-1"),
        (-0.5, "-0.5"),
        (None, ""),
        ("plain", "plain"),
        ("", ""),
    ],
)
def test_cells_that_a_spreadsheet_would_run(cell, text):
    assert export.cell_text(cell) == text


def test_csv_of_a_run_that_has_just_begun():
    record = sample(2, "start")
    assert read(export.documents_csv(record, None))[1] == [
        "1",
        *read(export.documents_csv(record, None))[1][1:3],
        *[""] * 9,
    ]
    assert read(export.pool_csv(record, None)) == [tables.pool_rows(record, None)[0]]
