"""The moved document among more and fewer others, of three kinds, in shuffled orders: a generator of steps."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from core.duquad.contrast import chosen_attention
from core.duquad.crowd import arranged
from core.duquad.pipeline import start
from core.duquad.prompts import answer_prompt
from core.duquad.signals import query_likelihoods, semantic_relevance
from core.duquad.sweep import moved_document
from core.models.calls import CallLog
from core.models.profile import Models
from core.models.protocol import ModelError, PromptTooLong, Reading, Stop, Task
from core.records import Request, Step, SweepRecord
from core.settings.methods import ATTENTION_DIGITS
from core.settings.profiles import PROFILES
from core.sweep_record import Noise, SweepLength
from core.text import contains_answer

_SIGNALS = 0.15  # share of the run that likelihoods and embeddings take


def run(request: Request, models: Models, run_id: str, stop: Stop) -> Iterator[Step]:
    """Reads the moved document in the middle of each number of others, of each kind, in each seed's order.

    A kind that has too few documents for a length is left out there, and so is a length that the model's window
    does not hold. Prompts of one kind and seed share their beginning, and their answers are decoded together.

    Raises:
        ValueError: no document is named as the moved one.
        ModelError: a model cannot do its part, or the settings name a head that it does not have.
        Cancelled: ``stop`` said so.
    """
    log = CallLog()
    yield Step(stage="likelihood", fraction=0.0, message="How likely each document makes the question")
    walk = _Rows(models, request, _begun(request, models, run_id, log, stop), log, stop)
    rows = [(noise, seed) for noise in request.sweep.noises for seed in request.sweep.seeds]
    for done, (noise, seed) in enumerate(rows):
        said = f"{noise.capitalize()} documents around it, order {seed}"
        fraction = _SIGNALS + (1 - _SIGNALS) * done / len(rows)
        yield Step(stage="length", fraction=fraction, message=said, record=walk.record)
        walk.read(noise, seed)
    yield Step(stage="done", fraction=1.0, record=walk.record)


def _begun(request: Request, models: Models, run_id: str, log: CallLog, stop: Stop) -> SweepRecord:
    """The record before a prompt was read: what does not depend on what stands around a document."""
    moved = moved_document(request)
    nll, nll_empty = query_likelihoods(models, request.question.text, request.documents, log, stop)
    semantic = semantic_relevance(models, request.question.text, request.documents, log, stop)
    base = start(request, request.settings, models, run_id)
    return SweepRecord(
        run_id=run_id,
        created=base.created,
        system=request.system,
        question=base.question,
        documents=request.documents,
        gold=moved,
        models=base.models,
        settings=base.settings,
        semantic=semantic,
        query_nll=nll,
        query_nll_empty=nll_empty,
        lengths=(),
    )


class _Rows:
    """The prompts of one kind and seed, after one another."""

    def __init__(self, models: Models, request: Request, record: SweepRecord, log: CallLog, stop: Stop) -> None:
        self.record = record
        self._models, self._sweep, self._log, self._stop = models, request.sweep, log, stop
        self._own = min(request.sweep.own or len(request.documents), len(request.documents))
        self._too_long = False

    def read(self, noise: Noise, seed: int) -> None:
        """Reads every length and answers all of them together."""
        found: list[tuple[SweepLength, Task]] = []
        last: Reading | None = None
        for length in self._sweep.lengths:
            order = arranged(self.record.gold, self._own, self.record.semantic, noise, seed, length)
            if order is None:
                continue
            try:
                task = self._task(order, last)
            except PromptTooLong:
                self._warn(length)
                break
            assert task.reading
            last = task.reading
            attention = self._attention(last)
            found.append((SweepLength(noise=noise, seed=seed, order=order, attention=attention), task))
        self._answer(found)

    def _task(self, order: tuple[int, ...], after: Reading | None) -> Task:
        record, backbone, most = self.record, self._models.backbone, self.record.settings.judge_tokens
        opener = PROFILES[self._models.profile].answer_opener
        shown = [record.documents[index] for index in order]
        prompt = answer_prompt(record.question.text, shown, record.settings.instruction, opener)
        with self._log.call("length", backbone.name, "score") as usage:
            reading = backbone.read(prompt, self._stop, most, after)
            usage.prompt_tokens = reading.prompt_tokens
        return Task(prompt, most, reading=reading)

    def _attention(self, reading: Reading) -> tuple[float, ...]:
        try:
            profile = chosen_attention(reading.attention, self.record.settings)
        except ValueError as error:
            raise ModelError(f"The settings do not fit the model: {error}.") from None
        return tuple(float(f"{value:.{ATTENTION_DIGITS}g}") for value in np.asarray(profile).tolist())

    def _answer(self, found: list[tuple[SweepLength, Task]]) -> None:
        if not found:
            return
        with self._log.call("answer", self._models.backbone.name, "generate") as usage:
            replies = self._models.backbone.complete([task for _, task in found], self._stop)
            usage.new_tokens, usage.sequences = sum(reply.new_tokens for reply in replies), len(replies)
        said = [reply.text.strip() for reply in replies]
        answers = self.record.question.answers
        cells = tuple(
            cell.model_copy(update={"answer": text, "right": contains_answer(text, answers)})
            for (cell, _), text in zip(found, said, strict=True)
        )
        self._grow(lengths=(*(self.record.lengths or ()), *cells))

    def _warn(self, length: int) -> None:
        if not self._too_long:
            self._too_long = True
            self._grow(warnings=(*self.record.warnings, f"{length} documents do not fit the model's window."))

    def _grow(self, **fields: object) -> None:
        self.record = self.record.model_copy(update={**fields, "calls": tuple(self._log.calls)})
