"""Each figure of the lab in one plain sentence, and as a table. Plain text, to be escaped by the page."""

from __future__ import annotations

import html

from core.duquad.bias import SIGNALS, Numbers
from ui.lab_facts import by_chance, facts, found, missed, places, thirds
from ui.lab_figures import TOO_FEW, Lens
from ui.lab_numbers import Sweep
from ui.markup import plain
from ui.tables import Table

_ROWS = 60  # rows of a table on the page; the files have them all


def said_walk(sweep: Sweep, numbers: Numbers, place: int) -> str:
    """How much gold draws at this place, and who draws most."""
    row = sweep.row_of(place)
    if row is None:
        return f"The prompt with gold at place {place + 1} has not been read yet."
    share = 100 * numbers.share[row]
    top = int(share.argmax())
    said = f"Gold at place {place + 1} of {sweep.count} draws {share[place]:.1f} %, rank {_rank(numbers, row)}"
    return said + ("." if top == place else f"; place {top + 1} draws the most, {share[top]:.1f} %.")


def _rank(numbers: Numbers, row: int) -> int:
    return numbers.ranks["attention"][row]


def said_heat(sweep: Sweep, numbers: Numbers, answers: bool) -> str:
    """The two edges and the diagonal in numbers."""
    if not sweep.places:
        return "No place of gold has been read yet."
    f = facts(sweep, numbers)
    said = (
        f"While gold stands elsewhere, place 1 draws {f.first:.1f} %, place {f.n} {f.last:.1f} % and the places "
        f"between them {f.middle:.1f} % on average. Gold draws {f.gold:.1f} %, {_times(f.gold, f.without)} what its "
        "place draws without it."
    )
    if answers and f.answered:
        said += f" The answer is right at {len(f.right)} of {f.answered} places."
    return said


def said_echo(sweep: Sweep, numbers: Numbers) -> str:
    """How the heads of the second map were chosen, and how often they find gold."""
    k = sweep.record.settings.k
    return (
        f"Ten heads, chosen on every second row; the rows between test the choice. Minus the bias, gold is among the "
        f"first {k} of {sweep.count} in {found(numbers, 'calibrated', k)} of {len(sweep.places)} rows."
    )


def _times(one: float, other: float) -> str:
    return f"{one / other:.1f} times" if other > 0 else "more than"


def said_split(sweep: Sweep, numbers: Numbers, place: int, lens: Lens) -> str:
    """What is left of gold's attention at this place."""
    row = sweep.row_of(place)
    if row is None or len(sweep.places) < 2:
        return TOO_FEW
    share, bias = 100 * numbers.share[row, place], 100 * numbers.bias[place]
    if lens == "calibrate":
        left = f"its evidence is {share - bias:+.1f} points, rank {numbers.ranks['calibrated'][row]}"
    else:
        left = (
            f"its contrast is {100 * numbers.contrast[row, place]:+.1f} points, rank {numbers.ranks['contrast'][row]}"
        )
    return f"Gold at place {place + 1} draws {share:.1f} %, of which the place's bias is {bias:.1f} %; {left}."


def said_finders(sweep: Sweep, numbers: Numbers) -> str:
    """At how many places each signal finds gold, and where attention loses it."""
    if len(sweep.places) < 2:
        return TOO_FEW
    k = sweep.record.settings.k
    counts = ", ".join(f"{signal} {found(numbers, signal, k)}" for signal in SIGNALS)
    said = f"Gold is among the first {k} of {sweep.count} at so many of {len(sweep.places)} places: {counts}."
    lost = missed(sweep, numbers, "attention", k)
    tail = f" Attention loses it at place{'s' if len(lost) > 1 else ''} {places(lost)}." if lost else ""
    return f"{said} By chance it would be {by_chance(sweep):.0f}.{tail}"


def said_grid(sweep: Sweep) -> str:
    """The best head, and the thirds of the layers."""
    if len(sweep.places) < 2:
        return TOO_FEW
    total = len(sweep.places)
    layer, head = sweep.first_head
    means = {name: sweep.found[list(part)].mean() for name, part in thirds(sweep).items()}
    parts = ", ".join(f"{name} layers {mean:.1f}" for name, mean in means.items())
    return (
        f"The best single head is head {head} of layer {layer}: its contrast finds gold at "
        f"{sweep.found[layer, head]:.0f} of {total} places. One head finds it on average at: {parts}."
    )


# ---- tables


def table_walk(sweep: Sweep, numbers: Numbers, place: int, bias: bool) -> Table:
    """One row per place of the prompt."""
    headers = ["place", "document", "attention (%)"] + (
        ["bias (%)", "evidence (points)", "contrast (points)"] if bias else []
    )
    row = sweep.row_of(place)
    if row is None:
        return headers, []
    columns = [numbers.share[row]] + ([numbers.bias, numbers.evidence[row], numbers.contrast[row]] if bias else [])
    order = sweep.record.order(place)
    return headers, [
        [i + 1, _title(sweep, order[i]), *(round(100 * float(column[i]), 2) for column in columns)]
        for i in range(sweep.count)
    ]


def _title(sweep: Sweep, document: int) -> str:
    return ("★ " if document == sweep.record.gold else "") + plain(sweep.record.documents[document].title)


def table_heat(sweep: Sweep, numbers: Numbers, answers: bool, calibrated: bool = False) -> Table:
    """One row per place of gold, one column per place of the prompt, in per cent."""
    values = numbers.evidence if calibrated else numbers.share
    headers = ["gold at"] + (["right or wrong"] if answers else []) + [str(i + 1) for i in range(sweep.count)]
    marks = {True: "right", False: "wrong", None: ""}
    return headers, [
        [row.place + 1, *([marks[row.right]] if answers else []), *(round(100 * float(value), 1) for value in shares)]
        for row, shares in zip(sweep.rows, values, strict=True)
    ]


def table_finders(sweep: Sweep, numbers: Numbers) -> Table:
    """One row per signal: at how many places it finds gold, and gold's rank at each."""
    k = sweep.record.settings.k
    headers = ["signal", f"found (of {len(sweep.places)})", *(str(place + 1) for place in sweep.places)]
    return headers, [[signal, found(numbers, signal, k), *numbers.ranks[signal]] for signal in SIGNALS]


def table_grid(sweep: Sweep) -> Table:
    """One row per layer: at how many places each head finds gold."""
    headers = ["layer", *(f"head {head}" for head in range(sweep.heads))]
    return headers, [[layer, *(int(value) for value in sweep.found[layer])] for layer in range(sweep.layers)]


_FOREIGN = ("document", "answer")
"""Columns whose cells are not the page's own words: what is ``dir="auto"`` is never translated."""


def table_html(table: Table, name: str) -> str:
    """A table that opens on demand."""
    headers, rows = table
    if not rows:
        return ""
    number = [all(isinstance(cell, (int, float)) for cell in column) for column in zip(*rows, strict=True)]
    classes = [
        'class="is-number"' if is_number else 'dir="auto"' if header in _FOREIGN else ""
        for header, is_number in zip(headers, number, strict=True)
    ]
    heads = [kind if is_number else "" for kind, is_number in zip(classes, number, strict=True)]
    head = "".join(f"<th {kind}>{html.escape(text)}</th>" for text, kind in zip(headers, heads, strict=True))
    body = "".join(
        "<tr>"
        + "".join(
            f"<td {kind}>{html.escape('' if c is None else str(c))}</td>" for c, kind in zip(row, classes, strict=True)
        )
        + "</tr>"
        for row in rows[:_ROWS]
    )
    return (
        f'<details><summary>{html.escape(name)} as a table</summary><div class="wl-scroll" tabindex="0">'
        f'<table class="wl-table"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div></details>'
    )


def caption(said: str, table: Table, name: str) -> str:
    """What stands under a figure: the sentence, and its numbers as a table."""
    return f'<div class="wl wl-caption"><p class="wl-sub">{html.escape(said)}</p>{table_html(table, name)}</div>'
