"""The HTML of the tab Compare. Everything that comes out of a record is escaped."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence

from core.ingest.examples import Example
from core.ingest.pdf_examples import PdfExample
from core.records import Compared, CompareRecord, Document, Question, RunRecord
from core.settings.methods import MOST_COMPARED
from core.settings.profiles import Profile
from core.systems import System
from ui.cards import warnings_list
from ui.compare_figures import title
from ui.compare_numbers import (
    Cost,
    cost,
    count,
    document_of,
    golds,
    of_pages,
    plain_system,
    read_order,
    right,
    unit,
    way_of_gold,
)
from ui.markup import empty, escape, plain, short

_WELCOME = (
    '<div class="wl wl-welcome"><h3>Would another system have found it?</h3><p>Choose an example, two to six systems, '
    "and press <b>Compare</b>: each answers the same question with the same model.</p></div>"
)


def examples_html(examples: Iterable[Example], pdfs: Iterable[PdfExample], recorded: Iterable[str]) -> str:
    """The examples as a row of buttons: those with a recorded comparison come first and say so, PDFs come last."""
    known = set(recorded)
    found = [(one.slug, escape(short(one.headline, 90)), f"{len(one.documents)} documents") for one in examples]
    found += [
        (
            one.slug,
            f"<bdi>{escape(short(one.question.text, 90))}</bdi>",
            f"PDF: <bdi>{escape(short(one.title, 35))}</bdi>",
        )
        for one in pdfs
    ]
    found.sort(key=lambda card: card[0] not in known)
    cards = "".join(
        f'<button type="button" class="wl-example" data-compare="example" data-value="{html.escape(slug)}">'
        f'<b>{name}</b><span class="wl-sub">{what}'
        f"{' · compared' if slug in known else ''}</span></button>"
        for slug, name, what in found
    )
    return f'<div class="wl wl-examples">{cards}</div>' if cards else empty("No examples are installed.")


def systems_html(systems: Sequence[tuple[System, str]], chosen: Sequence[str]) -> str:
    """The systems to choose from, each with its source and cost, or the reason why it cannot run here."""
    full = len(chosen) >= MOST_COMPARED
    rows = "".join(_choice(system, why, system.name in chosen, full) for system, why in systems)
    return (
        f'<fieldset class="wl wl-choices-of-systems"><legend class="wl-sub">{len(chosen)} of at most {MOST_COMPARED} '
        f"systems chosen</legend>{rows}</fieldset>"
    )


def _choice(system: System, why: str, on: bool, full: bool) -> str:
    off = (bool(why) or full) and not on  # what was compared once can be let go, also where it cannot run
    note = f'<span class="wl-system-why">{escape(why)}</span>' if why else f"<span>{escape(system.cost)}</span>"
    return (
        f'<label class="wl-system{" is-off" if off else ""}"><input type="checkbox" data-compare="toggle" '
        f'data-value="{html.escape(system.name)}"{" checked" if on else ""}{" disabled" if off else ""}>'
        f"<span><b>{escape(system.title)}</b> <small>{escape(system.source)}</small> <small>{note}</small></span>"
        "</label>"
    )


def head_html(
    question: Question | None, documents: Sequence[Document], compared: CompareRecord | None, pdf: str = ""
) -> str:
    """The question, what was compared, and what was shared; ``pdf`` is the file's name where it is about one."""
    if question is None:
        return _WELCOME
    if compared and of_pages(compared):
        facts = [f"{_file(compared)}, {count(compared)} pages"] if compared.records else []
    else:
        facts = [f"{len(documents)} document{'s' if len(documents) != 1 else ''}"] if documents else [pdf]
    if compared:
        facts += [f"{len(compared.records)} of {len(compared.systems)} systems"]
        facts += [part for part in (compared.models.get("backbone", ""), compared.created[:10]) if part]
    else:
        facts += ["not compared yet"]
    said = " · ".join(escape(short(fact, 60)) for fact in facts)
    answers = f'<p class="wl-sub">Accepted: <bdi>{escape("; ".join(question.answers)[:200])}</bdi></p>'
    return (
        f'<div class="wl wl-head"><h2 dir="auto">{escape(question.text)}</h2><p class="wl-sub">{said}</p></div>'
        f"{answers if question.answers else ''}{_shared(compared)}"
    )


def _file(compared: CompareRecord) -> str:
    return next((record.source.name for record in compared.records if record.source), "a PDF")


def _shared(compared: CompareRecord | None) -> str:
    counts = compared.counts if compared else {}
    pages = (
        '<p class="wl wl-sub">Pages are read and embedded once and kept: the first column bears that alone.</p>'
        if compared and of_pages(compared)
        else ""
    )
    uses = counts.get("shared_calls", 0)
    if not uses:
        return pages
    return pages + (
        f'<p class="wl wl-sub">Done once and used again: {uses:.0f} use{"s" if uses != 1 else ""} of a model, '
        f"{counts.get('shared_tokens', 0):,.0f} tokens, {counts.get('shared_seconds', 0):.1f} s. Each system is "
        "charged what that work took the first time, so the order of the columns makes none look cheap.</p>"
    )


def columns_html(compared: CompareRecord | None, selected: int | None, running: bool) -> str:
    """A column for each system: its answer, what became of gold, the order that was read, and what it took."""
    if compared is None:
        return ""
    plain_one = compared.record(plain_system(compared))
    costs = {record.system: cost(record, plain_one) for record in compared.records}
    most = max((one.seconds for one in costs.values()), default=0.0)
    columns = "".join(_column(compared, column, selected, running, costs, most) for column in compared.systems)
    return f'<div class="wl wl-columns">{columns}</div>'


def _column(
    compared: CompareRecord,
    column: Compared,
    selected: int | None,
    running: bool,
    costs: dict[str, Cost],
    most: float,
) -> str:
    record = compared.record(column.system)
    head = f"<h4>{escape(title(column.system))}</h4>"
    if column.error:
        return (
            f'<article class="wl-card wl-column is-failed">{head}<p><span class="wl-badge is-lost">not run</span></p>'
            f'<p dir="auto">{escape(column.error)}</p></article>'
        )
    if record is None:
        waiting = "Still to come." if running else "It was not run."
        return f'<article class="wl-card wl-column">{head}<p class="wl-sub">{waiting}</p></article>'
    return (
        f'<article class="wl-card wl-column">{head}{_answer(record)}{_golds(compared, record)}'
        f"{_order(compared, record, selected)}{_cost(costs[column.system], most, title(plain_system(compared)))}"
        f"{_warned(record)}</article>"
    )


def _answer(record: RunRecord) -> str:
    said = record.final.answer if record.final else ""
    verdict = {
        True: '<span class="wl-badge is-kept"><span aria-hidden="true">✓</span> right</span>',
        False: '<span class="wl-badge is-lost"><span aria-hidden="true">✗</span> wrong</span>',
        None: '<span class="wl-badge is-plain">not judged</span>',
    }[right(record)]
    shown = f'<p class="wl-column-answer" dir="auto">{escape(said)}</p>' if said else '<p class="wl-sub">No answer.</p>'
    return f"{shown}<p>{verdict}</p>"


def _golds(compared: CompareRecord, record: RunRecord) -> str:
    star = '<span class="wl-star" aria-hidden="true">★</span>'
    ways = "".join(f"<li>{star} <b>{gold + 1}</b> {escape(way_of_gold(record, gold))}</li>" for gold in golds(compared))
    return f"<h5>Where gold went</h5><ul>{ways}</ul>" if ways else ""


def _order(compared: CompareRecord, record: RunRecord, selected: int | None) -> str:
    order = read_order(record)
    chips = "".join(_chip(compared, at, selected) for at in order)
    quoted = record.pool is not None and record.pages is None
    what = "Quoted to the Judge" if quoted else "Order that was read"
    left = count(compared) - len(order)
    rest = f'<p class="wl-sub">{left} not {"quoted" if quoted else "read"}</p>' if left > 0 else ""
    return f'<h5>{what}</h5><div class="wl-refs is-dense">{chips}</div>{rest}'


def _chip(compared: CompareRecord, at: int, selected: int | None) -> str:
    gold, found = at in golds(compared), document_of(compared, at)
    name = f": {plain(found.title)}" if found and found.title.strip() else ""
    label = html.escape(f"{unit(compared).capitalize()} {at + 1}{', gold' if gold else ''}{name}")
    star = '<span class="wl-star" aria-hidden="true">★</span>' if gold else ""
    return (
        f'<button type="button" class="doc-ref" data-compare="document" data-value="{at}" '
        f'aria-pressed="{"true" if at == selected else "false"}" aria-label="{label}" title="{label}">'
        f'<span class="wl-num">{at + 1}</span>{star}</button>'
    )


def _warned(record: RunRecord) -> str:
    """What the run warned of. Shown at once: an answer that is no model's own is told of here alone."""
    if not record.warnings:
        return ""
    name = f"{len(record.warnings)} warning{'s' if len(record.warnings) != 1 else ''}"
    return f'<details class="wl-column-warned" open><summary>{name}</summary>{warnings_list(record)}</details>'


def _cost(one: Cost, most: float, beside: str) -> str:
    times = "–" if one.relative is None else f"{one.relative:.1f} ×"
    share = 100 * one.seconds / most if most else 0
    facts = (
        ("Calls", f"{one.calls}"),
        ("Tokens in", f"{one.tokens_in:,}"),
        ("Tokens out", f"{one.tokens_out:,}"),
        ("Seconds", f"{one.seconds:.1f}"),
        (beside, times),
    )
    cells = "".join(f"<div><dt>{name}</dt><dd>{value}</dd></div>" for name, value in facts)
    shared = f'<p class="wl-sub">{one.shared:.1f} s of it shared</p>' if one.shared else ""
    return (
        f'<div class="wl-took"><h5>What it took</h5><dl class="wl-facts">{cells}</dl><div class="wl-mini" role="img" '
        f'aria-label="{one.seconds:.1f} seconds"><span style="width:{share:.0f}%"></span></div>{shared}</div>'
    )


def document_html(found: Document | None, at: int | None, gold: bool, what: str) -> str:
    """The selected document's, or page's, text."""
    if at is None:
        return empty(f"Choose a {what}: click its number in a column, or its line in the chart.")
    badge = '<span class="wl-badge is-gold"><span aria-hidden="true">★</span> gold</span>' if gold else ""
    name = found.title[:300] if found and found.title.strip() else f"{what.capitalize()} {at + 1}"
    text = escape(found.text) if found else "No system read this page."
    return (
        f'<article class="wl wl-document" data-shown="{at}"><header><span class="wl-num">{at + 1}</span>'
        f'<h4 dir="auto"><bdi>{escape(name)}</bdi></h4>{badge}</header>'
        f'<div class="wl-text" dir="auto">{text or f"This {what} has no text."}</div></article>'
    )


def profile_note(profile: Profile | None) -> str:
    """What the answers of the small embedded model can and cannot show."""
    if profile is None or profile.needs_hub:
        return ""
    return (
        '<p class="wl wl-sub">The embedded model has 135 million parameters: it often fails where a larger one would '
        "not, and systems that ask it to judge suffer most. Read the columns as how the systems work, not as how good "
        "they are.</p>"
    )
