"""The position lab in a browser: the diagonal at once, moving gold, the guided path, free mode, a live sweep."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import draws
from tests.ui.sample import GOLD

pytestmark = pytest.mark.browser


def open_lab(page: Page, query: str = "") -> Page:
    """Opens the lab by its address and waits until its curve is drawn."""
    page.goto(f"/?tab=lab{query}")
    page.wait_for_function("document.querySelector('#wl-lab-figures .wl-plot .main-svg')")
    return page


def gold_at(page: Page) -> int:
    """The place of the star in the curve, from 1."""
    return int(page.evaluate("document.querySelector('#wl-lab-walk .wl-plot').data.find(t => t.name === 'gold').x[0]"))


def test_a_visitor_sees_the_diagonal_after_two_clicks(page: Page) -> None:
    page.goto("/")
    page.get_by_role("tab", name="Position lab").click()
    page.locator("#wl-lab-card .wl-choice").nth(2).click()
    page.wait_for_function("document.querySelector('#wl-lab-heat .wl-plot .hm')")
    expect(page.locator("#wl-lab-card")).to_contain_text("That is what this sweep shows.")
    expect(page).to_have_url(re.compile(rf"tab=lab&sweep=recorded&step=1&place={GOLD + 1}&answer=3$"))
    page.get_by_role("tab", name="Inspect").click()
    expect(page).to_have_url(re.compile(r"\?example=recorded&doc="))


def test_gold_walks_with_slider_play_and_a_click(page: Page) -> None:
    open_lab(page, "&answer=3")
    assert gold_at(page) == GOLD + 1
    slider = page.get_by_label("range slider for Place of gold")
    slider.press("ArrowRight")
    expect(page.locator("#wl-lab-walk-said")).to_contain_text(f"Gold at place {GOLD + 2} of 20")
    assert gold_at(page) == GOLD + 2
    box = page.locator("#wl-lab-heat .nsewdrag").first.bounding_box()
    assert box
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + 4)
    expect(page.locator("#wl-lab-walk-said")).to_contain_text("Gold at place 1 of 20")
    page.locator("#wl-lab-play").click()
    expect(page.locator("#wl-lab-play")).to_have_text("■ Stop")
    expect(page.locator("#wl-lab-walk-said")).to_contain_text("Gold at place 4 of 20")
    page.locator("#wl-lab-play").click()
    expect(page.locator("#wl-lab-play")).to_have_text("▶ Play")


def test_the_path_goes_on_by_keyboard_and_ends_in_free_mode(page: Page) -> None:
    open_lab(page, "&step=7")
    page.locator("#wl-lab-card .wl-choice").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#wl-lab-card .wl-lesson-result")).to_be_visible()
    expect(page.locator("#wl-lab-grid .main-svg").first).to_be_visible()
    assert page.evaluate("document.activeElement.dataset.lab") == "answer"
    page.locator("#wl-lab-card [data-value=next]").click()
    expect(page.locator("#wl-lab-card h3")).to_have_text("Choose heads")
    page.locator("#wl-lab-card [data-value=back]").click()
    expect(page.locator("#wl-lab-card h3")).to_have_text("Layers and heads")
    page.locator("#wl-lab-card [data-value=free]").click()
    for part in ("walk", "heat", "split", "finders", "grid", "head"):
        expect(page.locator(f"#wl-lab-{part} .main-svg").first).to_be_visible()
    page.locator("#wl-lab-grid-bar [data-value='middle']").click()
    expect(page.locator("#wl-lab-chosen")).to_contain_text("Only 8 heads of 24 count")
    page.get_by_text("Contrast: minus the neighbours").click()
    expect(page.locator("#wl-lab-split-said")).to_contain_text("its contrast is")
    expect(page).to_have_url(re.compile(r"step=free.*lens=contrast.*heads=2\.0"))


def test_figures_and_sweep_are_saved(page: Page) -> None:
    open_lab(page, "&step=free")
    with page.expect_download() as figure:
        page.locator("[data-save='lab-heat'][data-format='svg']").click()
    assert re.fullmatch(r"w-lens-lab-heat-.*\.svg", figure.value.suggested_filename)
    with page.expect_download() as table:
        page.get_by_role("button", name="Sweep (CSV)").click()
    assert table.value.suggested_filename == "w-lens-sweep-recorded.csv"


def test_a_sweep_runs_live_and_is_followed_by_its_address(page: Page) -> None:
    open_lab(page)
    page.locator("#wl-lab-run").click()
    expect(page).to_have_url(re.compile(r"tab=lab&run="))
    expect(page.locator("#wl-lab-cancel")).to_be_visible()
    page.reload()
    expect(page.locator("#wl-lab-progress [role=progressbar]")).to_be_visible()
    page.locator("#wl-lab-cancel").click()
    expect(page.locator("#wl-lab-run")).to_be_visible()


def test_the_lab_follows_the_theme_and_fits_a_small_screen(page: Page) -> None:
    page.set_viewport_size({"width": 400, "height": 800})
    open_lab(page, "&step=free")
    expect(page.locator("#wl-lab-head .main-svg").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 400
    ink = "document.querySelector('#wl-lab-walk .wl-plot').layout.font.color"
    light, count = page.evaluate(ink), draws(page)
    page.locator(".wl-theme").click()
    page.wait_for_function(f"wlens.draws > {count} && {ink} !== '{light}'")
