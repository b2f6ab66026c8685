"""Words out of a picture, by RapidOCR with the weights of its wheel."""

from __future__ import annotations

import logging
import os
from functools import cache
from typing import Any

import numpy as np
from PIL import Image

from core.ingest.pdf_draw import Rect
from core.ingest.pdf_text import PageWord

_SAME_BLOCK = 0.3  # heights of a line between two lines of one paragraph, whose boxes all but touch
_CONFIDENCE = 0.5  # of a line, from which it is kept; RapidOCR's own


@cache
def _engine() -> Any:
    """The engine, loaded once. The direction classifier is off: a page is upright once its rotation is applied."""
    from rapidocr import RapidOCR  # noqa: PLC0415  # takes a second, and most files need none

    logging.getLogger("RapidOCR").setLevel(logging.ERROR)
    threads = int(os.environ.get("OMP_NUM_THREADS") or 1)
    return RapidOCR(
        params={
            "Global.use_cls": False,
            "Global.log_level": "error",
            "Global.text_score": _CONFIDENCE,
            "EngineConfig.onnxruntime.intra_op_num_threads": threads,
            "EngineConfig.onnxruntime.inter_op_num_threads": 1,
        }
    )


def read_picture(image: Image.Image, scale: float) -> list[PageWord]:
    """The words of a picture in reading order, grouped in lines and paragraphs.

    Args:
        image: the page, upright.
        scale: pixels per point; boxes come in points.
    """
    pixels = np.asarray(image.convert("RGB"))[:, :, ::-1]  # (h, w, 3), blue first as OpenCV has it
    result = _engine()(np.ascontiguousarray(pixels), return_word_box=True)
    if result.txts is None or not result.word_results:
        return []
    lines = []
    for text, box, pieces in zip(result.txts, result.boxes, result.word_results, strict=True):
        words = _words(text, _around(box), pieces)
        if words:
            lines.append([(word, tuple(value / scale for value in place)) for word, place in words])
    return _numbered(lines)


def _words(text: str, line: Rect, pieces: Any) -> list[tuple[str, Rect]]:
    """The line's words with their boxes: the engine's own where they spell the line, else by share of its width."""
    found = [(piece[0], _around(piece[2])) for piece in pieces if piece[2] is not None and piece[0].strip()]
    if found and "".join(word for word, _ in found).replace(" ", "") == text.replace(" ", ""):
        return _respaced(text, found)
    return _by_share(text, line)


def _respaced(text: str, found: list[tuple[str, Rect]]) -> list[tuple[str, Rect]]:
    """The engine's pieces put together to the words of the text: it parts a word at hyphens and digits."""
    words, rest = [], list(found)
    for word in text.split():
        spelled, boxes = "", []
        while rest and len(spelled) < len(word):
            piece, box = rest.pop(0)
            spelled += piece.replace(" ", "")
            boxes.append(box)
        if spelled != word:
            return _by_share(text, _union([box for _, box in found]))
        words.append((word, _union(boxes)))
    return words


def _by_share(text: str, line: Rect) -> list[tuple[str, Rect]]:
    left, top, right, bottom = line
    step = (right - left) / max(len(text), 1)
    words, at = [], 0
    for word in text.split():
        at = text.index(word, at)
        words.append((word, (left + at * step, top, left + (at + len(word)) * step, bottom)))
        at += len(word)
    return words


def _numbered(lines: list[Any]) -> list[PageWord]:
    """Words with the numbers of their paragraph and line: lines close below each other are one paragraph."""
    blocks: list[list[Any]] = []
    for line in sorted(lines, key=lambda line: line[0][1][1]):
        box = _union([place for _, place in line])
        height = box[3] - box[1]
        home = next((block for block in reversed(blocks) if _goes_on(block[-1], box, height)), None)
        if home is None:
            blocks.append(home := [])
        home.append((box, line))
    return [
        PageWord(text, place, number, at)
        for number, block in enumerate(blocks)
        for at, (_, line) in enumerate(block)
        for text, place in line
    ]


def _goes_on(last: Any, box: Rect, height: float) -> bool:
    above = last[0]
    shared = min(above[2], box[2]) - max(above[0], box[0])
    close = -0.5 * height < box[1] - above[3] < _SAME_BLOCK * height
    alike = 0.6 < height / max(above[3] - above[1], 1e-6) < 1.6
    return bool(close and alike and shared > 0.5 * min(above[2] - above[0], box[2] - box[0]))


def _around(points: Any) -> Rect:
    xs, ys = [float(point[0]) for point in points], [float(point[1]) for point in points]
    return (min(xs), min(ys), max(xs), max(ys))


def _union(boxes: list[Rect]) -> Rect:
    left, top, right, bottom = zip(*boxes, strict=True)
    return (min(left), min(top), max(right), max(bottom))
