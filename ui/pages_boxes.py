"""Boxes over a page: clues, citations, and the similarity of the question's words. Places come from foreign
files, so every number is checked before it becomes a style.
"""

from __future__ import annotations

import html
import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.page_record import Box, PageLayout, PageMap
from core.records import RunRecord
from ui.document_view import LEVELS
from ui.markup import short
from ui.read_state import WHOLE, ReadView

_FAINT = 60  # percentile of a token's similarities, over all candidate pages, below which nothing is drawn
_THIN = 0.004  # least side of a drawn box, as a share of the page: thinner ones cannot be seen or hit


def placed(box: Box) -> str | None:
    """A box as a style in percent, cut to the page; None for one that has no place on it."""
    if not all(map(math.isfinite, box)):
        return None
    left, top, right, bottom = (min(max(side, 0.0), 1.0) for side in box)
    if right <= left or bottom <= top:
        return None
    width, height = max(right - left, _THIN), max(bottom - top, _THIN)
    return f"left:{100 * left:.2f}%;top:{100 * top:.2f}%;width:{100 * width:.2f}%;height:{100 * height:.2f}%"


def boxes_html(record: RunRecord, view: ReadView, page: int) -> str:
    """The boxes of the page's clues and citations, the lit one's on top; each selects its row."""
    found = []
    for index, clue in enumerate(record.clues or ()):
        if clue.page == page and ("clues" not in view.hidden or view.clue == index):
            found.append(_boxes("clue", index, clue.content, clue.boxes, view.clue == index))
    for index, citation in enumerate(record.citations or ()):
        if citation.page == page and ("citations" not in view.hidden or view.cite == index):
            found.append(_boxes("cite", index, citation.evidence, citation.boxes, view.cite == index))
    return "".join(found)


def _boxes(kind: str, index: int, text: str, boxes: Sequence[Box], lit: bool) -> str:
    """One button for the first box, plain marks for the others: one stop for the Tab key."""
    name = {"clue": "Clue", "cite": "Citation"}[kind]
    said = html.escape(f"{name} {index + 1}: {short(text, 90)}")
    styles = [style for style in map(placed, boxes) if style]
    classes = f"wl-box is-{kind}{' is-lit' if lit else ''}"
    parts = [
        f'<button type="button" class="{classes}" data-read="{kind}" data-value="{index}" style="{styles[0]}" '
        f'aria-pressed="{"true" if lit else "false"}" aria-label="{said}" title="{said}">'
        f'<span class="wl-tag" aria-hidden="true">{"C" if kind == "clue" else ""}{index + 1}</span></button>'
        for _ in styles[:1]
    ]
    parts += [f'<span class="{classes}" style="{style}" aria-hidden="true"></span>' for style in styles[1:]]
    return "".join(parts)


def page_map(record: RunRecord, page: int) -> PageMap | None:
    """The similarity over a page, where the run kept it."""
    maps = record.similarity.pages if record.similarity else ()
    return next((found for found in maps if found.page == page), None)


def map_values(found: PageMap, token: int) -> NDArray[np.float64]:
    """Similarity of one token, or of the best token (``WHOLE``), with each word or patch; what is no number is 0."""
    rows = found.values if token == WHOLE else found.values[token : token + 1]
    if not rows or len({len(row) for row in rows}) != 1:
        return np.zeros(0)
    return np.nan_to_num(np.array(rows, dtype=np.float64), nan=0.0, posinf=0.0, neginf=0.0).max(axis=0)


def map_levels(record: RunRecord, page: int, token: int) -> NDArray[np.int8]:
    """Shade of each word or patch, 0 to LEVELS, on one scale over all candidate pages of the run."""
    found = page_map(record, page)
    maps = record.similarity.pages if record.similarity else ()
    everything = np.concatenate([map_values(one, token) for one in maps]) if maps else np.zeros(0)
    if found is None or not len(everything):
        return np.zeros(0, dtype=np.int8)
    low, high = float(np.percentile(everything, _FAINT)), float(everything.max())
    values = map_values(found, token)
    if high <= low:
        return np.zeros(len(values), dtype=np.int8)
    return np.clip(np.rint(LEVELS * (values - low) / (high - low)), 0, LEVELS).astype(np.int8)


def heat_html(record: RunRecord, view: ReadView, page: int, layout: PageLayout | None) -> str:
    """The similarity of the chosen token as shades over words or patches; empty where none is chosen or known."""
    found = page_map(record, page)
    if view.token is None or found is None:
        return ""
    levels = map_levels(record, page, view.token)
    cells = (
        _patches(found, len(levels))
        if found.kind == "patches"
        else [word.box for word in layout.words]
        if layout
        else []
    )
    shades = [
        f'<i class="w{level}" style="{style}"></i>'
        for level, box in zip(levels.tolist(), cells, strict=False)
        if level and (style := placed(box))
    ]
    return f'<div class="wl-heat" aria-hidden="true">{"".join(shades)}</div>'


def _patches(found: PageMap, count: int) -> list[Box]:
    """The boxes of a grid of patches, row by row; none where the grid does not fit the values."""
    rows, columns = found.grid or (0, 0)
    if rows < 1 or columns < 1 or rows * columns != count:
        return []
    return [(c / columns, r / rows, (c + 1) / columns, (r + 1) / rows) for r in range(rows) for c in range(columns)]


def best_words(record: RunRecord, page: int, token: int, layout: PageLayout | None, count: int = 3) -> list[str]:
    """The page's words that are most similar to a token, best first, each once; none for patches."""
    found = page_map(record, page)
    if found is None or found.kind != "words" or layout is None:
        return []
    values = map_values(found, token)[: len(layout.words)]
    words = [layout.words[i].text for i in np.argsort(-values, kind="stable")]
    return list(dict.fromkeys(word for word in words if word.strip()))[:count]
