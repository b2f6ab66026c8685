"""The record of one run: what a system saw, measured and answered for one question."""

from __future__ import annotations

from typing import Literal

from pydantic import ConfigDict, Field, model_validator

from core.page_record import Citation, Clue, Difficulty, Page, PageLayout, Similarity, Source
from core.record_base import Call, Document, Question, Record, opened
from core.settings.kinds import SelectionKind
from core.settings.methods import RunSettings
from core.system_record import ChunkReader, Excerpt, Judged

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
    """One place of a ranking, by SFS or by whatever else the system ranks with."""

    document: int
    score: float
    """Higher is better."""
    parts: Parts | None = None
    """Of SFS alone."""


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
    shown: tuple[int, ...] | None = None
    """The documents in the order in which the final reader saw them, where a system changes order or number."""
    judged: tuple[Judged, ...] | None = None
    """Of MAIN-RAG, in the documents' order."""
    readers: tuple[ChunkReader, ...] | None = None
    """Of Tree of Agents, in the order of their chunks."""
    excerpts: tuple[Excerpt, ...] | None = None
    """What was left of compressed documents, in the order shown."""
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
        used += [*(self.shown or ()), *(judged.document for judged in self.judged or ())]
        used += [excerpt.document for excerpt in self.excerpts or ()]
        used += [document for reader in self.readers or () for document in reader.documents]
        for reply in (self.agents.local, self.agents.global_) if self.agents else ():
            used += [*reply.documents_shown, *reply.important_documents] if reply else []
        if any(not 0 <= index < n for index in used):
            raise ValueError(f"a document index is outside 0..{n - 1}")
        if self.ranking and sorted(ranked.document for ranked in self.ranking) != list(range(n)):
            raise ValueError("the ranking does not name each document once")
        if self.shown and len(set(self.shown)) < len(self.shown):
            raise ValueError("the shown documents name one twice")
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

    @property
    def llm_calls(self) -> int:
        """Replies that a model wrote; with MAIN-RAG's, the Judge's passes as well, as its paper counts."""
        counted = (self.counts or {}).get("llm_calls")
        written = sum(call.sequences for call in self.calls if call.kind == "generate")
        return written if counted is None else int(counted)

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
