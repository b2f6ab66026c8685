"""From a PDF and a question to a request, and what stands in for its record before anything was found."""

from __future__ import annotations

import html

from pydantic import ValidationError

from core.ingest.questions import InputError
from core.records import Page, PdfRef, Question, RecordError, Request, RunRecord, Source
from core.settings.methods import PdfSettings, RunSettings
from core.settings.pdf import PDF_LIMITS
from ui.inspect_run import notice

SYSTEM = "sleuth"
MOST_FOUND = 2_000  # clues or citations of an opened record; more than any run makes


def request(record: RunRecord, question: str, settings: PdfSettings, resume: RunRecord | None = None) -> Request:
    """What the next run over the record's PDF is asked; what is known of the evidence stays with its question.

    Raises:
        InputError: the record is of no PDF, or its address cannot be one.
    """
    if record.source is None:
        raise InputError("There is no PDF yet: choose an example, or upload one.")
    known = record.question if question.strip() == record.question.text.strip() else Question(text=question)
    try:
        ref = PdfRef(sha256=record.source.sha256, name=record.source.name[:255])
    except ValidationError:
        raise InputError("This record does not say which PDF it read: upload the PDF, then ask again.") from None
    whole = (resume.settings if resume else RunSettings()).model_copy(update={"pdf": settings})
    return Request(system=SYSTEM, question=known, pdf=ref, resume=resume, settings=whole)


def unrun(question: Question, source: Source, run_id: str = "", settings: RunSettings | None = None) -> RunRecord:
    """A record of a PDF before anything was found, so that its pages can be looked at."""
    return RunRecord(
        run_id=run_id,
        created="",
        system=SYSTEM,
        question=question.model_copy(update={"gold": ()}),
        documents=(),
        settings=settings or RunSettings(),
        models={},
        source=source,
        pages=tuple(Page(page=page) for page in range(source.pages)),
    )


def undecided(record: RunRecord, run_id: str) -> RunRecord:
    """What a run that only decides again takes over from an earlier one."""
    return record.model_copy(update={"run_id": run_id, "final": None, "citations": None, "difficulty": None})


def grown(record: RunRecord | None, before: RunRecord | None) -> RunRecord | None:
    """A run as far as it has come; the file and its pages as they were known before it has read them."""
    if record is None or before is None or record.pages is not None:
        return record or before
    return record.model_copy(update={"pages": before.pages, "source": record.source or before.source})


def readable(record: RunRecord) -> RunRecord:
    """An opened record, if it is of a PDF and of a size that can be shown. Raises RecordError."""
    if record.source is None or record.pages is None:
        raise RecordError("This run was not about a PDF: open it in the tab Inspect.")
    if len(record.pages) > PDF_LIMITS.pages:
        raise RecordError(f"This record has {len(record.pages):,} pages; at most {PDF_LIMITS.pages:,} can be shown.")
    if max(len(record.clues or ()), len(record.citations or ())) > MOST_FOUND:
        raise RecordError(f"This record has more than {MOST_FOUND:,} clues or citations, which no run finds.")
    return record


def going_on(run_id: str) -> str:
    """The way back to a run that goes on while the tab shows something else."""
    button = (
        f'<button type="button" class="wl-link" data-read="run" data-value="{html.escape(run_id)}">Show it</button>'
    )
    return notice("Your run goes on in the background.", "info", button)
