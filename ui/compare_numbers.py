"""What a comparison says, as numbers and short sentences; pure functions of its records."""

from __future__ import annotations

from dataclasses import dataclass

from core.records import CompareRecord, Document, RunRecord
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
    """``seconds`` over the plain system's; None where that is not compared."""


def of_pages(compared: CompareRecord) -> bool:
    """Whether the comparison is about a PDF, whose pages stand in the place of documents."""
    return not compared.documents


def unit(compared: CompareRecord) -> str:
    """What is compared: ``page`` or ``document``."""
    return "page" if of_pages(compared) else "document"


def count(compared: CompareRecord) -> int:
    """How many documents, or pages of the PDF, there are."""
    pages = max((len(record.pages or ()) for record in compared.records), default=0)
    return pages if of_pages(compared) else len(compared.documents)


def read_order(record: RunRecord) -> tuple[int, ...]:
    """The documents, or pages, in the order in which the last reader saw them.

    DuQUAD's Judge sees quotes of those that it kept; a decision over pages sees those that screening kept.
    """
    if record.pages is not None:
        if record.shown is None:
            return tuple(page.page for page in record.pages if page.kept)
        return tuple(page for i in record.shown if (page := record.documents[i].page) is not None)
    if record.shown is not None:
        return record.shown
    if record.pool is not None:
        kept = sorted((entry for entry in record.pool if entry.kept), key=lambda entry: -entry.score)
        return tuple(entry.document for entry in kept)
    return tuple(range(len(record.documents)))


def ranks(record: RunRecord) -> bool:
    """Whether the system ranks at all."""
    return bool(record.ranking) or any(page.rank is not None for page in record.pages or ())


def ranked(record: RunRecord) -> tuple[int, ...]:
    """All documents, or pages, best first; in the given order by a system that ranks none."""
    if record.pages is not None:
        last = len(record.pages)
        places = sorted(record.pages, key=lambda page: (last if page.rank is None else page.rank, page.page))
        return tuple(page.page for page in places)
    if record.ranking:
        return tuple(place.document for place in record.ranking)
    return tuple(range(len(record.documents)))


def plain_system(compared: CompareRecord) -> str:
    """The system that seconds are measured against: one prompt and one reply, over documents or over pages."""
    return "pdf_base" if of_pages(compared) else "vanilla"


def cost(record: RunRecord, beside: RunRecord | None) -> Cost:
    """What a system took, beside the plain one."""
    seconds = sum(call.seconds for call in record.calls)
    plain = sum(call.seconds for call in beside.calls) if beside else 0.0
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
    """The documents, or pages, that hold the evidence."""
    if of_pages(compared):
        return [page for page in compared.question.gold_pages if page < count(compared)]
    marked = {i for i, document in enumerate(compared.documents) if document.gold}
    return sorted(marked | set(compared.question.gold))


def way_of_gold(record: RunRecord, gold: int) -> str:
    """What became of a gold document, or page, in one system, in a few words."""
    order, all_ranked = read_order(record), ranked(record)
    said = [f"ranked {all_ranked.index(gold) + 1} of {len(all_ranked)}"] if ranks(record) else []
    if record.readers:
        reader = next((i for i, one in enumerate(record.readers, start=1) if gold in one.documents), 0)
        return f"in the chunk of reader {reader} of {len(record.readers)}"
    if gold in order:
        what = "quoted" if record.pool is not None and record.pages is None else "read"
        return ", ".join([*said, f"{what} at place {order.index(gold) + 1} of {len(order)}"])
    return ", ".join([*said, _why_lost(record, gold)])


def _why_lost(record: RunRecord, gold: int) -> str:
    if record.pages is not None:
        if ranks(record) and not record.pages[gold].candidate:
            return "not retrieved"
        return "screened out" if record.shown is None else "left out"
    entry = next((entry for entry in record.pool or () if entry.document == gold), None)
    if entry:
        return f"pruned with DocScore {entry.score:.2f}"
    if record.pool is not None:
        return "chosen by neither agent"
    return "below the bar" if record.judged else "left out"


def shown_units(compared: CompareRecord, selected: int | None) -> list[int]:
    """What a chart of ranks has a line for: every document; of a PDF the candidates, gold and the selected page."""
    if not of_pages(compared):
        return list(range(count(compared)))
    found = {page.page for record in compared.records for page in record.pages or () if page.candidate}
    found |= {*golds(compared), *(() if selected is None else (selected,))}
    return sorted(page for page in found if page < count(compared))


def document_of(compared: CompareRecord, at: int) -> Document | None:
    """A document; of a PDF the page as any system read it, None where none did."""
    if not of_pages(compared):
        return compared.documents[at] if at < len(compared.documents) else None
    pages = (document for record in compared.records for document in record.documents if document.page == at)
    return next(pages, None)
