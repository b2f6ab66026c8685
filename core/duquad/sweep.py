"""One document moved through the places of the prompt: attention and answer at each, as a generator of steps."""

from __future__ import annotations

from collections.abc import Iterator

from core.duquad.pipeline import start
from core.duquad.prompts import answer_prompt
from core.duquad.signals import query_likelihoods, rounded, semantic_relevance
from core.models.calls import CallLog
from core.models.profile import Models
from core.models.protocol import Prompt, Reading, Stop, Task
from core.records import Document, Request, Step, SweepPlace, SweepRecord
from core.settings.methods import SWEEP_DIGITS, SWEEP_TOGETHER
from core.settings.profiles import PROFILES
from core.sweep_record import moved_order
from core.text import contains_answer

FILLER = "This is a placeholder that says nothing at all. It stands here only to take up room. "
FILLER_TITLE = "Placeholder"
_SEMANTIC, _ANSWER = 0.25, 0.1  # cost of embedding the documents, of one answer; in readings of the whole prompt


def run(request: Request, models: Models, run_id: str, stop: Stop) -> Iterator[Step]:
    """Runs one sweep; each place that has been read is a step with the record so far.

    Neighbouring prompts share everything before the moved document, which is run once; the control goes the
    way back from the last place. Likelihood and meaning do not depend on the place and are measured once.

    Raises:
        ValueError: no document is named as the moved one, or it does not exist.
        ModelError: a model cannot do its part (PromptTooLong: too many documents).
        Cancelled: ``stop`` said so.
    """
    moved, places = moved_document(request), request.sweep.places or tuple(range(len(request.documents)))
    question, documents, log = request.question.text, request.documents, CallLog()
    clock = _Clock(len(documents), places, request)
    yield Step(stage="likelihood", fraction=0.0, message="How likely each document makes the question")
    nll, nll_empty = query_likelihoods(models, question, documents, log, stop)
    yield Step(stage="semantic", fraction=clock.after(1), message="How close each document is in meaning")
    semantic = semantic_relevance(models, question, documents, log, stop)
    base = start(request, request.settings, models, run_id)
    record = SweepRecord(
        run_id=run_id,
        created=base.created,
        question=base.question,
        documents=documents,
        gold=moved,
        models=base.models,
        settings=base.settings,
        semantic=semantic,
        query_nll=nll,
        query_nll_empty=nll_empty,
    )
    yield Step(stage="sweep", fraction=clock.after(_SEMANTIC), message=_at(places[0], record), record=record)
    walk = _Walk(models, request, record, log, stop)
    yield from walk.forth(places, clock)
    if request.sweep.dummy:
        yield from walk.back(places, clock)
    yield Step(stage="done", fraction=1.0, record=walk.record)


def moved_document(request: Request) -> int:
    """Index of the document that a sweep moves. Raises ValueError."""
    marked = [index for index, document in enumerate(request.documents) if document.gold]
    moved = next(iter((*request.question.gold, *marked)), None) if request.sweep.moved is None else request.sweep.moved
    if moved is None or moved >= len(request.documents):
        raise ValueError("no document is named as the one that moves")
    return moved


def dummy_document(document: Document) -> Document:
    """A content-free document of the same length, to the character; without a title where it has none.

    Found in the Middle (§2.1) moves such a text to measure what a place draws by itself; its wording is not
    public, this one is ours.
    """
    length = len(document.text)
    text = (FILLER * (length // len(FILLER) + 1))[:length]
    return Document(id="placeholder", title=FILLER_TITLE if document.title.strip() else "", text=text)


class _Walk:
    """The readings of one sweep, each after the one before."""

    def __init__(self, models: Models, request: Request, record: SweepRecord, log: CallLog, stop: Stop) -> None:
        self.record = record
        self._models, self._sweep, self._log, self._stop = models, request.sweep, log, stop
        self._last: Reading | None = None
        self._open: list[tuple[int, Task]] = []  # places that were read and wait for their answer

    def forth(self, places: tuple[int, ...], clock: _Clock) -> Iterator[Step]:
        """Reads the document at each place, ascending, and answers a few places together."""
        for place, following in zip(places, (*places[1:], None), strict=True):
            prompt = self._prompt(place, self.record.documents[self.record.gold])
            reading = self._read(prompt, "sweep", self.record.settings.judge_tokens if self._sweep.answers else 0)
            found = SweepPlace(place=place, attention=rounded(reading.attention, SWEEP_DIGITS))
            self._grow(places=(*self.record.places, found))
            done = clock.after(clock.reading(place))
            if self._sweep.answers:
                self._open.append((place, Task(prompt, self.record.settings.judge_tokens, reading=reading)))
            if len(self._open) == SWEEP_TOGETHER or (self._open and following is None):
                message = f"Answering at places {self._open[0][0] + 1} to {place + 1}"
                yield Step(stage="answer", fraction=done, message=message, record=self.record)
                done = clock.after(_ANSWER * len(self._open))
                self._answer()
            then = "Every place is read" if following is None else _at(following, self.record)
            yield Step(stage="sweep", fraction=done, message=then, record=self.record)

    def back(self, places: tuple[int, ...], clock: _Clock) -> Iterator[Step]:
        """Reads the content-free document at each place, descending: the last prompt shares most with it."""
        dummy = dummy_document(self.record.documents[self.record.gold])
        for place in reversed(places):
            message = f"A text without content at place {place + 1} of {len(self.record.documents)}"
            yield Step(stage="control", fraction=clock.fraction, message=message, record=self.record)
            reading = self._read(self._prompt(place, dummy), "control", 0)
            found = SweepPlace(place=place, attention=rounded(reading.attention, SWEEP_DIGITS))
            self._grow(dummy=(found, *self.record.dummy))
            clock.after(clock.control(place))

    def _prompt(self, place: int, moved: Document) -> Prompt:
        record = self.record
        order = moved_order(len(record.documents), record.gold, place)
        shown = [moved if index == record.gold else record.documents[index] for index in order]
        opener = PROFILES[self._models.profile].answer_opener
        return answer_prompt(record.question.text, shown, record.settings.instruction, opener)

    def _read(self, prompt: Prompt, stage: str, reserve: int) -> Reading:
        with self._log.call(stage, self._models.backbone.name, "score") as usage:
            self._last = self._models.backbone.read(prompt, self._stop, reserve, self._last)
            usage.prompt_tokens = self._last.prompt_tokens
        return self._last

    def _answer(self) -> None:
        tasks = [task for _, task in self._open]
        with self._log.call("answer", self._models.backbone.name, "generate") as usage:
            replies = self._models.backbone.complete(tasks, self._stop)
            usage.new_tokens = sum(reply.new_tokens for reply in replies)
            usage.sequences = len(replies)
        said = {place: reply.text.strip() for (place, _), reply in zip(self._open, replies, strict=True)}
        answers = self.record.question.answers
        self._open.clear()
        self._grow(
            places=tuple(
                place.model_copy(
                    update={"answer": said[place.place], "right": contains_answer(said[place.place], answers)}
                )
                if place.place in said
                else place
                for place in self.record.places
            )
        )

    def _grow(self, **fields: object) -> None:
        self.record = self.record.model_copy(update={**fields, "calls": tuple(self._log.calls)})


class _Clock:
    """What share of a sweep is done; costs in readings of the whole prompt."""

    def __init__(self, documents: int, places: tuple[int, ...], request: Request) -> None:
        self._documents = documents
        self._first, self._before = places[0], dict(zip(places[1:], places, strict=False))
        self._done = 0.0
        self._total = 1 + _SEMANTIC + sum(map(self.reading, places))
        self._total += _ANSWER * len(places) * request.sweep.answers
        self._total += sum(map(self.control, places)) * request.sweep.dummy

    def reading(self, place: int) -> float:
        """The part of the prompt that is not shared with the prompt before."""
        return 1 - self._before.get(place, 0) / self._documents

    def control(self, place: int) -> float:
        """The same on the way back."""
        return 1 - place / self._documents

    def after(self, cost: float) -> float:
        """The share that is done when this has been done as well."""
        self._done += cost
        return self.fraction

    @property
    def fraction(self) -> float:
        """The share that is done, 0 to 1."""
        return min(1.0, self._done / self._total)


def _at(place: int, record: SweepRecord) -> str:
    return f"Reading with the moved document at place {place + 1} of {len(record.documents)}"
