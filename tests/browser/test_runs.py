"""A run from Run to the final answer: progress, partial figures, reload, cancel, addresses that lead nowhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import open_page, serving, watched

pytestmark = pytest.mark.browser

RUN = re.compile(r"\?run=[\w-]{16,}")
SLOW = 2.0  # seconds of each stage: a run that is still under way when the page has been loaded again


def start(page: Page) -> None:
    """Presses Run and waits until the run has an address."""
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page).to_have_url(RUN)


def test_an_example_runs_through_and_opens_again_from_its_address(page: Page) -> None:
    open_page(page)
    page.get_by_role("button", name="An example without a run").click()
    start(page)
    bar = page.locator("#wl-progress [role=progressbar]")
    expect(bar).to_be_visible()
    expect(page.locator("#wl-progress [aria-live=polite]")).not_to_be_empty()
    page.wait_for_function("document.querySelector('#wl-curve .wl-plot').data.length > 1")
    expect(page.locator("#wl-answer")).to_contain_text("has not been written yet")
    expect(page.locator("#wl-answer .wl-final-answer")).to_be_visible()
    expect(bar).to_have_count(0)
    expect(page.locator("#wl-run")).to_be_visible()
    address = page.url
    open_page(page, address)
    expect(page.locator("#wl-answer .wl-final-answer")).to_be_visible()


def test_a_reload_goes_on_where_the_run_is(browser: Browser, tmp_path: Path) -> None:
    with serving(tmp_path, SLOW) as server, watched(browser, server) as page:
        open_page(page)
        start(page)
        page.reload()
        bar = page.locator("#wl-progress [role=progressbar]")
        expect(bar).to_be_visible()
        expect(page.locator("#wl-list .wl-row")).to_have_count(20)
        expect(page.locator("#wl-answer .wl-final-answer")).to_be_visible(timeout=10_000 * SLOW)
        expect(bar).to_have_count(0)


def test_moving_gold_runs_with_the_new_order(page: Page) -> None:
    open_page(page)
    page.get_by_label("range slider for Gold at place").press("End")
    expect(page.locator("#wl-list .wl-row.is-gold")).to_have_attribute("data-place", "19")
    start(page)
    expect(page.locator("#wl-list .wl-was")).to_have_count(0)
    expect(page.locator("#wl-answer")).to_contain_text("place 20 of 20")
    page.get_by_role("button", name="Reset order").click()
    expect(page.locator("#wl-list .wl-row.is-gold")).to_contain_text("was 20")


def test_cancel_stops_and_keeps_what_was_found(page: Page) -> None:
    open_page(page)
    start(page)
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator("#wl-notice")).to_contain_text(re.compile("stopped|cancelled", re.I))
    expect(page.locator("#wl-run")).to_be_visible()


def test_leaving_a_running_run_shows_the_way_back(browser: Browser, tmp_path: Path) -> None:
    with serving(tmp_path, SLOW) as server, watched(browser, server) as page:
        open_page(page)
        start(page)
        address = page.url.split("&")[0]
        page.get_by_role("button", name="A recorded example").click()
        page.locator("#wl-notice").get_by_role("button", name="Show it").click()
        expect(page).to_have_url(re.compile(re.escape(address)))
        expect(page.locator("#wl-answer .wl-final-answer")).to_be_visible(timeout=10_000 * SLOW)


@pytest.mark.parametrize("run_id", ["no-such-run-0000000000", "../../etc", "<script>window.pwned=1</script>"])
def test_an_address_of_no_run_says_so_and_the_page_works(page: Page, run_id: str) -> None:
    open_page(page, f"/?run={run_id}")
    expect(page.locator("#wl-notice [role=alert]")).to_contain_text("No run has this address")
    expect(page.locator("#wl-answer .wl-final-answer")).to_be_visible()


def test_an_empty_question_is_refused_where_it_was_asked(page: Page) -> None:
    open_page(page)
    page.locator("#wl-input textarea").fill("  ")
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.locator("#wl-notice [role=alert]")).to_contain_text("no question")
