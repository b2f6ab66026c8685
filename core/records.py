"""The vocabulary: typed, frozen, versioned records that every room shares.

A run record is the pivot of the project. Everything the page shows is a pure function of one.
Indexes of documents are 0-based everywhere in a record; the page shows them 1-based.
"""

from __future__ import annotations

import json
from typing import Any, Literal

from pydantic import Field

from core.compare_record import Compared, CompareRecord
from core.page_record import Citation, Clue, Difficulty, Page, PageLayout, PdfRef, Similarity, Source
from core.record_base import Call, Document, Question, Record, RecordError, opened
from core.run_record import (
    SCHEMA,
    AgentReply,
    Agents,
    Final,
    Parts,
    PoolEntry,
    Ranked,
    RunRecord,
    Signals,
    Snippet,
    TokenWeight,
)
from core.settings.methods import MOST_COMPARED, RunSettings
from core.sweep_record import SweepOptions, SweepPlace, SweepRecord
from core.system_record import ChunkReader, Excerpt, Judged, Walked

__all__ = [
    "SCHEMA",
    "AgentReply",
    "Agents",
    "AnyResult",
    "Call",
    "ChunkReader",
    "Citation",
    "Clue",
    "CompareRecord",
    "Compared",
    "Difficulty",
    "Document",
    "Event",
    "EventKind",
    "Excerpt",
    "Final",
    "Judged",
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
    "Walked",
    "dumps",
    "open_result",
]

AnyResult = RunRecord | SweepRecord | CompareRecord
"""What a run may end with."""


def open_result(text: str | bytes) -> AnyResult:
    """Opens an exported record of any kind, by its schema. Raises RecordError as ``RunRecord.from_json`` does."""
    kinds: tuple[type[AnyResult], ...] = (RunRecord, SweepRecord, CompareRecord)
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
    systems: tuple[str, ...] = Field((), max_length=MOST_COMPARED)
    """The systems that ``compare`` runs, in this order; of no use to the others."""


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
