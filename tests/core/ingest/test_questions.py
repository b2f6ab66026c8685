from __future__ import annotations

import gzip
import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import core.ingest.lines
from core.ingest.questions import (
    InputError,
    QuestionFile,
    checked,
    read_questions,
    validate,
)
from core.records import Document, PdfRef, Question, Request, RunRecord, Source
from core.settings.limits import LIMITS
from core.settings.methods import RunSettings

SMALL = replace(
    LIMITS,
    documents=3,
    document_chars=100,
    question_chars=50,
    title_chars=20,
    answers=2,
    file_bytes=20_000,
    file_rows=30,
    line_chars=1_000,
)


def row(**changes: Any) -> dict[str, Any]:
    ctxs = [
        {"title": "Faust", "text": "Goethe wrote Faust.", "hasanswer": True, "isgold": True},
        {"id": "17", "title": "Räuber", "text": "Schiller wrote it.", "isgold": False, "score": "1.2"},
    ]
    fields = {"question": "who wrote Faust", "answers": ["Goethe", "J. W. Goethe"], "ctxs": ctxs} | changes
    return {name: value for name, value in fields.items() if value is not ...}


def lines(*rows: Any) -> bytes:
    return "\n".join(each if isinstance(each, str) else json.dumps(each) for each in rows).encode()


def only_problem(file: QuestionFile) -> str:
    assert file.items == () and len(file.problems) == 1
    return str(file.problems[0])


def test_a_row_of_lost_in_the_middle() -> None:
    file = read_questions(lines(row()))
    assert file.problems == ()
    (item,) = file.items
    assert item.line == 1
    assert item.question == Question(text="who wrote Faust", answers=("Goethe", "J. W. Goethe"), gold=(0,))
    assert item.documents == (
        Document(id="1", title="Faust", text="Goethe wrote Faust.", gold=True),
        Document(id="17", title="Räuber", text="Schiller wrote it.", gold=False),
    )


def test_what_may_be_missing() -> None:
    ctxs = [{"text": "only text"}, {"text": "t", "id": 5, "title": None, "isgold": None}]
    (item,) = read_questions(lines(row(answers=..., ctxs=ctxs))).items
    assert item.question.answers == () and item.question.gold == ()
    assert [document.gold for document in item.documents] == [None, None]
    assert [document.id for document in item.documents] == ["1", "5"]
    (item,) = read_questions(lines(row(answers="Goethe", ctxs=ctxs[:1]))).items
    assert item.question.answers == ("Goethe",) and len(item.documents) == 1


def test_gzip_is_known_by_content_and_never_by_name(tmp_path: Path) -> None:
    (tmp_path / "plain.jsonl").write_bytes(gzip.compress(lines(row())))
    (tmp_path / "packed.gz").write_bytes(lines(row()))
    for name in ("plain.jsonl", "packed.gz"):
        assert len(read_questions(tmp_path / name).items) == 1
        assert len(read_questions(str(tmp_path / name)).items) == 1


def test_line_ends_blank_lines_and_a_bom() -> None:
    content = b"\xef\xbb\xbf" + lines(row()) + b"\r\n\r\n   \n" + lines(row()) + b"\n"
    file = read_questions(content)
    assert [item.line for item in file.items] == [1, 4] and file.problems == ()


def test_line_separators_inside_a_text_are_no_line_ends() -> None:
    text = "one\u2028two\x85three\x0cfour"
    raw = json.dumps(row(ctxs=[{"text": text}]), ensure_ascii=False).encode()
    assert read_questions(raw).items[0].documents[0].text == text


def test_a_broken_line_is_named_and_takes_no_other_with_it() -> None:
    rows: list[Any] = [row() for _ in range(30)]
    rows[16] = '{"question": "who", "answers": ['
    file = read_questions(lines(*rows))
    assert len(file.items) == 29
    (problem,) = file.problems
    assert problem.line == 17 and str(problem).startswith("Line 17: not JSON")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("[1, 2]", "a list; a JSON object is expected"),
        ('"text"', "a text; a JSON object"),
        ("null", "null; a JSON object"),
        ("5", "a number; a JSON object"),
        ("NaN", "a number; a JSON object"),
        ("[" * 200_000, "nested too deeply"),
        ('{"a":' * 200_000, "nested too deeply"),
        ('{"question": ' + "9" * 5000 + "}", "too many digits"),
        (row(question=...), "no 'question'"),
        (row(question=5), "'question' is a number"),
        (row(question="  "), "'question' is empty"),
        (row(question="x" * 4001), "4,001 characters; at most 4,000"),
        (row(answers=5), "'answers' is not a list"),
        (row(answers=["a", 1]), "'answers' is not a list of texts"),
        (row(answers=["a"] * 51), "51 entries; at most 50"),
        (row(answers=["a" * 4001]), "longer than 4,000"),
        (row(ctxs=...), "has no 'ctxs'"),
        (row(ctxs={}), "'ctxs' is an object"),
        (row(ctxs=[]), "'ctxs' is empty"),
        (row(ctxs=[{"text": "t"}] * 201), "201 documents; at most 200"),
        (row(ctxs=[{"text": "t"}, "no"]), "document 2 of 'ctxs': a text; an object"),
        (row(ctxs=[{"title": "t"}]), "document 1 of 'ctxs': has no 'text'"),
        (row(ctxs=[{"text": ""}]), "'text' is empty"),
        (row(ctxs=[{"text": ["a"]}]), "'text' is a list"),
        (row(ctxs=[{"text": "a", "title": 5}]), "'title' is a number"),
        (row(ctxs=[{"text": "a", "title": "x" * 501}]), "'title' has 501 characters"),
        (row(ctxs=[{"text": "a" * 400_001}]), "'text' has 400,001 characters"),
        (row(ctxs=[{"text": "a", "isgold": "yes"}]), "true or false is expected"),
        (row(ctxs=[{"text": "a", "id": []}]), "'id' is a list"),
    ],
)
def test_what_is_wrong_with_a_line_and_what_was_expected(line: Any, said: str) -> None:
    assert said in only_problem(read_questions(lines(line)))


def test_bytes_that_are_not_utf8_are_named() -> None:
    file = read_questions(lines(row()) + b'\n{"question": "caf\xe9"}\n' + lines(row()))
    assert len(file.items) == 2
    assert str(file.problems[0]) == "Line 2: not UTF-8 text: byte 18 is 0xe9."


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"%PDF-1.7\n", "a PDF"),
        (b"PK\x03\x04rest", "zip archive: unpack it"),
        ("{}".encode("utf-16"), "UTF-16"),
        (b"PAR1....", "Parquet"),
        (b"\x28\xb5\x2f\xfd....", "zstd"),
    ],
)
def test_files_of_another_kind_are_refused(content: bytes, said: str) -> None:
    with pytest.raises(InputError, match=said):
        read_questions(content)


@pytest.mark.parametrize("content", [b"", b"\n\n", b"\xef\xbb\xbf", gzip.compress(b"")])
def test_an_empty_file_says_so(content: bytes) -> None:
    assert "empty" in only_problem(read_questions(content))


def test_files_that_cannot_be_opened(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="There is no file"):
        read_questions(tmp_path / "nothing")
    with pytest.raises(InputError, match="is not a file"):
        read_questions(tmp_path)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match="is not a file"):
        read_questions(tmp_path / "pipe")
    with pytest.raises(InputError, match="cannot be opened"):
        read_questions("a\x00b")
    with pytest.raises(InputError):
        read_questions("x" * 5000)


def test_a_large_file_is_refused_unread(tmp_path: Path) -> None:
    with (tmp_path / "large").open("wb") as file:
        file.truncate(LIMITS.file_bytes + 1)
    with pytest.raises(InputError, match="100 MiB; at most 100"):
        read_questions(tmp_path / "large")
    with pytest.raises(InputError, match="at most"):
        read_questions(b"x" * 20_001, SMALL)


def test_a_zip_bomb_is_read_to_the_limit_only() -> None:
    bomb = gzip.compress(lines(row()) + b"\n" + b"0" * LIMITS.file_bytes, compresslevel=1)
    file = read_questions(bomb)
    assert len(file.items) == 1
    assert "unpacks to more than 100 MiB; what follows line 1 is left out" in str(file.problems[-1])


def test_a_file_of_line_breaks_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(core.ingest.lines, "MOST_LINES", 1000)
    assert "first 1,000 lines" in only_problem(read_questions(b"\n" * 5000))


@pytest.mark.parametrize("cut", [10, 30, -4])
def test_damaged_gzip_keeps_what_came_before(cut: int) -> None:
    packed = gzip.compress(lines(*[row()] * 5))
    file = read_questions(packed[:cut])
    assert "damaged" in str(file.problems[-1])
    assert len(file.items) <= 5


def test_a_line_that_is_too_long_is_passed_over() -> None:
    long = json.dumps(row(answers=["x" * 20_000])).encode()[:19_000]
    file = read_questions(lines(row(ctxs=[{"text": "a"}])) + b"\n" + long + b"\n", SMALL)
    assert [item.line for item in file.items] == [1]
    assert str(file.problems[0]) == "Line 2: longer than 1,000 characters."
    wide = json.dumps({"question": "ü" * 600 + "x" * 600}, ensure_ascii=False)
    assert "longer than 1,000" in only_problem(read_questions(wide.encode(), SMALL))


def test_rows_are_bounded() -> None:
    small_row = {"question": "q", "ctxs": [{"text": "a"}]}
    file = read_questions(lines(*[small_row] * 40), SMALL)
    assert len(file.items) == 30 and "first 30 rows" in str(file.problems[-1])


def test_a_thousand_problems_are_counted_not_listed() -> None:
    file = read_questions(b"x\n" * 1000)
    assert len(file.problems) == 51 and "950 more" in str(file.problems[-1])


def test_surrogates_and_nuls_are_replaced_and_nothing_else_is_touched() -> None:
    kept = "e\u0301 é \u202etfel\u202c 😀 <script> \t\x07 trailing "
    line = '{"question": "q\\ud800\\u0000", "ctxs": [{"text": ' + json.dumps(kept) + "}]}"
    (item,) = read_questions(line.encode()).items
    assert item.question.text == "q\ufffd\ufffd"
    assert item.documents[0].text == kept


@given(st.binary(max_size=400))
def test_any_bytes_raise_nothing_but_input_errors(content: bytes) -> None:
    for form in (content, b"\x1f\x8b" + content, gzip.compress(content)):
        try:
            file = read_questions(form, SMALL)
        except InputError:
            continue
        assert file.items or file.problems


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
_CTX = st.dictionaries(st.sampled_from(["title", "text", "isgold", "id", "gold"]), _JSON)
_ROW = st.fixed_dictionaries(
    {}, optional={"question": st.text(max_size=9) | _JSON, "answers": _JSON, "ctxs": st.lists(_CTX, max_size=3) | _JSON}
)


@given(st.lists(_ROW | _JSON, min_size=1, max_size=4))
def test_any_rows_become_items_or_problems(rows: list[Any]) -> None:
    file = read_questions("\n".join(map(json.dumps, rows)).encode())
    assert sorted([item.line for item in file.items] + [problem.line for problem in file.problems]) == list(
        range(1, len(rows) + 1)
    )
    for item in file.items:
        Request(question=item.question, documents=item.documents).model_dump_json()  # can be written
        assert checked(Request(question=item.question, documents=item.documents)).documents == item.documents


# -- the last check before a run --------------------------------------------------------------------------------


def doc(text: str = "text", title: str = "") -> Document:
    return Document(id="1", title=title, text=text)


def test_one_document_is_enough() -> None:
    assert validate("q?", [doc()]) == ("q?", (doc(),))


@pytest.mark.parametrize(
    ("question", "documents", "said"),
    [
        ("", [doc()], "no question"),
        (" \n", [doc()], "no question"),
        ("q" * 4001, [doc()], "4,001 characters; at most 4,000"),
        ("q", [], "no documents"),
        ("q", [doc()] * 201, "201 documents; at most 200"),
        ("q", [doc(), doc(" ")], "Document 2 has no text"),
        ("q", [doc("x" * 400_001)], "text of document 1 has 400,001"),
        ("q", [doc(title="x" * 501)], "title of document 1 has 501"),
    ],
)
def test_what_cannot_be_asked(question: str, documents: list[Document], said: str) -> None:
    with pytest.raises(InputError, match=said):
        validate(question, documents)


def test_only_surrogates_and_nuls_are_replaced() -> None:
    kept = " ünï \r\n\t<b>&amp;</b> \u200f"
    assert validate(kept + "?", [doc(kept, kept)]) == (kept + "?", (doc(kept, kept),))
    text, documents = validate("a\x00\ud800?", [doc("b\udfff", "c\x00")])
    assert text == "a\ufffd\ufffd?" and documents == (doc("b\ufffd", "c\ufffd"),)


def test_a_request_is_checked_as_a_whole() -> None:
    question = Question(text="q", answers=("a\x00",), gold=(1, 0, 1))
    settings = RunSettings(instruction="be\x00")
    request = Request(question=question, documents=(doc(), doc()), settings=settings)
    fit = checked(request)
    assert fit.question == Question(text="q", answers=("a\ufffd",), gold=(0, 1))
    assert fit.settings.instruction == "be\ufffd"
    with pytest.raises(InputError, match="gold document 3"):
        checked(request.model_copy(update={"question": Question(text="q", gold=(2,))}))
    with pytest.raises(InputError, match="gold document 0"):
        checked(request.model_copy(update={"question": Question(text="q", gold=(-1,))}))
    with pytest.raises(InputError, match="'answers'"):
        checked(request.model_copy(update={"question": Question(text="q", answers=("a",) * 51)}))


def test_a_request_about_a_pdf_needs_no_documents_and_an_earlier_run_of_the_same_file() -> None:
    ref = PdfRef(sha256="a" * 64, name="report.pdf")
    asked = Request(system="sleuth", question=Question(text="q?", gold_pages=(3, 1, 3)), pdf=ref)
    assert checked(asked).question.gold_pages == (1, 3)
    with pytest.raises(InputError, match="no question"):
        checked(asked.model_copy(update={"question": Question(text=" ")}))
    source = Source(name="other.pdf", sha256="b" * 64, pages=1)
    run = RunRecord(
        run_id="r", created="", system="sleuth", question=asked.question, documents=(), settings=RunSettings(),
        models={}, source=source,
    )  # fmt: skip
    with pytest.raises(InputError, match="another PDF"):
        checked(asked.model_copy(update={"resume": run}))
    same = run.model_copy(update={"source": source.model_copy(update={"sha256": ref.sha256})})
    assert checked(asked.model_copy(update={"resume": same})).resume == same
