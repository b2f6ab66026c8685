"""Reads HTML as a browser would, to see that hostile text stayed text."""

from __future__ import annotations

from html.parser import HTMLParser

VOID = {"br", "hr"}
TAGS = {
    "article", "bdi", "button", "dd", "details", "div", "dl", "dt", "h4", "h5", "header", "i", "b", "li", "mark", "ol",
    "p", "pre", "span", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul",
}  # fmt: skip
ATTRIBUTES = {
    "class", "dir", "type", "title", "style", "role", "scope", "open", "tabindex", "data-document", "data-agent",
    "data-shown", "aria-label", "aria-pressed", "aria-hidden",
}  # fmt: skip


class Checked(HTMLParser):
    """Parses at once; fails on an unknown tag or attribute, or on tags that do not close."""

    def __init__(self, markup: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.parts: list[str] = []
        self.feed(markup)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in TAGS, tag
        assert {name for name, _ in attrs} <= ATTRIBUTES, attrs
        self.seen.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.parts.append(data)

    @property
    def text(self) -> str:
        return "".join(self.parts)

    def refs(self) -> list[tuple[int, bool]]:
        """The document buttons: (index, pressed)."""
        found = [attrs for tag, attrs in self.seen if tag == "button" and attrs.get("class") == "doc-ref"]
        return [(int(attrs["data-document"] or ""), attrs["aria-pressed"] == "true") for attrs in found]

    def having(self, name: str) -> list[dict[str, str | None]]:
        """Attributes of the elements of a class."""
        return [attrs for _, attrs in self.seen if name in (attrs.get("class") or "").split()]
