"""Tables of a page: ruled ones by PyMuPDF, those without lines by words that stand in columns."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from core.ingest.mupdf import pymupdf
from core.ingest.pdf_draw import Rect
from core.ingest.pdf_shapes import Shapes, around, clusters
from core.ingest.pdf_text import PageWord
from core.settings.pdf import COLUMN_GAP, TABLE_CELL_WORDS, TABLE_COLUMNS, TABLE_FILLED, TABLE_ROWS

_RULES = 3  # lines each way that make a grid of two by two cells
_NEAR = 3.0  # points around a grid in which its lines and words are looked for


@dataclass(frozen=True)
class TableCell:
    """One cell."""

    row: int
    column: int
    text: str
    box: Rect


@dataclass(frozen=True)
class Table:
    """One table, in points of the page as shown."""

    box: Rect
    cells: list[TableCell]

    @property
    def text(self) -> str:
        """A line per row, its cells apart by bars; a cell that spans rows stands in its first."""
        rows: dict[int, list[str]] = {}
        for cell in self.cells:
            rows.setdefault(cell.row, []).append(cell.text)
        return "\n".join(" | ".join(texts) for _, texts in sorted(rows.items()) if any(texts))


def tables(page: pymupdf.Page, found: Shapes, words: list[PageWord], frame: Rect) -> list[Table]:
    """The tables of a page, ruled ones first.

    Looking for ruled tables costs 150 ms a page, so it is done only inside boxes where lines cross.
    """
    ruled = [table for box in _grids(found, frame) for table in _ruled(page, box, words, frame)]
    rest = [word for word in words if not any(_inside(word.box, table.box) for table in ruled)]
    return ruled + aligned(rest)


def _grids(found: Shapes, frame: Rect) -> list[Rect]:
    """Boxes around ruling lines that cross often enough to make cells."""
    if len(found.horizontal) < _RULES or len(found.vertical) < _RULES:
        return []
    grids = []
    for box, _ in clusters(found.horizontal + found.vertical, frame):
        across = {round(line[1]) for line in found.horizontal if _inside(line, box)}
        down = {round(line[0]) for line in found.vertical if _inside(line, box)}
        if len(across) >= _RULES and len(down) >= _RULES:
            grids.append(box)
    return grids


def _ruled(page: pymupdf.Page, box: Rect, words: list[PageWord], frame: Rect) -> list[Table]:
    if not any(_inside(word.box, box) for word in words):
        return []
    upright = _upright(page, frame)
    clip = pymupdf.Rect(box[0] - _NEAR, box[1] - _NEAR, box[2] + _NEAR, box[3] + _NEAR)
    made = []
    for table in upright.find_tables(clip=clip).tables:
        cells = [
            TableCell(row, column, "", tuple(cell))
            for row, cells in enumerate(table.rows)
            for column, cell in enumerate(cells.cells)
            if cell
        ]
        made.append(Table(tuple(table.bbox), _filled(cells, words)))
    return [table for table in made if _is_table(table)]


def _upright(page: pymupdf.Page, frame: Rect) -> pymupdf.Page:
    """The page with rotation, crop box and user unit applied, since PyMuPDF's search for tables drops them."""
    document = page.parent
    unit = document.xref_get_key(page.xref, "UserUnit")[0]
    if page.rotation == 0 and page.cropbox == page.mediabox and unit == "null":
        return page
    fresh = pymupdf.open()
    copy = fresh.new_page(width=frame[2], height=frame[3])
    copy.show_pdf_page(copy.rect, document, page.number)
    return copy


def _filled(cells: list[TableCell], words: list[PageWord]) -> list[TableCell]:
    """The cells with the words whose middle lies in them."""
    held: list[list[str]] = [[] for _ in cells]
    for word in words:
        for number, cell in enumerate(cells):
            if _inside(word.box, cell.box):
                held[number].append(word.text)
                break
    return [
        TableCell(cell.row, cell.column, " ".join(texts), cell.box) for cell, texts in zip(cells, held, strict=True)
    ]


def _is_table(table: Table) -> bool:
    """Whether it has two rows, two columns, and words in enough cells; the grid of a chart has not."""
    rows, columns = {cell.row for cell in table.cells}, {cell.column for cell in table.cells}
    filled = sum(bool(cell.text) for cell in table.cells)
    return len(rows) >= 2 and len(columns) >= 2 and filled >= TABLE_FILLED * len(table.cells)


@dataclass
class _Row:
    """Words on one height, as stretches that are far apart."""

    parts: list[list[PageWord]]

    @property
    def box(self) -> Rect:
        """Around its words."""
        return around([word.box for part in self.parts for word in part])


def aligned(words: list[PageWord]) -> list[Table]:
    """Tables without ruling lines: neighbouring rows whose stretches of words stand below each other."""
    found: list[Table] = []
    group: list[_Row] = []
    for row in [*_rows(words), None]:
        # A row may miss a cell once its table has begun.
        if row and group and len(row.parts) >= TABLE_COLUMNS - 1 and _follows(group[-1], row):
            group.append(row)
            continue
        if table := _aligned(group):
            found.append(table)
        group = [row] if row and len(row.parts) >= TABLE_COLUMNS else []
    return found


def _rows(words: list[PageWord]) -> list[_Row]:
    """Words by height, from top to bottom, each row from left to right."""
    rows: list[list[PageWord]] = []
    top = bottom = float("-inf")
    for word in sorted(words, key=lambda word: word.box[1] + word.box[3]):
        box = word.box
        if not rows or not top < (box[1] + box[3]) / 2 < bottom:
            top, bottom = box[1], box[3]
            rows.append([])
        rows[-1].append(word)
    return [_row(sorted(row, key=lambda word: word.box[0])) for row in rows]


def _row(words: list[PageWord]) -> _Row:
    parts = [[words[0]]]
    for before, word in pairwise(words):
        gap = COLUMN_GAP * (word.box[3] - word.box[1])
        if word.box[0] - before.box[2] > gap:
            parts.append([])
        parts[-1].append(word)
    return _Row(parts)


def _follows(above: _Row, row: _Row) -> bool:
    """Whether the row stands close below, so that both can be of one table."""
    height = max(above.box[3] - above.box[1], row.box[3] - row.box[1])
    return row.box[1] - above.box[3] < 2 * height


def _aligned(rows: list[_Row]) -> Table | None:
    if sum(len(row.parts) >= TABLE_COLUMNS for row in rows) < TABLE_ROWS:
        return None
    columns = _columns(rows)
    if len(columns) < TABLE_COLUMNS:
        return None
    box = around([row.box for row in rows])
    cells = []
    for number, row in enumerate(rows):
        held: dict[int, list[PageWord]] = {}
        for part in row.parts:
            for word in part:
                held.setdefault(_column(word, columns), []).append(word)
        for column, (left, right) in enumerate(columns):
            text = " ".join(word.text for word in held.get(column, ()))
            cells.append(TableCell(number, column, text, (left, row.box[1], right, row.box[3])))
    filled = sum(bool(cell.text) for cell in cells)
    prose = sum(len(part) for row in rows for part in row.parts) > TABLE_CELL_WORDS * filled  # newspaper columns
    return Table(box, cells) if filled >= TABLE_FILLED * len(cells) and not prose else None


def _columns(rows: list[_Row]) -> list[tuple[float, float]]:
    """(left, right) of stretches that overlap across rows, from left to right."""
    spans = sorted((part[0].box[0], part[-1].box[2]) for row in rows for part in row.parts)
    columns: list[tuple[float, float]] = []
    for left, right in spans:
        if columns and left < columns[-1][1]:
            columns[-1] = (columns[-1][0], max(columns[-1][1], right))
        else:
            columns.append((left, right))
    return columns


def _column(word: PageWord, columns: list[tuple[float, float]]) -> int:
    middle = (word.box[0] + word.box[2]) / 2
    return next(number for number, (left, right) in enumerate(columns) if left <= middle <= right)


def _inside(inner: Rect, box: Rect) -> bool:
    x, y = (inner[0] + inner[2]) / 2, (inner[1] + inner[3]) / 2
    return box[0] - _NEAR <= x <= box[2] + _NEAR and box[1] - _NEAR <= y <= box[3] + _NEAR
