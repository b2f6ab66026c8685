"""What comes from outside: pasted text, question files, records, all hostile; and what goes out."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from core.records import RunRecord
from tests.browser.conftest import open_page
from tests.ui.sample import sample

pytestmark = pytest.mark.browser

EVIL = (
    "<script>window.pwned=1</script>",
    '<img src=x onerror="window.pwned=2">',
    '<a href="javascript:window.pwned=3">click</a><svg onload="window.pwned=4">',
    "${window.pwned=5} {{constructor.constructor('window.pwned=6')()}} `${window.pwned=7}`",
    "\u202egnp.exe\u202c </im_end> <|im_start|>system",
    '"><iframe srcdoc="<script>parent.pwned=8</script>"></iframe>',
)


def visit_everything(page: Page) -> None:
    """Opens each document's text and each fold, so that everything is drawn once."""
    count = page.locator("#wl-list .wl-row").count()
    for document in range(min(count, len(EVIL))):
        page.locator(f"#wl-list [data-document='{document}']").first.click()
        page.wait_for_timeout(60)
    page.evaluate("document.querySelectorAll('details').forEach(fold => fold.open = true)")


def test_pasted_text_stays_text(page: Page) -> None:
    open_page(page)
    page.get_by_role("tab", name="Paste", exact=True).click()
    page.locator("#wl-sources").get_by_label("Question").fill(f"who {EVIL[0]} {EVIL[1]}?")
    blocks = "\n\n".join(f"# Title {text}\nBody {text} and more words." for text in EVIL)
    page.locator("#wl-sources").get_by_label("Documents").fill(blocks)
    page.get_by_role("button", name="Use these documents").click()
    expect(page.locator("#wl-list .wl-row")).to_have_count(len(EVIL))
    expect(page.locator("#wl-head h2")).to_contain_text("<script>")
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.locator("#wl-answer .wl-final-answer")).to_be_visible()
    visit_everything(page)
    expect(page.locator("#wl-reader .wl-text")).to_be_visible()
    assert page.locator("#wl-main img, #wl-main iframe, #wl-main script, #wl-main a").count() == 0


def test_an_empty_paste_says_what_is_missing(page: Page) -> None:
    open_page(page)
    page.get_by_role("tab", name="Paste", exact=True).click()
    page.get_by_role("button", name="Use these documents").click()
    expect(page.locator("#wl-notice [role=alert]")).to_contain_text("no question")
    page.locator("#wl-sources").get_by_label("Question").fill("who?")
    page.get_by_role("button", name="Use these documents").click()
    expect(page.locator("#wl-notice [role=alert]")).to_contain_text("no documents")


def test_a_question_file_lists_rows_and_names_the_broken_line(page: Page, tmp_path: Path) -> None:
    rows = [
        json.dumps(
            {
                "question": f"question {i} {EVIL[i % 6]}",
                "answers": ["a"],
                "ctxs": [{"title": EVIL[j], "text": EVIL[j], "isgold": j == 1} for j in range(3)],
            }
        )
        for i in range(30)
    ]
    rows[16] = '{"question": "broken <img src=x onerror=window.pwned=9>'
    file = tmp_path / "evil<img src=x onerror=window.pwned=1>.jsonl"
    file.write_text("\n".join(rows), encoding="utf-8")
    open_page(page)
    page.get_by_role("tab", name="Question file").click()
    page.locator("#wl-sources input[type=file]").first.set_input_files(file)
    listed = page.locator("#wl-file-rows")
    expect(listed).to_contain_text("29 questions")
    expect(listed).to_contain_text("Line 17")
    page.get_by_label("Find a row").fill("question 21")
    expect(listed.locator("[data-row]")).to_have_count(1)
    listed.locator("[data-row]").click()
    expect(page.locator("#wl-head h2")).to_contain_text("question 21")
    expect(page.locator("#wl-list .wl-row.is-gold")).to_have_attribute("data-place", "1")


def test_a_record_goes_out_and_comes_back(page: Page, tmp_path: Path) -> None:
    open_page(page)
    saved = {}
    for what in ("record", "documents", "pool", "calls"):
        with page.expect_download() as download:
            page.locator(f"#wl-export-{what}").click()
        saved[what] = tmp_path / download.value.suggested_filename
        download.value.save_as(saved[what])
    record = RunRecord.from_json(saved["record"].read_bytes())
    assert record == sample()
    table = list(csv.reader(io.StringIO(saved["documents"].read_text(encoding="utf-8"))))
    assert len(table) == 21
    page.get_by_role("tab", name="Record", exact=True).click()
    page.locator("#wl-sources input[type=file]").last.set_input_files(saved["record"])
    page.wait_for_function("!location.search.includes('example')")
    expect(page.locator("#wl-answer .wl-final-answer")).to_contain_text("Gayla Peevey")
    visit_everything(page)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{}", "no 'schema' field"),
        ('{"schema": "w-lens/9"}', "A newer W-Lens"),
        ("<script>window.pwned=1</script>", "not a JSON file"),
        ('{"schema": "w-lens/1", "documents": "<img src=x onerror=window.pwned=1>"}', "does not hold together"),
    ],
)
def test_a_file_that_is_no_record_says_why(page: Page, tmp_path: Path, content: str, said: str) -> None:
    file = tmp_path / "record.json"
    file.write_text(content, encoding="utf-8")
    open_page(page)
    page.get_by_role("tab", name="Record", exact=True).click()
    page.locator("#wl-sources input[type=file]").last.set_input_files(file)
    expect(page.locator("#wl-notice [role=alert]")).to_contain_text(said)
    expect(page.locator("#wl-answer .wl-final-answer")).to_be_visible()


@pytest.mark.parametrize("figure", ["curve", "ranking", "pool"])
def test_figures_are_saved_as_png_and_svg(page: Page, tmp_path: Path, figure: str) -> None:
    open_page(page)
    for kind, start in (("png", b"\x89PNG"), ("svg", b"<svg")):
        with page.expect_download() as download:
            page.locator(f"[data-save={figure}][data-format={kind}]").click()
        file = tmp_path / download.value.suggested_filename
        download.value.save_as(file)
        assert file.suffix == f".{kind}"
        assert file.read_bytes().startswith(start)
        assert file.stat().st_size > 2000
