"""Compare: one question put to several systems, one after another, over models that remember."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Iterator

from core.duquad.pipeline import start
from core.models.profile import Models
from core.models.protocol import Cancelled, ModelError, Stop
from core.models.shared import shared
from core.records import Compared, CompareRecord, Request, RunRecord, Step
from core.settings.methods import MOST_COMPARED
from core.systems import SYSTEMS

FEWEST = 2


def run(request: Request, models: Models, run_id: str, stop: Stop) -> Iterator[Step]:
    """Runs one comparison; each finished system is a step with the record so far.

    A system that fails becomes a column that says why, and the others go on. Work that two systems ask for in exactly
    the same words is done once; both are charged what it took.

    Raises:
        ModelError: fewer than two or more than six systems, one twice, or one that cannot be compared.
        Cancelled: ``stop`` said so.
    """
    check(request)
    base = start(request, request.settings, models, run_id)
    record = CompareRecord(
        run_id=run_id,
        created=base.created,
        question=base.question,
        documents=base.documents,
        systems=tuple(Compared(system=name) for name in request.systems),
        models=base.models,
    )
    remembering, work = shared(models)
    for place, name in enumerate(request.systems):
        done = place / len(request.systems)
        yield Step(stage=name, fraction=done, message=f"{SYSTEMS[name].title} begins", record=record)
        one, error = None, ""
        asked = request.model_copy(update={"system": name, "systems": ()})
        try:
            for step in SYSTEMS[name].load()(asked, remembering, f"{run_id}-{name}", stop):
                one = step.record if isinstance(step.record, RunRecord) else one
                message = f"{SYSTEMS[name].title}: {step.message or step.stage}"
                yield Step(stage=name, fraction=done + step.fraction / len(request.systems), message=message)
        except Cancelled:
            raise
        except ModelError as problem:
            one, error = None, str(problem)
        except Exception as problem:
            one, error = None, _surprise(name, problem)
        record = _grown(record, name, one, error).model_copy(update={"counts": work.counts})
    yield Step(stage="done", fraction=1.0, record=record)


def check(request: Request) -> None:
    """Refuses a comparison that makes no sense. Raises ModelError."""
    names = request.systems
    if not FEWEST <= len(names) <= MOST_COMPARED:
        raise ModelError(f"A comparison takes {FEWEST} to {MOST_COMPARED} systems; {len(names)} were named.")
    if len(set(names)) < len(names):
        raise ModelError("A system is named twice in this comparison; name each once.")
    kind = "pdf" if request.pdf else "documents"
    wrong = [name for name in names if name not in SYSTEMS or SYSTEMS[name].kind != kind]
    if wrong:
        known = ", ".join(system.name for system in SYSTEMS.values() if system.kind == kind)
        raise ModelError(f"{wrong[0][:40]!r} cannot be compared here; choose among {known}.")


def _grown(record: CompareRecord, name: str, one: RunRecord | None, error: str) -> CompareRecord:
    """The record with the outcome of one more system."""
    columns = tuple(
        column.model_copy(update={"error": error}) if column.system == name else column for column in record.systems
    )
    records = (*record.records, one) if one else record.records
    return record.model_copy(update={"systems": columns, "records": records})


def _surprise(name: str, error: Exception) -> str:
    print(f"{name} failed inside a comparison:", file=sys.stderr)
    traceback.print_exc()
    if isinstance(error, MemoryError):
        return "There was not enough memory. Try fewer or shorter documents."
    return f"Something went wrong inside W-Lens ({type(error).__name__}); the log says more."
