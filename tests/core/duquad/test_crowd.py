"""Who stands around the moved document, and at which rank it is found; numbers by hand."""

from __future__ import annotations

import itertools

import pytest

from core.duquad.crowd import SIGNALS, among, arranged, gold_share, length_ranks, spread, telling
from core.records import Document
from core.sweep_record import SweepLength
from tests.core.duquad.test_pipeline import request
from tests.core.sweeps import sweep_of

SEMANTIC = (0.9, 0.2, 0.8, 0.5, 0.1, 0.3, 0.4)  # five own documents, then two of other questions


def test_the_moved_document_stands_in_the_middle_of_its_kind() -> None:
    hard = arranged(1, 5, SEMANTIC, "hard", 1, 5)
    assert hard and hard[2] == 1 and sorted(hard) == [0, 1, 2, 3, 4]
    random = arranged(1, 5, SEMANTIC, "random", 1, 3)
    assert random and random[1] == 1 and set(random) == {1, 5, 6}
    assert arranged(1, 5, SEMANTIC, "duplicated", 1, 4) == (0, 1, 0, 0)
    assert arranged(1, 5, SEMANTIC, "duplicated", 2, 4) == (2, 1, 2, 2)


def test_shorter_prompts_are_part_of_longer_ones_and_seeds_differ() -> None:
    for noise in ("hard", "random"):
        semantic = tuple(i / 40 for i in range(40))
        found = [arranged(2, 20, semantic, noise, 1, n) for n in (5, 10, 20)]
        assert all(set(one or ()) < set(other or ()) for one, other in itertools.pairwise(found))
        assert arranged(2, 20, semantic, noise, 2, 10) != found[1]


def test_a_kind_with_too_few_documents_is_left_out() -> None:
    assert arranged(1, 5, SEMANTIC, "hard", 1, 6) is None
    assert arranged(1, 5, SEMANTIC, "random", 1, 4) is None
    assert arranged(0, 1, (0.5,), "duplicated", 1, 2) is None


def test_documents_of_other_questions_come_after_the_own_ones() -> None:
    ask = request(4, 1)
    ask = ask.model_copy(update={"sweep": ask.sweep.model_copy(update={"lengths": (3, 6)})})
    foreign = [Document(id=str(i), title="T", text=f"foreign {i}", gold=True) for i in range(9)]
    found = among(ask, [ask.documents[1], foreign[0], *foreign])
    assert found.system == "length" and found.sweep.own == 4 and found.documents[:4] == ask.documents
    assert [document.text for document in found.documents[4:]] == [f"foreign {i}" for i in range(5)]
    assert all(document.gold is None for document in found.documents[4:])


def test_each_signal_ranks_the_moved_document_in_its_prompt() -> None:
    sweep = sweep_of({0: (1, 1, 1, 1)}, gold=1, semantic=(0.9, 0.5, 0.1, 0.2), query_nll=(3.0, 2.0, 1.0, 4.0))
    cell = SweepLength(noise="hard", seed=1, order=(3, 1, 0), attention=(1.0, 3.0, 4.0))
    # attention: 4 leads 3; contrast (-2, 1, 1): of equal ones the first; meaning: 0 leads; likelihood: 1 leads 0
    assert length_ranks(sweep, cell) | {"SFS": 0} == {
        "attention": 2, "contrast": 1, "likelihood": 1, "semantic": 2, "SFS": 0,
    }  # fmt: skip
    assert set(length_ranks(sweep, cell)) == set(SIGNALS)
    assert gold_share(sweep, cell) == 3 / 8


def test_of_copies_that_are_as_likely_the_first_in_the_prompt_leads() -> None:
    sweep = sweep_of({0: (1, 1)}, gold=0, semantic=(0.5, 0.5), query_nll=(2.0, 2.0))
    cell = SweepLength(noise="duplicated", seed=1, order=(1, 0, 1), attention=(0.0, 0.0, 0.0))
    assert set(length_ranks(sweep, cell).values()) == {2} and gold_share(sweep, cell) == 0


@pytest.mark.parametrize(("count", "places"), [(20, (0, 10, 19)), (3, (0, 1, 2)), (2, (0, 1)), (1, (0,))])
def test_first_middle_and_last(count: int, places: tuple[int, ...]) -> None:
    assert spread(count) == places


def test_the_four_ways_are_asked_where_the_answer_was_wrong() -> None:
    sweep = sweep_of(dict.fromkeys(range(4), (1, 1, 1, 1)))
    for verdicts, places in (
        ((True, False, True, False), (1, 2, 3)),
        ((True, True, False, True), (2,)),
        ((True,) * 4, (0, 2, 3)),
        ((None,) * 4, (0, 2, 3)),
    ):
        rows = (row.model_copy(update={"right": right}) for row, right in zip(sweep.places, verdicts, strict=True))
        assert telling(sweep.model_copy(update={"places": tuple(rows)}), 2) == places
