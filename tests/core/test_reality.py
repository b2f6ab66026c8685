"""The embedded weights, end to end: the pipeline in this process, and the worker with a real cancel."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core.backend.process import ProcessBackend
from core.duquad import pipeline
from core.ingest.examples import Example, read_examples
from core.models.load import load_models
from core.records import Request, RunRecord
from core.runs import RunStore
from core.settings.app import AppSettings
from tests.core.models.prompts import never

pytestmark = pytest.mark.weights
EXAMPLES = Path(__file__).resolve().parents[2] / "assets" / "examples"


@pytest.fixture(scope="module")
def example() -> Example:
    """Ten documents, gold at the sixth place."""
    return next(item for item in read_examples(EXAMPLES) if item.slug == "hudsons-ship")


@pytest.fixture(scope="module")
def request_(example: Example) -> Request:
    return Request(question=example.question, documents=example.documents)


def test_duquad_on_the_embedded_weights(request_: Request) -> None:
    record = list(pipeline.run(request_, load_models("embedded", AppSettings.from_env().cache), "r", never))[-1].record
    assert isinstance(record, RunRecord) and record.signals and record.ranking and record.pool and record.agents
    (gold,) = record.question.gold
    assert [ranked.document for ranked in record.ranking].index(gold) < 3
    attention = record.signals.attention
    assert (len(attention), len(attention[0]), len(attention[0][0])) == (30, 9, 10)
    assert record.signals.query_nll[gold] < record.signals.query_nll_empty
    score = {entry.document: entry.score for entry in record.pool}
    assert score[gold] == max(score.values()) and score[gold] >= 0.4
    assert record.agents.local and record.agents.local.parsed == "schema"
    assert record.final and record.final.answer
    assert record.models["backbone"] == "SmolLM2-135M-Instruct"
    assert sum(call.new_tokens for call in record.calls) > 20
    assert RunRecord.from_json(record.to_json()) == record


@pytest.fixture(scope="module")
def backend(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ProcessBackend]:
    store = RunStore(tmp_path_factory.mktemp("real"))
    found = ProcessBackend(store, "embedded", AppSettings.from_env().cache)
    yield found
    found.close()


def wait_for(what: Callable[[], bool], seconds: float) -> float:
    """Seconds until it is so; fails after ``seconds``."""
    start = time.monotonic()
    while not what():
        assert time.monotonic() - start < seconds
        time.sleep(0.02)
    return time.monotonic() - start


def test_a_run_on_the_real_worker_is_cancelled_within_two_seconds_and_the_next_one_ends(
    backend: ProcessBackend, request_: Request
) -> None:
    wait_for(lambda: backend.status().state == "ready", 120)
    first = backend.submit(request_)
    wait_for(lambda: any(event.stage == "attention" for event in backend.events(first)), 30)
    backend.cancel(first)
    wait_for(lambda: backend.events(first)[-1].kind == "cancelled", 3)
    second = backend.submit(request_)
    wait_for(lambda: backend.events(second)[-1].final, 200)
    assert backend.events(second)[-1].kind == "done"
    stages = [event.stage for event in backend.events(second) if event.stage]
    assert list(dict.fromkeys(stages))[:3] == ["attention", "likelihood", "semantic"]
    result = backend.result(second)
    assert isinstance(result, RunRecord) and result.final and result.final.answer
