"""The position lab in a browser: the diagonal at once, moving gold, the guided path, free mode, a live sweep."""

from __future__ import annotations

import json
import re
from pathlib import Path

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
    expect(page.locator("#wl-lab-progress [role=progressbar]")).to_be_visible(timeout=15_000)
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


def test_each_step_opens_by_its_link(page: Page) -> None:
    for step, part in ((4, "split"), (6, "finders"), (9, "length"), (10, "fix")):
        open_lab(page, f"&sweep=recorded&step={step}&place=5&answer=1")
        expect(page.locator(f"#wl-lab-{part} .main-svg").first).to_be_visible()
        expect(page.locator("#wl-lab-card .wl-lesson-result")).to_be_visible()
        expect(page).to_have_url(re.compile(rf"sweep=recorded&step={step}&place=5&answer=1"))


def test_every_figure_of_the_lab_is_saved_in_both_themes(page: Page) -> None:
    for theme in ("light", "dark"):
        open_lab(page, f"&step=free&__theme={theme}")
        for part in ("walk", "heat", "split", "finders", "grid", "head", "length", "fix"):
            expect(page.locator(f"#wl-lab-{part} .main-svg").first).to_be_visible()
            with page.expect_download() as figure:
                page.locator(f"[data-save='lab-{part}'][data-format='svg']").click()
            drawn = Path(figure.value.path()).read_text(encoding="utf-8")
            assert drawn.startswith("<svg") and "<script" not in drawn
            ground = "rgb(255, 255, 255)" if theme == "light" else "rgb(15, 20, 28)"
            assert ground in drawn, f"{part} in {theme}"


def test_what_lengths_are_judged_by_is_chosen_and_linked(page: Page) -> None:
    open_lab(page, "&step=9&answer=1")
    page.locator("#wl-lab-length-bar [data-value='SFS']").click()
    expect(page.locator("#wl-lab-length-said")).to_contain_text("Rank by SFS, mean over 3 orders")
    expect(page).to_have_url(re.compile(r"measure=SFS"))
    page.reload()
    expect(page.locator("#wl-lab-length-said")).to_contain_text("Rank by SFS", timeout=15_000)


def test_a_lesson_is_run_beside_the_sweep(page: Page) -> None:
    open_lab(page, "&step=10&answer=1")
    page.locator("#wl-lab-fix-bar [data-value='fix']").click()
    expect(page).to_have_url(re.compile(r"sweep=recorded&step=10.*fix=\w+"))
    expect(page.locator("#wl-lab-progress [role=progressbar]")).to_be_visible()
    page.locator("#wl-lab-cancel").click()
    expect(page.locator("#wl-lab-cancel")).to_be_hidden()


def test_a_head_set_is_kept_and_used_by_the_inspector(page: Page) -> None:
    open_lab(page, "&step=free&heads=2.1 3.0")
    page.locator("[data-heads-name]").fill("<b>Mine</b>")
    page.locator("[data-heads='keep']").click()
    expect(page.locator("#wl-lab-grid-bar .wl-lab-sets [data-lab='set']")).to_have_text("<b>Mine</b>")
    page.locator("#wl-lab-grid-bar [data-value='all']").click()
    page.locator("#wl-lab-grid-bar .wl-lab-sets [data-lab='set']").click()
    expect(page.locator("#wl-lab-chosen")).to_contain_text("Only 2 heads of 24 count")
    with page.expect_download() as sets:
        page.locator("[data-heads='export']").click()
    kept = json.loads(Path(sets.value.path()).read_text(encoding="utf-8"))
    assert [found["heads"] for found in kept["sets"]] == ["2.1 3.0"]
    page.goto("/")
    page.get_by_role("tab", name="What if").click()
    page.locator("[data-heads='use']").click()
    expect(page.locator("#wl-head-set textarea, #wl-head-set input")).to_have_value("2.1 3.0")
    page.goto("/?tab=lab&step=free")
    page.locator("[data-heads='forget']").click()
    expect(page.locator("#wl-lab-grid-bar .wl-lab-sets [data-lab='set']")).to_have_count(0)
    with page.expect_file_chooser() as chooser:
        page.locator("[data-heads='import']").click()
    chooser.value.set_files(sets.value.path())
    expect(page.locator("#wl-lab-grid-bar .wl-lab-sets [data-lab='set']")).to_have_text("<b>Mine</b>")


def test_documents_of_the_inspector_come_into_the_lab(page: Page) -> None:
    page.goto("/")
    page.wait_for_function("window.wlens && wlens.draws >= 3")
    page.locator("#wl-send").click()
    expect(page.locator("#wl-lab-own textarea").first).to_have_value(re.compile("hippopotamus"))
    expect(page.locator("#wl-lab-run-own")).to_be_in_viewport()
    expect(page).to_have_url(re.compile(r"tab=lab"))
    page.locator("#wl-lab-run-own").click()
    expect(page).to_have_url(re.compile(r"tab=lab&run="))
    page.locator("#wl-lab-cancel").click()
