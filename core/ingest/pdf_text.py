"""The words of a page's text layer, as the picture shows them: which can be seen, and whether they are words at all."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from core.ingest.mupdf import pymupdf
from core.ingest.pdf_draw import Picture, Rect
from core.settings.pdf import (
    GARBAGE_SHARE,
    LIGHT_LEVEL,
    TINY_POINTS,
    UNPRONOUNCEABLE_SHARE,
    UNPRONOUNCEABLE_WORDS,
    VOWEL_SHARE,
)

_NEAR = 2.0  # points between two words that are one, painted twice
_BAND = 12.0  # points of height in which such words are looked for
_TEXT, _IMAGE, _VECTOR = 0, 1, pymupdf.mupdf.FZ_STEXT_BLOCK_VECTOR  # kinds of blocks
_PAINTED = pymupdf.mupdf.FZ_STEXT_FILLED | pymupdf.mupdf.FZ_STEXT_STROKED
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_BROKEN = re.compile("[\ufffd\ue000-\uf8ff\U000f0000-\U0010ffff]")  # U+FFFD and private use
_LETTERS = re.compile(r"[^\W\d_]+")
_VOWEL = re.compile("[aeiouAEIOU]")


class PageWord(NamedTuple):
    """A word on a page; a tuple, since dense pages have a thousand of them."""

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
    images: list[Rect]
    """Pictures that stand in the content itself, and shadings; only where they were asked for."""
    vectors: list[Any]
    """Lines and areas, as PyMuPDF gives them: bbox, isrect, color."""


def text_layer(shown: pymupdf.DisplayList, most: int, inline: bool) -> tuple[TextLayer, list[Any]]:
    """The words in the page's own order, and the spans that must be looked at in the picture.

    ``inline`` asks for pictures as well, which is quick only where none is large.

    Coordinates are those of the picture, since text and picture come from one display list: rotation, crop box
    and user unit are applied once, for both.
    """
    # No flag for ligatures: they come as letters. No flag for characters without a Unicode value: they come as U+FFFD.
    flags = pymupdf.TEXT_PRESERVE_WHITESPACE | pymupdf.TEXT_COLLECT_VECTORS
    page = pymupdf.TextPage(shown.get_textpage(flags | (pymupdf.TEXT_PRESERVE_IMAGES if inline else 0)))
    found = page.extractWORDS()
    words = [_word(item) for item in found[:most]]
    everything = page.extractDICT()["blocks"]
    blocks = [block for block in everything if block["type"] == _TEXT]
    images = [tuple(block["bbox"]) for block in everything if block["type"] == _IMAGE]
    vectors = [block for block in everything if block["type"] == _VECTOR]
    spans = [(block["number"], span) for block in blocks for line in block["lines"] for span in line["spans"]]
    colours = {span["color"] for _, span in spans}
    light = {colour for colour in colours if _is_light(colour)}
    unpainted = [(number, span) for number, span in spans if _unpainted(span)]
    doubtful = [(number, span) for number, span in spans if span["color"] in light and not _unpainted(span)]
    seen, hidden = parted([word for word in words if word.text], unpainted)
    grey = all(map(is_grey, colours))
    doubled = False
    if _cross([line["bbox"] for block in blocks for line in block["lines"]]):
        seen, doubled = _once(seen)
    notes = ["Words that stand on the page twice are kept once."] if doubled else []
    if len(found) > most:
        notes.append(f"The page has {len(found):,} words; the first {most:,} are kept.")
    return TextLayer(seen, hidden, notes, grey, images, vectors), doubtful


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
    if sum(map(letters.count, "aeiouAEIOU")) > VOWEL_SHARE * len(letters):
        return False
    tokens = [max(runs, key=len) for word in words if (runs := _LETTERS.findall(word.text))]
    tokens = [token for token in tokens if len(token) >= 4]
    bad = sum(token.isascii() and not _VOWEL.search(token) for token in tokens)
    return len(tokens) >= UNPRONOUNCEABLE_WORDS and bad > UNPRONOUNCEABLE_SHARE * len(tokens)


def _word(item: Any) -> PageWord:
    text = item[4]
    if text.isascii() and text.isprintable():
        return PageWord(text, item[:4], item[5], item[6])
    return PageWord(_INVISIBLE.sub("", text), item[:4], item[5], item[6], text.endswith("\u00ad"))


def _unpainted(span: Any) -> bool:
    return not span["char_flags"] & _PAINTED or span["alpha"] == 0 or span["size"] < TINY_POINTS


def _is_light(colour: int) -> bool:
    return min(colour >> 16, colour >> 8 & 0xFF, colour & 0xFF) >= LIGHT_LEVEL


def is_grey(colour: int) -> bool:
    """Whether red, green and blue are the same."""
    return colour >> 16 == colour >> 8 & 0xFF == colour & 0xFF


def _holds(box: Rect, word: Rect) -> bool:
    x, y = (word[0] + word[2]) / 2, (word[1] + word[3]) / 2
    return box[0] - 0.5 <= x <= box[2] + 0.5 and box[1] - 0.5 <= y <= box[3] + 0.5


def _cross(lines: list[Rect]) -> bool:
    """Whether any two lines begin on one height and cover each other: only then can a word stand there twice."""
    lines = sorted(lines, key=lambda line: line[1])
    for number, line in enumerate(lines):
        for other in lines[number + 1 :]:
            if other[1] - line[1] > _NEAR:
                break
            if min(line[2], other[2]) - max(line[0], other[0]) > _NEAR:
                return True
    return False


def _once(words: list[PageWord]) -> tuple[list[PageWord], bool]:
    """The words without those that are painted again at the same place, as shadows and OCR over scans are."""
    lefts: dict[tuple[str, int], list[float]] = {}
    kept = []
    for word in words:
        text, (left, top, _, _) = word.text, word.box
        band = int((top - _NEAR) / _BAND)
        bands = (band,) if band == int((top + _NEAR) / _BAND) else (band, band + 1)
        taken = [x for y in bands for x in lefts.get((text, y), ())]
        if any(abs(left - x) < _NEAR for x in taken):
            continue
        lefts.setdefault((text, int(top / _BAND)), []).append(left)
        kept.append(word)
    return kept, len(kept) < len(words)
