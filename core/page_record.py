"""Pages of a PDF: what stands on them, what was made of them, and where each claim can be checked.

``page`` is the 0-based index everywhere; the page shows it 1-based, with the printed label beside it.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from core.record_base import Record

Box = tuple[float, float, float, float]
"""(left, top, right, bottom) as shares of the page picture's width and height, 0 to 1, y downwards."""

RegionKind = Literal["text", "table", "figure", "caption"]
ReadBy = Literal["text", "ocr", "none"]
Label = Literal["CR", "R", "IR", "none"]
EvidenceKind = Literal["text", "chart", "table", "figure"]
Placed = Literal["exact", "fuzzy", "region", ""]
"""How a quote was found on its page; empty where it was not, and then there is no box."""


class PdfRef(Record):
    """A PDF that was taken in: its bytes lie in the page store under their hash."""

    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
    """Of the file as it was given."""
    name: str = Field("", max_length=255)
    """The file's name; shown, never used as a path."""


class Source(Record):
    """The document that a run was about."""

    name: str
    sha256: str
    pages: int
    """How many the file has."""
    title: str = ""
    """From the file's metadata; untrusted like the rest."""
    notes: tuple[str, ...] = ()
    """What the person should know: repaired, pages that could not be read, attachments."""


class Word(Record):
    """One word where the picture shows it."""

    text: str
    box: Box


class Cell(Record):
    """One cell of a table."""

    row: int
    column: int
    text: str
    box: Box


class Region(Record):
    """A part of a page, in reading order."""

    kind: RegionKind
    box: Box
    text: str = ""
    cells: tuple[Cell, ...] = ()
    """Of a table; empty for the others."""


class PageLayout(Record):
    """What stands on one page, and where."""

    page: int
    printed: str = ""
    """The label that the document gives the page (i, ii, A-1); empty where it gives none."""
    width: float
    """Of the page as shown (crop box, rotation and user unit applied), in points."""
    height: float
    pixels: tuple[int, int]
    """Width and height of the page picture."""
    words: tuple[Word, ...] = ()
    regions: tuple[Region, ...] = ()
    text: str = ""
    """The page's text in reading order."""
    read_by: ReadBy = "none"
    """Text layer, OCR, or nothing could be read."""
    hidden: bool = False
    """Whether words of the text layer are invisible in the picture."""
    notes: tuple[str, ...] = ()
    error: str = ""
    """Why the page could not be read; the other pages stand all the same."""


class Page(Record):
    """What a run made of one page (SLEUTH §3)."""

    page: int
    printed: str = ""
    read_by: ReadBy = "none"
    score: float | None = None
    """Retrieval score; None for a page that could not be scored."""
    rank: int | None = None
    """Place by score, from 0."""
    candidate: bool = False
    """Whether the page agents saw it."""
    neighbour: bool = False
    """Candidate only because it stands beside a hit."""
    label: Label | None = None
    """Completely relevant, relevant, irrelevant, no visual; None for a page that was not screened."""
    label_kind: Literal["spoken", "signals"] = "spoken"
    """Whether the model said the label, or it was read off likelihoods."""
    rationale: str = ""
    kept: bool = False
    """Whether the page itself reached the Core Decision."""
    kept_by: Literal["label", "hand", "unread", "switch", ""] = ""
    """By its label, put back by hand, because its screening reply could not be read, or screening was off."""
    raw: str = ""
    """The screening reply as the model wrote it."""
    parsed: Literal["schema", "repaired", "failed", ""] = ""
    summary: str | None = None
    """What the page says in a sentence, by the clue agent."""
    clue_raw: str | None = None
    """The clue reply as the model wrote it."""
    clue_parsed: Literal["schema", "repaired", "failed"] | None = None


class Clue(Record):
    """One piece of evidence, e = (page, region, content, insight, rationale); SLEUTH §3.3."""

    page: int
    region: str = ""
    """Where on the page, in the model's words or as the name of a region."""
    content: str
    insight: str = ""
    rationale: str = ""
    kind: EvidenceKind = "text"
    confidence: Literal["high", "medium", "low"] = "medium"
    boxes: tuple[Box, ...] = ()
    placed: Placed = ""


class Difficulty(Record):
    """How hard the question was taken to be, and what the deciding agent was told."""

    level: Literal[0, 1]
    probability: float | None = None
    """Of level 1, by the model's own likelihoods; None where they cannot be had."""
    kind: Literal["spoken", "rule"] = "spoken"
    """Whether the model said the level, or it follows from the words of the question."""
    instructions: str = ""
    raw: str = ""
    parsed: Literal["schema", "repaired", "failed", ""] = ""


class Citation(Record):
    """A row of the citation table: a fact that can be checked."""

    page: int
    evidence: str
    source: str = ""
    """What it was taken from: text, table, chart, figure, page image."""
    verified: bool
    reason: str = ""
    """How it was verified, or why it could not be."""
    boxes: tuple[Box, ...] = ()
    placed: Placed = ""


class PageMap(Record):
    """Similarity of each query token over one page."""

    page: int
    kind: Literal["words", "patches"]
    """Over the layout's words, or over a grid of patches."""
    grid: tuple[int, int] | None = None
    """(rows, columns) of the patches."""
    values: tuple[tuple[float, ...], ...]
    """[query token][word], or [query token][row · columns + column]."""


class Similarity(Record):
    """What each query token found on the candidate pages (late interaction)."""

    tokens: tuple[str, ...]
    """The query's tokens as written; special and augmentation tokens left out."""
    pages: tuple[PageMap, ...]
