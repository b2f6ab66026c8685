"""What is drawn on a page besides letters: ruling lines that suggest tables, and clusters that are figures."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from core.ingest.mupdf import pymupdf
from core.ingest.pdf_draw import Rect
from core.ingest.pdf_text import TextLayer, is_grey
from core.settings.pdf import FIGURE_PARTS, FIGURE_SHARE

_GRID = 64  # cells per side of the map on which drawings are clustered
_THIN = 2.0  # points up to which a filled rectangle is a ruling line
_REACH = 6.0  # points around a drawing in which others belong to the same figure
_LONG = 12.0  # points from which a line can rule a table


@dataclass(frozen=True)
class Shapes:
    """The drawings and images of a page, in points of the page as shown."""

    boxes: list[Rect]
    """Of vector drawings."""
    images: list[Rect]
    horizontal: list[Rect]
    """Ruling lines, and edges of rectangles."""
    vertical: list[Rect]
    grey: bool
    """Whether nothing of this has a colour; False where that is not known."""


def shapes(page: pymupdf.Page, frame: Rect, layer: TextLayer) -> Shapes:
    """The shapes of a page.

    Args:
        page: the page.
        frame: the page as shown, in points.
        layer: of the page, with the lines and areas that were found beside its words.
    """
    boxes, horizontal, vertical = [], [], []
    for vector in layer.vectors:
        boxes.append(tuple(vector["bbox"]))
        for left, top, right, bottom in _lines(boxes[-1], vector["isrect"]):
            if right - left >= _LONG and bottom - top <= _THIN:
                horizontal.append((left, top, right, bottom))
            elif bottom - top >= _LONG and right - left <= _THIN:
                vertical.append((left, top, right, bottom))
    images, grey = list(layer.images), all(is_grey(vector["color"]) for vector in layer.vectors)
    if page.first_annot or page.first_widget or page.get_xobjects() or page.get_images():
        turn = Turn(page.rotation, frame)
        images = [turn(image["bbox"]) for image in page.get_image_info()]
        grey = False  # what forms and annotations paint is not looked into
    grey = grey and not images and not any(font[2] == "Type3" for font in page.get_fonts())
    return Shapes(boxes, images, horizontal, vertical, grey)


class Turn:
    """Boxes of the unrotated page, which PyMuPDF gives for images, to the page as shown."""

    def __init__(self, rotation: int, frame: Rect) -> None:
        self._rotation = rotation
        self._width, self._height = frame[2], frame[3]

    def __call__(self, box: Any) -> Rect:
        """The box as shown."""
        left, top, right, bottom = box
        if self._rotation == 90:
            return (self._width - bottom, left, self._width - top, right)
        if self._rotation == 180:
            return (self._width - right, self._height - bottom, self._width - left, self._height - top)
        if self._rotation == 270:
            return (top, self._height - right, bottom, self._height - left)
        return (left, top, right, bottom)


def _lines(box: Rect, is_rectangle: bool) -> list[Rect]:
    """The box itself, or the edges of a rectangle that is no line."""
    left, top, right, bottom = box
    if not is_rectangle or min(right - left, bottom - top) <= _THIN:
        return [box]
    edges = (
        (left, top, right, top),
        (left, bottom, right, bottom),
        (left, top, left, bottom),
        (right, top, right, bottom),
    )
    return list(edges)


def clusters(boxes: list[Rect], frame: Rect) -> list[tuple[Rect, int]]:
    """Drawings that stand together, as (box around them, how many), in no order.

    Boxes are marked on a coarse map of the page, so that a map of 100,000 lines costs no more than a chart.
    """
    across, down = max(frame[2], 1) / _GRID, max(frame[3], 1) / _GRID
    cells: dict[tuple[int, int], int] = {}
    parent: list[int] = []
    marked: dict[Rect, int] = {}
    for number, (left, top, right, bottom) in enumerate(boxes):
        parent.append(number)
        x0, y0, x1, y1 = area = (_cell(left, across), _cell(top, down), _cell(right, across), _cell(bottom, down))
        if (first := marked.setdefault(area, number)) != number:
            _join(parent, number, first)
            continue
        for x in range(x0, x1 + 1):
            for y in range(y0, y1 + 1):
                _join(parent, cells.setdefault((x, y), number), number)
    for (x, y), number in cells.items():
        for beside in ((x + 1, y), (x, y + 1), (x + 1, y + 1), (x - 1, y + 1)):
            if beside in cells:
                _join(parent, cells[beside], number)
    groups: dict[int, list[Rect]] = {}
    for number, box in enumerate(boxes):
        groups.setdefault(_root(parent, number), []).append(box)
    return [(around(group), len(group)) for group in groups.values()]


def _cell(value: float, size: float) -> int:
    return min(max(int(value / size), 0), _GRID - 1)


def _root(parent: list[int], number: int) -> int:
    while parent[number] != number:
        parent[number] = parent[parent[number]]
        number = parent[number]
    return number


def _join(parent: list[int], one: int, other: int) -> None:
    parent[_root(parent, one)] = _root(parent, other)


def around(boxes: Iterable[Rect]) -> Rect:
    """The smallest box around all."""
    left, top, right, bottom = zip(*boxes, strict=True)
    return (min(left), min(top), max(right), max(bottom))


def figures(found: Shapes, tables: list[Rect], frame: Rect) -> list[Rect]:
    """Boxes of figures: images and clusters of drawings that are large enough and no table."""
    area = max(frame[2] * frame[3], 1)
    whole = 0.8 * area  # frames and backgrounds of the page hold everything, and a scan is no figure of its page
    drawings = [box for box in found.boxes if _area(box) < whole and not _any_holds(tables, box)]
    parts = [box for box in found.images if _area(box) < whole] + drawings
    kept = []
    for reach, count in clusters([_grown(_clipped(box, frame), _REACH) for box in parts], frame):
        box = _grown(reach, -_REACH)
        pictured = any(_holds(box, image) for image in found.images if _area(image) < whole)
        if _area(box) >= FIGURE_SHARE * area and (count >= FIGURE_PARTS or pictured) and _area(box) < whole:
            kept.append(box)
    return kept


def _grown(box: Rect, by: float) -> Rect:
    return (box[0] - by, box[1] - by, box[2] + by, box[3] + by)


def _area(box: Rect) -> float:
    return max(box[2] - box[0], 0) * max(box[3] - box[1], 0)


def _clipped(box: Rect, frame: Rect) -> Rect:
    left, top = min(max(box[0], 0), frame[2]), min(max(box[1], 0), frame[3])
    return (left, top, min(max(box[2], left), frame[2]), min(max(box[3], top), frame[3]))


def _holds(box: Rect, inner: Rect) -> bool:
    x, y = (inner[0] + inner[2]) / 2, (inner[1] + inner[3]) / 2
    return box[0] <= x <= box[2] and box[1] <= y <= box[3]


def _any_holds(boxes: list[Rect], inner: Rect) -> bool:
    return any(_holds(box, inner) for box in boxes)
