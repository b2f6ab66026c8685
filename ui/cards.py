"""The parts of the page that are plain HTML. Everything that comes out of a record is escaped."""

from __future__ import annotations

from core.records import RunRecord
from ui.cards_agents import agents_html, answer_html, path_html
from ui.cards_pool import pool_html
from ui.markup import empty, escape
from ui.tables import Cell, calls_rows, calls_totals

__all__ = ["agents_html", "answer_html", "calls_html", "path_html", "pool_html", "warnings_html", "warnings_list"]


def calls_html(record: RunRecord) -> str:
    """Every use of a model, and the totals."""
    if not record.calls:
        return empty("No model has been called yet.")
    headers, rows = calls_rows(record)
    numeric = [isinstance(cell, int | float) for cell in rows[0]]
    kinds = [' class="is-number"' if number else "" for number in numeric]
    head = "".join(f'<th scope="col"{kind}>{escape(header)}</th>' for header, kind in zip(headers, kinds, strict=True))
    body = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in rows)
    foot = "".join(map(_cell, calls_totals(record)))
    return (
        '<div class="wl wl-scroll" role="region" aria-label="Calls of the models" tabindex="0">'
        f'<table class="wl-table"><thead><tr>{head}</tr></thead><tbody>{body}</tbody>'
        f"<tfoot><tr>{foot}</tr></tfoot></table></div>"
    )


def _cell(value: Cell) -> str:
    if isinstance(value, str) or value is None:
        return f"<td>{escape(value or '')}</td>"
    return f'<td class="is-number">{f"{value:,.2f}" if isinstance(value, float) else f"{value:,}"}</td>'


def warnings_list(record: RunRecord) -> str:
    """What the run warned of, one item each."""
    items = "".join(f'<li dir="auto">{escape(warning)}</li>' for warning in record.warnings)
    return f"<ul>{items}</ul>"


def warnings_html(record: RunRecord) -> str:
    """What the run warned of; nothing when there was nothing."""
    if not record.warnings:
        return ""
    return f'<div class="wl wl-notice is-repaired" role="status">{warnings_list(record)}</div>'
