"""One page of a PDF: its picture or its text, with what was found on it."""

from __future__ import annotations

import html
import re

from core.page_record import PageLayout
from core.records import RunRecord
from ui.markup import address_note, empty, escape, plain, short
from ui.pages_boxes import best_words, boxes_html, heat_html, page_map, placed
from ui.pages_words import READ_BY, page_name, page_steps, printed
from ui.read_state import WHOLE, ReadView

_TOKENS = 48  # tokens of the question that are offered; longer questions are cut
_NO_PICTURE = "The picture of this page is not on this server: its words are drawn where they stand."
_WORDS = 6000  # words that are drawn of a page without a picture; more than any legible page holds


def layout_of(record: RunRecord, page: int) -> PageLayout | None:
    """What the record itself knows of a page's words; only candidates have it."""
    return next((layout for layout in record.layouts or () if layout.page == page), None)


def bar_html(record: RunRecord, view: ReadView) -> str:
    """The tools above a page: step, zoom, what lies over it, and the question's words to choose from."""
    if view.page is None:
        return ""
    return (
        f'<div class="wl wl-page-bar">{_steps(record, view.page)}{_switches(record, view)}{_tokens(record, view)}</div>'
    )


def _steps(record: RunRecord, page: int) -> str:
    last = len(record.pages or ()) - 1
    label = printed(record, page)
    also = f' <span class="wl-sub">printed {html.escape(label)}</span>' if label else ""
    ways = (("previous", "←", "Previous page", page <= 0), ("next", "→", "Next page", page >= last))
    step = [_tool("go", to, sign, said, off=off) for to, sign, said, off in ways]
    zoom = "".join(
        f'<button type="button" data-zoom="{by}" aria-label="{said}" title="{said}">{sign}</button>'
        for by, sign, said in (
            ("out", "−", "Smaller (−)"),
            ("fit", "⤢", "Fit the width (0)"),
            ("in", "+", "Larger (+)"),
        )
    )
    at = f'<span class="wl-page-at"><b>Page {page + 1}</b> of {last + 1}{also}</span>'
    close = _tool("go", "none", "✕", "Close the page")
    tools = f'{step[0]}{at}{step[1]}<span class="wl-zoom">{zoom}</span>{close}'
    return f'<nav class="wl-tools" aria-label="Pages">{tools}</nav>'


def _tool(what: str, value: str, sign: str, said: str, off: bool = False) -> str:
    return (
        f'<button type="button" data-read="{what}" data-value="{value}" aria-label="{said}" title="{said}"'
        f"{' disabled' if off else ''}>{sign}</button>"
    )


def _switches(record: RunRecord, view: ReadView) -> str:
    """Picture or text, and which boxes are drawn."""
    made = [("text", "", "Text", view.text)]
    if record.clues:
        made.append(("show", "clues", "Clues", "clues" not in view.hidden))
    if record.citations:
        made.append(("show", "citations", "Citations", "citations" not in view.hidden))
    return f'<div class="wl-switches" role="group" aria-label="Shown on the page">{"".join(map(_switch, made))}</div>'


def _switch(made: tuple[str, str, str, bool]) -> str:
    what, value, said, on = made
    key = f'<i class="wl-key-box is-{value}" aria-hidden="true"></i>' if value else ""
    return (
        f'<button type="button" class="wl-switch" data-read="{what}" data-value="{value}" '
        f'aria-pressed="{"true" if on else "false"}">{key}{said}</button>'
    )


def _tokens(record: RunRecord, view: ReadView) -> str:
    """The question's words; one that is pressed lays its similarity over the page."""
    if record.similarity is None or not record.similarity.tokens:
        return ""
    named = list(enumerate(record.similarity.tokens[:_TOKENS]))
    chips = "".join(
        _token(str(index), short(token, 24), view.token == index) for index, token in named if token.strip()
    )
    whole = _token("all", "all words", view.token == WHOLE)
    return (
        '<div class="wl-tokens" role="group" aria-label="Where each word of the question is found on the page">'
        f'<span class="wl-sub">Similar to</span>{whole}{chips}</div>'
    )


def _token(value: str, said: str, on: bool) -> str:
    return (
        f'<button type="button" class="wl-token" data-read="token" data-value="{value}" '
        f'aria-pressed="{"true" if on else "false"}"><bdi>{html.escape(said)}</bdi></button>'
    )


def page_html(record: RunRecord, view: ReadView, layout: PageLayout | None, pictured: bool) -> str:
    """The open page: what there is to know about it, then its picture with the boxes, or its text.

    Args:
        record: the run.
        view: which page is open, and what is lit.
        layout: the page's words; None where they are not known.
        pictured: whether its picture can be had; the browser puts it in, so that a new box does not send it again.
    """
    page = view.page
    if page is None:
        return empty("Choose a page: click its picture above, a clue or a citation.")
    body = _text(record, page, layout) if view.text else _sheet(record, view, page, layout, pictured)
    return f'<article class="wl wl-page" data-page="{page}">{_facts(record, view, page, layout)}{body}</article>'


def _facts(record: RunRecord, view: ReadView, page: int, layout: PageLayout | None) -> str:
    """The page's way through the stages, how it was read, and what was odd about it."""
    steps = "".join(
        f'<span class="wl-step{"" if good is None else " is-kept" if good else " is-lost"}">{escape(step)}</span>'
        for step, good in page_steps(record, page)
    )
    read_by = layout.read_by if layout else record.pages[page].read_by if record.pages else "none"
    mark = f'<span class="wl-badge is-plain">{READ_BY[read_by]}</span>' if read_by == "ocr" else ""
    notes = list(layout.notes) if layout else []
    notes += [f"This page could not be read: {layout.error}"] if layout and layout.error else []
    notes += ["Words of its text layer are invisible in the picture."] if layout and layout.hidden else []
    notes += [note] if layout and (note := address_note(layout.text)) else []
    told = "".join(f'<li dir="auto">{escape(note)}</li>' for note in notes)
    found = f'<ul class="wl-notes">{told}</ul>' if told else ""
    similar = _similar(record, view, page, layout)
    return f'<div class="wl-page-facts"><p class="wl-path">{steps}{mark}</p>{found}{similar}</div>'


def _similar(record: RunRecord, view: ReadView, page: int, layout: PageLayout | None) -> str:
    """What the chosen word found on this page."""
    if view.token is None or record.similarity is None:
        return ""
    token = "the question" if view.token == WHOLE else f"“{short(record.similarity.tokens[view.token], 24)}”"
    if page_map(record, page) is None:
        return f'<p class="wl-sub">Where {html.escape(token)} is found is known for candidate pages only.</p>'
    words = ", ".join(f"“{short(word, 24)}”" for word in best_words(record, page, view.token, layout))
    most = f" Most similar here: {words}." if words else ""
    return (
        '<p class="wl-sub wl-key"><span class="wl-ramp wl-paper">'
        f"{''.join(f'<i class=w{level}></i>' for level in range(1, 9))}</span>"
        f"<span>Similarity to {html.escape(token)}, the same scale on all candidates.{html.escape(most)}</span></p>"
    )


def _sheet(record: RunRecord, view: ReadView, page: int, layout: PageLayout | None, pictured: bool) -> str:
    ratio = _ratio(layout)
    name, key = html.escape(page_name(record, page)), html.escape(record.source.sha256 if record.source else "")
    if pictured:
        ground = f'<img class="wl-picture" alt="Picture of {name}" data-picture="{page}" data-key="{key}">'
    elif layout and layout.words:
        ground = drawn_words(layout)
    else:
        ground = empty("The picture of this page is not on this server, and its words are not in the record.")
    said = f'<p class="wl-sub">{_NO_PICTURE}</p>' if ground.startswith("<svg") else ""
    heat = heat_html(record, view, page, layout)
    shape = f' style="aspect-ratio:{ratio:.4f}"' if ratio else ""
    return f'{said}<div class="wl-sheet wl-paper"{shape}>{ground}{heat}{boxes_html(record, view, page)}</div>'


def _ratio(layout: PageLayout | None) -> float | None:
    """Width over height; None where the page's size makes no sense."""
    if layout is None or not 0 < layout.width < 1e6 or not 0 < layout.height < 1e6:
        return None
    return min(max(layout.width / layout.height, 0.05), 20.0)


def drawn_words(layout: PageLayout) -> str:
    """A page's words at their boxes, for a page without a picture."""
    ratio = _ratio(layout) or 0.7
    wide, high = 1000.0, 1000.0 / ratio
    words = []
    for word in layout.words[:_WORDS]:
        if placed(word.box) is None or not word.text.strip():
            continue
        left, top, right, bottom = word.box
        words.append(
            f'<text x="{wide * left:.1f}" y="{high * (top + 0.78 * (bottom - top)):.1f}" '
            f'font-size="{max(0.9 * high * (bottom - top), 1):.1f}" textLength="{max(wide * (right - left), 1):.1f}" '
            f'lengthAdjust="spacingAndGlyphs">{html.escape(plain(word.text))}</text>'
        )
    return (
        f'<svg class="wl-picture" viewBox="0 0 {wide:.0f} {high:.0f}" role="img" '
        f'aria-label="The words of the page where they stand">{"".join(words)}</svg>'
    )


def _text(record: RunRecord, page: int, layout: PageLayout | None) -> str:
    text = layout.text if layout else next((d.text for d in record.documents if d.page == page), "")
    if not text.strip():
        return empty("The text of this page is not in the record, or it has none.")
    quotes = [citation.evidence for citation in record.citations or () if citation.page == page and citation.verified]
    return f'<div class="wl-text" dir="auto" tabindex="0">{quoted(text, quotes)}</div>'


def quoted(text: str, quotes: list[str]) -> str:
    """A text with the quotes that stand in it marked, whatever white space the text has; overlaps are skipped."""
    spans = []
    for quote in quotes:
        words = [re.escape(word) for word in quote.split()]
        match = re.search(r"\s+".join(words), text, re.IGNORECASE) if 0 < len(words) <= 200 else None
        if match:
            spans.append(match.span())
    parts, done = [], 0
    for start, end in sorted(spans):
        if start >= done:
            parts += [escape(text[done:start]), f"<mark>{escape(text[start:end])}</mark>"]
            done = end
    return "".join([*parts, escape(text[done:])])
