"""A run of SLEUTH under way: its record as it grows, and what it works with."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from core.models.calls import CallLog, Usage
from core.models.page_protocol import PageView
from core.models.profile import Models
from core.models.protocol import Reply, Stop
from core.records import Clue, Page, PageLayout, RunRecord, Step
from core.settings.methods import PdfSettings

READ, FOUND, JUDGED, DECIDED = 0.25, 0.35, 0.6, 0.75  # shares of a run that are done when a stage ends, as measured
OF_DECISION = "Decision: "  # warnings that begin so are about a decision, which a later one does not inherit


@dataclass
class Run:
    """What the stages of one run share."""

    record: RunRecord
    models: Models
    stop: Stop
    views: dict[int, PageView] = field(default_factory=dict)
    """The candidate pages as models are shown them, by page."""
    log: CallLog = field(default_factory=CallLog)
    nll: dict[int, float] = field(default_factory=dict)
    """Φppl of candidate pages where it was measured already, by page; -1 stands for no page at all."""
    counted: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    """For ``record.counts``."""

    @property
    def pdf(self) -> PdfSettings:
        """The settings of this run."""
        return self.record.settings.pdf

    @property
    def question(self) -> str:
        """What is asked."""
        return self.record.question.text

    @property
    def layouts(self) -> dict[int, PageLayout]:
        """Of the candidate pages, by page."""
        return {page: view.layout for page, view in self.views.items()}

    @property
    def candidates(self) -> list[Page]:
        """The candidate pages, in page order."""
        return [page for page in self.record.pages or () if page.candidate]

    @property
    def kept(self) -> list[Page]:
        """Those that reach the decision as a whole."""
        return [page for page in self.candidates if page.kept]

    def clues_of(self, page: Page) -> list[Clue]:
        """The clues found on a page."""
        return [clue for clue in self.record.clues or () if clue.page == page.page]

    def grow(self, **fields: object) -> RunRecord:
        """The record with these fields, and with all calls and counts so far."""
        counts = dict(self.counted)
        if counts.get("candidate_pages"):
            counts["page_prefills_per_page"] = counts.get("page_prefills", 0) / counts["candidate_pages"]
        known: dict[str, object] = {"calls": tuple(self.log.calls), "counts": counts or None}
        self.record = self.record.model_copy(update=known | fields)
        return self.record

    def step(self, stage: str, fraction: float, message: str) -> Step:
        """The stage that goes on, with the record so far."""
        return Step(stage=stage, fraction=round(fraction, 4), message=message, record=self.grow())

    def change(self, pages: Iterable[Page]) -> RunRecord:
        """The record with these pages in place of the ones of the same number."""
        new = {page.page: page for page in pages}
        return self.grow(pages=tuple(new.get(page.page, page) for page in self.record.pages or ()))

    def warn(self, *messages: str) -> None:
        """Adds warnings to the record."""
        self.record = self.record.model_copy(update={"warnings": (*self.record.warnings, *messages)})


def used(usage: Usage, replies: Iterable[Reply]) -> int:
    """Fills in what replies cost, and returns how many pages were run for them."""
    listed = list(replies)
    usage.prompt_tokens = sum(reply.prompt_tokens for reply in listed)
    usage.new_tokens = sum(reply.new_tokens for reply in listed)
    usage.sequences = len(listed)
    return sum(reply.page_prefills for reply in listed)
