"""The systems that put documents in an order: what each asks, and in which order the reader sees them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.baselines.reading import in_order
from core.baselines.rrf import fused
from core.models.profile import Role
from core.models.protocol import ModelError, Stop
from core.models.scripted import scripted_models
from core.systems import SYSTEMS
from tests.core.baselines.asking import GOLD, REST, request, run

BEST_FIRST = [GOLD, *REST]
ASKED = {
    "bm25": ["complete"],
    "dense": ["similarities", "complete"],
    "rrf": ["similarities", "complete"],
    "by_semantic": ["similarities", "complete"],
    "by_likelihood": ["likelihoods", "complete"],
    "by_attention": ["read", "complete"],
    "by_contrast": ["read", "complete"],
}
OF_MEANING = ["bm25", "dense", "rrf", "by_semantic", "by_likelihood"]


@pytest.mark.parametrize("system", ASKED)
def test_calls_in_order_and_one_reply(system: str) -> None:
    asked = run(request(system))
    assert asked.names == ASKED[system]
    assert len(asked.tasks(-1)) == 1
    assert [ranked.document for ranked in asked.record.ranking or ()] == list(asked.record.shown or ())
    assert asked.reader() == list(asked.record.shown or ())
    assert asked.record.final and asked.record.final.answer
    generated = [call for call in asked.record.calls if call.kind == "generate"]
    assert sum(call.sequences for call in generated) == 1


@pytest.mark.parametrize("system", OF_MEANING)
def test_the_best_comes_first_and_equal_ones_stay_in_order(system: str) -> None:
    assert run(request(system)).reader() == BEST_FIRST


@pytest.mark.parametrize("system", OF_MEANING)
def test_equal_documents_stay_in_the_given_order(system: str) -> None:
    assert run(request(system, same=True)).reader() == list(range(20))


@pytest.mark.parametrize("system", ASKED)
@pytest.mark.parametrize("n", [1, 2])
def test_one_or_two_documents(system: str, n: int) -> None:
    assert sorted(run(request(system, n=n, gold=0)).reader()) == list(range(n))


@pytest.mark.parametrize("system", ASKED)
def test_the_reader_gets_the_first_few_when_asked_for(system: str) -> None:
    asked = run(request(system, read_top=3))
    assert asked.reader() == [ranked.document for ranked in asked.record.ranking or ()][:3]
    assert len(asked.record.ranking or ()) == 20


def test_attention_ranks_by_place_as_well_and_contrast_by_the_spike() -> None:
    # The scripted model looks at gold, then at the ends, more at the later one.
    assert run(request("by_attention")).reader()[:5] == [GOLD, 19, 18, 0, 17]
    assert run(request("by_contrast")).reader()[0] == GOLD


def test_the_signals_are_duquads_own() -> None:
    record = run(request("duquad")).record
    assert record.signals
    for system, values in (
        ("by_semantic", record.signals.semantic),
        ("by_likelihood", [-value for value in record.signals.query_nll]),
        ("by_contrast", record.signals.contrast),
    ):
        found = {ranked.document: ranked.score for ranked in run(request(system)).record.ranking or ()}
        assert [found[i] for i in range(20)] == pytest.approx(list(values), rel=1e-4, abs=1e-9)


def test_a_layer_that_the_model_lacks_is_named() -> None:
    with pytest.raises(ModelError, match="settings do not fit the model"):
        run(request("by_attention", layers=(99,)))


def test_reciprocal_ranks_count_from_one() -> None:
    found = fused([[0, 1, 2], [2, 0, 1]])
    assert found.tolist() == pytest.approx([1 / 61 + 1 / 62, 1 / 62 + 1 / 63, 1 / 63 + 1 / 61])
    assert in_order(found) == [0, 2, 1]
    assert in_order(fused([[0, 1], [1, 0]])) == [0, 1]  # a tie
    assert fused([]).tolist() == []


def test_later_rows_of_scores_decide_ties() -> None:
    assert in_order(np.array([[1.0, 2.0, 1.0, 2.0], [0.0, 0.0, 5.0, 0.0]])) == [1, 3, 2, 0]
    assert in_order(np.array([0.1 + 0.2, 0.3, 0.4])) == [2, 0, 1]


class Lengths:
    """A reranker that likes long texts."""

    name = "lengths"

    def rerank(self, query: str, texts: list[str], stop: Stop) -> tuple[np.ndarray, int]:
        return np.array([float(len(text)) for text in texts]), 7 * len(texts)


def with_reranker(role: Role) -> Lengths:
    assert role == "reranker"
    return Lengths()


def test_the_reranker_decides_and_the_fused_list_breaks_its_ties() -> None:
    models = replace(scripted_models(), role=with_reranker)
    asked = run(request("rrf_rerank"), models=models)
    assert asked.names == ["similarities", "complete"]
    # Gold is longest, the titles of the last ten are a character longer than those of the first.
    assert asked.reader() == [GOLD, *range(10, 20), *range(9)]
    rerank = next(call for call in asked.record.calls if call.stage == "rerank")
    assert (rerank.sequences, rerank.prompt_tokens, rerank.model) == (20, 140, "lengths")


def test_without_a_reranker_nothing_is_measured() -> None:
    models = scripted_models()
    with pytest.raises(ModelError, match="no reranker"):
        run(request("rrf_rerank"), models=models)
    assert models.backbone.calls == []  # type: ignore[attr-defined]


def test_every_system_over_documents_says_what_it_is() -> None:
    found = [system for system in SYSTEMS.values() if system.kind == "documents"]
    assert len(found) == 15 and all(system.title and system.source and system.cost for system in found)
    for system in found:
        module = __import__(system.pipeline.split(":")[0], fromlist=["_"])
        assert module.__doc__ and ("Source:" in module.__doc__ or system.name == "duquad")
