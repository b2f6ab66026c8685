"""The page with a recorded run: what opens, one selection everywhere, what-if, theme, a small screen."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import draws, open_page
from tests.ui.sample import GOLD

pytestmark = pytest.mark.browser


def shown(page: Page) -> str | None:
    """Index of the document whose text is open."""
    return page.locator("#wl-reader .wl-document").get_attribute("data-shown")


def point(page: Page, document: int) -> None:
    """Clicks a document's mark in the curve."""
    at = page.evaluate(
        """document_ => {
          const plot = document.querySelector('#wl-curve .wl-plot'), box = plot.getBoundingClientRect();
          const { xaxis, yaxis } = plot._fullLayout;
          const trace = plot.calcdata.find(points => points[0].trace.name === 'attention share');
          const point = trace[document_];
          return [box.x + xaxis._offset + xaxis.c2p(point.x), box.y + yaxis._offset + yaxis.c2p(point.y)];
        }""",
        document,
    )
    page.mouse.move(*at)
    page.mouse.click(*at)


def test_opens_on_a_recorded_run_with_the_curve_on_the_first_screen(page: Page) -> None:
    open_page(page)
    expect(page.locator("#wl-head h2")).to_contain_text("hippopotamus")
    expect(page.locator("#wl-answer")).to_contain_text("Gayla Peevey")
    expect(page.locator("#wl-answer")).to_contain_text(f"place {GOLD + 1} of 20")
    expect(page).to_have_url(f"{page.url.split('?')[0]}?example=recorded&doc={GOLD + 1}")
    bottom = page.evaluate("document.querySelector('#wl-curve').getBoundingClientRect().bottom")
    assert bottom <= 840, "the curve, and nearly all of the contrast below it, is on the first screen"
    assert shown(page) == str(GOLD)
    expect(page.locator("#wl-status")).to_contain_text("ready")
    expect(page.locator(".wl-privacy")).to_contain_text("whoever has the link")


def test_a_click_anywhere_selects_everywhere(page: Page) -> None:
    open_page(page)
    point(page, 0)
    expect(page.locator("#wl-reader .wl-document")).to_have_attribute("data-shown", "0")
    expect(page.locator("#wl-list .wl-row.is-selected")).to_have_attribute("data-item", "0")
    page.locator("#wl-list [data-document='4']").click()
    expect(page.locator("#wl-reader .wl-document")).to_have_attribute("data-shown", "4")
    page.locator("[data-agent=global] .doc-ref[data-document='19']").first.click()
    expect(page.locator("#wl-reader .wl-document")).to_have_attribute("data-shown", "19")
    expect(page).to_have_url(f"{page.url.split('?')[0]}?example=recorded&doc=20")
    page.locator("#wl-reader [data-go=previous]").click()
    expect(page.locator("#wl-reader .wl-document")).to_have_attribute("data-shown", "18")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#wl-reader .wl-document")).to_have_attribute("data-shown", "17")
    page.keyboard.press("Escape")
    expect(page.locator("#wl-list .is-selected")).to_have_count(0)
    expect(page.locator("#wl-reader")).to_contain_text("Choose a document")


def test_what_if_re_ranks_with_no_run_and_says_what_is_wrong(page: Page) -> None:
    open_page(page)
    page.get_by_role("tab", name="What if").click()
    before = page.evaluate("JSON.stringify(document.querySelector('#wl-ranking .wl-plot').data)")
    slider = page.get_by_label("range slider for β inference")
    for key in ("End", "Home", "End", "Home"):
        count = draws(page)
        slider.press(key)
        page.wait_for_function(f"wlens.draws > {count}", polling=10)
    after = page.evaluate("JSON.stringify(document.querySelector('#wl-ranking .wl-plot').data)")
    assert before != after
    expect(page.locator("#wl-note")).to_contain_text("other documents")
    expect(page.locator("#wl-cancel")).to_be_hidden()
    page.get_by_role("button", name="Reset to the run's own").click()
    expect(page.locator("#wl-note")).to_contain_text("the run's own settings")
    page.get_by_label("Layers", exact=True).click()
    page.get_by_role("option", name="a list").click()
    page.get_by_label("Layers (from 0)").fill("2, 99")
    expect(page.locator("#wl-note [role=alert]")).to_contain_text("99 does not exist")
    page.get_by_label("Layers (from 0)").fill("2-5")
    expect(page.locator("#wl-note [role=alert]")).to_have_count(0)


def test_documents_are_stepped_dragged_removed_and_reset(page: Page) -> None:
    open_page(page)
    first = page.locator("#wl-list .wl-row").first
    expect(first).to_have_attribute("data-item", "0")
    first.hover()
    first.get_by_label("Move document 1 down").click()
    expect(first).to_have_attribute("data-item", "1")
    expect(page.locator("#wl-list .wl-row[data-item='0']")).to_contain_text("was 1")
    page.locator("#wl-list .wl-row[data-item='5']").drag_to(page.locator("#wl-list .wl-row[data-item='2']"))
    expect(page.locator("#wl-list .wl-row").nth(2)).to_have_attribute("data-item", "5")
    page.locator("#wl-list .wl-row[data-item='1']").hover()
    page.locator("#wl-list button[data-edit=remove][data-item='1']").click()
    expect(page.locator("#wl-list .wl-row")).to_have_count(19)
    expect(page.locator("#wl-list")).to_contain_text("1 document left out")
    page.get_by_role("button", name="Reset order").click()
    expect(page.locator("#wl-list .wl-row")).to_have_count(20)
    gold = page.get_by_label("range slider for Gold at place")
    gold.press("Home")
    expect(page.locator("#wl-list .wl-row.is-gold")).to_have_attribute("data-place", "0")


def test_an_example_without_a_run_waits_for_run(page: Page) -> None:
    open_page(page)
    page.get_by_role("button", name="An example without a run").click()
    expect(page.locator("#wl-head")).to_contain_text("not run yet")
    expect(page.locator("#wl-list .wl-row")).to_have_count(6)
    expect(page.locator("#wl-reader .wl-document")).to_be_visible()


def test_the_theme_is_kept_and_figures_follow_it(page: Page) -> None:
    open_page(page)
    ink = "document.querySelector('#wl-curve .wl-plot').layout.font.color"
    light = page.evaluate(ink)
    page.locator(".wl-theme").click()
    page.wait_for_function(f"{ink} !== '{light}'")
    open_page(page)
    assert page.evaluate(ink) != light


def test_a_small_screen_has_no_sideways_scroll(page: Page) -> None:
    page.set_viewport_size({"width": 400, "height": 800})
    open_page(page)
    for tab in ("Examples", "Paste", "Question file", "Record"):
        page.get_by_role("tab", name=tab, exact=True).click()
        assert page.evaluate("document.documentElement.scrollWidth") <= 400
    page.get_by_role("tab", name="What if").click()
    assert page.evaluate("document.documentElement.scrollWidth") <= 400
    page.locator("[data-agent=global] .doc-ref").first.click()
    expect(page.locator("#wl-document")).to_have_css("position", "fixed")
    page.locator("#wl-reader [data-go=none]").click()
    expect(page.locator("#wl-document")).to_have_css("position", "static")


def test_the_keyboard_reaches_run(page: Page) -> None:
    open_page(page)
    page.locator("#wl-input textarea").focus()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "wl-run"
    page.keyboard.press("Enter")
    expect(page.locator("#wl-cancel")).to_be_visible()
