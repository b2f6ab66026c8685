"""What an analysis gives: a plain table, and how a page draws it."""

from __future__ import annotations

from typing import Literal

from core.records import Record

Cell = str | int | float | bool | None
"""A value of a row; None where it does not exist."""
Drawing = Literal["line", "bar", "grid", "flow", "table"]


class Analysis(Record):
    """One finished analysis."""

    name: str
    """Key of the analysis, also of its files."""
    title: str
    columns: tuple[str, ...]
    """Names of the columns, with units."""
    rows: tuple[tuple[Cell, ...], ...]
    """As long as the columns; none where the set has nothing to show."""
    note: str = ""
    """What the figures are over, what they cannot tell, and why there are none."""
    drawing: Drawing = "table"
    """How a page draws it; its table stands beside it always."""
    x: str = ""
    """Column of the horizontal axis."""
    y: tuple[str, ...] = ()
    """Columns of the vertical axis; of a grid the two columns are the second axis and the value."""
    y2: tuple[str, ...] = ()
    """Columns in another unit, which need an axis of their own."""
    series: str = ""
    """Column whose values are lines or bars of their own."""
    low: str = ""
    """Column of the lower ends of the intervals of the first y."""
    high: str = ""


def nothing(name: str, title: str, columns: tuple[str, ...], why: str) -> Analysis:
    """An analysis that this set has no numbers for."""
    return Analysis(name=name, title=title, columns=columns, rows=(), note=why)
