"""The head of the panel: the question, every system's answer, and which of them is open."""

from __future__ import annotations

import html
from collections.abc import Sequence

from core.evaluation.record import ResultRow
from core.evaluation.table import mark_of
from ui.errors_cards import mark_html
from ui.errors_state import ErrorsView
from ui.markup import escape, short
from ui.set_results import system_title
from ui.set_words import group_words, stage_title

NOTHING = '<p class="wl wl-empty">Choose a question: click one, or press j for the next and k for the one before.</p>'


def head_html(view: ErrorsView, rows: Sequence[ResultRow], place: int | None, shown: int) -> str:
    """The open question.

    Args:
        view: what is open.
        rows: the answers to the question.
        place: its place in what is shown, from 0; None where a filter has taken it away.
        shown: how many questions are shown.
    """
    first = rows[0]
    at = f"{place + 1:,} of {shown:,}" if place is not None else f"not among the {shown:,} shown"
    accepted = "; ".join(first.answers)
    groups = " · ".join(": ".join(group_words(name, value)) for name, value in first.meta.items())
    said = [f"Accepted: <bdi>{escape(short(accepted, 300))}</bdi>"] if accepted else ["No accepted answer is known."]
    said += [escape(short(first.place, 40)), f"<bdi>{escape(short(first.id, 40))}</bdi>"]
    said += [f"<bdi>{escape(short(groups, 200))}</bdi>"] if groups else []
    answers = "".join(_answer(row, view) for row in rows)
    return (
        f'<div class="wl wl-errors-head"><nav class="wl-tools" aria-label="Questions">'
        f"{_step('-1', '←', 'Previous question (k)')}<span>{at}</span>{_step('1', '→', 'Next question (j)')}</nav>"
        f'<h2 dir="auto">{escape(first.question) or "No question"}</h2><p class="wl-sub">{" · ".join(said)}</p>'
        f'<ul class="wl-answers">{answers}</ul></div>'
    )


def _step(by: str, sign: str, said: str) -> str:
    return (
        f'<button type="button" data-errors="step" data-value="{by}" aria-label="{said}" title="{said}">{sign}</button>'
    )


def _answer(row: ResultRow, view: ErrorsView) -> str:
    """One system's answer; a press opens its run, another lays it beside."""
    on, beside = row.system == view.system, row.system == view.other
    name = html.escape(row.system)
    text = escape(short(row.error or row.answer, 400)) or "an empty answer"
    side = (
        f'<button type="button" class="wl-link" data-errors="other" data-value="{name}" aria-pressed='
        f'"{"true" if beside else "false"}">{"Side by side ✓" if beside else "Side by side"}</button>'
        if not on
        else '<span class="wl-sub">open below</span>'
    )
    return (
        f'<li class="{"is-open" if on else ""}"><button type="button" class="wl-answer-open" data-errors="by" '
        f'data-value="{name}" aria-pressed="{"true" if on else "false"}"><b>{escape(system_title(row.system))}</b> '
        f'{mark_html(mark_of(row), True)} <span class="wl-sub">{escape(stage_title(row.lost_at))}</span></button>'
        f'<p dir="auto">{text}</p>{side}</li>'
    )
