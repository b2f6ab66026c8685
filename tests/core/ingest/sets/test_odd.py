"""Files that are nearly right: what can be read is read, and the rest is told."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from core.ingest.lines import InputError
from core.ingest.sets.question_set import open_set
from core.set_record import SetQuestion
from tests.core.ingest.sets.files import put, workbook

ROW = {"question": "Who?", "answers": ["Ed"], "ctxs": [{"title": "A", "text": "Ed did."}]}
LINE = json.dumps(ROW) + "\n"


def read(path: Path) -> tuple[list[SetQuestion], str]:
    """The questions, and all that is said of what was left out."""
    found = open_set(path)
    return list(found), " ".join(f"{one.place}: {one.reason}" for one in found.skipped)


def test_a_number_too_long_to_write_out_costs_its_own_row(tmp_path: Path) -> None:
    table = f"question,answer,context\nq,[0x{'f' * 6000}],doc\nWho?,Ed,Ed did.\n"
    questions, said = read(put(tmp_path, table))
    assert [one.question.text for one in questions] == ["Who?"]
    assert "line 2" in said and "more digits" in said


def test_no_two_questions_have_one_id(tmp_path: Path) -> None:
    lines = "".join(json.dumps({**ROW, "id": name}) + "\n" for name in ("a#3", "a", "a", "a#3"))
    questions, _ = read(put(tmp_path, lines))
    ids = [one.id for one in questions]
    assert len(set(ids)) == len(ids) == 4 and ids[:2] == ["a#3", "a"]


def test_answers_are_the_same_whatever_the_hash_seed(tmp_path: Path) -> None:
    path = put(tmp_path, "question,answer,context\nWho?,\"{'a','b','c','d','e'}\",Ed did.\n")
    code = "import sys; from pathlib import Path; from core.ingest.sets.question_set import open_set; "
    code += "print(list(open_set(Path(sys.argv[1]))))"
    said = {
        subprocess.run(
            [sys.executable, "-c", code, str(path)],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(said) == 1


def test_a_list_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    questions, said = read(put(tmp_path, b"\xef\xbb\xbf" + json.dumps([ROW, ROW]).encode()))
    assert len(questions) == 2 and "damaged" not in said


@pytest.mark.parametrize("whole", [LINE * 2, json.dumps([ROW, ROW])], ids=["lines", "list"])
def test_what_was_unpacked_before_junk_is_kept(tmp_path: Path, whole: str) -> None:
    questions, said = read(put(tmp_path, gzip.compress(whole.encode()) + b"junk behind"))
    assert len(questions) == 2
    assert "damaged" in said


@pytest.mark.parametrize("more", ["[]", "junk", json.dumps([ROW])])
def test_what_follows_a_list_is_told(tmp_path: Path, more: str) -> None:
    questions, said = read(put(tmp_path, json.dumps([ROW]) + more))
    assert len(questions) == 1 and "after row 1" in said


def test_a_table_of_too_many_columns_is_refused_at_once(tmp_path: Path) -> None:
    names = ",".join(f"c{place}" for place in range(30_000))
    with pytest.raises(InputError, match="30,000 columns; at most 500"):
        open_set(put(tmp_path, f"{names}\n{names}\n"))


def test_a_sheet_with_two_columns_of_one_name_is_refused_as_a_table_is(tmp_path: Path) -> None:
    heads = ("question", "answer", "context", "context")
    sheet = put(tmp_path, workbook(heads, ("Who?", "Ed", "Ed did.", "Bo did not.")), "sheet")
    table = put(tmp_path, f"{','.join(heads)}\nWho?,Ed,Ed did.,Bo did not.\n")
    for path in (sheet, table):
        with pytest.raises(InputError, match=r"Two columns of this .* are called 'context'"):
            open_set(path)
