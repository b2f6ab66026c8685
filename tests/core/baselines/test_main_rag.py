from __future__ import annotations

import numpy as np
import pytest

from core.baselines.main_rag import SPELLINGS, bar, keep
from tests.core.baselines.asking import GOLD, request, run, scores, shown


def test_2n_plus_1_calls_in_three_steps() -> None:
    asked = run(request("main_rag"))
    assert asked.names == ["complete", "weigh", "complete"]
    assert [len(asked.tasks(i)) for i in range(3)] == [20, 20, 1]
    assert asked.record.counts and asked.record.counts["llm_calls"] == 41
    for i in range(2):  # each document stands alone
        assert [shown(task.prompt) for task in asked.tasks(i)] == [[0]] * 20
    assert asked.calls[1][1][1] == SPELLINGS


def test_the_judge_sees_the_documents_own_answer() -> None:
    replies = [f"answer {i}" for i in range(20)]
    asked = run(request("main_rag"), replies)
    said = [task.prompt.content for task in asked.tasks(1)]
    assert all(f"Given answer: answer {i}\n" in text for i, text in enumerate(said))
    assert [judged.answer for judged in asked.record.judged or ()] == replies


def test_what_reaches_the_bar_is_read_best_first() -> None:
    asked = run(request("main_rag"))
    assert asked.reader() == [GOLD] == list(asked.record.shown or ())
    found = scores(asked.record)
    assert asked.record.counts and asked.record.counts["bar"] == pytest.approx(found.mean())
    assert [judged.document for judged in asked.record.judged or () if judged.kept] == [GOLD]
    # log p(Yes) - log p(No) of the scripted weights: the overlap 0.8 of gold's five telling words, else 0.01.
    assert found[0] == pytest.approx(np.log(0.01 / 0.99))


def test_the_bar_is_the_mean_minus_n_population_deviations() -> None:
    values = np.array([1.0, 3.0, 5.0, 7.0])
    assert bar(values, 0) == 4
    assert bar(values, 1) == pytest.approx(4 - 5**0.5)
    assert bar(values, -1) == pytest.approx(4 + 5**0.5)


def test_at_the_bar_is_kept_and_none_means_all() -> None:
    values = np.array([1.0, 4.0, 7.0])
    assert keep(values, 4.0) == [2, 1]
    assert keep(values, 9.0) == [2, 1, 0]
    equal = np.full(3, 0.1)
    assert keep(equal, bar(equal, 0)) == [0, 1, 2]


def test_a_lower_bar_keeps_more() -> None:
    assert len(run(request("main_rag", baselines={"bar": 3})).reader()) == 20


@pytest.mark.parametrize("n", [1, 2])
def test_one_or_two_documents(n: int) -> None:
    asked = run(request("main_rag", n=n, gold=0))
    assert asked.reader()[0] == 0 and asked.record.counts and asked.record.counts["llm_calls"] == 2 * n + 1
