"""The tab that reads PDFs: one selection everywhere, boxes on the right page, hostile text that stays text."""

from __future__ import annotations

import json
import re
from itertools import cycle
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from core.records import RunRecord
from tests.browser.test_files import EVIL
from tests.ui.read_assets import SLUG
from tests.ui.read_sample import CANDIDATES, EVIDENCE, boxes_of, read_sample
from tests.ui.test_read_flow import pdf

pytestmark = pytest.mark.browser

expect.set_options(timeout=20_000)
SLOW = 60_000  # milliseconds that a busy machine may take to open the page
SHEET = "#wl-read-page .wl-sheet"


def open_tab(page: Page, query: str = "") -> Page:
    """Opens the tab and waits until its record is shown and its page's picture is there."""
    page.set_default_timeout(SLOW)
    page.goto(f"/?tab=pdf{query}")
    expect(page.locator("#wl-read-head h2")).to_be_visible(timeout=SLOW)
    page.wait_for_function("document.querySelector('#wl-read-page img[data-picture]')?.naturalWidth > 100")
    return page


def on_paper(page: Page, selector: str) -> list[float]:
    """Where an element lies on the page picture: left, top, right, bottom as shares of it."""
    found: list[float] = page.evaluate(
        """selector => {
          const paper = document.querySelector('#wl-read-page .wl-sheet').getBoundingClientRect();
          const box = document.querySelector(selector).getBoundingClientRect();
          return [(box.left - paper.left) / paper.width, (box.top - paper.top) / paper.height,
                  (box.right - paper.left) / paper.width, (box.bottom - paper.top) / paper.height];
        }""",
        selector,
    )
    return found


def test_a_citation_lights_its_place_on_the_right_page(page: Page) -> None:
    open_tab(page)
    expect(page.locator("#wl-read-answer")).to_contain_text("4,310 passengers")
    expect(page).to_have_url(f"{page.url.split('?')[0]}?tab=pdf&example={SLUG}&p={EVIDENCE + 1}&cite=1")
    page.locator("#wl-read-citations tbody tr").nth(2).click()
    expect(page.locator("#wl-read-page .wl-page")).to_have_attribute("data-page", "4")
    expect(page.locator("#wl-read-strip .is-selected")).to_have_attribute("data-value", "4")
    expect(page.locator(f"{SHEET} .wl-box.is-lit")).to_have_count(1)
    page.locator("#wl-read-citations [data-read=cite][data-value='0'] button.wl-tag").click()
    expect(page.locator("#wl-read-page .wl-page")).to_have_attribute("data-page", str(EVIDENCE))
    picture = page.locator("#wl-read-page img[data-picture]")
    assert (picture.get_attribute("src") or "").startswith("data:image/png;base64,")
    lit = on_paper(page, f"{SHEET} .wl-box.is-lit")
    expected = boxes_of("carried 4,310 passengers", EVIDENCE)[0]
    assert all(abs(there - here) < 0.012 for there, here in zip(expected, lit, strict=True)), (expected, lit)


def test_a_choice_anywhere_is_shared(page: Page) -> None:
    open_tab(page)
    page.locator("#wl-read-clues [data-read=clue][data-value='0'] button.wl-tag").click()
    expect(page.locator("#wl-read-page .wl-page")).to_have_attribute("data-page", "2")
    expect(page.locator("#wl-read-citations .is-lit")).to_have_count(0)
    page.locator("#wl-read-strip .wl-thumb").nth(EVIDENCE).click()
    expect(page.locator("#wl-read-page .wl-page")).to_have_attribute("data-page", str(EVIDENCE))
    expect(page.locator("#wl-read-candidates tr.is-lit")).to_have_attribute("data-value", str(EVIDENCE))
    beside = {"x": 4, "y": 6}  # a citation lies on the middle of the clue
    page.locator(f"{SHEET} button.is-clue").first.click(position=beside)  # type: ignore[arg-type]
    expect(page.locator("#wl-read-clues tr.is-lit")).to_have_attribute("data-value", "1")
    page.locator("#wl-read-strip .is-selected").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#wl-read-page .wl-page")).to_have_attribute("data-page", str(EVIDENCE + 1))
    expect(page.locator("#wl-read-strip .is-selected")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#wl-read-page")).to_contain_text("Choose a page")


def test_zoom_text_overlays_and_similarity(page: Page) -> None:
    open_tab(page)
    wide = page.locator(SHEET).bounding_box()
    page.keyboard.press("+")
    page.locator("[data-zoom=in]").click()
    larger = page.locator(SHEET).bounding_box()
    assert wide and larger and larger["width"] > 1.8 * wide["width"]
    page.locator("[data-read=token][data-value='2']").click()
    expect(page.locator(f"{SHEET} .wl-heat .w8").first).to_be_attached()
    kept = page.locator(SHEET).bounding_box()
    assert kept and kept["width"] == pytest.approx(larger["width"]), "the zoom outlives what is drawn anew"
    page.locator("[data-read=show][data-value=clues]").click()
    expect(page.locator(f"{SHEET} .is-clue")).to_have_count(0)
    page.locator("[data-read=text]").click()
    expect(page.locator("#wl-read-page .wl-text mark")).to_contain_text("carried 4,310 passengers")


def test_hostile_text_stays_text_and_thumbs_come(page: Page) -> None:
    open_tab(page)
    for place in CANDIDATES:
        page.locator(f"#wl-read-strip [data-value='{place}']").click()
        expect(page.locator("#wl-read-page .wl-page")).to_have_attribute("data-page", str(place))
    page.locator("[data-read=first]").click()
    page.locator("[data-read=token][data-value='3']").click()
    page.locator("[data-read=text]").click()
    page.evaluate("document.querySelectorAll('details').forEach(fold => fold.open = true)")
    page.wait_for_function(
        "document.querySelector('.wl-face').style.backgroundImage.startsWith('url(\"data:image/jpeg')"
    )
    assert page.locator("#wl-read img:not([data-picture]), #wl-read iframe, #wl-read script, #wl-read a").count() == 0


def test_a_record_goes_out_and_one_full_of_traps_does_nothing(page: Page, tmp_path: Path) -> None:
    open_tab(page)
    with page.expect_download() as download:
        page.locator("#wl-read-export-record").click()
    download.value.save_as(tmp_path / "record.json")
    record = RunRecord.from_json((tmp_path / "record.json").read_bytes())
    assert record == read_sample()
    trap = json.loads(record.to_json())
    texts = cycle(EVIL)
    trap["source"] |= {"name": next(texts), "title": next(texts), "sha256": '"><img src=x onerror=window.pwned=9>'}
    trap["question"]["text"] = next(texts)
    for clue in trap["clues"]:
        clue |= {"content": next(texts), "region": next(texts), "insight": next(texts)}
    for citation in trap["citations"]:
        citation |= {"evidence": next(texts), "source": next(texts), "reason": next(texts)}
    for found in trap["pages"]:
        found |= {"printed": next(texts), "rationale": next(texts)}
    for layout in trap["layouts"]:
        layout["notes"] = [next(texts)]
        for word in layout["words"]:
            word["text"] = next(texts)
    trap["similarity"]["tokens"] = [EVIL[i] for i in range(4)]
    (tmp_path / "trap.json").write_text(json.dumps(trap), encoding="utf-8")
    page.locator("#wl-read-sources").get_by_role("tab", name="Record").click()
    page.locator("#wl-read-sources input[type=file]").last.set_input_files(tmp_path / "trap.json")
    page.wait_for_function("!location.search.includes('example')")
    for place in (2, EVIDENCE):
        page.locator(f"#wl-read-strip [data-value='{place}']").click()
        expect(page.locator("#wl-read-page .wl-page")).to_have_attribute("data-page", str(place))
        expect(page.locator("#wl-read-page")).to_contain_text("its words are drawn where they stand")
    assert page.locator("#wl-read img, #wl-read iframe, #wl-read script, #wl-read a").count() == 0


def test_an_upload_is_read_asked_about_and_met_again_after_a_reload(page: Page, tmp_path: Path) -> None:
    open_tab(page)
    page.locator("#wl-read-sources").get_by_role("tab", name="Your PDF").click()
    upload = page.locator("#wl-read-sources input[type=file]").first
    upload.set_input_files(pdf(tmp_path / "harbour <img src=x onerror=window.pwned=1>.pdf", password="secret"))
    expect(page.locator("#wl-read-notice [role=alert]")).to_contain_text("password")
    page.locator("#wl-read-password input").fill("secret")
    page.locator("#wl-read-unlock").click()
    expect(page.locator("#wl-read-source")).to_contain_text(re.compile(r"harbour.*\.pdf2 pages"))
    page.locator("#wl-read-input textarea").fill("When was the harbour line opened?")
    page.locator("#wl-read-run").click()
    page.wait_for_function("location.search.includes('run=')")
    page.reload()
    expect(page.locator("#wl-read-head h2")).to_contain_text("harbour line", timeout=SLOW)
    expect(page.locator("#wl-read-answer .wl-final-answer")).to_be_visible(timeout=SLOW)
    expect(page.locator("#wl-read-run")).to_be_visible()
    expect(page.locator("#wl-read-page img[data-picture]")).to_be_visible()


def test_a_file_that_is_no_pdf_says_what_it_is(page: Page, tmp_path: Path) -> None:
    open_tab(page)
    page.locator("#wl-read-sources").get_by_role("tab", name="Your PDF").click()
    (tmp_path / "notes.pdf").write_text("no pdf at all")
    page.locator("#wl-read-sources input[type=file]").first.set_input_files(tmp_path / "notes.pdf")
    expect(page.locator("#wl-read-notice [role=alert]")).to_contain_text("not a PDF")
    expect(page.locator("#wl-read-answer")).to_contain_text("4,310 passengers")


def test_a_small_screen_shows_the_place_as_a_sheet(page: Page) -> None:
    page.set_viewport_size({"width": 400, "height": 800})
    open_tab(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 400
    page.locator("#wl-read-citations button.wl-tag").nth(2).click()
    expect(page.locator("#wl-read-reader")).to_have_css("position", "fixed")
    expect(page.locator(f"{SHEET} .wl-box.is-lit")).to_be_in_viewport()
    page.locator("#wl-read-bar [data-value=none]").click()
    expect(page.locator("#wl-read-reader")).to_have_css("position", "static")
