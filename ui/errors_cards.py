"""The master table, its filters and the flow of lost evidence, as HTML. Every text of a set is foreign."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from core.evaluation.labels_record import VERDICTS
from core.evaluation.loss import STAGES
from core.evaluation.table import MARKS, mark_of
from core.evaluation.table_view import UNLABELLED, Labelled, Query
from ui.errors_state import PAGE, ErrorsView, matching
from ui.markup import empty, escape, plain, short
from ui.set_open import OpenSet
from ui.set_results import system_title
from ui.set_words import MARK_SIGNS, MARK_WORDS, group_words, stage_title

_QUESTION, _ANSWER = 90, 60  # characters in a cell

WELCOME = (
    '<div class="wl wl-welcome"><h3>Where did the wrong answers lose their evidence?</h3><p>Choose a set above, or run '
    "one in the tab <b>Question set</b>.</p></div>"
)


def mark_html(mark: str, words: bool = False) -> str:
    """A mark as a shape, with its word for those who do not see it."""
    said = html.escape(next(text for name, text in MARK_WORDS.items() if name == mark))
    sign = next(text for name, text in MARK_SIGNS.items() if name == mark)
    shown = f" {mark}" if words else ""
    return (
        f'<span class="wl-mark is-{mark}" title="{said}"><span aria-hidden="true">{sign}</span>'
        f'{shown}<span class="wl-unseen">{"" if words else mark}</span></span>'
    )


def table_html(found: OpenSet, view: ErrorsView, shown: NDArray[np.int64], labelled: Labelled) -> str:
    """One page of the table: each system's mark, and the answer of the one that is looked at."""
    if not len(found.table.questions):
        return empty("No question of this set has been answered yet.")
    if not len(shown):
        return empty("No question fits. Take a filter away, or press Reset.")
    system = view.query.system or view.system
    numbers = shown[view.page * PAGE : (view.page + 1) * PAGE]
    body = "".join(_row(found, view, int(number), system, labelled) for number in numbers)
    return (
        f'<table class="wl wl-table wl-master"><thead><tr>{_head(view.query, found.table.systems, system)}</tr></thead>'
        f"<tbody>{body}</tbody></table>"
    )


def _head(query: Query, systems: Sequence[str], system: str) -> str:
    names = "".join(f'<th class="wl-system-name">{escape(short(system_title(name), 22))}</th>' for name in systems)
    answer = f"Answer of {escape(short(system_title(system), 22))}" if len(systems) > 1 else "Answer"
    return (
        f"{_sort(query, 'place', '#')}{_sort(query, 'question', 'Question')}{names}{_sort(query, 'answer', answer)}"
        f"{_sort(query, 'stage', 'Lost at')}{_sort(query, 'label', 'Label')}"
    )


def _sort(query: Query, key: str, words: str) -> str:
    """A heading that sorts; ``words`` is HTML."""
    on = query.sort == key
    way = ("descending" if query.descending else "ascending") if on else "none"
    arrow = ("▾" if query.descending else "▴") if on else ""
    return (
        f'<th aria-sort="{way}"><button type="button" class="wl-sort" data-errors="sort" data-value="{key}">{words} '
        f'<span aria-hidden="true">{arrow}</span></button></th>'
    )


def _row(found: OpenSet, view: ErrorsView, number: int, system: str, labelled: Labelled) -> str:
    first = found.table.questions[number][0]
    rows = {row.system: row for row in found.table.questions[number]}
    on = number == view.question
    marks = "".join(
        f'<td class="wl-mark-cell">{mark_html(mark_of(rows[name])) if name in rows else "–"}</td>'
        for name in found.table.systems
    )
    told = matching(view.query, found.table.questions[number], system)
    whose = "" if told.system == system else f'<small class="wl-sub">{escape(system_title(told.system))}: </small>'
    said = sorted({part for row in rows.values() for part in labelled.said.get((row.id, row.system), ())})
    chips = "".join(f'<span class="wl-said">{escape(short(stage_title(part), 26))}</span>' for part in said)
    return (
        f'<tr class="{"is-open" if on else ""}" data-row-number="{number}"><td class="is-number">{number + 1}</td><td>'
        f'<button type="button" class="wl-row-open" data-errors="open" data-value="{number}" aria-current='
        f'"{"true" if on else "false"}" dir="auto">{escape(short(first.question, _QUESTION)) or "no question"}</button>'
        f"</td>{marks}<td>{whose}<bdi>{escape(short(told.error or told.answer, _ANSWER))}</bdi></td>"
        f"<td>{escape(stage_title(told.lost_at))}</td><td>{chips}</td></tr>"
    )


def pager_html(view: ErrorsView, shown: int, total: int) -> str:
    """Which part of the table is shown, and the way to the next."""
    first = view.page * PAGE
    last = min(first + PAGE, shown)
    said = f"{first + 1:,}–{last:,} of {shown:,}" if shown else "none"
    said += f" (of {total:,} questions)" if shown != total else " questions"
    back, on = "" if view.page else " disabled", "" if last < shown else " disabled"
    return (
        '<nav class="wl wl-tools wl-pager" aria-label="Pages of the table"><button type="button" data-errors="turn" '
        f'data-value="-1" aria-label="Previous page" title="Previous page"{back}>←</button><span>{said}</span><button '
        f'type="button" data-errors="turn" data-value="1" aria-label="Next page" title="Next page"{on}>→</button></nav>'
    )


def filters_html(found: OpenSet, query: Query, failures: Sequence[str]) -> str:
    """System, marks, groups, labels and disagreement; the search stands beside them."""
    counts = {
        mark: sum(n for (s, _, m), n in found.flow.items() if m == mark and query.system in ("", s)) for mark in MARKS
    }
    marks = "".join(
        f'<button type="button" class="wl-chip" data-errors="mark" data-value="{mark}" '
        f'aria-pressed="{"true" if mark in query.marks else "false"}">{mark_html(mark, True)} {counts[mark]:,}</button>'
        for mark in MARKS
        if counts[mark] or mark in query.marks
    )
    systems = [("", "any system"), *((name, system_title(name)) for name in found.table.systems)]
    said = [("", "any label"), (UNLABELLED, "unlabelled"), *((name, name) for name in (*VERDICTS, *failures))]
    labels = [(name, stage_title(words)) for name, words in said]
    boxes = [
        _select("filter_system", "System", systems, query.system),
        _select("label", "Label", labels, next(iter(query.labels), "")),
    ]
    for name, values in found.groups.items():
        label = group_words(name, next(iter(values), ""))[0]
        choices = [("", f"any {label}"), *((value, group_words(name, value)[1]) for value in values)]
        chosen = next(iter(query.groups.get(name, ())), "")
        boxes.append(_select(f"group:{name}", label, choices, chosen))
    differ = (
        f'<button type="button" class="wl-chip" data-errors="disagree" data-value="" aria-pressed='
        f'"{"true" if query.disagree else "false"}" title="Questions that some systems have right and others wrong">'
        "systems disagree</button>"
        if len(found.table.systems) > 1
        else ""
    )
    reset = '<button type="button" class="wl-link" data-errors="reset" data-value="">Reset</button>'
    return (
        f'<div class="wl wl-filters"><div class="wl-chips" role="group" aria-label="Marks">{marks}{differ}</div>'
        f'<div class="wl-selects">{"".join(boxes)}{reset}</div></div>'
    )


def _select(what: str, label: str, choices: Sequence[tuple[str, str]], chosen: str) -> str:
    options = options_html([(value, short(words, 40)) for value, words in choices], chosen)
    name = html.escape(plain(what))
    return (
        f'<label class="wl-select"><span>{escape(short(label, 30))}</span><select data-errors="{name}">{options}'
        "</select></label>"
    )


def options_html(choices: Sequence[tuple[str, str]], chosen: str) -> str:
    """Options of a box; ``choices`` are (value, words)."""
    return "".join(
        f'<option value="{html.escape(value)}"{" selected" if value == chosen else ""}>{escape(words)}</option>'
        for value, words in choices
    )


def flow_html(found: OpenSet, query: Query) -> str:
    """At which stage answers lost their evidence: a bar each, its parts by mark; a press filters the table."""
    counts: dict[str, dict[str, int]] = {}
    for (system, stage, mark), count in found.flow.items():
        if query.system in ("", system):
            marks = counts.setdefault(stage, {})
            marks[mark] = marks.get(mark, 0) + count
    if not counts:
        return ""
    longest = max(sum(marks.values()) for marks in counts.values())
    bars = "".join(_bar(stage, counts[stage], longest, stage in query.stages) for stage in STAGES if stage in counts)
    of = f" of {escape(system_title(query.system))}" if query.system else ""
    return (
        f'<div class="wl wl-flow"><h4>Where evidence was lost{of}</h4><p class="wl-sub">The first stage at which a '
        "gold document or page was lost, in answers. Press one to see them.</p>"
        f'<div role="group" aria-label="Stages">{bars}</div></div>'
    )


def _bar(stage: str, marks: Mapping[str, int], longest: int, on: bool) -> str:
    total = sum(marks.values())
    parts = "".join(
        f'<i class="is-{mark}" style="width:{100 * marks[mark] / longest:.2f}%"></i>' for mark in MARKS if mark in marks
    )
    said = ", ".join(f"{count:,} {mark}" for mark, count in marks.items())
    return (
        f'<button type="button" class="wl-flow-row" data-errors="stage" data-value="{stage}" aria-pressed='
        f'"{"true" if on else "false"}" title="{said}"><span>{escape(stage_title(stage))}</span><span '
        f'class="wl-flow-bar" aria-hidden="true">{parts}</span><b>{total:,}</b></button>'
    )
