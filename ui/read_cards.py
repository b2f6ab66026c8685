"""The parts of the tab that are plain HTML: question, answer, difficulty, what DuQUAD and SLEUTH say of a page."""

from __future__ import annotations

import html

from core.records import RunRecord
from core.sleuth.disagreement import disagreements
from core.text import contains_answer
from ui.derived import Derived
from ui.markup import empty, escape, short
from ui.pages_words import agreement, page_name, page_steps
from ui.read_state import ReadView

WELCOME = (
    '<div class="wl wl-welcome"><h3>Where in this PDF does the answer stand?</h3>'
    "<p>Choose an example above to open a recorded run at once, or upload your own PDF, write a question and press "
    "<b>Run</b>. You then see which pages were considered, what was found on them, and where each claim can be "
    "checked.</p></div>"
)
READY = '<p class="wl wl-empty wl-ready">This PDF is ready. Write a question, then press <b>Run</b>.</p>'

_LEVELS = {
    0: ("Direct", "The answer can be looked up: the Instruct model decides."),
    1: (
        "Several steps",
        "It has to be combined, compared or computed: the Thinking model decides, where there is one.",
    ),
}
_PARSED = {
    "repaired": "The reply did not follow the schema; it was read by the tolerant parser.",
    "failed": "The reply could not be read; the neutral choice stands here.",
}


def head_html(record: RunRecord) -> str:
    """The question, the file, and what made this record."""
    source = record.source
    made = [record.models.get(role, "") for role in ("page_encoder", "reader", "device")]
    facts = [*made, record.created[:10]]
    told = " · ".join(escape(short(fact, 48)) for fact in dict.fromkeys(facts) if fact)
    told = told or ("being run" if record.run_id else "not run yet")
    name = escape(short(source.title or source.name, 90)) if source else "No PDF"
    count = f"{source.pages} page{'s' if source.pages != 1 else ''}" if source else ""
    return (
        f'<div class="wl wl-head wl-read-head"><h2 dir="auto">{escape(record.question.text) or "No question yet"}</h2>'
        f'<p class="wl-sub"><bdi>{name}</bdi> · {count} · {told}</p></div>'
    )


def source_html(record: RunRecord | None) -> str:
    """The PDF that the next question is about, and what was odd about the file."""
    source = record.source if record else None
    if source is None:
        return empty("No PDF yet. Choose an example above, or upload your own.")
    title = f'<p class="wl-sub"><bdi>{escape(short(source.title, 120))}</bdi></p>' if source.title.strip() else ""
    notes = "".join(f'<li dir="auto">{escape(note)}</li>' for note in source.notes)
    told = f'<ul class="wl-notes">{notes}</ul>' if notes else ""
    return (
        f'<div class="wl wl-card wl-source"><b><bdi>{escape(short(source.name, 80)) or "PDF"}</bdi></b>'
        f'<span class="wl-sub">{source.pages:,} page{"s" if source.pages != 1 else ""}</span>{title}{told}</div>'
    )


def answer_html(record: RunRecord) -> str:
    """The answer, or that there is none, which is an outcome of its own; and the way of each known evidence page."""
    if record.final is None:
        return empty("The answer has not been written yet.") if record.run_id else READY
    if record.final.no_answer:
        body = (
            '<p class="wl-final-answer">No answer in this document</p>'
            f'<p class="wl-sub">{_why_none(record)} This is an outcome, not a failure: nothing was made up.</p>'
        )
    else:
        body = f'<p class="wl-final-answer" dir="auto">{escape(record.final.answer) or "an empty answer"}</p>'
    return f'<div class="wl wl-card wl-final wl-read-answer">{body}{_verdict(record)}{_ways(record)}</div>'


def _why_none(record: RunRecord) -> str:
    kept = sum(page.kept for page in record.pages or ())
    clues = len(record.clues or ())
    if not kept and not clues:
        return "No page was kept and no clue was found."
    pages = f"{kept} page{' was' if kept == 1 else 's were'} kept"
    return f"{pages} and {clues} clue{' was' if clues == 1 else 's were'} found, and none of them holds it."


def _verdict(record: RunRecord) -> str:
    """Whether the answer holds a known one; nothing where none is known."""
    assert record.final
    if not record.question.answers:
        return ""
    right = not record.final.no_answer and bool(contains_answer(record.final.answer, record.question.answers))
    kind, sign, word = ("is-kept", "✓", "yes") if right else ("is-lost", "✗", "no")
    known = "".join(f"<li><bdi>{escape(answer)}</bdi></li>" for answer in record.question.answers)
    return (
        f'<div class="wl-verdict"><span class="wl-badge {kind}"><span aria-hidden="true">{sign}</span> '
        f'contains a known answer: {word}</span><span class="wl-sub">Known answer</span>'
        f'<ul class="wl-golds">{known}</ul></div>'
    )


def _ways(record: RunRecord) -> str:
    rows = "".join(
        f"<li>{page_ref(record, page)}{_path(record, page)}</li>"
        for page in record.question.gold_pages
        if page < len(record.pages or ())
    )
    plural = "s" if len(record.question.gold_pages) > 1 else ""
    return f'<h5>The way of the page{plural} with the evidence</h5><ul class="wl-ways">{rows}</ul>' if rows else ""


def _path(record: RunRecord, page: int) -> str:
    arrow = '<span class="wl-arrow"> → </span>'
    steps = arrow.join(
        f'<span class="wl-step{"" if good is None else " is-kept" if good else " is-lost"}">{escape(step)}</span>'
        for step, good in page_steps(record, page)
    )
    return f'<p class="wl-path">{steps}</p>'


def page_ref(record: RunRecord, page: int, view: ReadView | None = None) -> str:
    """A button that opens a page."""
    gold = page in record.question.gold_pages
    star = '<span class="wl-star" aria-hidden="true">★</span>' if gold else ""
    said = html.escape(page_name(record, page) + (", holds the evidence" if gold else ""))
    pressed = "true" if view is not None and view.page == page else "false"
    return (
        f'<button type="button" class="doc-ref" data-read="page" data-value="{page}" aria-pressed="{pressed}" '
        f'aria-label="{said}" title="{said}"><span class="wl-num">{page + 1}</span>{star}</button>'
    )


def difficulty_html(record: RunRecord) -> str:
    """How hard the question was taken to be, and what the deciding agent was told."""
    found = record.difficulty
    if found is None:
        if not record.settings.pdf.difficulty:
            return empty("The difficulty was not assessed: its switch was off.")
        return empty("The difficulty has not been assessed yet." if record.final is None else "It was not assessed.")
    name, what = _LEVELS[found.level]
    notice = f'<p class="wl-notice is-{found.parsed}">{_PARSED[found.parsed]}</p>' if found.parsed in _PARSED else ""
    bar = ""
    if found.probability is not None and 0 <= found.probability <= 1:
        said = f"Probability that several steps are needed: {100 * found.probability:.0f} %"
        bar = (
            f'<div class="wl-score"><span class="wl-bar" role="img" aria-label="{said}"><span class="wl-fill" '
            f'style="width:{100 * found.probability:.1f}%"></span></span><span>several steps '
            f"<b>{100 * found.probability:.0f} %</b></span></div>"
        )
    rule = '<p class="wl-sub">Taken from the words of the question: this model cannot judge it.</p>'
    notice += rule if found.kind == "rule" else ""
    told = escape(found.instructions) or "no instructions"
    raw = (
        f'<details><summary>Raw reply</summary><pre dir="auto">{escape(found.raw)}</pre></details>' if found.raw else ""
    )
    return (
        f'<div class="wl wl-card wl-difficulty"><h4>{name} <span class="wl-sub">d = {found.level}</span></h4>'
        f'<p class="wl-sub">{what}</p>{notice}{bar}<h5>What the deciding agent was told</h5>'
        f'<p class="wl-prose" dir="auto">{told}</p>{raw}</div>'
    )


def counts_html(record: RunRecord) -> str:
    """What the run counted of itself; nothing where it counted nothing."""
    told = ", ".join(f"{name.replace('_', ' ')} {value:,.6g}" for name, value in (record.counts or {}).items())
    return f'<p class="wl wl-sub">Counted: {escape(told)}.</p>' if told else ""


def views_html(record: RunRecord, derived: Derived | None) -> str:
    """Where SLEUTH's labels and DuQUAD's scores part, or that they agree."""
    parts = disagreements(record) if derived else ()
    if parts:
        items = "".join(f"<li>{escape(sentence)}</li>" for sentence in parts)
        return f'<div class="wl wl-alert is-disagreement" role="note"><ul>{items}</ul></div>'
    same = agreement(record, derived)
    return f'<p class="wl wl-sub">{html.escape(same)}</p>' if same else ""
