"""The record of a sweep: one document moved through the places of a prompt, and what the model did each time."""

from __future__ import annotations

from typing import Literal

from pydantic import ConfigDict, Field, model_validator

from core.record_base import Call, Document, Question, Record, opened
from core.settings.methods import LENGTHS, SEEDS, RunSettings

Noise = Literal["hard", "random", "duplicated"]
"""What stands around the moved document: others of the same question, those of other questions, or one copied."""
Way = Literal["vanilla", "best_first", "u_shape", "duquad"]
"""How the documents reach the model: as given, by SFS, by SFS with the best at both ends, or through DuQUAD."""

SWEEP_SCHEMA: Literal["w-lens-sweep/1"] = "w-lens-sweep/1"


class SweepOptions(Record):
    """What a sweep is asked to do."""

    moved: int | None = Field(None, ge=0)
    """Index of the document that moves; None takes the question's first gold document."""
    places: tuple[int, ...] = ()
    """The places that it is moved to, 0-based; empty for all."""
    answers: bool = True
    """Whether the model also answers at each place."""
    dummy: bool = False
    """Whether a content-free document of the same length is moved as well, as a control (attention only)."""
    lengths: tuple[int, ...] = Field(LENGTHS, max_length=6)
    """Numbers of documents in one prompt, ascending; of the system ``length``."""
    noises: tuple[Noise, ...] = Field(("hard", "random", "duplicated"), max_length=3)
    """What stands around the moved document; of the system ``length``."""
    seeds: tuple[int, ...] = Field(SEEDS, max_length=9)
    """Seeds of the order of the other documents; of the system ``length``."""
    own: int | None = Field(None, ge=1)
    """How many of the documents belong to the question; those after them are of other questions. None: all."""


class SweepPlace(Record):
    """One prompt of a sweep."""

    place: int
    """Place of the moved document in the prompt, 0-based."""
    attention: tuple[tuple[tuple[float, ...], ...], ...]
    """Attention of the last question token, mean over each document's tokens, in prompt order:
    [layer][head][place]."""
    answer: str = ""
    """The model's answer; empty where it was not asked."""
    right: bool | None = None
    """Whether the answer holds an accepted one; None where it was not asked or none is known."""


class SweepLength(Record):
    """One prompt of another length: the moved document in the middle of other documents."""

    noise: Noise
    seed: int
    order: tuple[int, ...]
    """Indexes of the documents in prompt order; a copied one stands there more than once."""
    attention: tuple[float, ...]
    """Attention of the last question token under the settings' heads, mean over each document's tokens: [place]."""
    answer: str = ""
    right: bool | None = None
    """As in a place of the sweep."""


class SweepWay(Record):
    """One way of asking the question with the moved document at one place."""

    way: Way
    order: tuple[int, ...]
    """Indexes of the documents in the order in which they were read; for DuQUAD what its Local Agent read."""
    answer: str
    right: bool | None = None
    share: float | None = None
    """Share of document attention that the moved document draws; None for DuQUAD."""
    path: tuple[str, ...] | None = None
    """What happened to the moved document, stage by stage; DuQUAD alone, as the three below."""
    attention_rank: int | None = None
    """Rank of the moved document by attention, from 1."""
    sfs_rank: int | None = None
    """Rank of the moved document by SFS, from 1."""
    quoted: bool | None = None
    """Whether its sentences reached the Judge."""


class SweepFix(Record):
    """The question asked in several ways, with the moved document at one place."""

    place: int
    """Place of the moved document in the given order, 0-based."""
    ways: tuple[SweepWay, ...]


class SweepRecord(Record):
    """All that is known about one sweep. Attention is rounded to four significant digits."""

    schema_: Literal["w-lens-sweep/1"] = Field(SWEEP_SCHEMA, alias="schema")
    run_id: str
    created: str
    """UTC, ISO 8601."""
    system: str = "sweep"
    question: Question
    documents: tuple[Document, ...]
    """In base order: as they were asked, the moved one at ``gold``."""
    gold: int
    """Index of the moved document."""
    models: dict[str, str]
    """As in a run record."""
    settings: RunSettings
    places: tuple[SweepPlace, ...] = ()
    """By ascending place; those that have been read so far."""
    semantic: tuple[float, ...]
    """Cosine of question and document embeddings, in base order: [document]."""
    query_nll: tuple[float, ...]
    """Mean negative log-likelihood of the question given one document, in nats, in base order: [document]."""
    query_nll_empty: float
    """The same with no document in front."""
    dummy: tuple[SweepPlace, ...] = ()
    """The same prompts with a content-free text in place of the moved document; no answers. May be empty."""
    lengths: tuple[SweepLength, ...] | None = None
    """Prompts of other lengths; None where none was asked for."""
    fixes: tuple[SweepFix, ...] | None = None
    """The question asked in several ways; None where it was not."""
    calls: tuple[Call, ...] = ()
    warnings: tuple[str, ...] = ()

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    @model_validator(mode="after")
    def _holds_together(self) -> SweepRecord:
        n = len(self.documents)
        if not 0 <= self.gold < n or any(not 0 <= index < n for index in self.question.gold):
            raise ValueError(f"a document index is outside 0..{n - 1}")
        if len(self.semantic) != n or len(self.query_nll) != n:
            raise ValueError("the signals do not have one value per document")
        for read in (self.places, self.dummy):
            numbers = [place.place for place in read]
            if numbers != sorted(set(numbers)) or any(not 0 <= number < n for number in numbers):
                raise ValueError(f"places are not ascending numbers of 0..{n - 1}")
            _same_shape(read, n)
        for cell in self.lengths or ():
            if cell.order.count(self.gold) != 1 or len(cell.attention) != len(cell.order):
                raise ValueError("a prompt of another length does not hold the moved document once, or its attention")
        shown = [cell.order for cell in self.lengths or ()]
        shown += [way.order for fix in self.fixes or () for way in fix.ways]
        if any(not 0 <= index < n for order in shown for index in order):
            raise ValueError(f"a document index is outside 0..{n - 1}")
        return self

    def order(self, place: int) -> tuple[int, ...]:
        """The documents in prompt order, as indexes of ``documents``, with the moved one at ``place`` (0-based).

        Raises:
            ValueError: there is no such place.
        """
        return moved_order(len(self.documents), self.gold, place)

    def to_json(self) -> str:
        """The exported form: names as documented, absent fields left out."""
        return self.model_dump_json(by_alias=True, exclude_none=True)

    @classmethod
    def from_json(cls, text: str | bytes) -> SweepRecord:
        """Opens an exported sweep. Raises RecordError as ``RunRecord.from_json`` does."""
        return opened(text, (cls,))


def moved_order(count: int, moved: int, place: int) -> tuple[int, ...]:
    """The numbers 0 to ``count`` - 1 with ``moved`` at ``place`` and the others in order. Raises ValueError."""
    if not 0 <= place < count:
        raise ValueError(f"there is no place {place}; places are 0 to {count - 1}")
    others = [index for index in range(count) if index != moved]
    return (*others[:place], moved, *others[place:])


def _same_shape(places: tuple[SweepPlace, ...], documents: int) -> None:
    shapes = {(len(place.attention), tuple(len(layer) for layer in place.attention)) for place in places}
    rows = [row for place in places for layer in place.attention for row in layer]
    if len(shapes) > 1 or any(len(row) != documents for row in rows):
        raise ValueError("attention is not [layer][head][place] with one value per document")
