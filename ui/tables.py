"""A record as tables: the same rows for the page's tables and for the CSV files."""

from __future__ import annotations

from core.records import RunRecord
from ui.derived import Derived, fate
from ui.markup import is_gold, plain

Cell = str | int | float | bool | None
Table = tuple[list[str], list[list[Cell]]]
"""(headers, rows), every row as long as the headers."""


def documents_rows(record: RunRecord, derived: Derived | None) -> Table:
    """One row per document in prompt order; cells of stages that have not run are None."""
    headers = [
        "document",
        "title",
        "gold",
        "attention (%)",
        "attention rank",
        "trend (%)",
        "contrast (points)",
        "semantic",
        "query NLL",
        "SFS",
        "SFS place",
        "fate",
    ]
    return headers, [_document(record, derived, i) for i in range(len(record.documents))]


def _document(record: RunRecord, derived: Derived | None, i: int) -> list[Cell]:
    document = record.documents[i]
    row: list[Cell] = [i + 1, plain(document.title), "gold" if is_gold(record, i) else ""]
    if derived is None or record.signals is None:
        return [*row, *[None] * 8, fate(record, derived, i)]
    place = derived.place[i]
    return [
        *row,
        round(100 * float(derived.attention[i]), 3),
        derived.attention_rank[i],
        round(100 * float(derived.trend[i]), 3),
        round(100 * float(derived.contrast_share[i]), 3),
        round(record.signals.semantic[i], 4),
        round(record.signals.query_nll[i], 4),
        round(derived.ranking[place - 1].score, 5),
        place,
        fate(record, derived, i),
    ]


def pool_rows(record: RunRecord, derived: Derived | None) -> Table:
    """One row per candidate, in the order in which the agents named them."""
    headers = ["document", "title", "gold", "selected by", "DocScore", "kind", "fate", "its own answer", "quoted"]
    pool = derived.pool if derived else record.pool or ()
    return headers, [
        [
            entry.document + 1,
            plain(record.documents[entry.document].title),
            "gold" if is_gold(record, entry.document) else "",
            " and ".join(entry.selected_by),
            round(entry.score, 4),
            entry.kind,
            "quoted" if entry.kept else "pruned",
            plain(entry.answer),
            plain(" … ".join(snippet.text for snippet in entry.snippets)),
        ]
        for entry in pool
    ]


def calls_rows(record: RunRecord) -> Table:
    """One row per use of a model."""
    headers = ["stage", "model", "kind", "sequences", "tokens in", "tokens out", "seconds"]
    return headers, [
        [
            plain(call.stage),
            plain(call.model),
            call.kind,
            call.sequences,
            call.prompt_tokens,
            call.new_tokens,
            round(call.seconds, 3),
        ]
        for call in record.calls
    ]


def calls_totals(record: RunRecord) -> list[Cell]:
    """The last line under ``calls_rows``."""
    calls = record.calls
    return [
        "total",
        f"{len(calls)} calls, {sum(call.kind == 'generate' for call in calls)} generating",
        "",
        sum(call.sequences for call in calls),
        sum(call.prompt_tokens for call in calls),
        sum(call.new_tokens for call in calls),
        round(sum(call.seconds for call in calls), 3),
    ]
