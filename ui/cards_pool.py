"""The candidates of the pruning stage, one card each."""

from __future__ import annotations

import html

from core.records import PoolEntry, RunRecord, Snippet
from ui.derived import Derived
from ui.markup import NO_CANDIDATE, UNSCORED, doc_ref, empty, escape, missing

_KINDS = {
    "spoken": "DocScore is spoken by the model: it was asked how well each document alone answers the question.",
    "likelihood": "DocScore is built from likelihoods, not spoken by the model: how much likelier each document alone "
    "makes the question, against no document and against the best of the others.",
}


def pool_html(record: RunRecord, derived: Derived | None, selected: int | None = None) -> str:
    """Per candidate: who selected it, DocScore against tau, its fate, its answer and its quoted sentences."""
    pool = derived.pool if derived else record.pool or ()
    tau = derived.settings.tau if derived else record.settings.tau
    if record.pool is None:
        return empty(missing(record, *UNSCORED))
    if not pool:
        return empty(NO_CANDIDATE)
    kinds = "".join(f"<p>{_KINDS[kind]}</p>" for kind in sorted({entry.kind for entry in pool}))
    cards = "".join(_entry(record, entry, tau, selected) for entry in pool)
    return (
        f'<div class="wl wl-pool"><div class="wl-sub">{kinds}</div>{_fallback(pool, tau)}'
        f'<div class="wl-entries">{cards}</div></div>'
    )


def _fallback(pool: tuple[PoolEntry, ...], tau: float) -> str:
    if any(entry.score >= tau for entry in pool):
        return ""
    held = "the best-scored one is kept all the same" if any(entry.kept for entry in pool) else "none is kept"
    return f'<p class="wl-notice is-repaired">No candidate reaches τ = {tau:g}; {held}.</p>'


def _entry(record: RunRecord, entry: PoolEntry, tau: float, selected: int | None) -> str:
    kind, mark, word = ("is-kept", "●", "kept") if entry.kept else ("is-lost", "✕", "pruned")
    agents = " and ".join(name.capitalize() for name in entry.selected_by) or "no agent"
    return (
        f'<article class="wl-card wl-entry {kind}"><header>{doc_ref(record, entry.document, selected, 60)}'
        f'<span class="wl-badge {kind}"><span aria-hidden="true">{mark}</span> {word}</span></header>'
        f"{_score_bar(entry.score, tau)}"
        f"<dl><dt>Selected by</dt><dd>{agents}</dd>"
        f'<dt>Its own answer</dt><dd dir="auto">{escape(entry.answer) or _no_answer(entry)}</dd></dl>'
        f"<details{' open' if entry.kept else ''}><summary>Text"
        f"{', quoted sentences marked' if entry.snippets else ''}</summary>"
        f'<p class="wl-prose" dir="auto">{marked(record.documents[entry.document].text, entry.snippets)}</p>'
        f"</details></article>"
    )


def _no_answer(entry: PoolEntry) -> str:
    """Where likelihoods score, a document that the gate drops need not be asked."""
    return "none" if entry.kept or entry.kind == "spoken" else "not asked: pruned before"


def _score_bar(score: float, tau: float) -> str:
    words = f"DocScore {score:.2f}, τ {tau:g}"
    return (
        f'<div class="wl-score"><span class="wl-bar" role="img" aria-label="{html.escape(words)}">'
        f'<span class="wl-fill" style="width:{100 * min(1.0, max(0.0, score)):.1f}%"></span>'
        f'<span class="wl-tick" style="left:{100 * tau:.1f}%"></span></span>'
        f"<span>DocScore <b>{score:.2f}</b></span></div>"
    )


def marked(text: str, snippets: tuple[Snippet, ...]) -> str:
    """A text with its snippets in ``<mark>``; stretches outside the text or over one another are skipped."""
    parts, done = [], 0
    for snippet in sorted(snippets, key=lambda snippet: snippet.start):
        if done <= snippet.start < snippet.end <= len(text):
            parts.append(escape(text[done : snippet.start]))
            parts.append(f"<mark>{escape(text[snippet.start : snippet.end])}</mark>")
            done = snippet.end
    return "".join([*parts, escape(text[done:])])
