from __future__ import annotations

import pytest

from core.baselines.longllmlingua import HELPER, pieced, shares, within
from core.settings.methods import COMPRESSION_SEGMENT
from tests.core.baselines.asking import GOLD, REST, request, run


def test_ranked_compressed_answered() -> None:
    asked = run(request("longllmlingua"))
    assert asked.names == ["likelihoods", "compress", "complete"]
    pairs = asked.calls[0][1]
    assert len(pairs) == 20 and all(target.endswith(HELPER) for _, target in pairs)
    question, texts, share, segment = asked.calls[1][1]
    assert question == asked.record.question.text and segment == COMPRESSION_SEGMENT
    assert [head for head, _ in texts][:2] == [f"Document [{GOLD + 1}](Title: T9) ", "Document [1](Title: T0) "]
    assert list(share) == sorted(share, reverse=True)
    assert asked.reader() == [GOLD, *REST] == list(asked.record.shown or ())


def test_the_reader_sees_what_was_left() -> None:
    asked = run(request("longllmlingua"))
    said = {piece.document: piece.text[piece.body :] for piece in asked.tasks(-1)[0].prompt.pieces if piece.body}
    assert {excerpt.document: excerpt.text for excerpt in asked.record.excerpts or ()} == said
    assert said[GOLD] != asked.record.documents[GOLD].text  # shorter, and the record keeps the whole
    counts = asked.record.counts or {}
    assert counts["kept_tokens"] < counts["text_tokens"] == sum(len(d.text.split()) for d in asked.record.documents)


def test_documents_are_kept_until_the_budget_is_used_up_and_one_crosses_it() -> None:
    assert within([2, 0, 1], [10, 10, 10], 15) == [2, 0]
    assert within([2, 0, 1], [10, 10, 10], 20) == [2, 0]
    assert within([2, 0, 1], [10, 10, 10], 20.5) == [2, 0, 1]
    assert within([1, 0], [5, 50], 0) == [1]


def test_shares_fall_from_the_best_to_the_last() -> None:
    assert shares(0.5, 3) == pytest.approx([0.8, 0.5, 0.2])
    assert shares(0.9, 3) == pytest.approx([1.0, 0.9, 0.6])
    assert shares(0.5, 1) == [0.5]


def test_a_low_rate_drops_whole_documents() -> None:
    # 19 documents of 7 words and one of 13: a tenth of 146 and 100 spare words end inside the 16th.
    asked = run(request("longllmlingua", baselines={"rate": 0.1}))
    assert len(asked.reader()) == 16 and asked.reader()[0] == GOLD


def test_stretches_join_and_a_character_of_several_tokens_comes_once() -> None:
    assert pieced("one two three", [(0, 3), (7, 13)]) == "one three"
    assert pieced("a😀b", [(0, 1), (1, 2), (1, 2), (2, 3)]) == "a😀b"
    assert pieced("abc", []) == ""


@pytest.mark.parametrize("n", [1, 2])
def test_one_or_two_documents(n: int) -> None:
    assert len(run(request("longllmlingua", n=n, gold=0)).reader()) == n
