from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.duquad.agents import read_reply, reply_schema
from core.models.protocol import Reply

SHOWN = [6, 2, 9]  # numbers 7, 3, 10


def read(text: str) -> tuple[tuple[int, ...], str, str]:
    reply = read_reply(Reply(text, 0, 1), SHOWN, fallback=[6])
    return reply.important_documents, reply.answer, reply.parsed


def test_the_schema_knows_only_the_shown_numbers() -> None:
    schema = reply_schema(SHOWN)
    assert schema["properties"]["important_docs"]["items"]["enum"] == [3, 7, 10]
    assert list(schema["properties"]) == ["important_docs", "answer", "reasoning"]
    assert reply_schema([4])["properties"]["important_docs"]["maxItems"] == 1


@pytest.mark.parametrize(
    ("text", "documents", "answer", "parsed"),
    [
        ('{"important_docs":[3,7],"answer":"Potaro","reasoning":"r"}', (2, 6), "Potaro", "schema"),
        ('{"important_docs":[3,3,10,7,10],"answer":"x","reasoning":""}', (2, 9, 6), "x", "schema"),
        ('{"important_docs":[1,"7",true,null,3.5],"answer":" a\\n b "}', (6,), "a b", "schema"),
        ('{"important_docs":[1],"answer":"x","reasoning":"r"}', (6,), "x", "repaired"),
        ('```json\n{"important_docs":[3],"answer":"x",}\n```', (2,), "x", "repaired"),
        ('{"important_docs":[3],"answer":"cut o', (2,), "cut o", "repaired"),
        ("Answer: the Potaro, see [7] and Document 3", (6, 2), "the Potaro, see [7] and Document 3", "repaired"),
        ("I do not know", (6,), "I do not know", "failed"),
        ("", (6,), "", "failed"),
        ('{"important_docs":{"a":1},"answer":["x"]}', (6,), "", "repaired"),
        ("[" * 5000, (6,), "[" * 5000, "failed"),
    ],
)
def test_replies(text: str, documents: tuple[int, ...], answer: str, parsed: str) -> None:
    assert read(text) == (documents, answer, parsed)


@given(st.text(max_size=300))
def test_any_reply_gives_a_record_with_shown_documents_only(text: str) -> None:
    documents, _, _ = read(text)
    assert set(documents) <= set(SHOWN) and len(documents) <= 3


@given(st.lists(st.integers(-3, 30), max_size=9), st.text(max_size=90))
def test_any_object_keeps_order_and_drops_the_rest(numbers: list[int], answer: str) -> None:
    documents, said, _ = read(json.dumps({"important_docs": numbers, "answer": answer, "reasoning": ""}))
    expected = list(dict.fromkeys(n - 1 for n in numbers if n - 1 in SHOWN))[:3]
    assert list(documents) == (expected or [6])
    assert said == " ".join(answer.split())
