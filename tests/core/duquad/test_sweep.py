"""A sweep's flow on a scripted model: which prompts, in which order, and what the record holds."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.backend.fake import FakeBackend
from core.backend.jobs import Pace
from core.baselines import vanilla
from core.duquad import sweep
from core.models.protocol import Cancelled, Prompt
from core.models.scripted import ScriptedBackbone, scripted_models
from core.records import Document, Request, Step, SweepOptions, SweepRecord
from core.runs import RunStore
from core.settings.methods import SWEEP_TOGETHER
from tests.core.backend.waiting import end_of, running, until
from tests.core.duquad.test_pipeline import request
from tests.core.models.prompts import never

GOLD = 3


def asked(n: int = 7, gold: int | None = GOLD, **options: object) -> Request:
    base = request(n, gold)
    return base.model_copy(update={"system": "sweep", "sweep": SweepOptions.model_validate(options)})


def run(ask: Request, replies: list[str] | None = None) -> tuple[list[Step], SweepRecord, list[tuple[str, object]]]:
    models = scripted_models(replies or [])
    steps = list(sweep.run(ask, models, "run", never))
    record = steps[-1].record
    assert isinstance(record, SweepRecord) and isinstance(models.backbone, ScriptedBackbone)
    return steps, record, models.backbone.calls


def texts(prompt: Prompt) -> list[str]:
    return [piece.text[piece.body :] for piece in prompt.pieces if piece.document is not None]


def test_every_place_is_read_once_and_answered_in_company() -> None:
    _, record, calls = run(asked())
    assert [name for name, _ in calls[:8]] == ["likelihoods", "similarities", *["read"] * 5, "complete"]
    assert [name for name, _ in calls[8:]] == ["read", "read", "complete"]
    prompts = [argument for name, argument in calls if name == "read"]
    documents = [document.text for document in record.documents]
    for place, prompt in enumerate(prompts):
        assert texts(prompt) == [documents[index] for index in record.order(place)]
        assert [piece.document for piece in prompt.pieces if piece.document is not None] == list(range(7))
        assert f"Document [{place + 1}](Title: T{GOLD})" in prompt.content  # numbered as it stands
    answered = [argument for name, argument in calls if name == "complete"]
    assert [len(tasks) for tasks in answered] == [SWEEP_TOGETHER, 2]
    tasks = [task for group in answered for task in group]
    assert [task.prompt for task in tasks] == prompts  # answer and attention come from one prompt
    assert all(task.reading is not None for task in tasks)


def test_the_record_holds_every_place() -> None:
    steps, record, _ = run(asked(), ["Potaro", "no", "the Potaro River", "x", "y", "z", "Potaro"])
    assert [place.place for place in record.places] == list(range(7))
    assert [place.right for place in record.places] == [True, False, True, False, False, False, True]
    assert record.places[2].answer == "the Potaro River"
    assert record.gold == GOLD and record.question.gold == (GOLD,) and record.dummy == ()
    assert len(record.semantic) == len(record.query_nll) == 7
    assert max(range(7), key=record.semantic.__getitem__) == GOLD  # base order
    assert SweepRecord.from_json(record.to_json()) == record
    layers, heads = len(record.places[0].attention), len(record.places[0].attention[0])
    assert (layers, heads, len(record.places[0].attention[0][0])) == (4, 3, 7)
    assert {call.stage for call in record.calls} == {"likelihood", "semantic", "sweep", "answer"}
    fractions = [step.fraction for step in steps]
    assert fractions == sorted(fractions) and fractions[0] == 0 and fractions[-1] == 1
    grown = [len(step.record.places) for step in steps if isinstance(step.record, SweepRecord)]
    assert sorted(set(grown)) == list(range(8)) and grown == sorted(grown)


def test_what_is_shared_is_not_counted_again() -> None:
    _, record, _ = run(asked(20, 9))
    read = [call.prompt_tokens for call in record.calls if call.stage == "sweep"]
    assert sum(read) < 0.65 * len(read) * read[0]
    assert read[1:] == sorted(read[1:], reverse=True)


def test_the_control_goes_the_way_back_with_a_text_that_says_nothing() -> None:
    steps, record, calls = run(asked(dummy=True, answers=False))
    assert [place.place for place in record.dummy] == list(range(7))
    assert all(place.answer == "" and place.right is None for place in (*record.places, *record.dummy))
    prompts = [argument for name, argument in calls if name == "read"][7:]
    gold = record.documents[GOLD]
    for place, prompt in zip(range(6, -1, -1), prompts, strict=True):
        shown = texts(prompt)
        assert shown[place] == sweep.dummy_document(gold).text and gold.text not in shown
    assert [step.stage for step in steps][-8:] == [*["control"] * 7, "done"]
    read = [call.prompt_tokens for call in record.calls if call.stage == "control"]
    assert read == sorted(read)


def test_a_dummy_is_as_long_as_what_it_stands_for() -> None:
    for text, title in (("x", ""), ("word " * 300, "T"), ("é" * 100, "  ")):
        dummy = sweep.dummy_document(Document(id="a", title=title, text=text, gold=True))
        assert len(dummy.text) == len(text) and dummy.text.strip()
        assert bool(dummy.title) == bool(title.strip()) and dummy.gold is None


def test_vanilla_reads_the_same_words() -> None:
    ask = asked(gold=2)
    _, record, calls = run(ask)
    models = scripted_models()
    list(vanilla.run(ask, models, "run", never))
    assert isinstance(models.backbone, ScriptedBackbone)
    (task,) = models.backbone.calls[0][1]
    assert task.prompt == next(a for name, a in calls if name == "read" and texts(a) == texts(task.prompt))
    assert record.order(2) == tuple(range(7))


@pytest.mark.parametrize("n", [1, 2, 3])
def test_few_documents(n: int) -> None:
    _, record, _ = run(asked(n, 0, dummy=True))
    assert len(record.places) == len(record.dummy) == n
    assert SweepRecord.from_json(record.to_json()) == record


def test_chosen_places_and_a_chosen_document() -> None:
    _, record, _ = run(asked(places=(0, 2, 6), moved=5))
    assert [place.place for place in record.places] == [0, 2, 6] and record.gold == 5


@pytest.mark.parametrize("options", [{}, {"moved": 7}])
def test_no_document_to_move(options: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="no document is named"):
        run(asked(gold=None, **options))


def test_it_stops_between_places_and_keeps_what_was_read() -> None:
    models, seen = scripted_models(), []

    def stop() -> None:
        if len(seen) >= 5:
            raise Cancelled

    with pytest.raises(Cancelled):
        for step in sweep.run(asked(20, 9), models, "run", stop):
            seen.append(step)
    assert isinstance(seen[-1].record, SweepRecord) and len(seen[-1].record.places) == 2


def test_a_back_end_carries_a_sweep_out(store: RunStore) -> None:
    backend = FakeBackend(store, delay=0)
    run_id = backend.submit(asked())
    end = end_of(backend, run_id)
    result = backend.result(run_id)
    backend.close()
    assert end.kind == "done" and isinstance(result, SweepRecord) and len(result.places) == 7
    assert [event.kind for event in backend.events(run_id)][:3] == ["queued", "stage", "stage"]
    left = [event.seconds_left for event in backend.events(run_id) if event.kind == "record"]
    assert left[-1] == 0 or left[-1] is None or left[-1] < 1


def test_a_cancelled_sweep_keeps_its_places(store: RunStore) -> None:
    backend = FakeBackend(store, delay=0.05)
    run_id = backend.submit(asked(20, 9))
    running(backend, run_id)
    until(lambda: (found := backend.partial(run_id)) and isinstance(found, SweepRecord) and found.places)
    backend.cancel(run_id)
    assert end_of(backend, run_id, seconds=2).kind == "cancelled"
    kept = backend.partial(run_id)
    backend.close()
    assert isinstance(kept, SweepRecord) and 0 < len(kept.places) < 20


def test_pace_knows_that_a_sweep_reads_many_prompts() -> None:
    pace = Pace()
    pace.learn(asked(20, 9), 60)
    assert pace.expected(asked(20, 9)) == pytest.approx(60)
    assert pace.expected(asked(20, 9, places=(0, 19))) == pytest.approx(6)
    assert pace.expected(asked(20, 9, dummy=True)) == pytest.approx(120)


@pytest.fixture
def store(tmp_path: Path) -> RunStore:
    return RunStore(tmp_path / "runs")
