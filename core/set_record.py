"""The vocabulary of question sets: what a file of questions holds, what was left out, how columns are named."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from core.record_base import Document, Question, Record

SetFormat = Literal[
    "lost_in_the_middle",
    "musique",
    "hotpotqa",
    "mmlongbench",
    "longdocurl",
    "papertab",
    "fetatab",
    "ragchecker",
    "mapped",
]
"""How a set is laid out, found from its content; ``mapped`` is any table whose columns were named. The rules of
scoring go by it."""


class SetQuestion(Record):
    """One question of a set, ready to be asked."""

    id: str
    """Unique in its set: the source's own id, or ``row-<number>``."""
    place: str
    """Where it stands in its file, for messages: "line 17", "row 17"."""
    question: Question
    documents: tuple[Document, ...] = ()
    """Empty where the question is about a PDF."""
    pdf: str = ""
    """Name of its PDF in the set's folder or zip; shown and looked up, never used as a path."""
    meta: dict[str, str] = Field(default_factory=dict)
    """What groups questions, by name: gold_position (0-based), hops, type, level, evidence_sources, doc_type,
    answer_format, task, answerable (yes or no) ... Lists are joined with ``; ``."""


class Skipped(Record):
    """A row that was left out or mended, and why."""

    place: str
    reason: str
    kept: bool = False
    """Whether the row is in the set all the same, with the dirt dealt with as the reason says."""


class Dirt(Record):
    """The rows with one and the same reason."""

    reason: str
    kept: bool
    rows: int
    """How many there are."""
    places: tuple[str, ...]
    """The first of them."""


class Mapping(Record):
    """Which columns of a table are what; a name is empty where there is none."""

    question: str
    answers: tuple[str, ...] = ()
    """Each an accepted answer, or a list of them."""
    id: str = ""
    documents: tuple[str, ...] = ()
    """Each one document, or a list of documents: texts, or objects with ``title`` and ``text``."""
    gold: str = ""
    """Places of the gold documents: a number or a list."""
    gold_from: Literal[0, 1] = 0
    """How the gold column counts."""
    pdf: str = ""
    """Name of the PDF that the question is about."""
    pages: str = ""
    """Evidence pages: a number or a list."""
    pages_from: Literal[0, 1] = 1
    """How the page column counts."""
    groups: tuple[str, ...] = Field((), max_length=20)
    """Columns by which results are grouped."""


class Columns(Record):
    """What a table offers for a ``Mapping``."""

    names: tuple[str, ...]
    sample: tuple[dict[str, str], ...]
    """The first rows, each value cut short."""
    guess: Mapping | None
    """Made from the columns' names; None where no column looks like a question."""


class SetSummary(Record):
    """What a set holds, before anything is run."""

    format: SetFormat
    questions: int
    """Ready to be asked."""
    left_out: int
    """Rows that cannot be asked."""
    mended: int
    """Rows that are in the set with dirt dealt with; a row with two kinds of dirt counts once."""
    documents: int
    """Of all questions together."""
    pdfs: int
    """Different PDFs that are named."""
    pdfs_missing: tuple[str, ...] = ()
    """Those that are not in the folder or zip; at most 50 names."""
    tokens: int
    """Of questions and documents together, estimated from their length; PDFs are not counted."""
    gold_known: int
    """Questions whose evidence is known."""
    answers_known: int
    dirt: tuple[Dirt, ...]

    def seconds(self, per_question: dict[str, float], systems: tuple[str, ...]) -> float | None:
        """Estimated time for the whole set, from seconds a question by system; None where one is not known."""
        if any(system not in per_question for system in systems):
            return None
        return self.questions * sum(per_question[system] for system in systems)
