"""Recorded runs of the questions about the example PDFs."""

from __future__ import annotations

from pathlib import Path

from core.commands.running import one_line
from core.files import write_whole
from core.ingest.page_store import PageStore
from core.ingest.pdf import take_in
from core.ingest.pdf_examples import PdfExample, read_pdf_examples
from core.ingest.questions import checked
from core.models.profile import Models
from core.records import PdfRef, Request, RunRecord
from core.systems import SYSTEMS
from core.text import contains_answer


def record(assets: Path, models: Models, only: str | None = None) -> None:
    """Writes ``pdf_runs/<slug>.json`` for every question of ``pdfs/examples.json``, or for ``only`` one of them.

    Raises:
        InputError: an example PDF cannot be read.
        ModelError: a model cannot do its part.
    """
    for example in read_pdf_examples(assets / "pdfs"):
        if only in (None, example.slug):
            _show(example, _recorded(assets, example, models))


def _recorded(assets: Path, example: PdfExample, models: Models) -> RunRecord:
    source = take_in(assets / "pdfs" / example.file, example.file, PageStore(models.cache))
    ref = PdfRef(sha256=source.sha256, name=source.name)
    request = checked(Request(system="sleuth", question=example.question, pdf=ref))
    *_, last = SYSTEMS["sleuth"].load()(request, models, f"sample-{example.slug}", lambda: None)
    assert isinstance(last.record, RunRecord)
    folder = assets / "pdf_runs"
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(folder / f"{example.slug}.json", last.record.to_json().encode())
    return last.record


def _show(example: PdfExample, record: RunRecord) -> None:
    answer = record.final.answer if record.final else ""
    mark = "right" if contains_answer(answer, example.question.answers) else "wrong"
    gold = set(example.question.gold_pages)
    found = sum(page.candidate for page in record.pages or () if page.page in gold)
    kept = sum(page.kept for page in record.pages or () if page.page in gold)
    print(
        f"{mark}  {example.slug}: {one_line(answer, 90)} (gold pages found {found}, kept {kept} of {len(gold)})",
        flush=True,
    )
