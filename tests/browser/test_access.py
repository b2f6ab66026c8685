"""Every tab for those who do not see, do not point, or have a small screen: axe-core, the keyboard, 400 px."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from ui.shell import TABS, slug

SERIOUS = ("serious", "critical")
STEPS = 20  # of the Tab key
WHERE = """() => {
  const at = document.activeElement;
  const outlined = (style) => parseFloat(style.outlineWidth) > 0 && style.outlineStyle !== "none";
  const ringed = (style) => outlined(style) || style.boxShadow !== "none";
  const around = [at, at.closest("label"), at.parentElement].filter(Boolean);
  return [`${at.tagName}#${at.id}.${at.className}/${(at.textContent || "").slice(0, 20)}`,
          around.some((one) => ringed(getComputedStyle(one)))];
}"""


def opened(browser: Browser, server: str, tab: str, width: int, dark: bool) -> Page:
    context = browser.new_context(base_url=server, viewport={"width": width, "height": 900}, reduced_motion="reduce")
    page = context.new_page()
    page.goto(f"/?tab={tab}" + ("&__theme=dark" if dark else ""))
    page.wait_for_function("window.wlens && document.querySelector('[role=tabpanel]')")
    page.wait_for_timeout(1500)  # figures are drawn and coloured
    return page


@pytest.mark.parametrize(("width", "dark"), [(1440, False), (400, True)])
@pytest.mark.parametrize("tab", [slug(name) for name in TABS])
def test_a_tab_is_for_everyone(browser: Browser, server: str, tab: str, width: int, dark: bool) -> None:
    page = opened(browser, server, tab, width, dark)
    found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    said = [(one["id"], one["nodes"][0]["html"][:200]) for one in found if one["impact"] in SERIOUS]
    over = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    walked = walk(page) if width > 1000 else []
    page.context.close()
    assert said == []
    assert over <= 0
    names = [name for name, _ in walked]
    assert not walked or len(set(names)) >= 8, names  # the keyboard moves on, and is caught nowhere
    assert sum(ringed for _, ringed in walked) >= len(walked) - 2, walked  # and it can be seen where it is


def walk(page: Page) -> list[tuple[str, bool]]:
    """(what has the focus, whether it can be seen) after each step of the Tab key."""
    found = []
    for _ in range(STEPS):
        page.keyboard.press("Tab")
        name, ringed = page.evaluate(WHERE)
        found.append((name, ringed))
    return found
