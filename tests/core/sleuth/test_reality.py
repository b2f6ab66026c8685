"""SLEUTH on the embedded weights, from a PDF to citations."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pymupdf
import pytest

from core.ingest.page_store import PageStore
from core.ingest.pdf import take_in
from core.models.load import load_models
from core.records import PdfRef, Question, Request, RunRecord
from core.settings.app import AppSettings
from core.settings.methods import PdfSettings, RunSettings
from core.sleuth import pipeline
from tests.core.models.prompts import never

pytestmark = pytest.mark.weights

PAGES = (
    "The town library lends 40,000 books a year. It is closed on Mondays. Its reading room has a glass roof.",
    "The ferry to Inselwald leaves at nine. The crossing takes forty minutes. Bicycles travel free of charge.",
    "The mill on the river grinds rye and spelt. Bread is baked on Fridays in the old stone oven.",
)


def test_the_page_with_the_answer_is_found_labelled_and_cited(tmp_path: Path) -> None:
    path = tmp_path / "town.pdf"
    with pymupdf.open() as document:
        for text in PAGES:
            document.new_page().insert_textbox((72, 72, 500, 300), text)
        document.save(path)
    models = replace(load_models("embedded", AppSettings.from_env().cache), cache=tmp_path)
    source = take_in(path, path.name, PageStore(tmp_path))
    request = Request(
        system="sleuth",
        question=Question(text="How long does the ferry take to cross?", answers=("forty minutes",), gold_pages=(1,)),
        pdf=PdfRef(sha256=source.sha256, name=source.name),
        settings=RunSettings(pdf=PdfSettings(top_k=3)),
    )
    record = list(pipeline.run(request, models, "run", never))[-1].record
    assert isinstance(record, RunRecord) and record.pages and record.signals and record.ranking
    assert record.pages[1].rank == 0 and record.pages[1].label == "CR" and record.pages[1].kept
    assert any(clue.content == "The crossing takes forty minutes." and clue.boxes for clue in record.clues or ())
    assert record.documents[record.ranking[0].document].page == 1
    assert record.final and record.final.answer
    assert all(citation.verified and citation.boxes for citation in record.citations or ())
    assert record.counts and record.counts["page_prefills_per_page"] == 1.0
    assert RunRecord.from_json(record.to_json()) == record
