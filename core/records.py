"""The vocabulary: typed, frozen, versioned records that every room shares.

A run record is the pivot of the project. Everything the page shows is a pure function of one.
Indexes of documents are 0-based everywhere in a record; the page shows them 1-based.
"""

from __future__ import annotations

import json
from typing import Any, Literal

from pydantic import ConfigDict, Field, model_validator

from core.page_record import Citation, Clue, Difficulty, Page, PageLayout, PdfRef, Similarity, Source
from core.record_base import Call, Document, Question, Record, RecordError, opened
from core.settings import RunSettings, SelectionKind
from core.sweep_record import SweepOptions, SweepPlace, SweepRecord

__all__ = [
    "SCHEMA",
    "AgentReply",
    "Agents",
    "AnyResult",
    "Call",
    "Citation",
    "Clue",
    "Difficulty",
    "Document",
    "Event",
    "EventKind",
    "Final",
    "Page",
    "PageLayout",
    "Parts",
    "PdfRef",
    "PoolEntry",
    "Question",
    "Ranked",
    "Record",
    "RecordError",
    "Request",
    "RunRecord",
    "Signals",
    "Similarity",
    "Snippet",
    "Source",
    "Step",
    "SweepOptions",
    "SweepPlace",
    "SweepRecord",
    "TokenWeight",
    "dumps",
    "open_result",
]

SCHEMA: Literal["w-lens/1"] = "w-lens/1"


class TokenWeight(Record):
    """One token of a document with the attention that it drew."""

    start: int
    """Offset of its first character in the document's text."""
    end: int
    """Offset after its last character."""
    weight: float
    """Attention of the last question token on it, mean over all layers and heads."""


class Signals(Record):
    """The raw signals of one prompt; fusion and ranking are computed from these alone."""

    attention: tuple[tuple[tuple[float, ...], ...], ...]
    """Attention of the last question token, mean over each document's tokens: [layer][head][document]."""
    contrast: tuple[float, ...]
    """Second local difference of attention under the run's layers and heads: [document]."""
    semantic: tuple[float, ...]
    """Cosine of question and document embeddings: [document]."""
    query_nll: tuple[float, ...]
    """Mean negative log-likelihood of the question's tokens given one document, in nats: [document]."""
    query_nll_empty: float
    """The same with no document in front."""
    tokens: tuple[tuple[TokenWeight, ...], ...] = ()
    """Attention per token of each document's text."""

    @model_validator(mode="after")
    def _one_value_per_document(self) -> Signals:
        n = len(self.semantic)
        rows = [row for layer in self.attention for row in layer]
        if len(self.query_nll) != n or len(self.contrast) != n or any(len(row) != n for row in rows):
            raise ValueError("the signals do not all have one value per document")
        return self


class Parts(Record):
    """The weighted shares that make up one document's SFS."""

    semantic: float
    inference: float
    contrast: float


class Ranked(Record):
    """One place of the SFS ranking."""

    document: int
    score: float
    parts: Parts


class AgentReply(Record):
    """What one agent was shown and what it replied."""

    answer: str
    reasoning: str
    important_documents: tuple[int, ...]
    """At most three, most important first."""
    selection: SelectionKind = "spoken"
    """Whether the model named them, or they were read off the signals: the best by SFS for the Local Agent,
    the sharpest spikes of attention for the Global Agent."""
    documents_shown: tuple[int, ...]
    """In the order in which the agent saw them."""
    raw: str
    """The reply as the model wrote it."""
    parsed: Literal["schema", "repaired", "failed"] = "schema"
    """Whether the reply followed the schema, was read by the tolerant parser, or could not be read."""


class Agents(Record):
    """The two views of DuQUAD §3.2."""

    local: AgentReply | None = None
    global_: AgentReply | None = Field(None, alias="global")

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


class Snippet(Record):
    """A sentence of a document, with the place where it stands in the document's text."""

    text: str
    start: int
    end: int


class PoolEntry(Record):
    """One candidate of the pruning stage (DuQUAD §3.3)."""

    document: int
    selected_by: tuple[Literal["local", "global"], ...]
    score: float
    """DocScore in [0, 1]: can this document alone answer the question?"""
    answer: str
    """The document's own provisional answer (its answer span)."""
    kept: bool
    snippets: tuple[Snippet, ...] = ()
    kind: Literal["spoken", "likelihood"]
    """How the score was made."""


class Final(Record):
    """The answer that the run ends with."""

    answer: str
    raw: str = ""
    """The reply as the model wrote it."""
    no_answer: bool = False
    """Whether the run ends with "the documents do not say"; an outcome, not a failure."""


class RunRecord(Record):
    """All that is known about one run. Fields that a system does not have are None and absent in JSON."""

    schema_: Literal["w-lens/1"] = Field(SCHEMA, alias="schema")
    run_id: str
    created: str
    """UTC, ISO 8601."""
    system: str
    question: Question
    documents: tuple[Document, ...]
    settings: RunSettings
    models: dict[str, str]
    """Role or property → name: profile, backbone, embedder, docscore, device, dtype."""
    signals: Signals | None = None
    ranking: tuple[Ranked, ...] | None = None
    agents: Agents | None = None
    pool: tuple[PoolEntry, ...] | None = None
    source: Source | None = None
    """The PDF that was read; ``documents`` are then its candidate pages, in page order."""
    pages: tuple[Page, ...] | None = None
    """Every page of the PDF, in page order."""
    layouts: tuple[PageLayout, ...] | None = None
    """Of the candidate pages, in page order."""
    similarity: Similarity | None = None
    clues: tuple[Clue, ...] | None = None
    difficulty: Difficulty | None = None
    citations: tuple[Citation, ...] | None = None
    final: Final | None = None
    calls: tuple[Call, ...] = ()
    counts: dict[str, float] | None = None
    """What the run counted of itself, by name: page_prefills, shared_prefills, ..."""
    warnings: tuple[str, ...] = ()

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    @model_validator(mode="after")
    def _indexes_exist(self) -> RunRecord:
        n = len(self.documents)
        used = list(self.question.gold)
        used += [ranked.document for ranked in self.ranking or ()]
        used += [entry.document for entry in self.pool or ()]
        for reply in (self.agents.local, self.agents.global_) if self.agents else ():
            used += [*reply.documents_shown, *reply.important_documents] if reply else []
        if any(not 0 <= index < n for index in used):
            raise ValueError(f"a document index is outside 0..{n - 1}")
        if self.ranking and sorted(ranked.document for ranked in self.ranking) != list(range(n)):
            raise ValueError("the ranking does not name each document once")
        if self.pool and len({entry.document for entry in self.pool}) < len(self.pool):
            raise ValueError("the pool names a document twice")
        if self.signals and len(self.signals.semantic) != n:
            raise ValueError("the signals do not have one value per document")
        if self.pages is not None and [page.page for page in self.pages] != list(range(len(self.pages))):
            raise ValueError("the pages are not all there in page order")
        last = len(self.pages or ()) - 1
        cited = [clue.page for clue in self.clues or ()] + [citation.page for citation in self.citations or ()]
        cited += [layout.page for layout in self.layouts or ()]
        if any(not 0 <= page <= last for page in cited):
            raise ValueError(f"a page index is outside 0..{last}")
        return self

    def to_json(self) -> str:
        """The exported form: names as documented, absent fields left out."""
        return self.model_dump_json(by_alias=True, exclude_none=True)

    @classmethod
    def from_json(cls, text: str | bytes) -> RunRecord:
        """Opens an exported record.

        Raises:
            RecordError: not JSON, another schema, or a field that does not fit; the message says which.
        """
        return opened(text, (cls,))


AnyResult = RunRecord | SweepRecord
"""What a run may end with."""


def open_result(text: str | bytes) -> AnyResult:
    """Opens an exported record of either kind, by its schema. Raises RecordError as ``RunRecord.from_json`` does."""
    kinds: tuple[type[AnyResult], ...] = (RunRecord, SweepRecord)
    return opened(text, kinds)


class Request(Record):
    """What a person asks of the back end."""

    system: str = "duquad"
    question: Question
    documents: tuple[Document, ...] = ()
    """Empty for a PDF: its pages are found by the run."""
    pdf: PdfRef | None = None
    """The PDF that a system of the kind ``pdf`` reads."""
    resume: RunRecord | None = None
    """An earlier run over the same PDF: what it found is taken over, and only the decision is made again."""
    settings: RunSettings = RunSettings()
    sweep: SweepOptions = SweepOptions()
    """What the system ``sweep`` does; of no use to the others."""


class Step(Record):
    """What a pipeline yields: where it is, and the record when it has grown."""

    stage: str
    fraction: float
    """Share of the whole run that is done when this step is yielded, 0 to 1."""
    message: str = ""
    """One line for the person: what is being done now."""
    record: AnyResult | None = None
    """The record so far, where it grew; the last step's is the finished one."""


EventKind = Literal["queued", "stage", "record", "done", "error", "cancelled"]


class Event(Record):
    """One step of a run, in the order of ``seq``."""

    seq: int = 0
    """Assigned by the store, from 1."""
    time: float = 0.0
    """Seconds since the epoch, assigned by the store."""
    kind: EventKind
    """queued, a stage moved, the partial record grew, or the end: done, error, cancelled."""
    stage: str = ""
    """Name of the stage; see the pipeline's list."""
    fraction: float = 0.0
    """Share of the whole run that is done, 0 to 1."""
    seconds_left: float | None = None
    message: str = ""
    """For the person: what happens, or what went wrong and what to do."""

    @property
    def final(self) -> bool:
        """Whether nothing comes after this event."""
        return self.kind in ("done", "error", "cancelled")


def dumps(value: Any) -> str:
    """JSON without spaces, for files that machines read."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
