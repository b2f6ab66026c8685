from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.duquad.pruning import candidates, gate, regate, snippets
from core.records import AgentReply, PoolEntry
from core.settings.methods import RunSettings


def reply(*documents: int) -> AgentReply:
    return AgentReply(
        answer="", reasoning="", important_documents=documents, documents_shown=tuple(range(9)), raw="", parsed="schema"
    )


def test_the_pool_is_the_union_local_first() -> None:
    pool = candidates(reply(4, 2), reply(2, 7))
    assert list(pool.items()) == [(4, ("local",)), (2, ("local", "global")), (7, ("global",))]
    assert candidates(reply(), reply()) == {}
    assert len(candidates(reply(1, 2, 3), reply(4, 5, 6))) == 6


def test_the_gate_keeps_what_meets_tau() -> None:
    assert gate([0.4, 0.39, 0.8], RunSettings()) == (True, False, True)


def test_nothing_reaches_tau() -> None:
    assert gate([0.1, 0.3, 0.3], RunSettings()) == (False, True, False)  # ties: the earlier one
    assert gate([0.1, 0.3], RunSettings(fallback="empty")) == (False, False)
    assert gate([], RunSettings()) == ()


@given(st.lists(st.floats(0, 1), max_size=6), st.floats(0, 1))
def test_gate_invariants(scores: list[float], tau: float) -> None:
    kept = gate(scores, RunSettings(tau=tau))
    assert len(kept) == len(scores)
    assert any(kept) == bool(scores)
    if any(score >= tau for score in scores):
        assert list(kept) == [score >= tau for score in scores]


def test_the_recorded_pool_is_gated_again() -> None:
    pool = [
        PoolEntry(document=i, selected_by=("local",), score=score, answer="", kept=True, kind="likelihood")
        for i, score in enumerate([0.2, 0.6])
    ]
    assert [entry.kept for entry in regate(pool, RunSettings(tau=0.5))] == [False, True]
    assert [entry.kept for entry in regate(pool, RunSettings(tau=0.1))] == [True, True]


TEXT = "Guyana lies in South America. The Potaro River falls at Kaieteur. Many rivers are brown. A river is water."


def test_the_two_sentences_nearest_the_answer_in_document_order() -> None:
    found = snippets(TEXT, "The Potaro River", "which river")
    assert [item.text for item in found] == ["The Potaro River falls at Kaieteur.", "A river is water."]
    assert all(TEXT[item.start : item.end] == item.text for item in found)


@pytest.mark.parametrize("empty", ["", "yes", "No.", "none"])
def test_without_words_to_look_for_the_question_is_taken(empty: str) -> None:
    assert "Many rivers are brown." in [item.text for item in snippets(TEXT, empty, "many rivers brown")]


def test_ties_go_to_the_earlier_sentence_and_short_documents_give_what_they_have() -> None:
    assert [item.text for item in snippets("One. Two. Three.", "zebra", "q")] == ["One.", "Two."]
    assert [item.text for item in snippets("Only one.", "x", "q")] == ["Only one."]
    assert snippets("  ", "x", "q") == ()
