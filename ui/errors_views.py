"""Everything that the tab "Errors" draws, as plain values: a set and a view in, HTML and figures out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from core.evaluation.labels_record import LabelError, known_failures
from core.evaluation.record import ResultRow
from core.records import RecordError, RunRecord
from ui import errors_cards as cards
from ui.errors_beside import beside_html
from ui.errors_head import NOTHING, head_html
from ui.errors_labels import agreement_html
from ui.errors_run import Run, documents_run, nothing, pages_run, section
from ui.errors_state import NONE, ErrorsView
from ui.markup import empty, is_gold, short
from ui.pages_files import Files
from ui.set_library import Sets
from ui.set_open import Labels, OpenSet


class Drawn(NamedTuple):
    """The values of the views, in the order of the page's components."""

    chooser: str
    flow: str
    filters: str
    pager: str
    table: str
    agreement: str
    head: str
    history: str
    beside: str
    answer: str
    first_head: str
    first: str
    reader: str
    second_head: str
    second: str
    parts: str
    third_head: str
    third: str
    rest: str


class Master(NamedTuple):
    """The left side."""

    chooser: str
    flow: str
    filters: str
    pager: str
    table: str
    agreement: str


def chooser_html(choices: Sequence[tuple[str, str]], current: str) -> str:
    """The sets that can be opened here; ``choices`` are (key, name)."""
    options = cards.options_html([("", "Choose a set …"), *((key, short(name, 70)) for key, name in choices)], current)
    return f'<label class="wl wl-select"><span>Set</span><select data-errors="set">{options}</select></label>'


def master(found: OpenSet, view: ErrorsView, labels: Labels, sets: Sets, chooser: str) -> Master:
    """Table, filters, flow and agreement."""
    shown = found.select(view.query, labels)
    try:
        store = sets.existing_labels(found.key)
        failures = store.failure_types() if store else known_failures()
        agreed = store.agreement() if store and labels[1].said else ()
        agreement = agreement_html(agreed, len(labels[1].said))
    except LabelError as error:
        failures, agreement = known_failures(), empty(str(error))
    return Master(
        chooser=chooser,
        flow=cards.flow_html(found, view.query),
        filters=cards.filters_html(found, view.query, failures),
        pager=cards.pager_html(view, len(shown), len(found.table.questions)),
        table=cards.table_html(found, view, shown, labels[1]),
        agreement=agreement,
    )


def welcome(chooser: str, dark: bool) -> Drawn:
    """The tab without a set."""
    run = nothing("", dark)
    return Drawn(chooser, "", "", "", cards.WELCOME, "", "", "", "", *run)


def place_of(found: OpenSet, view: ErrorsView, labels: Labels) -> tuple[int | None, int]:
    """Where the open question stands in what is shown, from 0, and how many are shown."""
    shown = found.select(view.query, labels)
    at = np.flatnonzero(shown == view.question) if view.question is not None else np.array([])
    return (int(at[0]) if len(at) else None), len(shown)


def open_rows(found: OpenSet, view: ErrorsView) -> tuple[ResultRow, ...]:
    """The answers to the open question; none where none is open."""
    count = len(found.table.questions)
    return found.table.questions[view.question] if view.question is not None and view.question < count else ()


def run_of(
    found: OpenSet, view: ErrorsView, sets: Sets, files: Files
) -> tuple[Run, str, ErrorsView, dict[str, object] | None]:
    """The open run, what stands beside it, the view with a document that is there, and a page's picture."""
    rows = {row.system: row for row in open_rows(found, view)}
    if view.system not in rows:
        return nothing("", view.dark), "", view, None
    try:
        record = sets.record(found, rows[view.system])
    except RecordError as error:
        return nothing(empty(str(error)), view.dark), "", view, None
    picture = None
    if record.pages is not None:
        run, view, picture = pages_run(record, view, files)
    else:
        if view.document is None:
            view = view.selecting(next((i for i in range(len(record.documents)) if is_gold(record, i)), NONE))
        run = documents_run(record, view)
    return run, _beside(found, view, sets, record, rows.get(view.other)), view, picture


def _beside(found: OpenSet, view: ErrorsView, sets: Sets, record: RunRecord, row: ResultRow | None) -> str:
    if row is None or row.system == view.system:
        return ""
    head = section("Side by side", "Every document in its own place; press one to read it.")
    try:
        return head + beside_html(record, sets.record(found, row), view)
    except RecordError as error:
        return head + empty(str(error))


def panel_head(found: OpenSet, view: ErrorsView, labels: Labels) -> str:
    """The open question and its answers."""
    rows = open_rows(found, view)
    if not rows:
        return NOTHING
    place, shown = place_of(found, view, labels)
    return head_html(view, rows, place, shown)
