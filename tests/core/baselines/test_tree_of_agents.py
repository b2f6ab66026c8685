from __future__ import annotations

import json

import pytest

from core.baselines.tree_of_agents import chunks, deepest, grow, majority, read_note, read_readers, read_vote
from core.models.protocol import Reply
from core.records import Walked
from tests.core.baselines.asking import request, run, shown


def note(answer: str = "none", evidence: str = "nothing", useful: bool | None = None) -> str:
    said = {"evidence": evidence, "answer": answer}
    return json.dumps(said if useful is None else {"useful": useful} | said)


def asks(*readers: int) -> str:
    return json.dumps({"readers": list(readers)})


def votes(*answers: str) -> list[str]:
    return [json.dumps({"answer": answer}) for answer in answers]


PERCEIVED = [note(f"a{i}", f"e{i}") for i in range(5)]
SILENT = votes("none", "none", "none", "none")


def test_twenty_documents_are_five_chunks_of_four_and_calls_come_level_by_level() -> None:
    asked_for = [asks(2, 3), asks(), asks(), asks(), asks()]
    walked = [note("b", "e", True), note("c", "e", True), note("d", "e", True), note("x", "e", False)]
    asked = run(request("tree_of_agents"), [*PERCEIVED, *asked_for, *walked, *votes("Potaro"), *SILENT])
    assert asked.names == ["complete"] * 5
    assert [len(asked.tasks(i)) for i in range(5)] == [5, 5, 2, 2, 5]  # 3 · 5 and the four prefixes of two readers
    assert [shown(task.prompt) for task in asked.tasks(0)] == [list(range(i, i + 4)) for i in range(0, 20, 4)]
    assert [shown(task.prompt) for task in asked.tasks(2)] == [[4, 5, 6, 7], [8, 9, 10, 11]]
    assert [shown(task.prompt) for task in asked.tasks(3)] == [[8, 9, 10, 11], [4, 5, 6, 7]]
    readers = asked.record.readers or ()
    assert [state.path for state in readers[0].walked] == [(0, 1), (0, 2), (0, 1, 2), (0, 2, 1)]
    assert [state.useful for state in readers[0].walked] == [True, True, True, False]
    assert asked.record.final and asked.record.final.answer == "Potaro"
    assert sum(call.sequences for call in asked.record.calls if call.kind == "generate") == 19


def test_a_walk_goes_on_from_the_state_of_the_path_that_it_continues() -> None:
    asked_for = [asks(2, 3), asks(), asks(), asks(), asks()]
    walked = [note("after 2", "saw 2", True), note("after 3", "saw 3", True), note(), note()]
    asked = run(request("tree_of_agents"), [*PERCEIVED, *asked_for, *walked, *votes("x"), *SILENT])
    first, second = (task.prompt.content for task in asked.tasks(2))
    assert "e0; answered: a0" in first and "e0; answered: a0" in second
    third, fourth = (task.prompt.content for task in asked.tasks(3))
    assert "saw 2; answered: after 2" in third and "saw 3; answered: after 3" in fourth


def test_a_useless_chunk_prunes_what_begins_with_it() -> None:
    asked_for = [asks(2, 3), asks(), asks(), asks(), asks()]
    walked = [note(useful=False), note("c", "e", True), note("d", "e", True)]
    asked = run(request("tree_of_agents"), [*PERCEIVED, *asked_for, *walked, *votes("x"), *SILENT])
    assert [state.path for state in (asked.record.readers or ())[0].walked] == [(0, 1), (0, 2), (0, 2, 1)]


def walked(path: tuple[int, ...], useful: bool = True) -> Walked:
    return Walked(path=path, useful=useful, evidence="", answer="")


def test_a_shared_prefix_is_met_once_and_entered_again() -> None:
    met: list[tuple[tuple[int, ...], tuple[int, ...]]] = []

    def meet(steps: list[tuple[tuple[int, ...], Walked]]) -> list[Walked]:
        met.extend((path, state.path) for path, state in steps)
        return [walked(path) for path, _ in steps]

    states = grow([walked((0,))], [[1, 2, 3]], meet)
    paths = [path for path, _ in met]
    assert len(paths) == len(set(paths)) == 3 + 6 + 6  # 3!/2! + 3!/1! + 3!/0!
    assert all(before == path[:-1] for path, before in met)
    assert [state.path for state in states[0]] == paths


def test_pruning_cuts_every_order_that_begins_with_the_useless_prefix() -> None:
    def meet(steps: list[tuple[tuple[int, ...], Walked]]) -> list[Walked]:
        return [walked(path, useful=path != (0, 1)) for path, _ in steps]

    found = [state.path for state in grow([walked((0,))], [[1, 2]], meet)[0]]
    assert found == [(0, 1), (0, 2), (0, 2, 1)]
    assert grow([walked((0,)), walked((1,))], [[], []], meet) == [[], []]


def test_each_reader_decides_from_its_longest_useful_states() -> None:
    states = [walked((0, 1)), walked((0, 2)), walked((0, 1, 2)), walked((0, 2, 1), useful=False)]
    assert deepest(walked((0,)), states) == [states[2]]
    assert deepest(walked((0,)), states[:2]) == states[:2]
    assert deepest(walked((0,)), [walked((0, 1), useful=False)]) == [walked((0,))]


def test_the_majority_wins_whatever_its_spelling_and_silence_does_not_count() -> None:
    assert majority(["The Potaro", "potaro!", "Essequibo", "", ""]) == ["The Potaro"]
    assert majority(["a1", "b1", "b1", "a1"]) == ["a1", "b1"]
    assert majority(["", "the", "?"]) == []
    assert majority([]) == []


def test_a_tie_is_one_more_call_over_the_tied_answers() -> None:
    replies = [*PERCEIVED, *[asks()] * 5, *votes("Potaro", "Essequibo", "none", "none", "none"), "the Potaro"]
    asked = run(request("tree_of_agents"), replies)
    assert [len(asked.tasks(i)) for i in range(4)] == [5, 5, 5, 1]
    said = asked.tasks(-1)[0].prompt.content
    assert "Answer 1: Potaro" in said and "Answer 2: Essequibo" in said
    assert asked.record.final and asked.record.final.answer == "the Potaro"


def test_silence_of_all_is_no_answer() -> None:
    asked = run(request("tree_of_agents"), [*PERCEIVED, *[asks()] * 5, *votes(*["none"] * 5)])
    assert asked.record.final and asked.record.final.no_answer and asked.record.final.answer == ""


def test_a_reader_may_ask_for_others_only_and_for_two_at_most() -> None:
    asked = run(request("tree_of_agents"), PERCEIVED)
    for i, task in enumerate(asked.tasks(1)):
        listed = task.schema["properties"]["readers"] if task.schema else {}
        assert listed["maxItems"] == 2 and listed["items"]["enum"] == [n for n in range(1, 6) if n != i + 1]
    reply = Reply('{"readers": [10, 1, 3, 3, 0, -1, "2", 12]}', 0, 0)
    assert read_readers(reply, own=0, count=10, most=4) == (9, 2)
    assert read_readers(reply, own=0, count=10, most=1) == (9,)


def test_replies_that_cannot_be_read_are_useless_and_silent() -> None:
    for text in ("", "null", "[1, 2]", '{"useful": "yes"', '{"readers": 3, "answer": 4, "evidence": null}'):
        reply = Reply(text, 0, 0)
        assert read_note(reply) == ("", "", False)
        assert read_vote(reply) == "" and read_readers(reply, 0, 5, 2) == ()
    assert read_vote(Reply('{"answer": "None."}', 0, 0)) == ""


@pytest.mark.parametrize(
    "n, readers, expected",
    [
        (20, 5, [(0, 1, 2, 3), (4, 5, 6, 7), (8, 9, 10, 11), (12, 13, 14, 15), (16, 17, 18, 19)]),
        (7, 3, [(0, 1, 2), (3, 4), (5, 6)]),
        (2, 5, [(0,), (1,)]),
        (1, 5, [(0,)]),
    ],
)
def test_chunks_are_whole_documents_of_nearly_equal_number(
    n: int, readers: int, expected: list[tuple[int, ...]]
) -> None:
    assert chunks(n, readers) == expected


def test_a_single_reader_has_no_one_to_ask() -> None:
    asked = run(request("tree_of_agents", n=1, gold=0), [note("Potaro"), *votes("Potaro")])
    assert asked.names == ["complete", "complete"]
    assert asked.record.final and asked.record.final.answer == "Potaro"
