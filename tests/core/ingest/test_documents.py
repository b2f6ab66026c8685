from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.ingest.questions import InputError, parse_pasted, read_documents


def pasted(text: str) -> list[tuple[str, str]]:
    documents, problems = parse_pasted(text)
    assert problems == ()
    return [(document.title, document.text) for document in documents]


def test_json_lines() -> None:
    text = (
        '\n{"title": "A", "text": "one", "id": "x", "gold": true}\n\n {"text": "two"}\r\n{"text": "3", "isgold": false}'
    )
    documents, problems = parse_pasted(text)
    assert problems == ()
    assert [(d.id, d.title, d.text, d.gold) for d in documents] == [
        ("x", "A", "one", True),
        ("2", "", "two", None),
        ("3", "", "3", False),
    ]


def test_a_broken_json_line_is_named_and_the_rest_is_used() -> None:
    documents, problems = parse_pasted('{"text": "one"}\n{"text": \n{"title": "no text"}\nstray\n{"text": "two"}')
    assert [document.text for document in documents] == ["one", "two"]
    assert [problem.line for problem in problems] == [2, 3, 4]
    assert "has no 'text'" in str(problems[1])
    assert [problem.line for problem in parse_pasted('{"text": \n{"text": "two"}')[1]] == [1]


def test_documents_stand_apart_by_blank_lines() -> None:
    assert pasted("one\nstill one\n\n  \n\ntwo\n") == [("", "one\nstill one"), ("", "two")]
    assert pasted("\ufeffone\r\nstill one\r\n\r\ntwo") == [("", "one\nstill one"), ("", "two")]
    assert pasted("just one") == [("", "just one")]
    assert pasted("[1] not JSON") == [("", "[1] not JSON")]


def test_titles() -> None:
    assert pasted("# Faust\nby Goethe\n\nTitle: Räuber\nby Schiller\n\n#hashtag\ntext") == [
        ("Faust", "by Goethe"),
        ("Räuber", "by Schiller"),
        ("", "#hashtag\ntext"),
    ]
    assert pasted("# \ntext\n\nSubtitle: x\n# y") == [("", "# \ntext"), ("", "Subtitle: x\n# y")]


def test_a_title_that_stands_alone_belongs_to_the_document_after_it() -> None:
    assert pasted("# Faust\n\nby Goethe\n\nno title") == [("Faust", "by Goethe"), ("", "no title")]


def test_a_title_without_a_text_is_named() -> None:
    documents, problems = parse_pasted("# One\n\n# Two\ntext\n\n# Three\n")
    assert [(d.title, d.text) for d in documents] == [("Two", "text")]
    assert [str(problem) for problem in problems] == [
        "Line 1: the title 'One' has no text below it.",
        "Line 6: the title 'Three' has no text below it.",
    ]


def test_spaces_inside_a_text_are_kept() -> None:
    assert pasted("  indented\tline  \n  second") == [("", "  indented\tline  \n  second")]


def test_too_long_is_named() -> None:
    documents, problems = parse_pasted("short\n\n" + "x" * 400_001)
    assert len(documents) == 1 and "Line 3: 'text' has 400,001 characters" in str(problems[0])
    assert "'title' has 600" in str(parse_pasted(f"# {'t' * 600}\ntext")[1][0])


@pytest.mark.parametrize("text", ["", "  \n \n", "\ufeff"])
def test_nothing_gives_nothing(text: str) -> None:
    assert parse_pasted(text) == ((), ())


def test_files_and_texts_are_read_alike(tmp_path: Path) -> None:
    text = "# Faust\nby Goethe\n\nsecond"
    for content in (text.encode(), gzip.compress(text.encode()), b"\xef\xbb\xbf" + text.encode()):
        (tmp_path / "documents").write_bytes(content)
        assert read_documents(tmp_path / "documents") == read_documents(text) == parse_pasted(text)


def test_a_json_file_with_a_line_that_is_not_utf8(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b'{"text": "one"}\n{"text": "\xff"}\n{"text": "two"}\n')
    documents, problems = read_documents(tmp_path / "file")
    assert len(documents) == 2 and "Line 2: not UTF-8" in str(problems[0])


@pytest.mark.parametrize(("content", "said"), [(b"caf\xe9", "Line 1: not UTF-8"), (b"%PDF-1.4", "a PDF")])
def test_files_that_are_no_text(tmp_path: Path, content: bytes, said: str) -> None:
    (tmp_path / "file").write_bytes(content)
    with pytest.raises(InputError, match=said):
        read_documents(tmp_path / "file")
    with pytest.raises(InputError, match="There is no file"):
        read_documents(tmp_path / "nothing")


@given(st.text(max_size=200))
def test_any_text_is_read(text: str) -> None:
    documents, problems = parse_pasted(text)
    assert bool(documents or problems) == bool(text.removeprefix("\ufeff").strip())
    for document in documents:
        document.model_dump_json()
