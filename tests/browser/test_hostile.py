"""Hostile text in every place that shows what others wrote: it stands there as text, and does nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pymupdf
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import serving, watched
from tests.browser.hostile_page import nothing_came_alive, shown
from tests.hostile import FILE_NAME, TEXTS, TRAPS
from ui.lab_state import LAST_STEP

pytestmark = pytest.mark.browser
SLOW = 60_000  # ms; a page of seven tabs on a busy machine
DOCUMENTS = "\n".join(
    json.dumps({"title": text, "text": f"{text} The Sil is the longest river in Oran.", "gold": place == 1})
    for place, text in enumerate(TEXTS)
)
QUESTION = f"Which river is the longest in Oran? {TEXTS[1]} {TEXTS[9]}"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("hostile")


@pytest.fixture(scope="module")
def site(folder: Path) -> Iterator[str]:
    with serving(folder, 0, "hostile") as url:
        yield url


@pytest.fixture
def page(browser: Browser, site: str) -> Iterator[Page]:
    with watched(browser, site) as page:
        page.set_default_timeout(SLOW)
        yield page


def opened(page: Page, path: str = "/") -> Page:
    page.goto(path)
    page.wait_for_function("window.wlens && document.querySelector('.wl-plot .main-svg')", timeout=SLOW)
    return page


def test_recorded_assets_in_every_tab(page: Page) -> None:
    opened(page)
    shown(page, "#wl-sources", 1)
    shown(page, "#wl-list", 10)
    shown(page, "#wl-main", 15)
    page.get_by_role("tab", name="Read a PDF").click()
    page.wait_for_selector("#wl-read-head h2")
    shown(page, "#wl-read", 15)
    page.get_by_role("tab", name="Position lab").click()
    page.wait_for_selector("#wl-lab-figures .wl-plot .main-svg")
    for step in range(1, LAST_STEP + 1):
        expect(page.locator("#wl-lab-card")).to_contain_text(f"Step {step} of")
        if page.locator("#wl-lab-card .wl-choice").count():
            page.locator("#wl-lab-card .wl-choice").first.click()
            page.wait_for_selector("#wl-lab-card .wl-lesson-result")
        nothing_came_alive(page)
        if step < LAST_STEP:
            page.locator("#wl-lab-card [data-value=next]").click()
    page.get_by_role("tab", name="Compare").click()
    page.wait_for_selector("#wl-compare-bump .wl-plot .main-svg")
    shown(page, "#wl-compare", 15)
    page.get_by_role("tab", name="Question set").click()
    page.wait_for_selector("#wl-set-figure .wl-plot .main-svg")
    for button in page.locator("#wl-set-chooser button").all():
        button.click()
        expect(button).to_have_attribute("aria-pressed", "true")
        nothing_came_alive(page)
    page.locator("#wl-set-head button[data-set=errors]").click()
    expect(page.locator("#wl-errors-table tbody tr")).not_to_have_count(0)
    shown(page, "#wl-errors-table", 3)
    page.locator("#wl-errors-table tbody tr").first.click()
    page.wait_for_selector("#wl-errors-table tr.is-open")
    page.wait_for_selector("#wl-errors-first .wl-plot .main-svg")
    nothing_came_alive(page)


def test_pasted_text_and_what_a_model_replies(page: Page) -> None:
    opened(page)
    page.get_by_role("tab", name="Paste", exact=True).click()
    form = page.locator("#wl-sources")
    form.get_by_label("Question", exact=True).fill(QUESTION)
    form.get_by_label("Accepted answers").fill("\n".join(text.replace("\n", " ") for text in TEXTS[:8]))
    form.get_by_label("Documents").fill(DOCUMENTS)
    page.get_by_role("button", name="Use these documents").click()
    expect(page.locator("#wl-list .wl-row")).to_have_count(len(TEXTS))
    shown(page, "#wl-list", len(TEXTS) - 1)
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.locator("#wl-answer .wl-final-answer")).to_be_visible()
    expect(page.locator("#wl-run")).to_be_visible()
    shown(page, "#wl-main", len(TEXTS) - 1)
    for place, trap in enumerate(TRAPS):
        page.locator(f"#wl-list [data-document='{place}']").first.click()
        expect(page.locator("#wl-reader")).to_contain_text(trap.shows)
    nothing_came_alive(page)
    page.locator("#wl-send").click()
    page.get_by_role("button", name="Run these").click()
    page.wait_for_function("location.search.includes('tab=lab&run=')")
    expect(page.locator("#wl-lab-run")).to_be_visible()
    nothing_came_alive(page)


def test_a_comparison_of_pasted_text(page: Page) -> None:
    opened(page, "/?tab=compare")
    form = page.locator("#wl-compare-sources")
    form.get_by_role("tab", name="Paste", exact=True).click()
    form.get_by_label("Question", exact=True).fill(QUESTION)
    form.get_by_label("Documents").fill(DOCUMENTS)
    form.get_by_role("button", name="Use these documents").click()
    page.locator("#wl-compare-run").click()
    expect(page.locator(".wl-column .wl-column-answer")).not_to_have_count(0)
    expect(page.locator("#wl-compare-run")).to_be_visible()  # all have answered
    shown(page, "#wl-compare", len(TEXTS) - 2)


def hostile_pdf(path: Path) -> Path:
    """Pages of hostile lines, under a hostile title."""
    document = pymupdf.open()
    for start in range(0, len(TEXTS), 6):
        sheet = document.new_page(width=900, height=300)
        for line, text in enumerate(TEXTS[start : start + 6]):
            sheet.insert_text((20, 40 + 40 * line), text.replace("\n", " ")[:120], fontsize=9)
        sheet.insert_text((20, 280), "The Sil is the longest river in Oran.", fontsize=9)
    document.set_metadata({"title": TEXTS[1], "author": TEXTS[0], "subject": TEXTS[9]})
    document.save(path)
    return path


def test_a_pdf_its_title_and_its_name(page: Page, tmp_path: Path) -> None:
    opened(page, "/?tab=pdf")
    page.locator("#wl-read-sources").get_by_role("tab", name="Your PDF").click()
    file = hostile_pdf(tmp_path / f"{FILE_NAME}.pdf")
    page.locator("#wl-read-sources input[type=file]").first.set_input_files(file)
    expect(page.locator("#wl-read-source")).to_contain_text("4 pages")
    expect(page.locator("#wl-read-source")).to_contain_text("<img data-hostile")
    page.locator("#wl-read-input textarea").fill(QUESTION)
    page.locator("#wl-read-run").click()
    page.wait_for_function("location.search.includes('run=')")
    expect(page.locator("#wl-read-answer .wl-final-answer")).to_be_visible()
    expect(page.locator("#wl-read-run")).to_be_visible()
    shown(page, "#wl-read-head, #wl-read-answer", 2)
    for place in range(4):
        page.locator(f"#wl-read-strip [data-value='{place}']").click()
        expect(page.locator("#wl-read-page .wl-page")).to_have_attribute("data-page", str(place))
        if place == 0:
            page.locator("[data-read=text]").click()
        shown(page, "#wl-read-page", 4)


def test_question_files_and_records_in_every_tab_that_takes_them(page: Page, folder: Path, tmp_path: Path) -> None:
    rows = [
        {"question": text, "answers": [text], "ctxs": [{"title": text, "text": text, "isgold": True}]} for text in TEXTS
    ]
    file = tmp_path / f"{FILE_NAME}.jsonl"
    file.write_text("\n".join([*map(json.dumps, rows), f'{{"question": {TEXTS[1]}']), encoding="utf-8")
    opened(page)
    for tab, sources, upload in (("Inspect", "#wl-sources", 0), ("Compare", "#wl-compare-sources", 0)):
        page.get_by_role("tab", name=tab).click()
        page.locator(sources).get_by_role("tab", name="Question file").click()
        page.locator(f"{sources} input[type=file]").nth(upload).set_input_files(file)
        listed = f"{sources} .wl-file-row"
        expect(page.locator(listed)).to_have_count(len(TEXTS))
        shown(page, sources, len(TEXTS) - 1)
        page.locator(listed).nth(3).click()
        expect(page.locator(f"#wl-{'head' if tab == 'Inspect' else 'compare'}").first).to_contain_text(TRAPS[3].shows)
    assets = folder / "assets"
    for tab, sources, record, view in (
        ("Inspect", "#wl-sources", "runs/recorded.json", "#wl-main"),
        ("Read a PDF", "#wl-read-sources", "pdf_runs/trams-1.json", "#wl-read"),
        ("Compare", "#wl-compare-sources", "compare/recorded.json", "#wl-compare"),
    ):
        page.get_by_role("tab", name=tab).click()
        page.locator(sources).get_by_role("tab", name="Record", exact=True).click()
        page.locator(f"{sources} input[type=file]").last.set_input_files(assets / record)
        page.wait_for_function("!location.search.includes('example')")
        shown(page, view, 10)
