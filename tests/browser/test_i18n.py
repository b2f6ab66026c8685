"""The page in Chinese: no English is left among its own texts, and no text of anyone else is touched."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page

from ui.shell import TABS, slug

FOREIGN = "[translate=no], bdi, [dir=auto], code, pre, script, style"
SEEN = """(foreign) => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), found = [];
  while (walker.nextNode()) {
    const text = walker.currentNode, near = text.parentElement.closest(`${foreign}, [translate=yes]`);
    if (near && !near.matches("[translate=yes]")) continue;
    if (text.parentElement.checkVisibility()) found.push(text.data.replace(/\\u2068[^\\u2069]*\\u2069/g, ""));
  }
  return found;
}"""
NAMES = re.compile(
    r"(?:\b|(?=<))(Found in the Middle|Tree of Agents|Hugging Face hub|MiB|GiB|A recorded example|"
    r"An example without a run|For the tests|<img[^>]*>|lost-in-the-middle|Dense reorder|SmolLM2\S*|all-MiniLM\S*)"
)
SENTENCE = re.compile(r"[A-Za-z]{2,} [A-Za-z]{2,}")


def opened(browser: Browser, server: str, address: str, **context: str) -> Page:
    page = browser.new_context(base_url=server, viewport={"width": 1280, "height": 900}, **context).new_page()  # type: ignore[arg-type]
    page.goto(address)
    page.wait_for_function("window.wlens && document.querySelector('[role=tabpanel]')")
    return page


@pytest.mark.parametrize("tab", [slug(name) for name in TABS])
def test_a_tab_has_no_english_sentence_of_its_own(browser: Browser, server: str, tab: str) -> None:
    page = opened(browser, server, f"/?tab={tab}&lang=zh")
    page.wait_for_function("document.documentElement.lang === 'zh-Hans' && document.body.innerText.includes('关于')")
    page.wait_for_timeout(2000)  # figures are drawn
    texts: list[str] = page.evaluate(SEEN, FOREIGN)
    page.context.close()
    assert sum(bool(re.search(r"[\u4e00-\u9fff]", text)) for text in texts) > 10
    assert [text for text in texts if SENTENCE.search(NAMES.sub("", text))] == []


def test_the_language_is_the_browsers_until_another_is_chosen(browser: Browser, server: str) -> None:
    page = opened(browser, server, "/", locale="zh-CN")
    page.get_by_role("tab", name="位置实验室").wait_for()
    page.locator("button[data-language=en]").press("Enter")
    page.get_by_role("tab", name="Position lab").wait_for()
    assert page.evaluate("document.documentElement.lang") == "en"
    page.reload()
    page.get_by_role("tab", name="Position lab").wait_for()
    assert page.locator("button[data-language=en]").is_hidden()
    page.context.close()


def test_text_of_a_document_stays_as_it_is(browser: Browser, server: str) -> None:
    page = opened(browser, server, "/?lang=zh")
    page.get_by_role("tab", name="关于").wait_for()
    said = page.evaluate(
        """() => {
          const box = document.createElement("div");
          box.innerHTML = '<p id="own">Ranking</p><p><bdi id="title" title="Ranking">Ranking</bdi></p>' +
            '<p id="line">\\u2068Ranking\\u2069</p>' +
            '<p dir="auto"><b id="deep">Ranking</b><i id="ours" translate="yes">Ranking</i></p>';
          document.querySelector("#wl-tabs").append(box);
          return new Promise((done) => setTimeout(() => done(
            ["own", "title", "line", "deep", "ours"].map((id) => document.getElementById(id).textContent)
              .concat(document.getElementById("title").title)), 100));
        }"""
    )
    page.context.close()
    assert said == ["排序", "Ranking", "\u2068Ranking\u2069", "Ranking", "排序", "Ranking"]
