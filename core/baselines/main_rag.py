"""MAIN-RAG: a Predictor, a Judge and an adaptive bar filter the documents, then one reply over what is left.

Source: Chang et al., ACL 2025 long 131. (1) the Predictor answers from each document alone; (2) the Judge weighs each
(document, question, answer) with Yes or No, s = log p(Yes) - log p(No); (3) documents with s at or above
mean - n * deviation are kept, best first; (4) the Final-Predictor answers from them. 2N + 1 calls.

Our choices: n = 0 (no value is published); the deviation is the population's; the prompts' wording; Yes and No in all
spellings, after the chat template (released code of others scores " Yes" with a leading space, which no reply begins
with); a Judge's call is one pass and writes nothing. If none is kept, which takes a negative n, all are read.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from core.baselines.reading import completed, in_order, ranking, read, reader_prompt
from core.duquad.pipeline import start
from core.duquad.prompts import document_piece, provisional_prompt
from core.models.calls import CallLog
from core.models.profile import Models
from core.models.protocol import Piece, Prompt, Stop, Task
from core.records import Document, Judged, Request, RunRecord, Step
from core.settings.profiles import PROFILES

JUDGE_INSTRUCTION = (
    "You find noisy documents. Decide whether two things hold: the document has specific information about the "
    "question, and the given answer follows directly from that document. Beware of answers that are wrong or that "
    "the document does not support."
)
JUDGE_FORM = "Do both hold? Begin your reply with Yes or No, then name the evidence."
SPELLINGS = (("Yes", " Yes", "yes", " yes"), ("No", " No", "no", " no"))


def run(request: Request, models: Models, run_id: str, stop: Stop) -> Iterator[Step]:
    """Runs one request. Raises ModelError, Cancelled."""
    record, log = start(request, request.settings, models, run_id), CallLog()
    yield Step(stage="predict", fraction=0.0, message="Asking each document alone")
    answers = _answers(record, models, log, stop)
    yield Step(stage="judge", fraction=0.5, message="Judging each document's answer")
    scores = _weighed(record, answers, models, log, stop)
    limit = bar(scores, record.settings.baselines.bar)
    kept = keep(scores, limit)
    judged = tuple(
        Judged(document=i, answer=answer, score=float(scores[i]), kept=i in kept) for i, answer in enumerate(answers)
    )
    counts = {"bar": limit, "llm_calls": 2.0 * len(answers) + 1}
    found = {"ranking": ranking(scores), "judged": judged, "counts": counts, "calls": tuple(log.calls)}
    record = record.model_copy(update=found)
    shown = kept[: record.settings.read_top]
    prompt = reader_prompt(record, shown, PROFILES[models.profile].answer_opener)
    yield from read(record, models, log, stop, shown, prompt, fraction=0.8)


def bar(scores: NDArray[np.float64], n: float) -> float:
    """Mean - n * deviation of the scores (N,)."""
    return float(scores.mean() - n * scores.std())


def keep(scores: NDArray[np.float64], limit: float) -> list[int]:
    """Documents at or above the bar, best first; all where there is none."""
    order = in_order(scores)
    # The mean of equal scores can exceed them in the last bits.
    return [i for i in order if scores[i] >= limit - 1e-9] or order


def judge_prompt(question: str, document: Document, answer: str) -> Prompt:
    """What the Judge reads of one document and its answer."""
    return Prompt(
        (
            Piece(f"{JUDGE_INSTRUCTION}\n\n"),
            document_piece(0, document),
            Piece("\n\nQuestion: "),
            Piece(question, question=True),
            Piece(f"\nGiven answer: {answer}\n\n{JUDGE_FORM}"),
        )
    )


def _answers(record: RunRecord, models: Models, log: CallLog, stop: Stop) -> list[str]:
    opener = PROFILES[models.profile].answer_opener
    prompts = [provisional_prompt(record.question.text, document, opener) for document in record.documents]
    tasks = [Task(prompt, record.settings.score_tokens) for prompt in prompts]
    return [" ".join(reply.text.split()) for reply in completed("predict", models, tasks, log, stop)]


def _weighed(record: RunRecord, answers: list[str], models: Models, log: CallLog, stop: Stop) -> NDArray[np.float64]:
    pairs = zip(record.documents, answers, strict=True)
    tasks = [Task(judge_prompt(record.question.text, document, answer), 1) for document, answer in pairs]
    with log.call("judge", models.backbone.name, "score") as usage:
        logs = models.backbone.weigh(tasks, SPELLINGS, stop)  # (N, 2)
        usage.prompt_tokens = sum(models.backbone.count_tokens(task.prompt) for task in tasks)
        usage.sequences = len(tasks)
    return logs[:, 0] - logs[:, 1]
