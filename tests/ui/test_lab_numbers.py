"""The lab's numbers and words, against a sweep whose shape is known."""

from __future__ import annotations

import numpy as np
import pytest

from core.duquad.bias import SIGNALS
from tests.ui.sweep_sample import HEADS, LAYERS, SEEING, sweep_sample
from ui import lab_facts, lab_words
from ui.lab_numbers import Sweep
from ui.tables import Table


@pytest.fixture(scope="module")
def sweep() -> Sweep:
    return Sweep(sweep_sample())


def test_rows_sum_to_one_and_evidence_is_what_bias_leaves(sweep: Sweep) -> None:
    numbers = sweep.numbers()
    assert numbers.share.shape == (20, 20)
    assert np.allclose(numbers.share.sum(axis=1), 1)
    assert np.allclose(numbers.share, numbers.bias + numbers.evidence)
    assert set(numbers.ranks) == set(SIGNALS)
    assert all(len(ranks) == 20 for ranks in numbers.ranks.values())


def test_heads_that_follow_the_evidence_are_found(sweep: Sweep) -> None:
    assert sweep.found.shape == (LAYERS, HEADS)
    assert sweep.found[list(SEEING)].min() == 20
    assert sweep.first_head[0] in SEEING
    assert max(sweep.numbers(sweep.trained(2)).ranks["contrast"]) == 1
    alone = sweep.numbers((sweep.first_head,))
    assert max(alone.ranks["contrast"]) == 1
    assert max(sweep.numbers().ranks["attention"]) > 1, "the average of all heads hides gold in the middle"


def test_the_same_choice_of_heads_is_computed_once(sweep: Sweep) -> None:
    assert sweep.numbers(((0, 0),)) is sweep.numbers(((0, 0),))
    for head in range(HEADS):
        for layer in range(LAYERS):
            sweep.numbers(((layer, head),))
    assert sweep.numbers().share.shape == (20, 20)


def test_facts_see_the_edges_and_the_diagonal(sweep: Sweep) -> None:
    facts = lab_facts.facts(sweep, sweep.numbers())
    assert facts.edges and facts.diagonal
    assert facts.first > facts.middle < facts.last
    assert 5 < facts.lowest < 18
    assert facts.answered == 20 and facts.right[:3] == (1, 2, 3)
    assert facts.share_right > facts.share_wrong


def test_a_sweep_of_one_place_has_facts(sweep: Sweep) -> None:
    one = Sweep(sweep_sample(places=1))
    facts = lab_facts.facts(one, one.numbers())
    assert facts.read == 1 and facts.gold > 0
    assert one.numbers().control is not None
    assert lab_words.said_finders(one, one.numbers()) == lab_words.TOO_FEW


@pytest.mark.parametrize(
    ("numbers", "text"),
    [([], "none"), ([3], "3"), ([1, 2], "1, 2"), ([1, 2, 3, 7], "1–3, 7"), ([9, 1, 2, 3], "1–3, 9")],
)
def test_places_in_words(numbers: list[int], text: str) -> None:
    assert lab_facts.places(numbers) == text


def test_thirds_cover_all_layers_once(sweep: Sweep) -> None:
    parts = lab_facts.thirds(sweep)
    assert [layer for part in parts.values() for layer in part] == list(range(LAYERS))
    assert lab_facts.whole(sweep, parts["early"])[0] == (0, 0)


def tables(sweep: Sweep) -> dict[str, Table]:
    numbers = sweep.numbers()
    return {
        "walk": lab_words.table_walk(sweep, numbers, 4, True),
        "heat": lab_words.table_heat(sweep, numbers, True),
        "finders": lab_words.table_finders(sweep, numbers),
        "grid": lab_words.table_grid(sweep),
    }


def test_tables_are_whole_and_their_html_is_safe(sweep: Sweep) -> None:
    for name, (headers, rows) in tables(sweep).items():
        assert rows and all(len(row) == len(headers) for row in rows), name
        markup = lab_words.table_html((headers, rows), name)
        assert markup.count("<tr>") == len(rows) + 1
        assert "<script" not in markup and "<img" not in markup
    assert lab_words.table_html((["place"], []), "Nothing") == ""


def test_each_figure_is_said_in_a_sentence(sweep: Sweep) -> None:
    numbers = sweep.numbers()
    assert "Gold at place 10 of 20 draws" in lab_words.said_walk(sweep, numbers, 9)
    assert "The answer is right at 9 of 20 places" in lab_words.said_heat(sweep, numbers, True)
    assert "right" not in lab_words.said_heat(sweep, numbers, False)
    assert "rank 1" in lab_words.said_split(sweep, numbers, 9, "contrast")
    assert "contrast 20" in lab_words.said_finders(sweep, numbers)
    assert "20 of 20 places" in lab_words.said_grid(sweep)
