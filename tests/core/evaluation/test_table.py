from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from core.evaluation.numbers import Numbers
from core.evaluation.table import SetTable, open_table
from core.evaluation.table_view import Labelled, Query, View, group_values, natural, neighbour
from tests.core.evaluation.handmade import row, write


@pytest.fixture
def table(tmp_path: Path) -> SetTable:
    """Three questions, two systems; the second system failed on question 2."""
    rows = [
        row(0, "duquad", True, lost_at="none", meta={"hops": "2", "type": "bridge; comparison"}),
        row(0, "vanilla", False, lost_at="judged_wrong", meta={"hops": "2", "type": "bridge; comparison"}),
        row(1, "duquad", True, lost_at="pruned", lucky=True, seconds=9.0, meta={"hops": "10", "type": "bridge"}),
        row(1, "vanilla", True, lost_at="none", meta={"hops": "10", "type": "bridge"}),
        row(2, "duquad", False, lost_at="below_k", question="Émile Zola?", seconds=1.0, meta={"hops": "3"}),
        row(2, "vanilla", None, error="no memory", meta={"hops": "3"}),
    ]
    return open_table(write(tmp_path / "set", rows))


def shown(table: SetTable, **query: object) -> list[int]:
    return View(table).select(Query.model_validate(query)).tolist()


def test_results_are_read_in_the_order_of_the_file(table: SetTable) -> None:
    assert table.systems == ("duquad", "vanilla") and table.damaged == 0
    assert [[item.system for item in rows] for rows in table.questions] == [["duquad", "vanilla"]] * 3
    assert table.groups == ("hops", "type") and table.metrics == ("accuracy",)


def test_the_frame_has_a_row_an_answer(table: SetTable) -> None:
    frame = table.frame
    assert frame["question"].tolist() == [0, 0, 1, 1, 2, 2]
    assert frame["mark"].tolist() == ["right", "wrong", "lucky", "right", "wrong", "error"]
    assert frame["right"].isna().tolist() == [False] * 5 + [True]
    assert frame["score:accuracy"].iloc[:5].tolist() == [1, 0, 1, 1, 0] and np.isnan(frame["score:accuracy"].iloc[5])
    assert frame["meta:type"].isna().tolist() == [False] * 4 + [True] * 2


def test_an_empty_folder_is_an_empty_table(tmp_path: Path) -> None:
    table = open_table(tmp_path)
    assert table.questions == () and table.frame.empty and shown(table) == [] and table.numbers == {}


def test_torn_and_foreign_lines_are_passed_over_and_counted(tmp_path: Path) -> None:
    folder = write(tmp_path / "set", [row(0), row(1)])
    whole = (folder / "results.jsonl").read_text()
    (folder / "results.jsonl").write_text("[]\n" + whole + '{"id": "q3", "schema"')
    table = open_table(folder)
    assert [item.id for item in table.rows] == ["q0", "q1"] and table.damaged == 2


def test_an_answer_that_stands_twice_counts_once(tmp_path: Path) -> None:
    table = open_table(write(tmp_path / "set", [row(0, right=True), row(1), row(0, right=False)]))
    assert [(item.id, item.right) for item in table.rows] == [("q0", True), ("q1", True)]


def test_numbers_belong_to_rows_and_the_last_line_counts(tmp_path: Path) -> None:
    numbers = tuple(Numbers(id=name, system="duquad", documents=n) for name, n in (("q0", 1), ("q0", 2), ("q9", 3)))
    table = open_table(write(tmp_path / "set", [row(0)], numbers))
    assert {key: line.documents for key, line in table.numbers.items()} == {("q0", "duquad"): 2}


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({}, [0, 1, 2]),
        ({"search": "QUESTION 1"}, [1]),
        ({"search": "émile"}, [2]),
        ({"search": "answer lassell 0"}, [0]),  # every word, wherever it stands
        ({"search": "nowhere"}, []),
        ({"marks": ("wrong",)}, [0, 2]),
        ({"marks": ("wrong",), "system": "duquad"}, [2]),
        ({"marks": ("lucky", "error")}, [1, 2]),
        ({"stages": ("pruned",)}, [1]),
        ({"stages": ("none",), "marks": ("wrong",)}, []),  # of one and the same answer
        ({"stages": ("judged_wrong",), "system": "duquad"}, []),
        ({"groups": {"hops": ("10", "3")}}, [1, 2]),
        ({"groups": {"type": ("comparison",)}}, [0]),  # one of several values
        ({"groups": {"type": ("bridge",), "hops": ("10",)}}, [1]),
        ({"groups": {"type": ()}}, [0, 1, 2]),
        ({"disagree": True}, [0]),
        ({"descending": True}, [2, 1, 0]),
        ({"sort": "seconds", "system": "duquad"}, [0, 2, 1]),
        ({"sort": "seconds", "system": "duquad", "descending": True}, [1, 2, 0]),
        ({"sort": "question"}, [2, 0, 1]),  # É is an e
        ({"sort": "stage", "system": "duquad"}, [2, 1, 0]),
        ({"sort": "mark", "system": "duquad"}, [0, 2, 1]),
    ],
)
def test_filters_and_order(table: SetTable, query: dict[str, object], expected: list[int]) -> None:
    assert shown(table, **query) == expected


def test_labels_filter_and_sort(table: SetTable) -> None:
    labelled = Labelled({("q1", "duquad"): frozenset({"wrong", "made up"}), ("q2", "duquad"): frozenset({"right"})})
    view = View(table)

    def ask(**query: object) -> list[int]:
        return view.select(Query.model_validate({"system": "duquad", **query}), labelled).tolist()

    assert ask(labels=("made up",)) == [1]
    assert ask(labels=("unlabelled",)) == [0]
    assert ask(labels=("unlabelled", "right")) == [0, 2]
    assert ask(sort="label") == [0, 1, 2]


def test_stepping_stays_in_what_is_shown() -> None:
    order = np.array([4, 2, 9])
    assert neighbour(order, 4, 1) == 2 and neighbour(order, 9, 1) == 9 and neighbour(order, 4, -1) == 4
    assert neighbour(order, 2, 5) == 9
    assert neighbour(order, 7, 1) == neighbour(order, None, 1) == 4  # not shown any more
    assert neighbour([], 4, 1) is None


def test_numbers_in_names_sort_by_size(table: SetTable) -> None:
    assert sorted(["line 10", "line 9", "Line 2", ""], key=natural) == ["", "Line 2", "line 9", "line 10"]
    assert group_values(table) == {"hops": ("2", "3", "10"), "type": ("bridge", "comparison")}


def test_a_query_bounds_what_it_takes() -> None:
    with pytest.raises(ValueError, match="500"):
        Query(search="x" * 501)
    with pytest.raises(ValueError, match="marks"):
        Query.model_validate({"marks": ["excellent"]})


def test_foreign_rows_cannot_break_the_table(tmp_path: Path) -> None:
    folder = write(tmp_path / "set", [])
    hostile = json.loads(row(0).model_dump_json(by_alias=True, exclude_none=True)) | {"record": "../../etc/passwd"}
    hostile |= {"id": "<img src=x onerror=alert(1)>", "meta": {"hops": "9" * 400}}
    (folder / "results.jsonl").write_text(json.dumps(hostile) + "\n")
    table = open_table(folder)
    assert shown(table, sort="question", groups={"hops": ("9" * 400,)}) == [0]
