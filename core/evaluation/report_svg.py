"""SVG as a tree: foreign text cannot become markup, colours are classes of the report's stylesheet."""

from __future__ import annotations

import math
from dataclasses import dataclass
from xml.etree import ElementTree as ET

from core.evaluation.analyses_record import Cell
from core.harmless import plain

WIDTH = 720
COLOURS = 8  # classes s0 to s7


@dataclass(frozen=True)
class Figure:
    """One drawing."""

    svg: str
    """Safe markup."""
    legend: tuple[tuple[str, str], ...] = ()
    """(class of the colour, name)."""
    caption: str = ""


def as_number(cell: Cell) -> float | None:
    """A cell as a number; None where it is none."""
    return float(cell) if isinstance(cell, int | float) and math.isfinite(cell) else None


def new_svg(height: float, name: str, width: float = WIDTH) -> ET.Element:
    """An empty drawing that a reader hears the name of."""
    size = {"viewBox": f"0 0 {width:.0f} {height:.0f}", "role": "img", "aria-label": plain(name)}
    return ET.Element("svg", size)


def add(parent: ET.Element, tag: str, text: str = "", **attributes: object) -> ET.Element:
    """A part of the drawing; lengths are written with one digit, text is made harmless."""
    named = {name.rstrip("_").replace("_", "-"): value for name, value in attributes.items()}
    written = {name: f"{value:.1f}" if isinstance(value, float) else str(value) for name, value in named.items()}
    child = ET.SubElement(parent, tag, written)
    child.text = plain(text) or None
    return child


def done(svg: ET.Element) -> str:
    """The drawing as markup."""
    return ET.tostring(svg, encoding="unicode", method="html")


def colour(number: int) -> str:
    """Class of the n-th colour; they come round again."""
    return f"s{number % COLOURS}"


def tip(parent: ET.Element, curve: str, x: Cell, value: float) -> None:
    """What a browser shows when the pointer rests on a mark."""
    add(parent, "title", f"{curve}, {x}: {value:.3g}")
