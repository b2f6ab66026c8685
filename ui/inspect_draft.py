"""The input of the next run: a question and documents whose order a person changes. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from core.records import Document, Question, Request, RunRecord
from core.settings.methods import RunSettings


@dataclass(frozen=True, eq=False)
class Draft:
    """Documents are named by their place in ``source``, so that two quick clicks mean the same document."""

    question: Question
    source: tuple[Document, ...]
    """The documents as they were loaded."""
    order: tuple[int, ...]
    """Which of them the next run gets, in its order."""
    shown: tuple[int, ...]
    """Which of them the record on the page has, in its order."""

    @property
    def documents(self) -> tuple[Document, ...]:
        """The documents of the next run, in its order."""
        return tuple(self.source[item] for item in self.order)

    @property
    def gold(self) -> tuple[int, ...]:
        """Places (0-based) of the gold documents in the next run."""
        return tuple(place for place, item in enumerate(self.order) if self.is_gold(item))

    @property
    def changed(self) -> bool:
        """Whether the next run would see other documents, or another order, than the record's did."""
        return self.order != self.shown

    def is_gold(self, item: int) -> bool:
        """Whether a document of ``source`` is known to hold the evidence."""
        return bool(self.source[item].gold) or item in self.question.gold

    def shown_as(self, item: int) -> int | None:
        """Index of a document in the record on the page; None when the record is without it."""
        return self.shown.index(item) if item in self.shown else None


def draft_of(question: Question, documents: Sequence[Document]) -> Draft:
    """A draft of these documents as they are, with a record that has them in this order."""
    order = tuple(range(len(documents)))
    return Draft(question=question, source=tuple(documents), order=order, shown=order)


EMPTY = draft_of(Question(text=""), ())


def put(draft: Draft, item: int, place: int) -> Draft:
    """Puts a document at a place (0-based, cut to the list); one that is not in the list is left out."""
    if item not in draft.order:
        return draft
    rest = [other for other in draft.order if other != item]
    place = min(max(place, 0), len(rest))
    return replace(draft, order=(*rest[:place], item, *rest[place:]))


def step(draft: Draft, item: int, by: int) -> Draft:
    """Moves a document by some places towards the end (or the start, negative)."""
    return put(draft, item, draft.order.index(item) + by) if item in draft.order else draft


def remove(draft: Draft, item: int) -> Draft:
    """Takes a document out; the last one stays, since a run needs one."""
    if len(draft.order) < 2:
        return draft
    return replace(draft, order=tuple(other for other in draft.order if other != item))


def move_gold(draft: Draft, place: int) -> Draft:
    """Puts the first gold document at a place (0-based); nothing moves where none is known."""
    return put(draft, draft.order[draft.gold[0]], place) if draft.gold else draft


def reset(draft: Draft) -> Draft:
    """All documents again, as they were loaded."""
    return replace(draft, order=tuple(range(len(draft.source))))


def edit(draft: Draft, asked: Mapping[str, object]) -> Draft:
    """One edit as the page sends it: ``what`` is done to ``item``; what makes no sense changes nothing."""
    item, place = asked.get("item"), asked.get("place")
    if not isinstance(item, int):
        return draft
    match asked.get("what"):
        case "up":
            return step(draft, item, -1)
        case "down":
            return step(draft, item, 1)
        case "remove":
            return remove(draft, item)
        case "put" if isinstance(place, int):
            return put(draft, item, place)
    return draft


def request(draft: Draft, question: str, settings: RunSettings) -> Request:
    """What the next run is asked, with the question as it now stands."""
    documents = tuple(
        document.model_copy(update={"gold": place in draft.gold}) if draft.gold else document
        for place, document in enumerate(draft.documents)
    )
    asked = Question(text=question, answers=draft.question.answers, gold=draft.gold)
    return Request(question=asked, documents=documents, settings=settings)


def unrun(draft: Draft, run_id: str = "") -> RunRecord:
    """A record of the draft before anything was found, so that its documents can be read on the page."""
    return RunRecord(
        run_id=run_id,
        created="",
        system="duquad",
        question=draft.question.model_copy(update={"gold": draft.gold}),
        documents=draft.documents,
        settings=RunSettings(),
        models={},
    )
