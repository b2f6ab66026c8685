"""DocScore: can this document alone answer the question? Two kinds behind one interface (DuQUAD §3.3)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.duquad.prompts import provisional_prompt, spoken_score_prompt
from core.duquad.pruning import gate
from core.models.calls import CallLog
from core.models.profile import Models
from core.models.protocol import Reply, Stop, Task
from core.models.reply import read_object
from core.records import Document, Signals
from core.settings.methods import ANSWER_CHARS, DOCSCORE_BIAS, DOCSCORE_SLOPE, RunSettings

_TINY = 1e-6  # nats; keeps the logarithm finite
_SCORE = re.compile(r"score\W{1,6}(\d+(?:\.\d+)?(?:\s*/\s*\d+(?:\.\d+)?|\s*%)?)", re.IGNORECASE)

SPOKEN_SCHEMA = {
    "type": "object",
    "properties": {
        "answer_span": {"type": "string", "maxLength": ANSWER_CHARS},
        "score": {"type": "number", "minimum": 0, "maximum": 1},
    },
    "required": ["answer_span", "score"],
    "additionalProperties": False,
}


@dataclass(frozen=True)
class Scored:
    """One document's score and its own provisional answer."""

    score: float
    answer: str
    readable: bool = True
    """False when the model's reply held no score; the score is then 0."""


def spoken(
    models: Models,
    question: str,
    documents: Sequence[Document],
    candidates: Sequence[int],
    settings: RunSettings,
    log: CallLog,
    stop: Stop,
) -> list[Scored]:
    """The Score Agent of the paper: one reply per candidate, all decoded together."""
    tasks = [
        Task(spoken_score_prompt(question, documents[i]), settings.score_tokens, SPOKEN_SCHEMA) for i in candidates
    ]
    return [read_score(reply) for reply in _complete(models, tasks, log, stop)]


def read_score(reply: Reply) -> Scored:
    """A spoken score: "0.8", "80%" and "4/5" are understood, the value is clamped to [0, 1]."""
    found, _ = read_object(reply.text)
    data = found or {}
    span = data.get("answer_span")
    answer = " ".join(span.split()) if isinstance(span, str) else ""
    value = data.get("score")
    if value is None:
        match = _SCORE.search(reply.text)
        value = match[1] if match else None
    score = parse_score(value)
    return Scored(score=score or 0.0, answer=answer, readable=score is not None)


def parse_score(value: object) -> float | None:
    """A number in [0, 1] from what a model may write for one; None when it is none."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return float(min(max(value, 0), 1)) if np.isfinite(value) else None
    match = re.fullmatch(r"\s*(\d{1,6}(?:\.\d{1,6})?)\s*(?:/\s*(\d{1,6}(?:\.\d{1,6})?)|(%))?\s*", str(value))
    if not match:
        return None
    number, whole, percent = float(match[1]), match[2], match[3]
    divisor = 100.0 if percent else float(whole) if whole else 1.0
    return min(max(number / divisor, 0.0), 1.0) if divisor else None


def from_likelihoods(
    models: Models,
    question: str,
    documents: Sequence[Document],
    candidates: Sequence[int],
    signals: Signals,
    opener: str,
    settings: RunSettings,
    log: CallLog,
    stop: Stop,
) -> list[Scored]:
    """A score for models that cannot speak one, from the likelihoods that were measured anyway.

    The answers are still the model's own, each written from one candidate alone, all decoded together. Since the
    scores need no reply, the gate is known before: by default only the documents that it keeps are asked.
    """
    every = likelihood_scores(signals)
    scores = [float(every[i]) for i in candidates]
    kept = gate(scores, settings)
    asked = [i for i, keep in zip(candidates, kept, strict=True) if keep or settings.pool_answers == "all"]
    tasks = [Task(provisional_prompt(question, documents[i], opener), settings.score_tokens) for i in asked]
    replies = dict(zip(asked, _complete(models, tasks, log, stop), strict=True))
    answers = [replies[i].text if i in replies else "" for i in candidates]
    return [Scored(score, answer) for score, answer in zip(scores, answers, strict=True)]


def likelihood_scores(signals: Signals) -> np.ndarray:
    """DocScore in [0, 1] per document (N,), from query likelihoods alone: a calibrated logistic.

    Its one feature is how far a document's Φppl lies below that of its best rival, as log(rival / own); the
    rivals are all other documents and no document at all. Our choice: this ratio alone separates gold from
    its pool as well as any pair of likelihood features that was tried.
    """
    nll = np.maximum(np.array(signals.query_nll), _TINY)
    empty = max(signals.query_nll_empty, _TINY)
    rivals = np.array([np.delete(nll, i).min(initial=empty) for i in range(len(nll))])
    logit = DOCSCORE_BIAS + DOCSCORE_SLOPE * np.log(rivals / nll)
    return 1 / (1 + np.exp(-np.clip(logit, -30, 30)))  # type: ignore[no-any-return]


def _complete(models: Models, tasks: Sequence[Task], log: CallLog, stop: Stop) -> list[Reply]:
    with log.call("docscore", models.backbone.name, "generate") as usage:
        replies = models.backbone.complete(tasks, stop)
        usage.prompt_tokens = sum(reply.prompt_tokens for reply in replies)
        usage.new_tokens = sum(reply.new_tokens for reply in replies)
        usage.sequences = len(replies)
    return replies
