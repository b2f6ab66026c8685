"""The tabs "Question set" and "Errors" in a browser: filters, keys, labels that outlive a reload, files."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.ui.set_sample import QUESTIONS

pytestmark = pytest.mark.browser
_DRAWN = ".wl-plot .main-svg"
_SLOW = 60_000  # ms; a page of seven tabs on a busy machine


def open_errors(page: Page, query: str = "") -> Page:
    """Opens the tab by its address and waits until its first figure is drawn."""
    page.goto(f"/?tab=errors{query}")
    page.wait_for_function(f"document.querySelector('#wl-errors-first {_DRAWN}')", timeout=_SLOW)
    return page


def test_a_part_of_the_flow_opens_its_answers_and_keys_step_through_them(page: Page) -> None:
    page.goto("/?tab=set&analysis=loss")
    page.wait_for_function(f"document.querySelector('#wl-set-figure {_DRAWN}')", timeout=_SLOW)
    expect(page.locator("#wl-set-matrix tbody tr")).to_have_count(2)
    page.locator("#wl-set-head button[data-set=errors]").click()
    expect(page.locator("#wl-errors-table tbody tr")).to_have_count(QUESTIONS)
    expect(page).to_have_url(re.compile(r"tab=errors&set=recorded&q=1&by=duquad$"))
    page.locator('#wl-errors-flow button[data-value="judged_wrong"]').click()
    expect(page.locator("#wl-errors-table tbody tr")).to_have_count(1)
    page.locator('#wl-errors-filters button[data-errors="reset"]').click()
    expect(page.locator("#wl-errors-table tbody tr")).to_have_count(QUESTIONS)
    page.locator('#wl-errors-filters button[data-value="wrong"]').click()
    expect(page.locator("#wl-errors-table tbody tr")).to_have_count(3)
    page.locator("body").press("j")
    expect(page.locator("#wl-errors-table tr.is-open")).to_have_attribute("data-row-number", "1")
    page.locator("body").press("j")
    expect(page.locator("#wl-errors-table tr.is-open")).to_have_attribute("data-row-number", "3")
    page.locator("body").press("k")
    expect(page.locator("#wl-errors-panel .wl-errors-head")).to_contain_text("2 of 3")
    row = page.locator("#wl-errors-table [data-errors=open]").first
    row.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#wl-errors-table tr.is-open")).to_have_attribute("data-row-number", "0")
    page.locator("body").press("ArrowRight")
    expect(page.locator("#wl-errors-reader .wl-document")).to_have_attribute("data-shown", "1")


def test_the_open_row_stays_in_sight(page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 420})
    open_errors(page, "&set=recorded")
    for number in range(1, QUESTIONS):
        page.locator("body").press("j")
        expect(page.locator("#wl-errors-table tr.is-open")).to_have_attribute("data-row-number", str(number))
    page.wait_for_function(
        """() => {
          const box = document.querySelector("#wl-errors-table");
          const [row, all] = [box.querySelector("tr.is-open"), box].map((one) => one.getBoundingClientRect());
          return box.scrollTop > 0 && row.top >= all.top && row.bottom <= all.bottom;
        }"""
    )


def test_a_label_is_saved_at_once_and_there_after_a_reload(page: Page) -> None:
    open_errors(page, "&set=recorded&q=2")
    page.locator("#wl-errors-reviewer input, #wl-errors-reviewer textarea").first.fill("Ann")
    page.locator("#wl-errors-reviewer input, #wl-errors-reviewer textarea").first.blur()
    page.locator("#wl-errors-note textarea, #wl-errors-note input").first.fill("Read the wrong painter.")
    page.get_by_role("radio", name="wrong", exact=True).check()
    expect(page.locator("#wl-errors-notice")).to_contain_text("Saved: wrong, by Ann")
    expect(page.locator("#wl-errors-history")).to_contain_text("Read the wrong painter.")
    expect(page.locator("#wl-errors-table tr.is-open .wl-said")).to_have_text("wrong")
    page.reload()
    page.wait_for_function(f"document.querySelector('#wl-errors-first {_DRAWN}')", timeout=_SLOW)
    expect(page.locator("#wl-errors-history")).to_contain_text("Read the wrong painter.")
    expect(page.locator("#wl-errors-reviewer input, #wl-errors-reviewer textarea").first).to_have_value("Ann")
    expect(page.get_by_role("radio", name="wrong", exact=True)).to_be_checked()
    page.locator("#wl-errors-next").click()
    expect(page.locator("#wl-errors-panel .wl-errors-head")).to_contain_text("1 of 6")


def test_borrowed_views_stay_in_their_tab_and_files_are_saved(page: Page) -> None:
    open_errors(page, "&set=recorded&q=1")
    page.locator("#wl-errors-panel [data-errors=other]").first.click()
    expect(page.locator("#wl-errors-beside tbody tr")).to_have_count(3)
    page.locator("#wl-errors-parts .doc-ref").first.click()
    expect(page).to_have_url(re.compile(r"tab=errors&set=recorded"))
    for what, name in (("csv", ".csv"), ("parquet", ".parquet"), ("report", ".html")):
        with page.expect_download() as saved:
            page.locator(f"#wl-errors-export-{what}").click()
        assert saved.value.suggested_filename.endswith(name)
        assert saved.value.path().stat().st_size > 100
    assert page.evaluate("document.querySelector('#wl-main')?.dataset.picked") is None


def test_both_tabs_fit_a_phone(page: Page) -> None:
    page.set_viewport_size({"width": 400, "height": 800})
    open_errors(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 400
    page.goto("/?tab=set")
    page.wait_for_function(f"document.querySelector('#wl-set-figure {_DRAWN}')", timeout=_SLOW)
    assert page.evaluate("document.documentElement.scrollWidth") <= 400
