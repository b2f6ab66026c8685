"""What a live sweep is asked: fewer documents, another order, or a person's own. Pure."""

from __future__ import annotations

import random
from dataclasses import dataclass

from core.ingest.questions import InputError, gold_indexes
from core.records import Question, Request, SweepOptions, dumps
from ui.inspect_draft import Draft
from ui.inspect_inputs import pasted

ALL = "all"
COUNTS = (ALL, "5", "10", "15", "20", "30")
"""Numbers of documents to choose from."""


@dataclass(frozen=True)
class Choice:
    """What the controls beside Run hold, in the order in which they stand on the page."""

    documents: str = ALL
    """One of ``COUNTS``; more than there are means all."""
    shuffle: float = 0
    """Seed of the order of the other documents; 0 leaves them as they are."""
    control: bool = True
    """Whether a text with no content is moved as well."""


def arranged(request: Request, choice: Choice) -> Request:
    """The request with as many documents as were chosen, the moved one among them, in the chosen order."""
    moved = request.sweep.moved
    moved = next(iter(request.question.gold), None) if moved is None else moved
    if moved is None or not moved < len(request.documents):
        return request
    others = [index for index in range(len(request.documents)) if index != moved]
    if choice.shuffle:
        random.Random(int(choice.shuffle)).shuffle(others)
    if choice.documents.isdecimal():
        others = others[: max(int(choice.documents), 2) - 1]
    order = [*others[:moved], moved, *others[moved:]]
    gold = tuple(sorted(order.index(index) for index in {*request.question.gold, moved} if index in order))
    return request.model_copy(
        update={
            "question": request.question.model_copy(update={"gold": gold}),
            "documents": tuple(request.documents[index] for index in order),
            "sweep": SweepOptions(moved=order.index(moved), dummy=choice.control),
        }
    )


def own_form(draft: Draft) -> tuple[str, str, str, int]:
    """What the form of own documents holds for a draft: question, answers, documents as JSON lines, gold's number."""
    lines = [
        dumps({"title": document.title, "text": document.text, "gold": place in draft.gold})
        for place, document in enumerate(draft.documents)
    ]
    gold = next(iter(draft.gold), 0) + 1
    return draft.question.text, "\n".join(draft.question.answers), "\n".join(lines), gold


def own_request(question: str, answers: str, documents: str, gold: float | None) -> Request:
    """A sweep over pasted documents; ``gold`` is the number, from 1, of the one that moves where none is marked.

    Raises:
        InputError: a part is missing or cannot be used; the message says which and why.
    """
    draft, _ = pasted(question, answers, documents)
    marked = gold_indexes(draft.documents)
    moved = next(iter(marked), int(gold) - 1 if gold else None)
    if moved is None or not 0 <= moved < len(draft.documents):
        raise InputError(f"Say which document holds the answer: a number from 1 to {len(draft.documents)}.")
    if len(draft.documents) < 3:
        raise InputError("Three documents are the fewest among which one can be moved: add some.")
    asked = Question(text=draft.question.text, answers=draft.question.answers, gold=tuple(sorted({*marked, moved})))
    return Request(system="sweep", question=asked, documents=draft.documents, sweep=SweepOptions(moved=moved))
