"""The record of a comparison: one question put to several systems."""

from __future__ import annotations

from typing import Literal

from pydantic import ConfigDict, Field, model_validator

from core.record_base import Document, Question, Record, opened
from core.run_record import RunRecord
from core.settings.methods import MOST_COMPARED

COMPARE_SCHEMA: Literal["w-lens-compare/1"] = "w-lens-compare/1"


class Compared(Record):
    """One column: a system that was asked, and what came of it."""

    system: str
    error: str = ""
    """Why it has no finished record; empty where it has one, or has not run yet."""


class CompareRecord(Record):
    """All that is known about one comparison."""

    schema_: Literal["w-lens-compare/1"] = Field(COMPARE_SCHEMA, alias="schema")
    run_id: str
    created: str
    """UTC, ISO 8601."""
    question: Question
    documents: tuple[Document, ...]
    """As they were asked; empty for a PDF."""
    systems: tuple[Compared, ...] = Field(max_length=MOST_COMPARED)
    """In the order in which they run, whether they have run or not."""
    records: tuple[RunRecord, ...] = ()
    """Of those that have finished, in the order of ``systems``."""
    models: dict[str, str]
    """As in a run record."""
    counts: dict[str, float] = Field(default_factory=dict)
    """Work that one system did and another used again: shared_calls, shared_tokens, shared_seconds."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    @model_validator(mode="after")
    def _holds_together(self) -> CompareRecord:
        names = [column.system for column in self.systems]
        if len(set(names)) < len(names):
            raise ValueError("a system is named twice")
        done = [column.system for column in self.systems if not column.error]
        ran = [record.system for record in self.records]
        if ran != [name for name in done if name in ran] or len(set(ran)) < len(ran):
            raise ValueError("the records do not belong to the systems, in their order")
        n = len(self.documents)
        if n and any(len(record.documents) != n for record in self.records):
            raise ValueError("the records are not about the same documents")
        return self

    @property
    def system(self) -> str:
        """As other records say it."""
        return "compare"

    def record(self, system: str) -> RunRecord | None:
        """The finished record of one system."""
        return next((record for record in self.records if record.system == system), None)

    def to_json(self) -> str:
        """The exported form: names as documented, absent fields left out."""
        return self.model_dump_json(by_alias=True, exclude_none=True)

    @classmethod
    def from_json(cls, text: str | bytes) -> CompareRecord:
        """Opens an exported comparison. Raises RecordError as ``RunRecord.from_json`` does."""
        return opened(text, (cls,))
