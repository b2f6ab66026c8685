"""The PDFs that are made by script are read as they were made."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.page_record import PageLayout
from tests.core.ingest.pdf_files import read
from tests.pdfs import report
from tests.pdfs.__main__ import FOLDER
from tests.pdfs.evidence import PAGES, evidence_set
from tests.pdfs.manual import ANSWER_PAGE, DISTRACTOR_PAGE
from tests.pdfs.topics import TOPICS


def layouts(name: str, folder: Path, asked: list[int]) -> list[PageLayout]:
    return read(FOLDER / name, folder, asked=asked)[2]


def test_every_question_has_answers_on_pages_that_exist() -> None:
    examples = json.loads((FOLDER / "examples.json").read_text(encoding="utf-8"))
    assert [example["name"] for example in examples] == sorted(
        (path.name for path in FOLDER.glob("*.pdf")), key=[example["name"] for example in examples].index
    )
    for example in examples:
        assert len(example["questions"]) == 3
        assert all(item["answers"] and item["gold"] for item in example["questions"])


def test_the_same_bytes_every_time(tmp_path: Path) -> None:
    report.report().save(tmp_path / "made.pdf")
    assert (tmp_path / "made.pdf").read_bytes() == (FOLDER / "port-of-lindrum.pdf").read_bytes()


def test_the_report_has_its_tables_and_charts(tmp_path: Path) -> None:
    traffic, containers, fish, berths = layouts("port-of-lindrum.pdf", tmp_path, [2, 4, 5, 6])
    kinds = [[region.kind for region in layout.regions] for layout in (traffic, containers, fish, berths)]
    assert [found.count("table") for found in kinds] == [1, 0, 1, 1]
    assert [found.count("figure") for found in kinds] == [0, 1, 0, 0]
    assert [found.count("caption") for found in kinds] == [1, 1, 1, 1]
    (chart,) = [region for region in containers.regions if region.kind == "figure"]
    assert "41,200\nQuarter 3" in chart.text
    (table,) = [region for region in berths.regions if region.kind == "table"]
    assert "4 | 63 days | crane rail had sunk | 612,000" in table.text.splitlines()


def test_the_manual_answers_on_one_page_and_misleads_on_another(tmp_path: Path) -> None:
    wanted, misleading = layouts("kestrel-400.pdf", tmp_path, [ANSWER_PAGE - 1, DISTRACTOR_PAGE - 1])
    assert "stand for 45 minutes" in wanted.text
    assert "Pressure sensor | 90 minutes | 20 minutes" in misleading.text and "45 minutes" not in misleading.text


@pytest.mark.parametrize("page", [3])
def test_the_minutes_are_a_scan(page: int, tmp_path: Path) -> None:
    (layout,) = layouts("vennwick-minutes.pdf", tmp_path, [page])
    assert layout.read_by == "ocr" and "second-hand rotary tiller" in layout.text


def test_the_evidence_set_knows_its_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.pdfs.evidence.TOPICS", TOPICS[:1])
    asked = evidence_set(tmp_path / "set")
    assert len(asked) == 4 and len(TOPICS) == 10 and sum(topic.scanned for topic in TOPICS) == 3
    found = read(asked[0][0], tmp_path)[2]
    assert len(found) == PAGES
    for (_, question, gold), (fact, _) in zip(asked, TOPICS[0].facts, strict=True):
        assert fact.rstrip(".") in found[gold[0]].text.replace("\n", " ")
        assert question not in found[gold[0]].text
