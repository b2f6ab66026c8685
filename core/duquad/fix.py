"""One question asked in four ways, with gold at one place after another: which of them brings it back.

As given (Vanilla), sorted by SFS with the best first, sorted with the best at both ends, and through DuQUAD.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.duquad import path, pipeline
from core.duquad.contrast import attention_share, chosen_attention
from core.duquad.crowd import spread
from core.duquad.prompts import answer_prompt
from core.duquad.sweep import moved_document
from core.models.calls import CallLog
from core.models.profile import Models
from core.models.protocol import Stop, Task
from core.records import Question, Request, RunRecord, Step, SweepRecord
from core.settings.methods import ATTENTION_DIGITS
from core.settings.profiles import PROFILES
from core.sweep_record import SweepFix, SweepWay, Way, moved_order
from core.text import contains_answer

_DUQUAD = 0.5  # share of a place's time that DuQUAD takes


def run(request: Request, models: Models, run_id: str, stop: Stop) -> Iterator[Step]:
    """Asks at each of the sweep's places (first, middle and last by default); a step with the record after each.

    Raises:
        ValueError: no document is named as the moved one.
        ModelError: a model cannot do its part.
        Cancelled: ``stop`` said so.
    """
    moved, log = moved_document(request), CallLog()
    record: SweepRecord | None = None
    places = request.sweep.places or spread(len(request.documents))
    for done, place in enumerate(places):
        order = moved_order(len(request.documents), moved, place)
        asked = _at(request, order, place)
        for step in pipeline.run(asked, models, run_id, stop):
            fraction = (done + _DUQUAD * step.fraction) / len(places)
            found = step.record
            if step.stage != "done":
                said = f"DuQUAD with gold at place {place + 1}: {step.message[:1].lower()}{step.message[1:]}"
                yield Step(stage="fix", fraction=fraction, message=said, record=record)
        assert isinstance(found, RunRecord)
        record = record or _begun(request, moved, order, found)
        said = f"As given and reordered, with gold at place {place + 1}"
        yield Step(stage="fix", fraction=(done + _DUQUAD) / len(places), message=said, record=record)
        ways = (*_reordered(asked, place, found, models, log, stop), _duquad(found, place))
        fix = SweepFix(place=place, ways=tuple(_in_base(way, order) for way in ways))
        calls = (*record.calls, *found.calls, *log.calls)
        log.calls.clear()
        record = record.model_copy(update={"fixes": (*(record.fixes or ()), fix), "calls": calls})
    yield Step(stage="done", fraction=1.0, record=record)


def u_shape(ranked: Sequence[int]) -> tuple[int, ...]:
    """Best first, second best last, third best second, and so on: the best at both ends, for any length."""
    return (*ranked[::2], *reversed(ranked[1::2]))


def _at(request: Request, order: Sequence[int], place: int) -> Request:
    gold = tuple(sorted({place, *(order.index(index) for index in request.question.gold)}))
    question = Question(text=request.question.text, answers=request.question.answers, gold=gold)
    documents = tuple(request.documents[index] for index in order)
    return request.model_copy(update={"question": question, "documents": documents})


def _begun(request: Request, moved: int, order: Sequence[int], found: RunRecord) -> SweepRecord:
    """The record before a way was asked; likelihood and meaning come from the first run, in base order."""
    assert found.signals
    back = [order.index(index) for index in range(len(order))]
    marked = tuple(index for index, document in enumerate(request.documents) if document.gold)
    return SweepRecord(
        run_id=found.run_id,
        created=found.created,
        system=request.system,
        question=request.question.model_copy(update={"gold": request.question.gold or marked}),
        documents=request.documents,
        gold=moved,
        models=found.models,
        settings=found.settings,
        semantic=tuple(found.signals.semantic[at] for at in back),
        query_nll=tuple(found.signals.query_nll[at] for at in back),
        query_nll_empty=found.signals.query_nll_empty,
        fixes=(),
    )


def _reordered(
    asked: Request, place: int, found: RunRecord, models: Models, log: CallLog, stop: Stop
) -> list[SweepWay]:
    """The plain prompt over the documents as given, best first, and best at both ends; decoded together."""
    ranked = [entry.document for entry in found.ranking or ()]
    orders: dict[Way, Sequence[int]] = {
        "vanilla": range(len(asked.documents)),
        "best_first": ranked,
        "u_shape": u_shape(ranked),
    }
    settings, opener = found.settings, PROFILES[models.profile].answer_opener
    tasks, shares = [], []
    for order in orders.values():
        shown = [asked.documents[index] for index in order]
        prompt = answer_prompt(asked.question.text, shown, settings.instruction, opener)
        with log.call("answer", models.backbone.name, "score") as usage:
            reading = models.backbone.read(prompt, stop, settings.judge_tokens)
            usage.prompt_tokens = reading.prompt_tokens
        tasks.append(Task(prompt, settings.judge_tokens, reading=reading))
        share = attention_share(chosen_attention(reading.attention, settings))[list(order).index(place)]
        shares.append(float(f"{share:.{ATTENTION_DIGITS}g}"))
    with log.call("answer", models.backbone.name, "generate") as usage:
        replies = models.backbone.complete(tasks, stop)
        usage.new_tokens, usage.sequences = sum(reply.new_tokens for reply in replies), len(replies)
    answers = asked.question.answers
    return [
        SweepWay(
            way=way, order=tuple(order), answer=(said := reply.text.strip()), share=share,
            right=contains_answer(said, answers),
        )
        for (way, order), reply, share in zip(orders.items(), replies, shares, strict=True)
    ]  # fmt: skip


def _duquad(found: RunRecord, place: int) -> SweepWay:
    assert found.agents and found.agents.local and found.final and found.signals
    attention = chosen_attention(found.signals.attention, found.settings)
    return SweepWay(
        way="duquad",
        order=found.agents.local.documents_shown,
        answer=found.final.answer,
        right=contains_answer(found.final.answer, found.question.answers),
        path=tuple(path.steps(found, place)),
        attention_rank=path.attention_ranks(attention)[place],
        sfs_rank=1 + [entry.document for entry in found.ranking or ()].index(place),
        quoted=any(entry.document == place and entry.kept for entry in found.pool or ()),
    )


def _in_base(way: SweepWay, order: Sequence[int]) -> SweepWay:
    """The way with indexes of the documents as they were asked."""
    return way.model_copy(update={"order": tuple(order[index] for index in way.order)})
