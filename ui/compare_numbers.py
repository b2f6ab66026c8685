"""What a comparison says, as numbers and short sentences; pure functions of its records."""

from __future__ import annotations

from dataclasses import dataclass

from core.records import CompareRecord, RunRecord
from core.text import contains_answer


@dataclass(frozen=True)
class Cost:
    """What one system took."""

    calls: int
    """Replies of the model, counted as the papers count them."""
    tokens_in: int
    tokens_out: int
    seconds: float
    """With shared work counted as if it had been done for this system alone."""
    shared: float
    """Seconds of that work."""
    relative: float | None
    """``seconds`` over Vanilla's; None where Vanilla is not compared."""


def read_order(record: RunRecord) -> tuple[int, ...]:
    """The documents in the order in which the last reader saw them; DuQUAD's Judge sees quotes of those it kept."""
    if record.shown is not None:
        return record.shown
    if record.pool is not None:
        kept = sorted((entry for entry in record.pool if entry.kept), key=lambda entry: -entry.score)
        return tuple(entry.document for entry in kept)
    return tuple(range(len(record.documents)))


def ranked(record: RunRecord) -> tuple[int, ...]:
    """All documents, best first; in the given order by a system that ranks none."""
    if record.ranking:
        return tuple(place.document for place in record.ranking)
    return tuple(range(len(record.documents)))


def cost(record: RunRecord, vanilla: RunRecord | None) -> Cost:
    """What a system took, beside Vanilla."""
    seconds = sum(call.seconds for call in record.calls)
    plain = sum(call.seconds for call in vanilla.calls) if vanilla else 0.0
    return Cost(
        calls=record.llm_calls,
        tokens_in=sum(call.prompt_tokens for call in record.calls),
        tokens_out=sum(call.new_tokens for call in record.calls),
        seconds=seconds,
        shared=sum(call.shared_seconds or 0.0 for call in record.calls),
        relative=seconds / plain if plain else None,
    )


def right(record: RunRecord) -> bool | None:
    """Whether the answer holds an accepted one; None where none is known."""
    if record.final is None:
        return None
    return contains_answer(record.final.answer, record.question.answers)


def golds(compared: CompareRecord) -> list[int]:
    """The documents that hold the evidence."""
    marked = {i for i, document in enumerate(compared.documents) if document.gold}
    return sorted(marked | set(compared.question.gold))


def way_of_gold(record: RunRecord, gold: int) -> str:
    """What became of a gold document in one system, in a few words."""
    order = read_order(record)
    said = []
    if record.ranking:
        said.append(f"ranked {ranked(record).index(gold) + 1} of {len(record.documents)}")
    if record.readers:
        reader = next((i for i, one in enumerate(record.readers, start=1) if gold in one.documents), 0)
        return f"in the chunk of reader {reader} of {len(record.readers)}"
    if gold in order:
        what = "quoted" if record.pool is not None else "read"
        return ", ".join([*said, f"{what} at place {order.index(gold) + 1} of {len(order)}"])
    return ", ".join([*said, _why_lost(record, gold)])


def _why_lost(record: RunRecord, gold: int) -> str:
    entry = next((entry for entry in record.pool or () if entry.document == gold), None)
    if entry:
        return f"pruned with DocScore {entry.score:.2f}"
    if record.pool is not None:
        return "chosen by neither agent"
    return "below the bar" if record.judged else "left out"
