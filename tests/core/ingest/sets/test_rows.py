"""Files of every kind, whole, damaged and hostile."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from core.ingest.lines import InputError
from core.ingest.sets import json_rows
from core.ingest.sets.library import Library
from core.ingest.sets.question_set import open_set
from core.ingest.sets.rows import container, rows
from core.ingest.sets.values import Raw
from core.set_record import Skipped
from tests.core.ingest.sets import files
from tests.core.ingest.sets.files import archive, lines, packed, parquet, put, workbook

TABLE = [{"question": "q1?", "answer": "a", "text": "t"}, {"question": "q2?", "answer": "b", "text": "u"}]


def fields(path: Path) -> list[object]:
    return [row.fields if isinstance(row, Raw) else row.reason for row in rows(path)]


@pytest.mark.parametrize(
    ("content", "kind", "place"),
    [
        (lines(*TABLE), "json_lines", "line 1"),
        (b"\xef\xbb\xbf" + lines(*TABLE), "json_lines", "line 1"),
        (packed(lines(*TABLE)), "json_lines", "line 1"),
        (json.dumps(TABLE).encode(), "json", "row 1"),
        (b" \n" + json.dumps(TABLE, indent=2).encode(), "json", "row 1"),
        (packed(json.dumps(TABLE).encode()), "json", "row 1"),
        (json.dumps({"version": 1, "data": TABLE}).encode(), "json", "row 1"),
        (json.dumps({"rows": [{"row_idx": 0, "row": row} for row in TABLE]}, indent=1).encode(), "json", "row 1"),
        (b"question,answer,text\nq1?,a,t\nq2?,b,u\n", "csv", "line 2"),
        (b"question|answer|text\r\nq1?|a|t\r\nq2?|b|u\r\n", "csv", "line 2"),
        (packed(b"question;answer;text\nq1?;a;t\nq2?;b;u"), "csv", "line 2"),
        (b"question\tanswer\ttext\nq1?\ta\tt\n\nq2?\tb\tu\n", "csv", "line 2"),
    ],
)
def test_text_files_by_their_content(tmp_path: Path, content: bytes, kind: str, place: str) -> None:
    path = put(tmp_path, content, "file.xlsx")
    assert container(path) == kind and fields(path) == TABLE
    first = next(rows(path))
    assert isinstance(first, Raw) and first.place == place


def test_parquet_and_excel_are_read_by_the_limited_process(tmp_path: Path) -> None:
    path = put(tmp_path, parquet([row | {"picture": b"\x00" * 10} for row in TABLE]))
    assert container(path) == "parquet" and fields(path) == TABLE
    path = put(tmp_path, workbook((), ("question", "answer", None), ("q1?", 1.0, None), (None, None, None), ("q2?",)))
    assert container(path) == "excel"
    assert fields(path) == [
        {"question": "q1?", "answer": 1, "column 3": None},
        {"question": "q2?", "answer": None, "column 3": None},
    ]
    assert [row.place for row in rows(path)] == ["row 3", "row 5"]


def test_nested_columns_of_parquet(tmp_path: Path) -> None:
    found = open_set(put(tmp_path, parquet([files.HOTPOT_HUB, files.HOTPOT_HUB])))
    assert found.format == "hotpotqa" and [question.question.gold for question in found] == [(0, 2)] * 2
    assert open_set(put(tmp_path, parquet([files.MMLONG]))).format == "mmlongbench"


def test_cells_that_hold_line_breaks_and_rows_of_another_length(tmp_path: Path) -> None:
    path = put(tmp_path, 'question,answer\n"two\nlines",a\nonly one\nq,b\n')
    assert fields(path) == [
        {"question": "two\nlines", "answer": "a"},
        "has 1 cells; 2 are expected, as in the first line.",
        {"question": "q", "answer": "b"},
    ]
    assert [row.place for row in rows(path)] == ["line 2", "line 4", "line 5"]


@pytest.mark.parametrize(
    ("content", "kept", "said"),
    [
        (lines(*TABLE) + b"{broken\n" + lines(TABLE[0]), 3, "line 3: not JSON"),
        (lines(TABLE[0]) + b"\xff\xfe\n", 1, "line 2: not UTF-8"),
        (packed(lines(*TABLE * 500))[:-20], None, "the file: The file is damaged"),
        (json.dumps(TABLE).encode()[:-5], 1, "the file: it is damaged after row 1"),
        (b'[1, {"question": "q"}, "x"]', 1, "row 1: a number; a JSON object"),
        (b"[" * 100_000, 0, "row 1: nested too deeply"),
        (b'[{"a": ' + b"1" * 10_000 + b"}]", 0, "the file: it is damaged after row 0"),
        (b'[{"a": {"b": [1, {"c": "d"}]}, "e": 2.5}, {}]', 2, ""),
        (json.dumps([TABLE[0], {"a": "x" * 100}]).encode(), 2, ""),
    ],
)
def test_what_is_broken_is_named_and_the_rest_is_read(
    tmp_path: Path, content: bytes, kept: int | None, said: str
) -> None:
    found = list(rows(put(tmp_path, content)))
    if kept is not None:
        assert sum(isinstance(row, Raw) for row in found) == kept
    told = [f"{row.place}: {row.reason}" for row in found if isinstance(row, Skipped)]
    assert any(text.startswith(said) for text in told) or not said


def test_a_row_without_end_is_not_held_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from dataclasses import replace

    small = replace(json_rows.LIMITS, line_chars=100_000)
    monkeypatch.setattr(json_rows, "LIMITS", small)
    path = put(tmp_path, b'[{"question": "q"}, {"a": [' + b"0," * 2_000_000 + b"0]}]")
    (first, second) = rows(path)
    assert isinstance(first, Raw) and isinstance(second, Skipped)
    assert second.place == "row 2" and "longer than 100,000 characters" in second.reason
    monkeypatch.setattr(json_rows, "LIMITS", replace(json_rows.LIMITS, file_bytes=300_000))
    path = put(tmp_path, packed(json.dumps([{"question": "q" * 900}] * 1000).encode()))
    *_, last = rows(path)
    assert isinstance(last, Skipped) and "unpacks to more than" in last.reason


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "empty"),
        (b"  \n ", "empty"),
        (b"just some text\n", "no question set that is known"),
        (b"a,a\n1,2\n", "called 'a'"),
        (b'{\n"a": [1],\n"b": {"data": []}}', "no list of questions"),
        (b"%PDF-1.7", "a PDF, not a question file"),
        (b"PAR1 and no more", "damaged|cannot be read"),
        (b"\xff\xfea\x00", "UTF-16"),
        (packed(b"")[:5], "damaged"),
        (b"BZh91AY", "bzip2"),
    ],
)
def test_files_that_cannot_be_used_at_all(tmp_path: Path, content: bytes, said: str) -> None:
    with pytest.raises(InputError, match=said):
        list(rows(put(tmp_path, content)))
        open_set(put(tmp_path, content))


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no file"):
        open_set(tmp_path / "nothing")


@pytest.mark.parametrize(
    ("members", "said"),
    [
        ({"bomb.pdf": b"\x00" * 30_000_000}, "packed 200 times or more"),
        ({f"{n}.txt": b"" for n in range(5_001)}, "5,001 files"),
    ],
)
def test_bombs_are_refused(tmp_path: Path, members: dict[str, bytes], said: str) -> None:
    with pytest.raises(InputError, match=said):
        open_set(put(tmp_path, archive(members)))


def test_a_workbook_that_is_a_bomb(tmp_path: Path) -> None:
    content = archive({"xl/workbook.xml": b"<x/>", "xl/worksheets/sheet1.xml": b"0" * 30_000_000})
    with pytest.raises(InputError, match="packed 200 times"):
        open_set(put(tmp_path, content))


def test_an_archive_with_questions_and_pdfs(tmp_path: Path) -> None:
    members = {
        "__MACOSX/._x": b"junk",
        "readme.txt": b"Hello, and welcome.",
        "set/questions.jsonl": lines(files.MMLONG),
        "set/pdfs/annual.pdf": files.pdf(2),
        "../../evil.pdf": files.pdf(1),
        "other/annual.pdf": files.pdf(9),
    }
    found = open_set(put(tmp_path, archive(members)))
    assert found.name == "questions.jsonl" and found.format == "mmlongbench"
    kept = found.pdf("Annual")
    assert kept and kept.read_bytes().startswith(b"%PDF-") and kept.name.isdecimal()
    evil = found.pdf("evil.pdf")
    assert evil and tmp_path not in evil.parents and evil.parent == kept.parent
    assert found.summary().pdfs_missing == ()
    found.close()
    assert not kept.exists()


def test_a_folder_with_questions_and_pdfs(tmp_path: Path) -> None:
    put(tmp_path, lines(files.MMLONG), "b.json")
    put(tmp_path, "notes", "a.txt")
    put(tmp_path, files.pdf(), "annual.pdf")
    found = open_set(tmp_path)
    assert found.name == "b.json" and found.pdf("annual.pdf") == tmp_path / "annual.pdf"
    with pytest.raises(InputError, match="no question file"):
        open_set(put(tmp_path, archive({"annual.pdf": files.pdf()}), "only.zip"))
    with pytest.raises(InputError, match="neither a PDF nor"):
        open_set(tmp_path / "b.json", pdfs=tmp_path / "a.txt")


def test_an_archive_with_a_password_and_one_that_is_damaged(tmp_path: Path) -> None:
    content = bytearray(archive({"a.txt": b"x" * 50}, zipfile.ZIP_STORED))
    directory = content.find(b"PK\x01\x02")
    content[directory + 8] |= 1
    with pytest.raises(InputError, match="password"):
        open_set(put(tmp_path, bytes(content)))
    with pytest.raises(InputError, match="damaged"):
        open_set(put(tmp_path, b"PK\x03\x04 and no more"))


def test_a_library_finds_pdfs_by_name_and_counts_their_pages(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    put(tmp_path / "a", files.pdf(2), "x.pdf")
    put(tmp_path, b"%PDF-1.7 broken", "y.pdf")
    put(tmp_path, b"no pdf at all", "z.pdf")
    library = Library()
    library.add_folder(tmp_path)
    library.count(["X", "y.pdf", "z.pdf", "gone"])
    assert (library.pages("x.PDF"), library.pages("y"), library.pages("z"), library.pages("gone")) == (
        2,
        None,
        None,
        None,
    )
    assert library.pdf("../a/x.pdf") is None and [name for name, _ in library.others] == ["z.pdf"]


@hypothesis_settings(max_examples=60)
@given(st.one_of(st.binary(max_size=300), st.text(max_size=200).map(str.encode)))
def test_no_bytes_break_the_reader(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    if content.startswith((b"PK", b"PAR1")):
        return  # the limited process is slow to start; it is tested above
    path = put(tmp_path_factory.mktemp("any"), content)
    try:
        found = open_set(path)
    except InputError as error:
        assert str(error)
    else:
        assert found.summary().questions >= 0
