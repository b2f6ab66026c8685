"""Every system over PDFs on a real, tiny, random model of text: schemas, weighing and the window fit together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from core.ingest.page_store import PageStore
from core.models.load import load_backbone
from core.models.page_text_reader import TextPageReader
from core.models.profile import Models, Role
from core.models.scripted import scripted_models
from core.page_record import PageLayout, Source
from core.records import CompareRecord, PdfRef, Question, Request, RunRecord
from core.settings.methods import PdfSettings, RunSettings
from core.sleuth import gathering
from core.systems import SYSTEMS, of_kind
from tests.core.baselines.test_pdf_systems import PAGES, QUESTION
from tests.core.models import checkpoints
from tests.core.models.pages import layout
from tests.core.models.prompts import never
from tests.core.sleuth.case import SHA

NAMES = [system.name for system in of_kind("pdf") if not system.name.startswith("sleuth")]
LONG = [layout(page, ("text", ["bridge open " * 40])) for page in range(60)]


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Models:
    root = tmp_path_factory.mktemp("checkpoint")
    backbone = load_backbone(str(checkpoints.llama(root / "llama")), root, "cpu", torch.float32)
    scripted, reader = scripted_models(), TextPageReader(backbone)

    def role(name: Role) -> Any:
        return reader if name == "reader" else scripted.role(name)

    return replace(scripted, backbone=backbone, role=role, cache=root)


def run(name: str, models: Models, pages: list[PageLayout], monkeypatch: pytest.MonkeyPatch) -> RunRecord:
    store = PageStore(Path(models.cache))
    store.folder(SHA).mkdir(parents=True, exist_ok=True)
    store.keep_source(Source(name="bridges.pdf", sha256=SHA, pages=len(pages)))

    def read_pages(*_: object) -> Iterator[PageLayout]:
        yield from pages

    monkeypatch.setattr(gathering, "read_pages", read_pages)
    settings = RunSettings(judge_tokens=4, pdf=PdfSettings(top_k=3))
    request = Request(system=name, question=Question(text=QUESTION), pdf=PdfRef(sha256=SHA), settings=settings)
    *_, last = SYSTEMS[name].load()(request, models, "run", never)
    assert isinstance(last.record, RunRecord)
    return last.record


@pytest.mark.parametrize("name", NAMES)
def test_it_ends_with_an_answer_and_counts_what_it_read(
    name: str, models: Models, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = run(name, models, list(PAGES), monkeypatch)
    assert record.final is not None and record.shown and record.settings.pdf.agents == "signals"
    assert RunRecord.from_json(record.to_json()) == record
    assert all(call.prompt_tokens > 0 for call in record.calls if call.kind != "embed")
    assert record.counts and record.counts["page_prefills"] >= len(record.shown)


def test_six_systems_side_by_side_share_the_pages(models: Models, monkeypatch: pytest.MonkeyPatch) -> None:
    run("pdf_base", models, list(PAGES), monkeypatch)  # the pages lie in the store
    request = Request(
        system="compare",
        question=Question(text=QUESTION, answers=("1937",), gold_pages=(5,)),
        pdf=PdfRef(sha256=SHA),
        settings=RunSettings(judge_tokens=4, pdf=PdfSettings(top_k=3)),
        systems=tuple(NAMES),
    )
    *_, last = SYSTEMS["compare"].load()(request, models, "run", never)
    assert isinstance(last.record, CompareRecord)
    assert [(column.system, column.error) for column in last.record.systems] == [(name, "") for name in NAMES]
    encoded = [(record.counts or {}).get("pages_encoded", 0) for record in last.record.records]
    assert encoded == [0] * len(NAMES)


def test_direct_reads_what_fits_and_one_page_more_does_not(models: Models, monkeypatch: pytest.MonkeyPatch) -> None:
    record = run("pdf_direct", models, LONG, monkeypatch)
    read = len(record.shown or ())
    assert 0 < read < 50 and f"it was shown {read} of 50, pages 1, 2" in record.warnings[-1]
    assert [document.page for document in record.documents] == list(range(read))
    once_more = run("pdf_direct", models, LONG[: read + 1], monkeypatch)
    assert len(once_more.shown or ()) == read
