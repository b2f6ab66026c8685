"""One question in four ways on a scripted model: the orders that are read, and what the record says."""

from __future__ import annotations

import pytest

from core.duquad import fix
from core.models.scripted import ScriptedBackbone, scripted_models
from core.records import Request, Step, SweepOptions, SweepRecord
from tests.core.duquad.test_pipeline import request
from tests.core.models.prompts import never

N, GOLD = 7, 2


def run(places: tuple[int, ...] = (), n: int = N) -> tuple[list[Step], SweepRecord, list[tuple[str, object]]]:
    models = scripted_models()
    ask: Request = request(n, GOLD).model_copy(update={"system": "fix", "sweep": SweepOptions(places=places)})
    steps = list(fix.run(ask, models, "run", never))
    record = steps[-1].record
    assert isinstance(record, SweepRecord) and isinstance(models.backbone, ScriptedBackbone)
    return steps, record, models.backbone.calls


@pytest.mark.parametrize(
    ("ranked", "shape"),
    [((), ()), ((4,), (4,)), ((1, 2), (1, 2)), ((0, 1, 2, 3), (0, 2, 3, 1)), ((0, 1, 2, 3, 4), (0, 2, 4, 3, 1))],
)
def test_the_best_stand_at_both_ends(ranked: tuple[int, ...], shape: tuple[int, ...]) -> None:
    assert fix.u_shape(ranked) == shape


def test_every_way_is_asked_at_every_place() -> None:
    steps, record, calls = run()
    assert [found.place for found in record.fixes or ()] == [0, 3, 6]
    assert SweepRecord.from_json(record.to_json()) == record
    for found in record.fixes or ():
        given, best, ends, duquad = found.ways
        assert [way.way for way in found.ways] == ["vanilla", "best_first", "u_shape", "duquad"]
        assert given.order == record.order(found.place)
        assert best.order[0] == ends.order[0] == GOLD, "the scripted model ranks gold first"
        assert sorted(best.order) == sorted(ends.order) == list(range(N))
        assert ends.order[-1] == best.order[1]
        assert all(way.share is not None and 0 < way.share < 1 for way in (given, best, ends))
        assert duquad.path and duquad.path[0] == f"place {found.place + 1} of {N}" and duquad.quoted
        assert duquad.sfs_rank == 1 and f"attention rank {duquad.attention_rank}" in duquad.path
        assert duquad.order == best.order[:6] and duquad.share is None
    prompts = [prompt for name, prompt in calls if name == "read"]
    assert len(prompts) == 3 * 4  # DuQUAD's, then the three plain ones
    fractions = [step.fraction for step in steps]
    assert fractions == sorted(fractions) and fractions[-1] == 1


def test_signals_are_in_the_order_in_which_the_documents_were_asked() -> None:
    _, record, _ = run((5,))
    assert max(range(N), key=record.semantic.__getitem__) == GOLD
    assert min(range(N), key=record.query_nll.__getitem__) == GOLD


def test_few_documents() -> None:
    _, record, _ = run(n=3)
    assert [len(found.ways) for found in record.fixes or ()] == [4, 4, 4]
