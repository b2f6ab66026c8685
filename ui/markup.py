"""Hostile text to safe HTML. Whatever comes out of a document, a title or a model passes through here."""

from __future__ import annotations

import html

from core.harmless import is_hidden, stand_in
from core.harmless import plain as plain
from core.injection import addresses
from core.records import RunRecord


def escape(text: str) -> str:
    """Text as HTML: markup escaped, control characters and bidi overrides shown instead of obeyed."""
    text = text.replace("\r\n", "\n")
    if not any(map(is_hidden, set(text))):
        return html.escape(text)
    return "".join(
        f'<span class="wl-ctrl">{stand_in(char)}</span>' if is_hidden(char) else html.escape(char) for char in text
    )


def short(text: str, limit: int = 60) -> str:
    """``plain`` text of at most ``limit`` characters, cut at a word where that costs little."""
    text = plain(text)
    if len(text) <= limit:
        return text
    head = text[: limit - 1]
    space = head.rfind(" ")
    return (head[:space] if space > 0.7 * limit else head).rstrip(" ,.;:–-") + "…"


def title(record: RunRecord, document: int) -> str:
    """A document's title, or its first words where it has none; not escaped."""
    found = record.documents[document]
    return found.title.strip() or found.text.strip()[:200] or "untitled"


def number(record: RunRecord, document: int) -> int:
    """What a document is called by: a page of a PDF by its page number, any other by its place; both from 1."""
    page = record.documents[document].page
    return (document if page is None else page) + 1


def kind(record: RunRecord) -> str:
    """What the documents are: ``page`` or ``document``."""
    return "page" if any(document.page is not None for document in record.documents) else "document"


def is_gold(record: RunRecord, document: int) -> bool:
    """Whether a document is known to hold the evidence."""
    return document in record.question.gold or record.documents[document].gold is True


def gold_badge(gold: bool) -> str:
    """The mark of a gold document; nothing for any other."""
    return '<span class="wl-badge is-gold"><span aria-hidden="true">★</span> gold</span>' if gold else ""


def address_note(text: str) -> str:
    """What a person should know of a text that addresses the model; not escaped, empty for any other text."""
    found = addresses(text)
    if not found:
        return ""
    quoted = short(text[found[0].start : found[0].end], 60)
    more = f" and {len(found) - 1} more" if len(found) > 1 else ""
    return f"This text addresses the model: “{quoted}”{more}. It was read as text, not as an order or a role."


def doc_ref(record: RunRecord, document: int, selected: int | None = None, limit: int | None = 0) -> str:
    """A button that selects a document: its number, and its title cut to ``limit`` (0: no title, None: whole)."""
    name = title(record, document)
    gold = is_gold(record, document)
    star = '<span class="wl-star" aria-hidden="true">★</span>' if gold else ""
    label = f"Document {document + 1}{', gold' if gold else ''}: {plain(name)}"
    words = plain(name) if limit is None else short(name, limit) if limit else ""
    shown = f'<bdi class="wl-ref-title">{html.escape(words)}</bdi>' if words else ""
    return (
        f'<button type="button" class="doc-ref" data-document="{document}" '
        f'aria-pressed="{"true" if document == selected else "false"}" '
        f'aria-label="{html.escape(label)}" title="{html.escape(label)}">'
        f'<span class="wl-num">{document + 1}</span>{star}{shown}</button>'
    )


def empty(message: str) -> str:
    """What stands where a part of the record is missing."""
    return f'<p class="wl-empty">{html.escape(message)}</p>'


UNREAD = ("The model has not read the documents yet.", "This system does not measure attention.")
UNSCORED = ("The candidates have not been scored yet.", "This system scores no candidates.")
NO_CANDIDATE = "No agent named a document, so there is no candidate."
NO_AGENTS = ("The agents have not replied yet.", "This system has no agents.")


def missing(record: RunRecord, yet: str, never: str) -> str:
    """Why a part is not there: still to come, or none of this system's."""
    return yet if record.final is None else never
