"""The words of a page's text layer, as the picture shows them: which can be seen, and whether they are words at all."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

from core.ingest.lines import clean
from core.ingest.mupdf import pymupdf
from core.ingest.pdf_draw import Picture, Rect
from core.settings import (
    GARBAGE_SHARE,
    LIGHT_LEVEL,
    TINY_POINTS,
    UNPRONOUNCEABLE_SHARE,
    UNPRONOUNCEABLE_WORDS,
)

_PAINTED = pymupdf.mupdf.FZ_STEXT_FILLED | pymupdf.mupdf.FZ_STEXT_STROKED
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\x00-\x1f\x7f-\x9f]")
_BROKEN = re.compile("[\ufffd\ue000-\uf8ff\U000f0000-\U0010ffff]")  # U+FFFD and private use
_LETTERS = re.compile(r"[^\W\d_]+")
_VOWEL = re.compile("[aeiouyAEIOUY]")


@dataclass(frozen=True, slots=True)
class PageWord:
    """A word on a page."""

    text: str
    box: Rect
    """In points of the page as shown."""
    block: int
    """Number of the paragraph-like block that it stands in."""
    line: int
    """Number of its line in the block."""
    broken: bool = False
    """Whether it ends with a hyphen that only the line's end put there (a soft hyphen)."""


@dataclass(frozen=True)
class TextLayer:
    """What a text layer holds."""

    seen: list[PageWord]
    """Words that the picture shows."""
    hidden: list[PageWord]
    """Words that it does not show."""
    notes: list[str]
    grey: bool
    """Whether no letter has a colour."""
    fits: bool = True
    """Whether all words were kept."""


def text_layer(shown: pymupdf.DisplayList, most: int) -> tuple[TextLayer, list[Any]]:
    """The words in the page's own order, and the spans that must be looked at in the picture.

    Coordinates are those of the picture, since text and picture come from one display list: rotation, crop box
    and user unit are applied once, for both.
    """
    # No flag for ligatures: they come as letters. No flag for characters without a Unicode value: they come as U+FFFD.
    page = pymupdf.TextPage(shown.get_textpage(pymupdf.TEXT_PRESERVE_WHITESPACE))
    found = page.extractWORDS()
    words = [_word(item) for item in found[:most]]
    blocks = [block for block in page.extractDICT()["blocks"] if block["type"] == 0]
    spans = [(block["number"], span) for block in blocks for line in block["lines"] for span in line["spans"]]
    unpainted = [(number, span) for number, span in spans if _unpainted(span)]
    doubtful = [(number, span) for number, span in spans if not _unpainted(span) and _is_light(span["color"])]
    seen, hidden = parted([word for word in words if word.text], unpainted)
    grey = all(_is_grey(span["color"]) for _, span in spans)
    seen, doubled = _once(seen)
    notes = ["Words that stand on the page twice are kept once."] if doubled else []
    if len(found) > most:
        notes.append(f"The page has {len(found):,} words; the first {most:,} are kept.")
    return TextLayer(seen, hidden, notes, grey), doubtful


def without_unseen(layer: TextLayer, doubtful: list[Any], picture: Picture) -> TextLayer:
    """The layer with light-coloured words moved to the hidden ones where nothing of them is to be seen."""
    light, unseen = parted(layer.seen, doubtful)[1], []
    if light:
        unseen = [word for word in light if not picture.shows(word.box)]
    gone = set(map(id, unseen))
    return replace(layer, seen=[word for word in layer.seen if id(word) not in gone], hidden=layer.hidden + unseen)


def parted(words: list[PageWord], spans: list[Any]) -> tuple[list[PageWord], list[PageWord]]:
    """The words that lie outside the (block, span) pairs, and those inside."""
    if not spans:
        return words, []
    boxes: dict[int, list[Rect]] = {}
    for number, span in spans:
        boxes.setdefault(number, []).append(span["bbox"])
    inside = [any(_holds(box, word.box) for box in boxes.get(word.block, ())) for word in words]
    return (
        [word for word, is_inside in zip(words, inside, strict=True) if not is_inside],
        [word for word, is_inside in zip(words, inside, strict=True) if is_inside],
    )


def is_garbage(words: list[PageWord]) -> bool:
    """Whether the letters are not those that the picture shows.

    Fonts without a map to Unicode give U+FFFD, private-use or control characters; fonts with a wrong map give plausible
    letters in impossible words. Words in other scripts than Latin count as possible.
    """
    letters = "".join(word.text for word in words)
    if len(_BROKEN.findall(letters)) > GARBAGE_SHARE * len(letters):
        return True
    tokens = [max(runs, key=len) for word in words if (runs := _LETTERS.findall(word.text))]
    tokens = [token for token in tokens if len(token) >= 4]
    bad = sum(token.isascii() and not _VOWEL.search(token) for token in tokens)
    return len(tokens) >= UNPRONOUNCEABLE_WORDS and bad > UNPRONOUNCEABLE_SHARE * len(tokens)


def _word(item: Any) -> PageWord:
    left, top, right, bottom, text, block, line, _ = item
    kept = text if text.isascii() and text.isprintable() else clean(_INVISIBLE.sub("", text))
    return PageWord(kept, (left, top, right, bottom), block, line, text.endswith("\u00ad"))


def _unpainted(span: Any) -> bool:
    return not span["char_flags"] & _PAINTED or span["alpha"] == 0 or span["size"] < TINY_POINTS


def _is_light(colour: int) -> bool:
    return min(colour >> 16, colour >> 8 & 0xFF, colour & 0xFF) >= LIGHT_LEVEL


def _is_grey(colour: int) -> bool:
    return colour >> 16 == colour >> 8 & 0xFF == colour & 0xFF


def _holds(box: Rect, word: Rect) -> bool:
    x, y = (word[0] + word[2]) / 2, (word[1] + word[3]) / 2
    return box[0] - 0.5 <= x <= box[2] + 0.5 and box[1] - 0.5 <= y <= box[3] + 0.5


def _once(words: list[PageWord]) -> tuple[list[PageWord], bool]:
    """The words without those that are painted again at the same place, as shadows and OCR over scans are."""
    taken: set[tuple[str, int, int]] = set()
    kept = []
    for word in words:
        text, (left, top, _, bottom) = word.text, word.box
        near = min((bottom - top) / 4, 2.0)
        across = {int(left - near) // 4, int(left + near) // 4}  # places are told apart on a grid of four points
        down = {int(top - near) // 4, int(top + near) // 4}
        places = [(text, x, y) for x in across for y in down]
        if not any(place in taken for place in places):
            taken.add((text, int(left) // 4, int(top) // 4))
            kept.append(word)
    return kept, len(kept) < len(words)
