"""The documents of the next run as a list to select from, drag, step and shorten."""

from __future__ import annotations

import html

from ui.derived import Derived
from ui.inspect_draft import Draft
from ui.markup import empty, plain

_TOOLS = (("up", "↑", "up"), ("down", "↓", "down"), ("remove", "✕", "out of the list"))


def list_html(draft: Draft, derived: Derived | None, selected: int | None) -> str:
    """One row per document: its place, title, attention as a bar, and buttons that move it.

    ``selected`` is an index of the record on the page; a document that the record is without has no text to open.
    """
    if not draft.order:
        return empty("No documents yet. Choose an example above, or paste your own.")
    most = float(derived.attention.max()) if derived else 0.0
    rows = "".join(_row(draft, place, item, derived, selected, most) for place, item in enumerate(draft.order))
    return f'<ol class="wl wl-list" aria-label="Documents in prompt order">{rows}</ol>{_changes(draft)}'


def _row(draft: Draft, place: int, item: int, derived: Derived | None, selected: int | None, most: float) -> str:
    index = draft.shown_as(item)
    marks = {"is-selected": index is not None and index == selected, "is-gold": draft.is_gold(item)}
    classes = " ".join(["wl-row", *(mark for mark, on in marks.items() if on)])
    return (
        f'<li class="{classes}" draggable="true" data-item="{item}" data-place="{place}">'
        f"{_name(draft, place, item, index, selected)}{_share(derived, index, most)}"
        f'<span class="wl-tools">{_buttons(draft, place, item)}</span></li>'
    )


def _name(draft: Draft, place: int, item: int, index: int | None, selected: int | None) -> str:
    title = plain(_title(draft, item))
    star = '<span class="wl-star" aria-hidden="true">★</span>' if draft.is_gold(item) else ""
    moved = f'<span class="wl-was">was {index + 1}</span>' if index is not None and index != place else ""
    target = "disabled" if index is None else f'data-document="{index}"'
    label = f"Document {place + 1}{', gold' if draft.is_gold(item) else ''}: {title}"
    return (
        f'<button type="button" class="wl-open" {target} aria-label="{html.escape(label)}" '
        f'aria-pressed="{"true" if index is not None and index == selected else "false"}">'
        f'<span class="wl-num">{place + 1}</span>{star}<bdi class="wl-ref-title" title="{html.escape(title)}">'
        f"{html.escape(title)}</bdi>{moved}"
        f"</button>"
    )


def _title(draft: Draft, item: int) -> str:
    document = draft.source[item]
    return (document.title.strip() or document.text.strip() or "untitled")[:200]


def _share(derived: Derived | None, index: int | None, most: float) -> str:
    if derived is None or index is None or most <= 0:
        return '<span class="wl-mini is-unknown"></span>'
    share = float(derived.attention[index])
    said = f"attention {100 * share:.1f} %"
    return (
        f'<span class="wl-mini" role="img" aria-label="{said}" title="{said}">'
        f'<span style="width:{100 * share / most:.1f}%"></span></span>'
    )


def _buttons(draft: Draft, place: int, item: int) -> str:
    off = {"up": place == 0, "down": place == len(draft.order) - 1, "remove": len(draft.order) == 1}
    return "".join(
        f'<button type="button" data-edit="{what}" data-item="{item}" {"disabled" if off[what] else ""} '
        f'aria-label="Move document {place + 1} {where}" title="{what}">{sign}</button>'
        for what, sign, where in _TOOLS
    )


def _changes(draft: Draft) -> str:
    out = len(draft.source) - len(draft.order)
    said = []
    if draft.changed:
        said.append("The order differs from the run that is shown: press Run to see what changes.")
    if out:
        said.append(f"{out} document{'s' if out > 1 else ''} left out.")
    return f'<p class="wl-sub wl-changes" role="status">{" ".join(said)}</p>' if said else ""
