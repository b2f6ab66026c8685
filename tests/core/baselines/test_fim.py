from __future__ import annotations

import numpy as np
import pytest

from core.baselines.fim import u_order
from core.baselines.fim_attn import factors
from core.duquad.sweep import FILLER_TITLE
from core.models.protocol import Prompt
from tests.core.baselines.asking import GOLD, request, run, scores, shown


def dummies(prompt: Prompt) -> list[int]:
    return [p.document for p in prompt.pieces if p.document is not None and f"(Title: {FILLER_TITLE})" in p.text]


@pytest.mark.parametrize("system", ["fim_reorder", "fim_attn"])
def test_one_reading_then_a_dummy_at_every_place_then_one_reply(system: str) -> None:
    asked = run(request(system))
    assert asked.names == ["read"] * 21 + ["complete"]
    readings = [prompt for _, prompt in asked.calls[:21]]
    assert [dummies(prompt) for prompt in readings] == [[], *[[place] for place in range(20)]]
    assert all(shown(prompt) == list(range(20)) for prompt in readings)
    sizes = [[len(piece.text) for piece in prompt.pieces] for prompt in readings[1:]]
    heads = len("Placeholder") - len("T0")
    for place, row in enumerate(sizes):  # as long as what it replaces, but for the title
        grown = [a - b for a, b in zip(row, [len(p.text) for p in readings[0].pieces], strict=True)]
        assert sum(grown) == heads - (place > 9)
    assert asked.calls[0][1].content.count(asked.record.question.text) == 2  # on both sides
    assert len(asked.record.calls) == 3 and asked.record.calls[1].sequences == 20


def test_one_pass_of_dummies_when_asked_for() -> None:
    asked = run(request("fim_reorder", baselines={"dummy": "together"}))
    assert asked.names == ["read", "read", "complete"]
    assert dummies(asked.calls[1][1]) == list(range(20))


def test_what_places_draw_is_taken_away() -> None:
    # The scripted model's attention is place and overlap alone: only gold draws more than its place.
    record = run(request("fim_reorder")).record
    found = scores(record)
    assert found.argmax() == GOLD and found[GOLD] > 0
    assert np.abs(np.delete(found, GOLD)).max() == pytest.approx(0, abs=1e-12)


def test_the_best_stand_at_both_ends() -> None:
    asked = run(request("fim_reorder"))
    assert asked.reader()[0] == GOLD and asked.reader()[-1] == 0 and asked.reader()[1] == 1
    assert asked.reader() == list(asked.record.shown or ())


@pytest.mark.parametrize(
    "best, expected",
    [
        ([], []),
        ([7], [7]),
        ([1, 2], [1, 2]),
        ([1, 2, 3], [1, 3, 2]),
        ([1, 2, 3, 4], [1, 3, 4, 2]),
        ([1, 2, 3, 4, 5], [1, 3, 5, 4, 2]),
        ([1, 2, 3, 4, 5, 6], [1, 3, 5, 6, 4, 2]),
    ],
)
def test_u_order_puts_the_best_first_for_odd_and_even_numbers(best: list[int], expected: list[int]) -> None:
    assert u_order(best) == expected


def test_only_the_first_few_are_arranged_when_asked_for() -> None:
    assert run(request("fim_reorder", read_top=3)).reader() == [GOLD, 1, 0]


def test_factors_are_the_softmax_over_the_temperature_per_unit_of_attention() -> None:
    relevance = np.array([1e-4, 0.0, 5e-5])  # 2, 0 and 1 temperatures
    powers = np.exp([2.0, 0.0, 1.0])
    expected = powers / powers.sum() / np.array([2e-4, 1e-4, 4e-4])
    assert factors(np.array([2e-4, 1e-4, 4e-4]), relevance) == pytest.approx(expected)
    assert factors(np.array([0.0, 1e-4]), np.zeros(2))[0] == 0


def test_the_documents_stay_and_attention_moves() -> None:
    asked = run(request("fim_attn"))
    (task,) = asked.tasks(-1)
    assert asked.reader() == list(range(20)) == list(asked.record.shown or ())
    assert task.reading is not None and task.prompt == asked.calls[0][1]
    assert len(task.scales) == 20 and int(np.argmax(task.scales)) == GOLD


@pytest.mark.parametrize("system", ["fim_reorder", "fim_attn"])
def test_one_document_is_read_and_answered(system: str) -> None:
    asked = run(request(system, n=1, gold=0))
    assert asked.names == ["read", "read", "complete"] and asked.reader() == [0]
