"""What single systems leave behind beside an answer: judged documents, a tree of readers, compressed texts."""

from __future__ import annotations

from core.record_base import Record


class Judged(Record):
    """What MAIN-RAG's Judge thought of one document and of the answer that it gave alone."""

    document: int
    answer: str
    """The document's own answer."""
    score: float
    """log p("Yes") − log p("No"), in nats."""
    kept: bool
    """Whether the score reaches the bar."""


class Walked(Record):
    """One call of a Tree of Agents' walk: a reader met the chunk at the end of a path."""

    path: tuple[int, ...]
    """Chunks in reading order, 0-based; the first is the reader's own."""
    useful: bool
    """A useless chunk prunes every path that begins with this one."""
    evidence: str
    answer: str


class ChunkReader(Record):
    """One reader of a Tree of Agents."""

    documents: tuple[int, ...]
    """Its own chunk."""
    evidence: str
    answer: str
    """What it thought after its own chunk."""
    asked: tuple[int, ...]
    """Readers whose chunks it wanted to see, 0-based."""
    walked: tuple[Walked, ...] = ()
    """Its calls, in order."""
    vote: str = ""
    """Its answer in the end; empty for none."""


class Excerpt(Record):
    """What was left of a document's text, as the reader saw it."""

    document: int
    text: str
