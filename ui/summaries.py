"""Each figure in one plain sentence: for screen readers and captions. Plain text, to be escaped by the page."""

from __future__ import annotations

import numpy as np

from core.records import RunRecord
from ui.derived import Derived
from ui.markup import NO_CANDIDATE, UNREAD, UNSCORED, is_gold, kind, missing, number


def _gold(record: RunRecord) -> list[int]:
    return [i for i in range(len(record.documents)) if is_gold(record, i)]


def _mark(record: RunRecord, document: int) -> str:
    return f"{kind(record)} {number(record, document)}{' (gold)' if is_gold(record, document) else ''}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def summary_curve(record: RunRecord, derived: Derived | None) -> str:
    """Who draws the most attention, how the ends compare with the middle, and where the sharpest spike is."""
    if derived is None:
        return missing(record, *UNREAD)
    n, share = len(record.documents), 100 * derived.attention
    top = int(np.argmax(derived.attention))
    said = [f"{_mark(record, top)} draws the most attention ({share[top]:.1f} %)"]
    if n >= 5:
        ends, middle = float(share[[0, -1]].mean()), float(share[1:-1].mean())
        said.append(f"the two ends draw {ends:.1f} % on average, the {kind(record)}s between them {middle:.1f} %")
    if n >= 2:
        spike = int(np.argmax(derived.contrast))
        said.append(
            f"{_mark(record, spike)} stands out most from its neighbours "
            f"({100 * derived.contrast_share[spike]:+.1f} points)"
        )
    said += [
        f"gold {kind(record)} {number(record, i)} draws {share[i]:.1f} %, rank {derived.attention_rank[i]} of {n}"
        for i in _gold(record)
        if i != top
    ]
    return _capital("; ".join(said)) + "."


def summary_ranking(record: RunRecord, derived: Derived | None) -> str:
    """The best documents by SFS, and where gold stands against the cut."""
    if derived is None:
        return missing(record, *UNREAD)
    read = derived.ranking[: derived.settings.k]
    numbers = ", ".join(str(number(record, row.document)) for row in read)
    said = [f"The Local Agent reads {kind(record)}{'s' if len(read) > 1 else ''} {numbers}, best first"]
    for i in _gold(record):
        place = derived.place[i]
        side = "inside the cut" if place <= derived.settings.k else f"below the cut at {derived.settings.k}"
        said.append(f"gold {kind(record)} {number(record, i)} moves from place {i + 1} to {place}, {side}")
    return "; ".join(said) + "."


def summary_pool(record: RunRecord, derived: Derived | None) -> str:
    """How many candidates are kept, and which."""
    if derived is None or record.pool is None:
        return missing(record, *UNSCORED)
    if not derived.pool:
        return NO_CANDIDATE
    kept = [entry.document for entry in derived.pool if entry.kept]
    numbers = ", ".join(_mark(record, document) for document in kept)
    said = f"{len(kept)} of {len(derived.pool)} candidates kept at τ = {derived.settings.tau:g}"
    lost = [i for i in _gold(record) if any(entry.document == i and not entry.kept for entry in derived.pool)]
    tail = "".join(f"; gold {kind(record)} {number(record, i)} is pruned" for i in lost)
    return f"{said}{': ' + numbers if kept else ''}{tail}."
