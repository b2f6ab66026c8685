"""What each layout becomes, and its dirt."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from core.ingest.sets.question_set import QuestionSet, open_set
from core.set_record import SetFormat, SetQuestion
from core.settings.limits import LIMITS
from tests.core.ingest.sets import files
from tests.core.ingest.sets.files import lines, put


def opened(folder: Path, *rows: Any) -> QuestionSet:
    return open_set(put(folder, lines(*rows)))


def only(found: QuestionSet) -> SetQuestion:
    (question,) = found
    return question


def reasons(found: QuestionSet) -> list[str]:
    return [f"{entry.place}: {entry.reason}" for entry in found.skipped]


@pytest.mark.parametrize(
    ("row", "format"),
    [
        (files.LITM, "lost_in_the_middle"),
        (files.MUSIQUE, "musique"),
        (files.HOTPOT, "hotpotqa"),
        (files.HOTPOT_HUB, "hotpotqa"),
        (files.MMLONG, "mmlongbench"),
        (files.LONGDOCURL, "longdocurl"),
        (files.MOLORAG_URL, "longdocurl"),
        (files.PAPERTAB_JSON, "papertab"),
        (files.FETATAB_JSON, "fetatab"),
        (files.RAGCHECKER, "ragchecker"),
    ],
)
def test_a_layout_is_known_by_its_fields_alone(tmp_path: Path, row: dict[str, Any], format: SetFormat) -> None:
    backwards = dict(reversed(row.items()))
    for content in (lines(row), json.dumps([row], indent=1).encode(), files.packed(lines(backwards))):
        found = open_set(put(tmp_path, content, "answers.pdf"))
        assert found.format == format and found.summary().questions == 1


def test_lost_in_the_middle(tmp_path: Path) -> None:
    found = opened(tmp_path, files.LITM)
    question = only(found)
    assert question.id == "row-1" and question.place == "line 1" and question.meta == {"gold_position": "1"}
    assert question.question.text == "who wrote faust" and question.question.gold == (1,)
    assert [(d.id, d.title, d.gold) for d in question.documents] == [("7", "Weimar", False), ("2", "Faust", True)]
    assert reasons(found) == ["line 1: the gold passage has no id: named by its place."]


def test_an_answer_that_is_always_right_is_left_out(tmp_path: Path) -> None:
    found = opened(tmp_path, files.LITM | {"answers": ["*"]}, files.LITM | {"answers": ["The", "Ulm", "Ulm"]})
    first, second = found
    assert first.question.answers == () and second.question.answers == ("Ulm",)
    assert [text for text in reasons(found) if "'*'" in text] == [
        "line 1: the accepted answer '*' is punctuation or an article alone: left out."
    ]


def test_musique_tells_paragraphs_apart_by_idx(tmp_path: Path) -> None:
    found = opened(tmp_path, files.MUSIQUE)
    question = only(found)
    assert question.id == "2hop__13_45" and question.meta == {"hops": "2", "answerable": "yes"}
    assert question.question.gold == (0, 2) and [d.id for d in question.documents] == ["0", "1", "2"]
    assert [d.gold for d in question.documents] == [True, False, True]
    assert question.question.answers == ("Weimar", "the town of Weimar")
    assert reasons(found) == ["line 1: a gold title stands on another paragraph too: paragraphs are told apart by idx."]


def test_musique_unanswerable(tmp_path: Path) -> None:
    question = only(found := opened(tmp_path, files.MUSIQUE | {"answerable": False}))
    assert question.question.answers == () and question.meta["answerable"] == "no"
    assert any("unanswerable" in text for text in reasons(found))


@pytest.mark.parametrize("row", [files.HOTPOT, files.HOTPOT_HUB])
def test_hotpotqa_in_both_forms(tmp_path: Path, row: dict[str, Any]) -> None:
    question = only(found := opened(tmp_path, row))
    assert question.id == row.get("_id", "row-1") and question.question.gold == (0, 2)
    assert [d.title for d in question.documents] == ["Ed", "Bo", "Ann"]
    assert question.documents[0].text == "Ed is of Ulm. He sings."
    assert question.meta == {"type": "comparison", "level": "hard"} and reasons(found) == []


def test_hotpotqa_dirt(tmp_path: Path) -> None:
    context = [["Ed", ["Ed."]], ["Ed", ["Another Ed."]], ["Bo", [""]]]
    question = only(found := opened(tmp_path, files.HOTPOT | {"context": context}))
    assert question.question.gold == (0, 1) and len(question.documents) == 2
    assert sorted(reasons(found)) == [
        "line 1: a passage has no text: left out.",
        "line 1: the gold passage 'Ann' is not among its documents.",
        "line 1: two passages have the same gold title: both count as gold.",
    ]


@pytest.mark.parametrize("answer", ["[1]", "(1990)", "{'a': 1}", "['Ulm', 'Rom']", "42"])
def test_an_answer_is_a_text_whatever_it_looks_like(tmp_path: Path, answer: str) -> None:
    assert only(opened(tmp_path, files.HOTPOT | {"answer": answer})).question.answers == (answer,)
    assert only(opened(tmp_path, files.MMLONG | {"answer": answer})).question.answers == (answer,)
    assert only(opened(tmp_path, files.FETATAB_JSON | {"answer": answer})).question.answers == (answer,)


def test_a_test_set_without_gold(tmp_path: Path) -> None:
    row = {"_id": "a", "question": "q?", "supporting_facts": [], "context": files.HOTPOT["context"]}
    question = only(opened(tmp_path, row))
    assert question.question.gold == () and {d.gold for d in question.documents} == {None}
    assert question.question.answers == ()


def test_mmlongbench(tmp_path: Path) -> None:
    question = only(found := opened(tmp_path, files.MMLONG))
    assert question.pdf == "annual.pdf" and question.question.gold_pages == (0, 1) and not question.documents
    assert question.meta == {
        "doc_type": "Financial report",
        "answer_format": "Int",
        "evidence_sources": "Table; Chart",
        "answerable": "yes",
    }
    assert question.question.answers == ("4",) and reasons(found) == []


@pytest.mark.parametrize(
    ("pages", "kept", "said"),
    [
        ("[0]", (), "evidence page 0, where they count from 1"),
        ("[0, 5]", (4,), "evidence page 0"),
        ("[]", (), "no evidence page is known"),
        ("[3, 3, 1]", (0, 2), ""),
        ("['ii', 2]", (1,), "page that is no number"),
        ("__import__('os').system('touch /tmp/w-lens-evaluated')", (), "page that is no number"),
        ("[" * 5000, (), "page that is no number"),
        ("[1.0, true, 2.5]", (0,), "page that is no number"),
        (None, (), "no evidence page is known"),
    ],
)
def test_evidence_pages_of_every_kind(tmp_path: Path, pages: Any, kept: tuple[int, ...], said: str) -> None:
    question = only(found := opened(tmp_path, files.MMLONG | {"evidence_pages": pages}))
    assert question.question.gold_pages == kept
    assert any(said in text for text in reasons(found)) or not said
    assert not Path("/tmp/w-lens-evaluated").exists()


def test_a_page_past_the_end_of_a_pdf_that_is_at_hand(tmp_path: Path) -> None:
    (tmp_path / "pdfs").mkdir()
    put(tmp_path / "pdfs", files.pdf(3), "ANNUAL.PDF")
    source = put(tmp_path, lines(files.MMLONG | {"evidence_pages": "[2, 1418]"}))
    found = open_set(source, pdfs=tmp_path / "pdfs")
    assert reasons(found) == ["line 1: evidence page past the last one that there is: left out."]
    assert only(found).question.gold_pages == (1,)
    assert found.summary().pdfs_missing == () and found.pdf("annual.pdf") == tmp_path / "pdfs" / "ANNUAL.PDF"


def test_unanswerable_questions_about_pdfs(tmp_path: Path) -> None:
    row = files.MMLONG | {"answer": "Not answerable", "answer_format": "None", "evidence_pages": "[]"}
    question = only(found := opened(tmp_path, row))
    assert question.question.answers == ("Not answerable",) and question.meta["answerable"] == "no"
    assert reasons(found) == ["line 1: unanswerable: kept, and right only where no answer is given."]
    url = opened(tmp_path, files.LONGDOCURL | {"answer": None, "answer_format": "None", "evidence_pages": []})
    assert only(url).meta["answerable"] == "no"


def test_longdocurl_counts_pages_from_1_and_pictures_from_0(tmp_path: Path) -> None:
    question = only(found := opened(tmp_path, files.LONGDOCURL))
    assert question.id == "q1" and question.pdf == "4026369.pdf" and question.question.gold_pages == (1,)
    assert question.question.answers == ("['Ulm', 'Rom']",)  # a list, for the benchmark's own rule
    assert question.meta["evidence_sources"] == "Text; Table" and question.meta["task"] == "Understanding"
    assert reasons(found) == [
        "line 1: evidence page past the last one that there is: left out.",
        "line 1: page pictures count from 0, evidence pages from 1: the latter are taken.",
    ]


def test_longdocurl_as_molorag_has_it(tmp_path: Path) -> None:
    question = only(opened(tmp_path, files.MOLORAG_URL))
    assert (
        question.pdf == "4026369.pdf" and question.question.gold_pages == (2,) and question.meta["task"] == "Locating"
    )


def test_papertab_and_fetatab_tables(tmp_path: Path) -> None:
    paper = only(open_set(put(tmp_path, files.PAPERTAB)))
    assert (paper.id, paper.pdf, paper.place) == ("u1", "1911.10742.pdf", "line 2")
    assert paper.question.answers == ("BERT", "a BERT model")
    fetatab = open_set(put(tmp_path, files.FETATAB))
    assert fetatab.format == "fetatab" and only(fetatab).question.text == "Who, and | when?"
    assert only(fetatab).pdf == "A (film).pdf"


def test_alternatives_in_text_form(tmp_path: Path) -> None:
    assert only(opened(tmp_path, files.PAPERTAB_JSON)).question.answers == ("BERT", "a BERT model")
    assert only(opened(tmp_path, files.FETATAB_JSON)).question.answers == ("Ed won.",)


def test_ragchecker(tmp_path: Path) -> None:
    for content in (lines(files.RAGCHECKER), json.dumps({"results": [files.RAGCHECKER]}).encode()):
        question = only(open_set(put(tmp_path, content)))
        assert question.id == "0" and [d.id for d in question.documents] == ["d1", "d2"]
        assert question.question.answers == ("Goethe wrote it.",)


@pytest.mark.parametrize("name", ["../../etc/passwd", "C:\\x\\passwd.pdf", "/etc/passwd", "a/..//passwd"])
def test_the_name_of_a_pdf_is_never_a_path(tmp_path: Path, name: str) -> None:
    assert only(opened(tmp_path, files.MMLONG | {"doc_id": name})).pdf == "passwd.pdf"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"question": ""}, "'question' is empty"),
        ({"question": 7}, "a text is expected"),
        ({"paragraphs": []}, "at least one document"),
        ({"paragraphs": "x"}, "a list is expected"),
        ({"paragraphs": [1]}, "objects are expected"),
        ({"paragraphs": [{"idx": 0}]}, "document 1: has no 'text'"),
        ({"paragraphs": files.MUSIQUE["paragraphs"] * 100}, f"at most {LIMITS.documents}"),
        ({"answer": {"a": 1}}, "'answer' is an object"),
        ({"answer_aliases": [f"alias {n}" for n in range(LIMITS.answers + 1)]}, "at most 50"),
        ({"id": ["x"]}, "'id' is a list"),
    ],
)
def test_a_broken_row_is_named_and_the_others_are_read(tmp_path: Path, change: dict[str, Any], said: str) -> None:
    found = opened(tmp_path, files.MUSIQUE | change, files.MUSIQUE)
    assert [question.place for question in found] == ["line 2"]
    assert any(said in text and text.startswith("line 1: ") for text in reasons(found))
    assert found.summary().left_out == 1


def test_an_id_that_comes_twice(tmp_path: Path) -> None:
    found = opened(tmp_path, files.MUSIQUE, files.MUSIQUE)
    assert [question.id for question in found] == ["2hop__13_45", "2hop__13_45#2"]
    assert found.summary().mended == 2  # both repeat a title, too: rows are counted, not reasons
