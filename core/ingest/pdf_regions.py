"""Parts of a page in reading order: text blocks, tables, figures, captions; and the page's text."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING

from core.ingest.pdf_draw import Rect
from core.ingest.pdf_shapes import around
from core.ingest.pdf_tables import Table, TableCell
from core.ingest.pdf_text import PageWord

if TYPE_CHECKING:
    from core.page_record import RegionKind

_CAPTION = re.compile(
    r"(fig(ure|\.)?|tab(le|\.)?|chart|exhibit|abb(ildung|\.)?|tabelle|tableau|plate|diagram)\s*[A-Z]?\d+[.:\s–-]", re.I
)
_WIDE = 0.6  # of the width that all blocks take: a block as wide parts what is above it from what is below
_MARGIN = 0.07  # of the page's height: running titles above, page numbers below
_FULL = 0.8  # of its block's width: a line as wide goes on in the next one
_LABEL_GAP = 14.0  # points between a figure and words that label it
_LABEL_WORDS = 4  # of a line that labels a figure


@dataclass
class Part:
    """A region before it is written down."""

    kind: RegionKind
    box: Rect
    text: str
    cells: list[TableCell] = field(default_factory=list)


def parts_of(words: list[PageWord], tables: list[Table], figures: list[Rect], height: float) -> list[Part]:
    """The regions of a page in reading order.

    Args:
        words: in the order of the text layer, or of OCR.
        tables: whose words stand in their cells.
        figures: boxes; words in them, and short ones beside them, are their labels.
        height: of the page.
    """
    rest = [word for word in words if not any(_in(word.box, table.box) for table in tables)]
    blocks = [list(block) for _, block in groupby(rest, key=lambda word: word.block)]
    grown, blocks = _labelled(figures, blocks)
    parts = [Part("table", table.box, table.text, table.cells) for table in tables] + grown
    common = Counter(word.text.lower() for word in words)
    for block in blocks:
        text = joined(block, common)
        kind: RegionKind = "caption" if _CAPTION.match(text) else "text"
        parts.append(Part(kind, around([word.box for word in block]), text))
    return in_reading_order(parts, height)


def page_text(parts: list[Part]) -> str:
    """The text of all regions, a blank line between two."""
    return "\n\n".join(part.text for part in parts if part.text)


def joined(block: list[PageWord], known: Counter[str]) -> str:
    """The block's lines as text: lines that fill its width run on, words broken at a line's end are mended.

    A word with a soft hyphen is joined; one with a plain hyphen only where the page has it in one piece elsewhere.
    """
    lines = [list(line) for _, line in groupby(block, key=lambda word: word.line)]
    edge = around([word.box for word in block])
    text = ""
    for number, line in enumerate(lines):
        said = " ".join(word.text for word in line)
        before = lines[number - 1] if number else []
        if not before:
            text = said
        elif before[-1].broken:
            text += said
        elif _breaks(before[-1].text, line[0].text):
            whole = before[-1].text[:-1] + line[0].text
            text = (text[:-1] if known[whole.strip(".,;:!?)").lower()] else text) + said
        else:
            full = before[-1].box[2] - edge[0] >= _FULL * (edge[2] - edge[0])
            text += (" " if full else "\n") + said
    return text


def _breaks(last: str, first: str) -> bool:
    return len(last) > 2 and last[-1] in "-‐" and last[-2].isalpha() and first[:1].islower()


def _labelled(figures: list[Rect], blocks: list[list[PageWord]]) -> tuple[list[Part], list[list[PageWord]]]:
    """Figures with the words that label them, and the blocks without those."""
    labels: list[list[PageWord]] = [[] for _ in figures]
    kept = []
    for block in blocks:
        around_block = around([word.box for word in block])
        caption = bool(_CAPTION.match(" ".join(word.text for word in block[:3]) + " "))
        lines = len({word.line for word in block})
        short = not caption and len(block) <= _LABEL_WORDS * lines
        rest = block
        for number, figure in enumerate(figures):
            if short and _near(around_block, figure, _LABEL_GAP):
                labels[number] += rest
                rest = []
            elif not caption:
                labels[number] += [word for word in rest if _in(word.box, figure)]
                rest = [word for word in rest if not _in(word.box, figure)]
        if rest:
            kept.append(rest)
    made = []
    for figure, inside in zip(figures, labels, strict=True):
        box = around([figure, *(word.box for word in inside)])
        lines_of = groupby(inside, key=lambda word: (word.block, word.line))
        made.append(Part("figure", box, "\n".join(" ".join(word.text for word in line) for _, line in lines_of)))
    return made, kept


def in_reading_order(parts: list[Part], height: float) -> list[Part]:
    """Parts by bands between wide ones; inside a band by columns from left to right, each from top to bottom.

    What stands in the margins above and below comes first and last, wherever it stands from side to side.
    """
    if len(parts) < 2:
        return parts
    left, _, right, _ = around([part.box for part in parts])
    widest = _WIDE * (right - left)
    edges = [(part.box[1] + part.box[3]) / 2 for part in parts if part.box[2] - part.box[0] > widest]
    edges += [_MARGIN * height, (1 - _MARGIN) * height]
    bands: dict[int, list[Part]] = {}
    for part in parts:
        middle = (part.box[1] + part.box[3]) / 2
        above = sum(edge < middle for edge in edges)
        bands.setdefault(2 * above + (part.box[2] - part.box[0] > widest), []).append(part)
    return [part for _, band in sorted(bands.items()) for part in _by_columns(band)]


def _by_columns(band: list[Part]) -> list[Part]:
    """Parts that overlap sideways stand in one column."""
    columns: list[list[Part]] = []
    reach = float("-inf")
    for part in sorted(band, key=lambda part: part.box[0]):
        if part.box[0] >= reach - 1:
            columns.append([])
        columns[-1].append(part)
        reach = max(reach, part.box[2])
    return [part for column in columns for part in sorted(column, key=lambda part: (part.box[1], part.box[0]))]


def _in(inner: Rect, box: Rect) -> bool:
    x, y = (inner[0] + inner[2]) / 2, (inner[1] + inner[3]) / 2
    return box[0] <= x <= box[2] and box[1] <= y <= box[3]


def _near(one: Rect, other: Rect, gap: float) -> bool:
    across = max(one[0], other[0]) - min(one[2], other[2])
    down = max(one[1], other[1]) - min(one[3], other[3])
    return max(across, down) <= gap
