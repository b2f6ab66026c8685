from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from core.ingest.sets.mapped import NeedsMapping, guess
from core.ingest.sets.question_set import open_set
from core.set_record import Mapping, SetQuestion
from tests.core.ingest.sets.files import lines, put, workbook


def only(path: Path, mapping: Mapping | None = None) -> SetQuestion:
    (question,) = open_set(path, mapping)
    return question


def test_a_mapping_is_guessed_from_names() -> None:
    assert guess(["ID", "Query", "Ground Truth", "Context", "Category"]) == Mapping(
        question="Query", answers=("Ground Truth",), id="ID", documents=("Context",), groups=("Category",)
    )
    found = guess(["question", "passage_1", "passage_2", "text"])
    assert found and found.documents == ("passage_1", "passage_2")
    assert guess(["a", "b"]) is None


def test_a_table_whose_columns_speak_for_themselves(tmp_path: Path) -> None:
    heads = ",".join(f"context {place}" for place in range(1, 13))  # more than a set would keep in order by chance
    texts = ",".join(f"Ed did {place}." for place in range(1, 13))
    question = only(put(tmp_path, f"question,answer,{heads}\nWho?,Ed,{texts}\n"))
    assert [document.text for document in question.documents] == texts.split(",")
    assert question.question.answers == ("Ed",) and question.id == "row-2"
    pdf = only(put(tmp_path, workbook(("question", "answer", "file", "page"), ("Who?", 7, "a.pdf", 3.0))))
    assert pdf.pdf == "a.pdf" and pdf.question.gold_pages == (2,) and pdf.question.answers == ("7",)


def test_a_table_that_does_not_is_asked_about(tmp_path: Path) -> None:
    path = put(tmp_path, "frage,antwort,quelle\nWer?,Ed,Ed war es.\n")
    with pytest.raises(NeedsMapping, match="frage, antwort, quelle") as caught:
        open_set(path)
    columns = caught.value.columns
    assert columns.guess is None and columns.sample == ({"frage": "Wer?", "antwort": "Ed", "quelle": "Ed war es."},)
    question = only(path, Mapping(question="frage", answers=("antwort",), documents=("quelle",)))
    assert question.question.text == "Wer?" and question.documents[0].text == "Ed war es."
    with pytest.raises(NeedsMapping):
        open_set(path, Mapping(question="nothing", documents=("quelle",)))
    with pytest.raises(NeedsMapping):
        open_set(put(tmp_path, "question,answer\nWho?,Ed\n"))  # no documents and no PDF


@pytest.mark.parametrize(
    ("value", "texts"),
    [
        ('["one", "two"]', ["one", "two"]),
        ("['one', 'two']", ["one", "two"]),
        (["one", {"title": "T", "text": "two"}], ["one", "two"]),
        ("[one", ["[one"]),
        (3, ["3"]),
        ({"text": "one"}, ["one"]),
    ],
)
def test_documents_in_every_spelling(tmp_path: Path, value: Any, texts: list[str]) -> None:
    row = {"question": "q?", "documents": value, "gold": [0]}
    question = only(put(tmp_path, lines(row)))
    assert [document.text for document in question.documents] == texts
    assert question.question.gold == (0,) and question.documents[0].gold


def test_gold_counts_from_what_the_mapping_says(tmp_path: Path) -> None:
    path = put(tmp_path, lines({"question": "q?", "documents": ["a", "b"], "gold": "[2, 9]", "type": ["x", "y"]}))
    mapping = Mapping(question="question", documents=("documents",), gold="gold", gold_from=1, groups=("type",))
    found = open_set(path, mapping)
    (question,) = found
    assert question.question.gold == (1,) and question.meta == {"type": "x; y"}
    assert [entry.reason for entry in found.skipped] == ["gold document past the last one that there is: left out."]


def test_rows_that_hold_nothing_to_ask_about(tmp_path: Path) -> None:
    found = open_set(put(tmp_path, "question,context\nWho?,Ed did.\nWho?,\n,Bo.\n"))
    assert [question.place for question in found] == ["line 2"]
    assert [(entry.place, entry.reason) for entry in found.skipped] == [
        ("line 4", "'question' is empty."),
        ("line 3", "has no document and names no PDF."),
    ]
