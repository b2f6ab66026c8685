from __future__ import annotations

import json
from pathlib import Path

import pytest
from pydantic import ValidationError

from core.ingest.questions import InputError, checked
from core.records import RecordError, Request, RunRecord, SweepOptions, SweepRecord, open_result
from core.runs import RunStore
from core.settings.limits import LIMITS
from core.sweep_record import moved_order
from tests.core.backend.loaders import record, request
from tests.core.sweeps import place_of, sweep_of

CURVES = {0: (0.3, 0.1, 0.2), 1: (0.2, 0.3, 0.2), 2: (0.2, 0.1, 0.4)}


def test_a_sweep_survives_export_and_import() -> None:
    sweep = sweep_of(CURVES, dummy=(place_of(1, [[[0.2, 0.1, 0.2]]]),))
    assert SweepRecord.from_json(sweep.to_json()) == sweep
    exported = json.loads(sweep.to_json())
    assert exported["schema"] == "w-lens-sweep/1" and exported["system"] == "sweep"
    assert set(exported["places"][0]) == {"place", "attention", "answer"}  # not judged: absent


def test_each_kind_is_opened_by_its_schema_and_only_as_itself() -> None:
    sweep, run = sweep_of(CURVES), record(request(), "x")
    assert open_result(sweep.to_json()) == sweep and open_result(run.to_json()) == run
    with pytest.raises(RecordError, match="'w-lens-sweep/1'; this version of W-Lens opens 'w-lens/1' here"):
        RunRecord.from_json(sweep.to_json())
    with pytest.raises(RecordError, match="opens 'w-lens-sweep/1' here"):
        SweepRecord.from_json(run.to_json())
    with pytest.raises(RecordError, match="'w-lens/1' and 'w-lens-sweep/1'"):
        open_result('{"schema": "w-lens/7"}')
    with pytest.raises(RecordError, match="does not hold together at places"):
        open_result(sweep.to_json().replace('"place":2', '"place":"x"'))


def test_the_store_keeps_both_kinds(tmp_path: Path) -> None:
    store = RunStore(tmp_path)
    run_id = store.create(request())
    store.write_partial(run_id, sweep_of({0: CURVES[0]}))
    assert store.partial(run_id) == sweep_of({0: CURVES[0]}) and store.result(run_id) is None
    store.write_result(run_id, sweep_of(CURVES))
    assert store.result(run_id) == store.partial(run_id) == sweep_of(CURVES)


def test_the_moved_document_passes_the_others() -> None:
    assert moved_order(4, 1, 0) == (1, 0, 2, 3)
    assert moved_order(4, 1, 1) == (0, 1, 2, 3)
    assert moved_order(4, 1, 3) == (0, 2, 3, 1)
    assert moved_order(1, 0, 0) == (0,)
    assert sweep_of(CURVES, gold=2).order(0) == (2, 0, 1)
    for place in (-1, 3):
        with pytest.raises(ValueError, match="places are 0 to 2"):
            sweep_of(CURVES).order(place)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"gold": 3}, "index"),
        ({"gold": -1}, "index"),
        ({"semantic": (0.1,)}, "one value per document"),
        ({"query_nll": ()}, "one value per document"),
        ({"places": (place_of(1, [[[1, 2, 3]]]), place_of(0, [[[1, 2, 3]]]))}, "ascending"),
        ({"places": (place_of(1, [[[1, 2, 3]]]), place_of(1, [[[1, 2, 3]]]))}, "ascending"),
        ({"places": (place_of(3, [[[1, 2, 3]]]),)}, "ascending numbers of 0..2"),
        ({"dummy": (place_of(0, [[[1, 2]]]),)}, "one value per document"),
        ({"places": (place_of(0, [[[1, 2, 3]]]), place_of(1, [[[1, 2, 3]], [[1, 2, 3]]]))}, "attention"),
    ],
)
def test_what_does_not_fit_together_is_refused(change: dict[str, object], said: str) -> None:
    with pytest.raises(ValidationError, match=said):
        sweep_of(CURVES, **change)


def asked(documents: int = 3, gold: tuple[int, ...] = (1,), **options: object) -> Request:
    base = request("sweep")
    question = base.question.model_copy(update={"gold": gold})
    shown = (base.documents * documents)[:documents]
    sweep = SweepOptions.model_validate(options)
    return base.model_copy(update={"question": question, "documents": shown, "sweep": sweep})


def test_a_sweep_is_checked_before_it_is_run() -> None:
    assert checked(asked()).sweep.moved == 1
    assert checked(asked(moved=2, places=(2, 0, 2))).sweep == SweepOptions(moved=2, places=(0, 2))
    plain = request().model_copy(update={"sweep": SweepOptions(moved=90)})
    assert checked(plain).sweep == plain.sweep  # of no use to another system
    assert checked(asked(gold=())).sweep.moved == 0  # the document's own mark
    unmarked = tuple(document.model_copy(update={"gold": None}) for document in asked().documents)
    with pytest.raises(InputError, match="choose the one that is to be moved"):
        checked(asked(gold=()).model_copy(update={"documents": unmarked}))
    with pytest.raises(InputError, match="Document 4 cannot be moved: there are 3"):
        checked(asked(moved=3))
    for place in (-1, 3):
        with pytest.raises(InputError, match="places are 1 to 3"):
            checked(asked(places=(place,)))
    assert checked(asked(documents=LIMITS.sweep_documents))
    with pytest.raises(InputError, match=f"at most {LIMITS.sweep_documents} can be swept"):
        checked(asked(documents=LIMITS.sweep_documents + 1))
