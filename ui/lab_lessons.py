"""The two lessons that are runs of their own, length and fix, as numbers: pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from core.duquad.crowd import gold_share, length_ranks
from core.records import SweepRecord
from core.sweep_record import Noise, SweepFix, SweepWay, Way

Measure = Literal["share", "attention", "contrast", "SFS"]
"""What a length is judged by: gold's attention against an even share, or its rank by a signal."""

MEASURES: dict[Measure, str] = {
    "share": "Attention of gold",
    "attention": "Rank by attention",
    "contrast": "Rank by contrast",
    "SFS": "Rank by SFS",
}
NOISES: dict[Noise, str] = {"hard": "hard", "random": "random", "duplicated": "duplicated"}
WAYS: dict[Way, str] = {
    "vanilla": "As given",
    "best_first": "Best first",
    "u_shape": "U shape",
    "duquad": "DuQUAD",
}


@dataclass(frozen=True)
class Lessons:
    """What has been read of the two; None where nothing has."""

    length: SweepRecord | None = None
    fix: SweepRecord | None = None


NONE = Lessons()


@dataclass(frozen=True)
class Cell:
    """One prompt of one length."""

    seed: int
    value: float
    right: bool | None
    """Whether the answer is right; None where that is not known."""


@dataclass(frozen=True)
class Group:
    """The prompts of one kind and length, one per seed."""

    length: int
    cells: tuple[Cell, ...]

    @property
    def mean(self) -> float:
        """Mean over the seeds."""
        return sum(cell.value for cell in self.cells) / len(self.cells)

    @property
    def low(self) -> float:
        """The lowest over the seeds."""
        return min(cell.value for cell in self.cells)

    @property
    def high(self) -> float:
        """The highest over the seeds."""
        return max(cell.value for cell in self.cells)


def groups(record: SweepRecord, noise: Noise, measure: Measure) -> tuple[Group, ...]:
    """The prompts of one kind by ascending length."""
    found: dict[int, list[Cell]] = {}
    for row in record.lengths or ():
        if row.noise == noise:
            n = len(row.order)
            value = n * gold_share(record, row) if measure == "share" else length_ranks(record, row)[measure]
            found.setdefault(n, []).append(Cell(row.seed, float(value), row.right))
    return tuple(Group(length, tuple(cells)) for length, cells in sorted(found.items()))


def noises(record: SweepRecord) -> tuple[Noise, ...]:
    """The kinds that were read, in the order of the page."""
    read = {row.noise for row in record.lengths or ()}
    return tuple(noise for noise in NOISES if noise in read)


def lengths(record: SweepRecord) -> tuple[int, ...]:
    """The lengths that were read, ascending."""
    return tuple(sorted({len(row.order) for row in record.lengths or ()}))


def right_of(record: SweepRecord, noise: Noise | None = None) -> tuple[int, int]:
    """How many answers are right, and of how many that is known; of one kind or of all."""
    known = [row.right for row in record.lengths or () if noise in (None, row.noise) and row.right is not None]
    return sum(known), len(known)


def gold_at(record: SweepRecord, way: SweepWay) -> int | None:
    """Place of gold in what was read, 0-based; None where it was left out."""
    return way.order.index(record.gold) if record.gold in way.order else None


def of_way(record: SweepRecord, way: Way) -> tuple[tuple[SweepFix, SweepWay], ...]:
    """One way at every place that was asked."""
    return tuple((fix, found) for fix in record.fixes or () for found in fix.ways if found.way == way)


def brought_back(record: SweepRecord, way: SweepWay) -> str:
    """At which stage of DuQUAD gold came back, or was lost, in a clause."""
    k, before, after = record.settings.k, way.attention_rank or 0, way.sfs_rank or 0
    if after > k:
        return f"it is lost at the cut: number {after} by SFS, and the Local Agent reads {k}"
    if not way.quoted:
        return f"SFS has it at number {after}, and then it is lost: not quoted to the Judge"
    if before > k:
        return f"SFS brings it back: number {before} by attention, {after} by SFS, and quoted to the Judge"
    return f"it is never lost: number {before} by attention, {after} by SFS, and quoted to the Judge"
