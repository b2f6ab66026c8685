"""The tab Compare in a browser: side by side at once, one selection, a choice of systems, a live comparison."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.ui.sample import GOLD

pytestmark = pytest.mark.browser
SLOW = 45_000  # milliseconds that a busy machine may take for a page or a scripted comparison


def open_compare(page: Page, query: str = "") -> Page:
    """Opens the tab by its address and waits until its chart is drawn."""
    page.goto(f"/?tab=compare{query}")
    page.wait_for_function("document.querySelector('#wl-compare-bump .wl-plot .main-svg')", timeout=SLOW)
    return page


def test_a_comparison_stands_side_by_side_at_once(page: Page) -> None:
    open_compare(page)
    expect(page.locator(".wl-column")).to_have_count(6)
    expect(page.locator(".wl-column.is-failed")).to_contain_text("no reranker")
    expect(page).to_have_url(re.compile(rf"tab=compare&example=recorded&doc={GOLD + 1}$"))
    boxes = [page.locator(".wl-column").nth(i).bounding_box() for i in range(2)]
    assert boxes[0] and boxes[1] and boxes[0]["y"] == boxes[1]["y"] and boxes[0]["x"] < boxes[1]["x"]


def test_one_selection_in_columns_chart_and_text(page: Page) -> None:
    open_compare(page)
    chip = page.locator(".wl-column").nth(1).locator('[data-compare="document"]').first
    chip.focus()
    document = chip.get_attribute("data-value")
    if chip.get_attribute("aria-pressed") == "true":
        page.keyboard.press("Enter")
        expect(chip).to_have_attribute("aria-pressed", "false")
    page.keyboard.press("Enter")
    expect(chip).to_have_attribute("aria-pressed", "true")
    expect(chip).to_be_focused()  # in its own column
    expect(page.locator("#wl-compare-document .wl-document")).to_have_attribute("data-shown", str(document))
    page.locator("#wl-compare-bump").evaluate("element => element.scrollIntoView({block: 'start'})")
    point = page.locator("#wl-compare-bump .nsewdrag").first.bounding_box()
    assert point
    page.mouse.click(point["x"] + 0.35 / 4.7 * point["width"], point["y"] + 0.6 / 20.2 * point["height"])
    expect(page.locator("#wl-compare-document .wl-document")).to_have_attribute("data-shown", "0")
    expect(page).to_have_url(re.compile(r"doc=1$"))


def test_systems_are_chosen_by_keyboard_and_compared_live(page: Page) -> None:
    open_compare(page, "&example=unrecorded")
    box = page.get_by_label(re.compile("^BM25 reorder"))
    box.focus()
    page.keyboard.press("Space")
    expect(box).to_be_checked()
    expect(box).to_be_focused()
    for name in ("DuQUAD", "Hybrid RRF reciprocal", "MAIN-RAG"):
        page.get_by_label(re.compile(f"^{name}")).uncheck()
    expect(page.locator("#wl-compare-systems legend")).to_contain_text("2 of at most 6")
    expect(page.get_by_label(re.compile("reranker"))).to_be_disabled()
    page.locator("#wl-compare-run").click()
    expect(page.locator("#wl-compare-cancel")).to_be_visible()
    expect(page.locator(".wl-column .wl-column-answer")).to_have_count(2, timeout=SLOW)
    expect(page.locator("#wl-compare-run")).to_be_visible()
    expect(page).to_have_url(re.compile(r"tab=compare&run=[\w-]+"))
    page.reload()
    expect(page.locator(".wl-column .wl-column-answer")).to_have_count(2, timeout=SLOW)


def test_it_fits_a_phone_in_both_themes_and_saves_files(page: Page) -> None:
    page.set_viewport_size({"width": 400, "height": 800})
    open_compare(page)
    for _ in range(2):
        assert page.evaluate("document.documentElement.scrollWidth") <= 400
        page.locator("[data-theme]").click()
        page.wait_for_timeout(300)
    with page.expect_download() as saved:
        page.locator("#wl-compare-export-systems").click()
    assert saved.value.suggested_filename.endswith("-systems.csv")
    with page.expect_download() as saved:
        page.locator('[data-save="compare-bump"][data-format="svg"]').click()
    assert saved.value.suggested_filename.endswith(".svg")
