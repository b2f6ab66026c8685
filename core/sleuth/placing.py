"""Finds the words of a quote on a page and the boxes where they stand. Pure functions.

A quote is found exactly, then nearly, then as the words of one table or figure; otherwise it is not found, and
gets no box. Our choice: the paper does not say how its citations are checked.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz

from core.page_record import Box, PageLayout, Placed, Region
from core.page_text import region_names, rows
from core.settings.pages import PLACING

_THOUSANDS = re.compile(r"(?<=\d)[,'’](?=\d{3}(?!\d))")
_DECIMAL = re.compile(r"(?<=\d)[.,٫](?=\d)")
_MINUS = re.compile(r"^\W*[-−–](?=\d)")
# A digit inside a word is a misread letter more often than a number; two of them are not.
_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)*|\d{2,}(?:\.\d+)*")
_TURNS = frozenset({"not", "no", "never", "none", "without", "cannot"})
_POINT, _BREAK = "\ue000", "\ue001"


@dataclass(frozen=True)
class Placing:
    """Where a quote stands on one page."""

    placed: Placed = ""
    boxes: tuple[Box, ...] = ()
    times: int = 0
    """How often it stands there word for word; all places are boxed."""


NOWHERE = Placing()


def place(quote: str, layout: PageLayout, region: str = "") -> Placing:
    """The quote on the page.

    Args:
        quote: words as a model gave them; case, punctuation, hyphens at line ends and ligatures do not matter,
            numbers do.
        layout: the page.
        region: the name of a region that the model gave, or anything else; it decides between several places, and
            lets a paraphrase be placed in that region.
    """
    wanted = _squeezed(quote.split())[0]
    if not wanted:
        return NOWHERE
    named = _named(layout, region)
    return (
        _exact(quote, layout, named)
        or _exact_in_cells(wanted, layout)
        or _fuzzy(quote, layout)
        or _in_region(quote, layout, named)
        or NOWHERE
    )


def plain(word: str) -> str:
    """A word as it is compared: compatibility forms resolved, case folded, letters and digits only.

    A decimal point and a minus sign belong to their number; separators of thousands do not.
    """
    text = unicodedata.normalize("NFKC", word.replace("\u00ad", "")).casefold()
    signed = "-" if _MINUS.match(text) else ""
    text = _DECIMAL.sub(_POINT, _THOUSANDS.sub("", text))
    return signed + "".join("." if c == _POINT else c for c in text if c.isalnum() or c == _POINT)


def numbers(text: str) -> Counter[str]:
    """The numbers of a text, as they are compared."""
    return Counter(found for word in text.split() for found in _NUMBER.findall(plain(word)))


def _squeezed(words: Sequence[str]) -> tuple[str, list[int]]:
    """All words with nothing between them, and for each character the index of its word.

    So a word that is hyphenated at a line's end equals the whole one. Two numbers side by side stay two.
    """
    text: list[str] = []
    owners: list[int] = []
    for index, word in enumerate(words):
        said = plain(word)
        if said and text and text[-1].isdigit() and said[0].isdigit():
            said = _BREAK + said
        text += said
        owners += [index] * len(said)
    return "".join(text), owners


def _exact(quote: str, layout: PageLayout, named: Region | None) -> Placing | None:
    words = [word.text for word in layout.words]
    page, owners = _squeezed(words)
    for wanted in _directions(quote):
        spans = [(owners[begin], owners[end - 1]) for begin, end in _whole_words(wanted, page, owners)]
        if spans:
            boxes = [_line_boxes([word.box for word in layout.words[a : b + 1]]) for a, b in spans]
            inside = [found for found in boxes if named and all(_inside(box, named.box) for box in found)]
            kept = (inside or boxes)[: PLACING.places]
            return Placing("exact", tuple(box for found in kept for box in found), len(inside or boxes))
    return None


def _directions(quote: str) -> Iterator[str]:
    """The quote as it is read, and for right-to-left scripts as files may store it: by word or by letter reversed."""
    words = quote.split()
    yield _squeezed(words)[0]
    if any(unicodedata.bidirectional(char) in ("R", "AL") for char in quote[: PLACING.chars]):
        yield _squeezed(words[::-1])[0]
        yield _squeezed([word[::-1] for word in words])[0]
        yield _squeezed([word[::-1] for word in words[::-1]])[0]


def _whole_words(wanted: str, page: str, owners: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Stretches of ``page`` that are the quote and begin and end where words do."""
    begin = page.find(wanted)
    while begin >= 0:
        end = begin + len(wanted)
        first = begin == 0 or owners[begin - 1] != owners[begin] or page[begin - 1] == _BREAK
        if first and (end == len(page) or owners[end] != owners[end - 1]):
            yield begin, end
            begin = page.find(wanted, end)
        else:
            begin = page.find(wanted, begin + 1)


def _exact_in_cells(wanted: str, layout: PageLayout) -> Placing | None:
    """The quote as neighbouring cells of one row, whatever the order of the page's words."""
    for region in layout.regions:
        for row in rows(region):
            pieces = [(word, cell.box) for cell in row for word in cell.text.split()]
            text, owners = _squeezed([word for word, _ in pieces])
            for begin, end in _whole_words(wanted, text, owners):
                boxes = dict.fromkeys(pieces[i][1] for i in range(owners[begin], owners[end - 1] + 1))
                return Placing("exact", tuple(boxes), 1)
    return None


def _fuzzy(quote: str, layout: PageLayout) -> Placing | None:
    """The window of the page's words that is most like the quote, with all of its numbers and denials."""
    wanted = [said for said in map(plain, quote.split()) if said]
    kept = [(said, word.box) for word in layout.words if (said := plain(word.text))]
    if not PLACING.fuzzy_words <= len(wanted) <= PLACING.fuzzy_most or len(kept) < len(wanted):
        return None
    target, page = " ".join(wanted), " ".join(said for said, _ in kept)
    if len(target) > len(page):
        return None
    found = fuzz.partial_ratio_alignment(target, page, score_cutoff=PLACING.fuzzy_score)
    if found is None:
        return None
    chosen = _covered([said for said, _ in kept], found.dest_start, found.dest_end)
    window = [kept[i][0] for i in chosen]
    if fuzz.ratio(target, " ".join(window)) < PLACING.fuzzy_score or not _same_facts(wanted, window):
        return None
    return Placing("fuzzy", _line_boxes([kept[i][1] for i in chosen]), 1)


def _covered(words: Sequence[str], start: int, end: int) -> list[int]:
    """Indexes of the words, joined by single spaces, of which at least half lies in [start, end)."""
    chosen, place = [], 0
    for index, word in enumerate(words):
        common = min(end, place + len(word)) - max(start, place)
        if common * 2 >= len(word):
            chosen.append(index)
        place += len(word) + 1
    return chosen


def _same_facts(wanted: Sequence[str], found: Sequence[str]) -> bool:
    """Whether no number and no denial differs: likeness of letters says nothing about those."""
    there = numbers(" ".join(found))
    facts = all(there[number] >= count for number, count in numbers(" ".join(wanted)).items())
    return facts and _TURNS.intersection(wanted) == _TURNS.intersection(found)


def _in_region(quote: str, layout: PageLayout, named: Region | None) -> Placing | None:
    """A table, figure or caption (or the region that was named) that has nearly all of the quote's words.

    Running text is read in order, so a true quote of it is found before; only where it was named is it enough to
    have the words.
    """
    wanted = {said for word in quote.split() if (said := plain(word))}
    if len(wanted) < PLACING.region_words:
        return None
    best: tuple[float, float, Box] | None = None
    for region in layout.regions:
        if region is not named and region.kind == "text":
            continue
        for text, box in _parts(region):
            there = {said for word in text.split() if (said := plain(word))}
            share = len(wanted & there) / len(wanted)
            if share >= PLACING.region_share and numbers(quote).keys() <= numbers(text).keys():
                candidate = (share, (box[0] - box[2]) * (box[3] - box[1]), box)
                best = max(best, candidate) if best else candidate
    return Placing("region", (best[2],), 1) if best else None


def _parts(region: Region) -> Iterator[tuple[str, Box]]:
    """The region as a whole, and each row of a table with the row of column heads."""
    yield " ".join([region.text, *(cell.text for cell in region.cells)]), region.box
    table = rows(region)
    for row in table[1:]:
        yield " ".join(cell.text for cell in (*table[0], *row)), _around([cell.box for cell in row])


def _named(layout: PageLayout, name: str) -> Region | None:
    """The region that a model's words begin with, such as "Table 2" or "[Table 2], third row"."""
    said = name.strip().lstrip("[(").casefold()
    for known, region in zip(region_names(layout), layout.regions, strict=True):
        if re.match(re.escape(known.casefold()) + r"(?!\d)", said):
            return region
    return None


def _line_boxes(boxes: Sequence[Box]) -> tuple[Box, ...]:
    """One box per line of words; words are on one line where they follow each other and overlap in height."""
    lines: list[list[Box]] = []
    for box in boxes:
        last = lines[-1][-1] if lines else None
        if last and _overlap(last, box) > PLACING.same_line:
            lines[-1].append(box)
        else:
            lines.append([box])
    return tuple(_around(line) for line in lines)


def _overlap(one: Box, other: Box) -> float:
    common = min(one[3], other[3]) - max(one[1], other[1])
    lower = min(one[3] - one[1], other[3] - other[1])
    return common / lower if lower > 0 else 0.0


def _around(boxes: Sequence[Box]) -> Box:
    left, top, right, bottom = zip(*boxes, strict=True)
    return min(left), min(top), max(right), max(bottom)


def _inside(box: Box, outer: Box) -> bool:
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return outer[0] <= x <= outer[2] and outer[1] <= y <= outer[3]
