"""What a page of hostile text is checked for, besides what every page is: scripts that ran, hosts that were asked."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.hostile import HOST, TRAPS

_ALIVE = """host => {
  const found = [];
  for (const element of document.querySelectorAll('*')) {
    if (element.hasAttribute('data-hostile')) found.push(element.outerHTML);
    for (const { name, value } of element.attributes) {
      const runs = name.startsWith('on') || /^\\s*javascript:/i.test(value);
      const asks = /^(href|src|srcset|srcdoc|action|formaction|xlink:href|data|poster|background|style)$/.test(name);
      if ((runs && value.includes('pwned')) || (asks && value.includes(host))) found.push(`${name}=${value}`);
    }
  }
  if (getComputedStyle(document.documentElement).getPropertyValue('--hostile')) found.push('a style counts');
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { data, parentElement } = texts.currentNode;
    if (parentElement.closest('script, style, textarea')) continue;
    if (parentElement.closest('.file-preview')) continue;  // the person's own file, named by Gradio
    if (/[\\u202a-\\u202e\\u0000-\\u0008\\u000e-\\u001f]/.test(data)) found.push(`unseen in: ${data.slice(0, 80)}`);
  }
  return found.map(one => one.slice(0, 300));
}"""
_SAID = """selector => [...document.querySelectorAll(selector)].map(view => {
  const cells = [...view.querySelectorAll('input, textarea')].map(cell => cell.value);
  const marks = [...view.querySelectorAll('[aria-label], [title]')].flatMap(
    one => [one.getAttribute('aria-label'), one.getAttribute('title')]);
  return [view.textContent, ...cells, ...marks].join(' ');
}).join(' ')"""


def nothing_came_alive(page: Page) -> None:
    """Opens every fold and looks through the whole page."""
    page.evaluate("document.querySelectorAll('details').forEach(fold => fold.open = true)")
    found = page.evaluate(_ALIVE, HOST)
    assert found == [], found
    ran = page.evaluate("window.pwned")
    assert ran is None, ran


def seen(page: Page, selector: str) -> set[str]:
    """Which of the corpus stand in a view as text, by the word that each begins with."""
    text = " ".join(str(page.evaluate(_SAID, selector)).split())
    return {trap.shows for trap in TRAPS if trap.shows in text}


def shown(page: Page, selector: str, at_least: int) -> None:
    """A view comes to show so many of the corpus as text, and nothing came alive."""
    page.wait_for_selector(selector, state="attached")
    for _ in range(40):
        nothing_came_alive(page)
        found = seen(page, selector)
        if len(found) >= at_least:
            return
        page.wait_for_timeout(250)
    assert len(found) >= at_least, (selector, sorted(found))
