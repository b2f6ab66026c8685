"""Prompts of other lengths on a scripted model: what stands in them, and what is left out."""

from __future__ import annotations

import pytest

from core.duquad import length
from core.ingest.questions import InputError, checked
from core.models.protocol import PromptTooLong, Reading
from core.models.scripted import ScriptedBackbone, scripted_models
from core.records import Document, Request, SweepOptions, SweepRecord
from tests.core.duquad.test_pipeline import request
from tests.core.models.prompts import never


def asked(own: int = 7, foreign: int = 6, **options: object) -> Request:
    base = request(own, 3)
    others = tuple(Document(id=f"o{i}", title=f"O{i}", text=f"Of another question, {i}.") for i in range(foreign))
    sweep = {"lengths": (3, 5, 7), "seeds": (1, 2), "own": own} | options
    return base.model_copy(
        update={
            "system": "length",
            "documents": base.documents + others,
            "sweep": SweepOptions.model_validate(sweep),
        }
    )


def run(ask: Request, models: object = None) -> SweepRecord:
    *_, last = length.run(ask, models or scripted_models(), "run", never)  # type: ignore[arg-type]
    assert isinstance(last.record, SweepRecord)
    return last.record


def test_the_record_holds_each_kind_length_and_seed_once() -> None:
    record = run(asked())
    cells = [(cell.noise, cell.seed, len(cell.order)) for cell in record.lengths or ()]
    assert len(cells) == len(set(cells)) == 3 * 2 * 3
    assert SweepRecord.from_json(record.to_json()) == record
    for cell in record.lengths or ():
        assert cell.order[(len(cell.order) - 1) // 2] == record.gold
        assert len(cell.attention) == len(cell.order) and cell.answer
    assert record.places == () and len(record.semantic) == 13


def test_answers_of_one_kind_and_seed_are_written_together() -> None:
    models = scripted_models()
    run(asked(), models)
    assert isinstance(models.backbone, ScriptedBackbone)
    written = [argument for name, argument in models.backbone.calls if name == "complete"]
    assert [len(tasks) for tasks in written] == [3] * 6
    read = [prompt for name, prompt in models.backbone.calls if name == "read"]
    assert [task.prompt for tasks in written for task in tasks] == read


class _Narrow(ScriptedBackbone):
    def read(self, prompt, stop, reserve=0, after=None) -> Reading:  # type: ignore[no-untyped-def]
        if sum(piece.document is not None for piece in prompt.pieces) > 5:
            raise PromptTooLong("too long")
        return super().read(prompt, stop, reserve, after)


def test_what_the_window_does_not_hold_is_said_once() -> None:
    models = scripted_models()
    object.__setattr__(models, "backbone", _Narrow())
    record = run(asked(), models)
    assert {len(cell.order) for cell in record.lengths or ()} == {3, 5}
    assert record.warnings == ("7 documents do not fit the model's window.",)


def test_lengths_that_make_no_sense_are_refused() -> None:
    ask = asked()
    for wrong in ((1,), (41,)):
        with pytest.raises(InputError, match="2 to 40 documents"):
            checked(ask.model_copy(update={"sweep": ask.sweep.model_copy(update={"lengths": wrong})}))
    tidy = checked(ask.model_copy(update={"sweep": ask.sweep.model_copy(update={"lengths": (7, 3, 3)})}))
    assert tidy.sweep.lengths == (3, 7) and tidy.sweep.moved == 3
