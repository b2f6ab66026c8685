"""What SLEUTH's two page agents cost: a page is to be read once for both."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from core.ingest.page_store import PageStore
from core.ingest.pdf import take_in
from core.ingest.pdf_examples import read_pdf_examples
from core.records import PdfRef, Request, RunRecord
from core.settings.methods import PdfSettings, RunSettings
from core.sleuth import pipeline
from tests.bench.material import models, never
from tests.bench.table import row

PDFS = Path(__file__).resolve().parents[2] / "assets" / "pdfs"
# Short replies: what is counted are pages, and a 135M model's words are of no interest here.
SETTINGS = PdfSettings(
    agents="spoken", top_k=2, duquad=False, difficulty=False, clue_tokens=160, screening_tokens=60, decision_tokens=16
)


@cache
def spoken() -> RunRecord:
    """A run over an example PDF whose agents speak, with the embedded backbone as the reader."""
    example = next(one for one in read_pdf_examples(PDFS) if one.file.startswith("port"))
    source = take_in(PDFS / example.file, example.file, PageStore(models().cache))
    ref = PdfRef(sha256=source.sha256, name=source.name)
    request = Request(system="sleuth", question=example.question, pdf=ref, settings=RunSettings(pdf=SETTINGS))
    record = list(pipeline.run(request, models(), "bench", never))[-1].record
    assert isinstance(record, RunRecord)
    return record


@row("page_prefills", "<= 1", "page prefills per candidate page for the two page agents, by the record's own count")
def page_prefills() -> float:
    """A reply that has to be asked for again counts as well."""
    counts = spoken().counts or {}
    return counts["page_prefills"] / counts["candidate_pages"]
