"""A comparison: what is shared, what a failure does, what is refused."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core import compare
from core.backend.jobs import Pace, run_job
from core.models.profile import Models
from core.models.protocol import Cancelled, ModelError, Stop
from core.models.scripted import ScriptedBackbone, scripted_models
from core.records import Compared, CompareRecord, RecordError, Request, RunRecord, Step, open_result
from core.runs import RunStore
from core.systems import SYSTEMS, System
from tests.core.baselines.asking import GOLD, request
from tests.core.models.prompts import never

ASKED = ("vanilla", "duquad", "by_attention", "by_contrast", "dense", "rrf")


def ask(*systems: str, **more: object) -> Request:
    return request("compare", **more).model_copy(update={"systems": systems})  # type: ignore[arg-type]


def run(asked: Request, models: Models | None = None) -> tuple[list[Step], CompareRecord]:
    steps = list(compare.run(asked, models or scripted_models(), "run", never))
    record = steps[-1].record
    assert isinstance(record, CompareRecord)
    assert open_result(record.to_json()) == record
    return steps, record


def test_each_system_leaves_its_own_record_in_the_order_asked() -> None:
    _, record = run(ask(*ASKED))
    assert [one.system for one in record.records] == list(ASKED) == [column.system for column in record.systems]
    assert all(one.final and one.documents == record.documents for one in record.records)
    assert len({one.run_id for one in record.records}) == 6
    assert record.question.gold == (GOLD,)
    assert record.record("dense") == record.records[4] and record.record("bm25") is None


def test_records_are_those_of_single_runs() -> None:
    _, record = run(ask(*ASKED))
    for one in record.records:
        *_, last = SYSTEMS[one.system].load()(request(one.system), scripted_models(), "alone", never)
        assert isinstance(last.record, RunRecord)
        same = {"run_id", "created", "calls"}
        assert one.model_dump(exclude=same) == last.record.model_dump(exclude=same)
        tokens = [(call.stage, call.sequences, call.prompt_tokens, call.new_tokens) for call in one.calls]
        alone = [(call.stage, call.sequences, call.prompt_tokens, call.new_tokens) for call in last.record.calls]
        assert tokens == alone  # what is shared is counted to each


def test_one_prefill_one_embedding_and_one_likelihood_pass() -> None:
    models = scripted_models()
    _, record = run(ask(*ASKED), models)
    assert isinstance(models.backbone, ScriptedBackbone)
    names = [name for name, _ in models.backbone.calls]
    assert names.count("read") == 1 and names.count("similarities") == 1 and names.count("likelihoods") == 1
    # By attention and by contrast read DuQUAD's prompt; dense and rrf take its embeddings. Their ranked prompts are
    # alike as well, so two replies are written once.
    shared = [call.stage for one in record.records for call in one.calls if call.shared_seconds]
    assert record.counts["shared_calls"] == len(shared) and shared.count("attention") == 2
    assert shared.count("semantic") == 2 and record.counts["shared_tokens"] > 0
    assert record.counts["shared_seconds"] == pytest.approx(
        sum(call.shared_seconds or 0 for one in record.records for call in one.calls), abs=0.001
    )


def test_steps_name_their_system_and_only_grow() -> None:
    steps, _ = run(ask("vanilla", "bm25"))
    fractions = [step.fraction for step in steps]
    assert fractions == sorted(fractions) and fractions[-1] == 1
    assert [step.stage for step in steps if step.message.endswith("begins")] == ["vanilla", "bm25"]
    assert any(step.message.startswith("BM25 reorder: Reading") for step in steps)
    grown = [len(step.record.records) for step in steps if isinstance(step.record, CompareRecord)]
    assert grown == [0, 1, 2]


def test_a_system_that_cannot_run_says_why_and_the_others_go_on() -> None:
    _, record = run(ask("rrf_rerank", "vanilla"))
    assert "no reranker" in record.systems[0].error and record.systems[1].error == ""
    assert [one.system for one in record.records] == ["vanilla"]


def broken(asked: Request, models: Models, run_id: str, stop: Stop) -> Iterator[Step]:
    yield Step(stage="x", fraction=0.5)
    raise RuntimeError("an inner detail")


def hungry(asked: Request, models: Models, run_id: str, stop: Stop) -> Iterator[Step]:
    raise MemoryError
    yield


@pytest.mark.parametrize("how, said", [("broken", "RuntimeError"), ("hungry", "memory")])
def test_a_fault_inside_takes_nothing_with_it(
    how: str, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(SYSTEMS, "test-x", System("test-x", "X", "documents", "a test", f"{__name__}:{how}"))
    _, record = run(ask("test-x", "vanilla"))
    assert said in record.systems[0].error and "inner detail" not in record.systems[0].error
    assert record.records[0].system == "vanilla"
    assert "Traceback" in capsys.readouterr().err


def test_a_cancel_stops_all_of_it() -> None:
    count = 0

    def stop() -> None:
        nonlocal count
        count += 1
        if count > 3:
            raise Cancelled

    with pytest.raises(Cancelled):
        list(compare.run(ask(*ASKED), scripted_models(), "run", stop))


@pytest.mark.parametrize(
    "systems, said",
    [
        (("vanilla",), "2 to 6"),
        (("vanilla", "vanilla"), "twice"),
        (("vanilla", "sweep"), "'sweep' cannot be compared"),
        (("vanilla", "compare"), "'compare' cannot"),
        (("vanilla", "x" * 500), "choose among duquad"),
    ],
)
def test_what_makes_no_sense_is_refused(systems: tuple[str, ...], said: str) -> None:
    with pytest.raises(ModelError, match=said):
        list(compare.run(ask(*systems), scripted_models(), "run", never))


def test_more_than_six_do_not_fit_a_request() -> None:
    with pytest.raises(ValueError, match="at most 6"):
        Request(question=ask().question, systems=tuple(map(str, range(7))))


def test_it_runs_as_a_job_and_opens_again(tmp_path: Path) -> None:
    store, asked = RunStore(tmp_path), ask("vanilla", "bm25")
    run_id = store.create(asked)
    assert run_job(store, run_id, asked, scripted_models(), never, Pace()).kind == "done"
    record = store.result(run_id)
    assert isinstance(record, CompareRecord) and record.run_id == run_id


def test_records_that_do_not_belong_together_are_refused() -> None:
    _, record = run(ask("vanilla", "bm25"))
    swapped = record.model_copy(update={"records": record.records[::-1]})
    twice = record.model_copy(update={"systems": (Compared(system="vanilla"),) * 2})
    failed = record.model_copy(update={"systems": (Compared(system="vanilla", error="x"), record.systems[1])})
    for wrong in (swapped, twice, failed):
        with pytest.raises(RecordError, match="does not hold together"):
            CompareRecord.from_json(wrong.to_json())
