"""The two lessons that are runs of their own, in a plain sentence each, and as tables. Plain text."""

from __future__ import annotations

from core.duquad.crowd import SIGNALS, gold_share, length_ranks
from core.records import SweepRecord
from ui.lab_figures_lessons import NOT_READ
from ui.lab_lessons import MEASURES, WAYS, Measure, gold_at, groups, noises, of_way, right_of
from ui.markup import plain
from ui.tables import Table

_VERDICT = {True: "right", False: "wrong", None: ""}


def said_length(record: SweepRecord | None, measure: Measure) -> str:
    """The mean of each kind at its shortest and its longest, and how many answers are right."""
    if record is None or not record.lengths:
        return NOT_READ
    parts = []
    for noise in noises(record):
        found = groups(record, noise, measure)
        ends = found if len(found) == 1 else (found[0], found[-1])
        told = " and ".join(f"{group.mean:.1f} among {group.length} documents" for group in ends)
        right, known = right_of(record, noise)
        answers = f", answers right in {right} of {known} prompts" if known else ""
        parts.append(f"{noise} {told}{answers}")
    unit = " (times an even share)" if measure == "share" else ""
    warned = f" {plain(' '.join(record.warnings))}" if record.warnings else ""
    return f"{MEASURES[measure]}{unit}, mean over {_seeds(record)} orders: {'; '.join(parts)}.{warned}"


def _seeds(record: SweepRecord) -> int:
    return len({row.seed for row in record.lengths or ()})


def table_length(record: SweepRecord | None) -> Table:
    """One row per prompt: what gold draws, its rank by each signal, the answer."""
    headers = ["others", "documents", "order", "attention of gold (%)", "times an even share"]
    headers += [*(f"rank by {signal}" for signal in SIGNALS), "answer", "right"]
    if record is None:
        return headers, []
    rows = sorted(record.lengths or (), key=lambda row: (noises(record).index(row.noise), len(row.order), row.seed))
    return headers, [
        [
            *(row.noise, len(row.order), row.seed, round(100 * gold_share(record, row), 2)),
            round(len(row.order) * gold_share(record, row), 2),
            *length_ranks(record, row).values(),
            *(plain(row.answer), _VERDICT[row.right]),
        ]
        for row in rows
    ]


def said_fix(record: SweepRecord | None) -> str:
    """How often each way is right, and where it puts gold."""
    if record is None or not record.fixes:
        return NOT_READ
    parts = []
    for way, name in WAYS.items():
        found = of_way(record, way)
        known = [row.right for _, row in found if row.right is not None]
        told = f"answer right in {sum(known)} of {len(known)}, " if known else ""
        at = ", ".join("left out" if (place := gold_at(record, row)) is None else str(place + 1) for _, row in found)
        parts.append(f"{name}: {told}gold read at place {at}")
    given = ", ".join(str(fix.place + 1) for fix in record.fixes)
    return f"Gold was given at places {given}. {'; '.join(parts)}."


def table_fix(record: SweepRecord | None) -> Table:
    """One row per way and place of gold: the answer, and the way of gold through DuQUAD."""
    headers = ["way", "gold given at", "gold read at", "attention of gold (%)", "answer", "right", "way of gold"]
    rows = [(name, fix, row) for way, name in WAYS.items() for fix, row in (of_way(record, way) if record else ())]
    return headers, [
        [
            *(name, fix.place + 1),
            None if record is None or (place := gold_at(record, row)) is None else place + 1,
            None if row.share is None else round(100 * row.share, 2),
            *(plain(row.answer), _VERDICT[row.right], " → ".join(row.path or ())),
        ]
        for name, fix, row in rows
    ]
