"""What the baselines over documents share: documents are put in an order, and the backbone answers over them.

The reader's prompt is Vanilla's with the documents in another order. They keep their numbers, so that what a reply
says of a document can be traced (our choice; whether the published systems number anew is not public).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from core.duquad.pipeline import start
from core.duquad.prompts import EVIDENCE_INSTRUCTION, reading_pieces
from core.models.calls import CallLog
from core.models.profile import Models
from core.models.protocol import Prompt, Reply, Stop, Task
from core.records import Document, Final, Ranked, Request, RunRecord, Step
from core.settings.profiles import PROFILES

Scores = NDArray[np.float64]
"""(N,), higher is better; or (K, N), where each row decides the ties of those before it."""
Scorer = Callable[[RunRecord, Models, CallLog, Stop], Scores]
"""Measures every document of a record."""


def rank_and_read(
    request: Request, models: Models, run_id: str, stop: Stop, score: Scorer, message: str
) -> Iterator[Step]:
    """Ranks the documents by ``score`` and answers over them, best first, or over the first ``read_top``.

    Raises ModelError, Cancelled.
    """
    record, log = start(request, request.settings, models, run_id), CallLog()
    yield Step(stage="rank", fraction=0.0, message=message)
    scores = score(record, models, log, stop)
    record = record.model_copy(update={"ranking": ranking(scores), "calls": tuple(log.calls)})
    shown = in_order(scores)[: record.settings.read_top]
    prompt = reader_prompt(record, shown, PROFILES[models.profile].answer_opener)
    yield from read(record, models, log, stop, shown, prompt, fraction=0.4)


def read(
    record: RunRecord, models: Models, log: CallLog, stop: Stop, shown: Sequence[int], prompt: Prompt, fraction: float
) -> Iterator[Step]:
    """The last two steps: the backbone answers ``prompt``, which shows the documents ``shown`` in that order.

    ``fraction`` of the run is done before.
    """
    record = record.model_copy(update={"shown": tuple(shown)})
    message = f"Reading {len(shown)} document{'s' if len(shown) != 1 else ''} in one prompt"
    yield Step(stage="answer", fraction=fraction, message=message, record=record)
    (reply,) = completed("answer", models, [Task(prompt, record.settings.judge_tokens)], log, stop)
    yield finished(record, log, reply)


def finished(record: RunRecord, log: CallLog, reply: Reply) -> Step:
    """The last step of a run whose answer is a reply."""
    final = Final(answer=reply.text.strip(), raw=reply.text)
    return Step(
        stage="done", fraction=1.0, record=record.model_copy(update={"final": final, "calls": tuple(log.calls)})
    )


def reader_prompt(record: RunRecord, shown: Sequence[int], opener: str) -> Prompt:
    """Vanilla's prompt over ``shown``, in that order."""
    instruction = record.settings.instruction or EVIDENCE_INSTRUCTION
    return Prompt(reading_pieces(record.question.text, record.documents, shown, instruction), opener)


def completed(stage: str, models: Models, tasks: Sequence[Task], log: CallLog, stop: Stop) -> list[Reply]:
    """Replies that are decoded together, as one entry of the log."""
    with log.call(stage, models.backbone.name, "generate") as usage:
        replies = models.backbone.complete(tasks, stop)
        usage.prompt_tokens = sum(reply.prompt_tokens for reply in replies)
        usage.new_tokens = sum(reply.new_tokens for reply in replies)
        usage.sequences = len(replies)
    return replies


def in_order(scores: Scores) -> list[int]:
    """The documents, best first; ties that no row decides go to the lower index."""
    rows = np.round(np.atleast_2d(scores), 12)  # the last bits of a sum decide no tie
    # Keys of a lexsort come last first.
    return [int(i) for i in np.lexsort((np.arange(rows.shape[1]), *-rows[::-1]))]


def ranking(scores: Scores) -> tuple[Ranked, ...]:
    """Scores as a record keeps them: best first."""
    first = np.atleast_2d(scores)[0]
    return tuple(Ranked(document=i, score=float(first[i])) for i in in_order(scores))


def titled(document: Document) -> str:
    """Title and text, as retrievers read them."""
    return f"{document.title}. {document.text}" if document.title.strip() else document.text
