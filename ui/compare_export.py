"""A comparison as files that the browser makes: nothing is written on the server."""

from __future__ import annotations

import time
from typing import Any

from core.records import CompareRecord
from ui.compare_figures import title
from ui.compare_numbers import cost, count, document_of, golds, plain_system, ranked, ranks, read_order, right, unit
from ui.export import csv_text
from ui.markup import plain
from ui.tables import Cell, Table

EXPORTS = {"json": "Comparison (JSON)", "systems": "Systems (CSV)", "ranks": "Ranks (CSV)"}
"""What can be saved, and what its button says."""


def systems_rows(compared: CompareRecord) -> Table:
    """One row per system, in the order of the columns."""
    headers = ["system", "title", "answer", "right", "gold at place", "read", "calls", "tokens in", "tokens out"]
    headers += ["seconds", "of it shared", f"times {title(plain_system(compared))}", "order read", "error"]
    plain_one, gold = compared.record(plain_system(compared)), golds(compared)
    rows: list[list[Cell]] = []
    for column in compared.systems:
        record = compared.record(column.system)
        names: list[Cell] = [plain(column.system), plain(title(column.system))]
        if record is None:
            rows.append([*names, *[None] * 11, plain(column.error)])
            continue
        order, took = read_order(record), cost(record, plain_one)
        places = " ".join(str(order.index(document) + 1) for document in gold if document in order)
        verdict = right(record)
        answer = plain(record.final.answer if record.final else "")
        relative = None if took.relative is None else round(took.relative, 3)
        tokens = [took.calls, took.tokens_in, took.tokens_out, round(took.seconds, 3), round(took.shared, 3), relative]
        read = " ".join(str(document + 1) for document in order)
        rows.append([*names, answer, verdict, places, len(order), *tokens, read, ""])
    return headers, rows


def ranks_rows(compared: CompareRecord) -> Table:
    """One row per document, or page: its rank in each system, and where the reader saw it."""
    headers = [unit(compared), "title", "gold"]
    for record in compared.records:
        headers += [f"rank by {plain(title(record.system))}", f"read by {plain(title(record.system))}"]
    gold = golds(compared)
    places = [(_places(ranked(one)) if ranks(one) else {}, _places(read_order(one))) for one in compared.records]
    rows: list[list[Cell]] = []
    for i in range(count(compared)):
        found = document_of(compared, i)
        row: list[Cell] = [i + 1, plain(found.title) if found else "", "gold" if i in gold else ""]
        for rank, read in places:
            row += [rank.get(i), read.get(i)]
        rows.append(row)
    return headers, rows


def _places(order: tuple[int, ...]) -> dict[int, int]:
    return {at: place for place, at in enumerate(order, start=1)}


def exported(what: str, compared: CompareRecord | None) -> dict[str, Any] | None:
    """Name, type and text of one export. ``stamp`` makes each a new value, so that a file can be saved twice."""
    if compared is None or what not in EXPORTS:
        return None
    name = "".join(char for char in compared.run_id if char.isalnum() or char in "-_")[:40] or "comparison"
    if what == "json":
        kind, mime, text = "json", "application/json", compared.to_json()
    else:
        table = systems_rows(compared) if what == "systems" else ranks_rows(compared)
        kind, mime, text = "csv", "text/csv;charset=utf-8", csv_text(table)
    return {"name": f"w-lens-compare-{name}-{what}.{kind}", "type": mime, "text": text, "stamp": time.time_ns()}
