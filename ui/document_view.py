"""One document with its attention on it, and the overview of all documents."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from core.records import Document, RunRecord, Snippet, TokenWeight
from ui.cards_agents import path_html
from ui.derived import Derived, fate
from ui.markup import address_note, empty, escape, gold_badge, is_gold, title

LEVELS = 8  # shades of attention; finer ones cannot be told apart
CAP = 97  # percentile that gets the full shade, so that one sink token does not flatten the rest


def document_html(record: RunRecord, derived: Derived | None, document: int | None) -> str:
    """Title, place, share and ranks of one document, its way, and its text shaded by attention."""
    if document is None or not 0 <= document < len(record.documents):
        return empty("Choose a document: click a point, a bar or a number.")
    found = record.documents[document]
    tokens = record.signals.tokens if record.signals else ()
    weights = tokens[document] if document < len(tokens) else ()
    text = shaded(found.text, weights, _snippets(record, derived, document))
    key = (
        '<p class="wl-key"><span class="wl-sub">attention per token</span><span class="wl-ramp">'
        f"{''.join(f'<i class=w{level}></i>' for level in range(LEVELS + 1))}</span>"
        '<span class="wl-sub">weak to strong, within this document</span></p>'
        if weights
        else ""
    )
    return (
        f'<article class="wl wl-document" data-shown="{document}"><header><span class="wl-num">{document + 1}</span>'
        f'<h4 dir="auto"><bdi>{escape(title(record, document)[:300])}</bdi></h4>{gold_badge(is_gold(record, document))}'
        f"</header>{_facts(record, derived, document)}{path_html(record, document)}{_addresses(found)}{key}"
        f'<div class="wl-text" dir="auto">{text or "This document has no text."}</div></article>'
    )


def _addresses(found: Document) -> str:
    note = address_note(f"{found.title}\n{found.text}")
    return f'<p class="wl-notice is-repaired" role="note">{escape(note)}</p>' if note else ""


def _snippets(record: RunRecord, derived: Derived | None, document: int) -> tuple[Snippet, ...]:
    pool = derived.pool if derived else record.pool or ()
    return next((entry.snippets for entry in pool if entry.document == document and entry.kept), ())


def _facts(record: RunRecord, derived: Derived | None, document: int) -> str:
    facts = [("Place", f"{document + 1} of {len(record.documents)}")]
    if derived:
        facts += [
            ("Attention", f"{100 * derived.attention[document]:.1f} %"),
            ("Attention rank", str(derived.attention_rank[document])),
            ("Contrast", f"{100 * derived.contrast_share[document]:+.1f} points"),
            ("SFS place", str(derived.place[document])),
        ]
    word = fate(record, derived, document)
    facts += [("Fate", word)] if word else []
    return f'<dl class="wl-facts">{"".join(f"<div><dt>{k}</dt><dd>{v}</dd></div>" for k, v in facts)}</dl>'


def token_levels(length: int, tokens: tuple[TokenWeight, ...]) -> NDArray[np.int8]:
    """The shade of each character, 0 to LEVELS: weight over the strong tokens' weight. (length,)"""
    levels = np.zeros(length, dtype=np.int8)
    weights = np.nan_to_num(np.array([token.weight for token in tokens], dtype=np.float64), posinf=0.0)
    strong = float(np.percentile(weights, CAP)) if len(weights) else 0.0
    if strong <= 0:
        strong = float(weights.max(initial=0.0))
    if strong <= 0:
        return levels
    for token, level in zip(tokens, np.clip(np.rint(LEVELS * weights / strong), 0, LEVELS), strict=True):
        levels[max(0, token.start) : max(0, token.end)] = level
    return levels


def shaded(text: str, tokens: tuple[TokenWeight, ...], snippets: tuple[Snippet, ...]) -> str:
    """The text with a shade per token and a line under each snippet; equal neighbours share one element."""
    if not text:
        return ""
    levels = token_levels(len(text), tokens)
    quoted = np.zeros(len(text), dtype=bool)
    for snippet in snippets:
        quoted[max(0, snippet.start) : max(0, snippet.end)] = True
    changes = np.flatnonzero((np.diff(levels) != 0) | (np.diff(quoted) != 0)) + 1
    edges = [0, *changes.tolist(), len(text)]
    return "".join(_stretch(text[start:end], int(levels[start]), bool(quoted[start])) for start, end in pairwise(edges))


def _stretch(text: str, level: int, quoted: bool) -> str:
    kinds = [f"w{level}"] if level else []
    kinds += ["wl-quoted"] if quoted else []
    return f'<span class="{" ".join(kinds)}">{escape(text)}</span>' if kinds else escape(text)
