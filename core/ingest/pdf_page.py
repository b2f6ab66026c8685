"""One page of a PDF read: picture, words, regions, printed label; by OCR where the text layer is of no use."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.ingest.mupdf import pymupdf
from core.ingest.pdf_draw import Picture, Rect, draw, keep
from core.ingest.pdf_regions import Part, page_text, parts_of
from core.ingest.pdf_shapes import Shapes, Turn, figures, shapes
from core.ingest.pdf_tables import tables
from core.ingest.pdf_text import PageWord, TextLayer, is_garbage, text_layer, without_unseen
from core.settings.pdf import FEW_WORDS, OCR_AGREES, OCR_DPI, PDF_LIMITS, SCAN_SHARE

if TYPE_CHECKING:
    from core.ingest.page_store import OcrMode
    from core.page_record import ReadBy

_HEX = re.compile(r"<FEFF((?:[0-9A-F]{4})*)>(.*)", re.I)
_LABEL_CHARS = 40  # of a printed label that are kept
_LOOKED_AT = 3  # words that show that a page is not blank
_EMPTIED = 16  # pages after which MuPDF's cache of fonts and images is emptied


def read_page(
    document: pymupdf.Document,
    number: int,
    stem: Path,
    dpi: int,
    mode: OcrMode,
    labelled: bool,
    scanning: Callable[[], object],
) -> dict[str, Any]:
    """A ``PageLayout`` as plain values; picture and thumbnail are written beside ``stem``.

    Args:
        document: an open PDF.
        number: 0-based index of the page.
        stem: where the pictures are put, without suffix.
        dpi: resolution of the picture.
        mode: when OCR reads the page.
        labelled: whether the document has printed labels.
        scanning: called before OCR begins, which takes seconds.

    Raises:
        OSError: a file cannot be written.
    """
    page = document[number]
    shown = page.get_displaylist()
    frame = tuple(shown.rect)
    layer, doubtful = text_layer(shown, PDF_LIMITS.page_words, inline=not page.get_images())
    found = shapes(page, frame, layer)
    picture = draw(shown, dpi, grey=layer.grey and found.grey)
    keep(picture, stem)
    layer = without_unseen(layer, doubtful, picture)
    layer.hidden.extend(_outside(page, frame))
    reading = _reading(shown, picture, layer, found, frame, mode, scanning)
    parts = _parts(page, found, reading, frame)
    if number % _EMPTIED == 0:
        pymupdf.TOOLS.store_shrink(100)
    return {
        "page": number,
        "printed": _label(page) if labelled else "",
        "width": round(frame[2], 3),
        "height": round(frame[3], 3),
        "pixels": picture.image.size,
        "words": _words(reading.words, frame),
        "regions": [_region(part, frame) for part in parts],
        "text": page_text(parts),
        "read_by": reading.by,
        "hidden": bool(layer.hidden),
        "notes": [*picture.notes, *layer.notes, *reading.notes],
    }


@dataclass
class _Reading:
    """The words that count, and where they come from."""

    words: list[PageWord]
    by: ReadBy
    notes: list[str]


def _reading(
    shown: pymupdf.DisplayList,
    picture: Picture,
    layer: TextLayer,
    found: Shapes,
    frame: Rect,
    mode: OcrMode,
    scanning: Callable[[], object],
) -> _Reading:
    """The words of the page: of its text layer where that is usable, else by OCR."""
    garbage = is_garbage(layer.seen)
    scan = _is_scan(layer, found, frame)
    blank = not any(picture.shows(word.box) for word in layer.seen[:_LOOKED_AT]) and picture.blank
    notes = [_BLANK_TEXT] if blank and layer.seen else [_BLANK] if blank else []
    if garbage:
        notes.append("The letters of the text layer are not those of the picture (no map to Unicode).")
    wanted = mode == "all" or (mode == "auto" and (garbage or scan or not layer.seen))
    if not wanted or blank:
        return _as_it_is(layer, garbage, mode, blank, notes)
    scanning()
    read = _by_ocr(shown, picture, notes)
    if not read and layer.seen and not garbage:
        return _as_it_is(layer, garbage, mode, blank, notes)
    if layer.hidden and not layer.seen and mode == "auto":
        if _agree(layer.hidden, read):
            notes.append("It is a scan with a hidden text layer, which agrees with the picture and is used.")
            return _Reading(layer.hidden, "text", notes)
        notes.append("A hidden text layer does not agree with the picture and is not used.")
    elif layer.hidden:
        notes.append(_HIDDEN)
    if not read and not notes:
        notes.append("No words were found on this page, in its text layer or by OCR.")
    return _Reading(read, "ocr" if read else "none", notes)


_BLANK = "The page is blank."
_BLANK_TEXT = "The page has text but its picture is blank: most likely its fonts are not embedded."
_HIDDEN = "Words of the text layer that the picture does not show are left out."


def _as_it_is(layer: TextLayer, garbage: bool, mode: OcrMode, blank: bool, notes: list[str]) -> _Reading:
    """What the text layer shows."""
    if layer.hidden:
        notes.append(_HIDDEN)
    if garbage or not layer.seen:
        if mode == "off" and not blank:
            notes.append("There is no usable text layer, and OCR is off.")
        return _Reading([], "none", notes)
    return _Reading(layer.seen, "text", notes)


def _is_scan(layer: TextLayer, found: Shapes, frame: Rect) -> bool:
    """Whether pictures cover most of the page and hardly a word of the text layer is seen beside them."""
    area = max(frame[2] * frame[3], 1.0)
    covered = sum(max(box[2] - box[0], 0) * max(box[3] - box[1], 0) for box in found.images)
    return covered >= SCAN_SHARE * area and len(layer.seen) <= FEW_WORDS


def _by_ocr(shown: pymupdf.DisplayList, picture: Picture, notes: list[str]) -> list[PageWord]:
    """Words by OCR; none, with a note, where it fails, for the picture stands all the same."""
    scale = min(OCR_DPI / 72, picture.scale)
    try:
        from core.ingest import ocr  # noqa: PLC0415  # loads numpy and OpenCV, which most files need not wait for

        drawn = draw(shown, round(scale * 72))
        return ocr.read_picture(drawn.image, drawn.scale)
    except Exception as error:
        notes.append(f"OCR failed on this page ({type(error).__name__}); the log says more.")
        print(f"OCR failed: {error}", file=sys.stderr)
        return []


def _agree(hidden: list[PageWord], read: list[PageWord]) -> bool:
    """Whether most words of a hidden layer were found by OCR as well."""
    said = Counter(_bare(word.text) for word in hidden)
    seen = Counter(_bare(word.text) for word in read)
    return sum((said & seen).values()) >= OCR_AGREES * max(said.total(), 1)


def _bare(text: str) -> str:
    return "".join(filter(str.isalnum, text)).lower()


def _outside(page: pymupdf.Page, frame: Rect) -> list[PageWord]:
    """Words outside the crop box; nothing shows them."""
    if page.cropbox == page.mediabox:
        return []
    turn = Turn(page.rotation, frame)
    # An endless clip and no flag to keep to the page: else only what the page shows is given.
    words = page.get_text("words", clip=pymupdf.INFINITE_RECT(), flags=pymupdf.TEXT_PRESERVE_WHITESPACE)
    placed = [PageWord(word[4], turn(word[:4]), word[5], word[6]) for word in words]
    return [word for word in placed if not _meets(word.box, frame)]


def _meets(box: Rect, frame: Rect) -> bool:
    return box[0] < frame[2] and box[1] < frame[3] and box[2] > 0 and box[3] > 0


def _parts(page: pymupdf.Page, found: Shapes, reading: _Reading, frame: Rect) -> list[Part]:
    made = tables(page, found, reading.words, frame)
    drawn = figures(found, [table.box for table in made], frame)
    return parts_of(reading.words, made, drawn, frame[3])


def _region(part: Part, frame: Rect) -> dict[str, Any]:
    region: dict[str, Any] = {"kind": part.kind, "box": _share(part.box, frame), "text": part.text}
    if part.cells:
        region["cells"] = [
            {"row": cell.row, "column": cell.column, "text": cell.text, "box": _share(cell.box, frame)}
            for cell in part.cells
        ]
    return region


def _words(words: list[PageWord], frame: Rect) -> list[dict[str, Any]]:
    """As ``_share``, for a thousand words."""
    _, _, width, height = frame
    made = []
    for text, box, *_ in words:
        left, top, right, bottom = box
        if left < 0 or top < 0 or right > width or bottom > height:
            made.append({"text": text, "box": _share(box, frame)})
            continue
        shares = (round(left / width, 5), round(top / height, 5), round(right / width, 5), round(bottom / height, 5))
        made.append({"text": text, "box": shares})
    return made


def _share(box: Rect, frame: Rect) -> Rect:
    """The box as shares of the page's width and height, clipped to it."""
    width, height = frame[2] or 1, frame[3] or 1
    left, top, right, bottom = box[0] / width, box[1] / height, box[2] / width, box[3] / height
    if min(left, top, right, bottom) < 0 or max(left, top, right, bottom) > 1:
        left, top, right, bottom = (min(max(share, 0.0), 1.0) for share in (left, top, right, bottom))
    return (round(left, 5), round(top, 5), round(right, 5), round(bottom, 5))


def _label(page: pymupdf.Page) -> str:
    """The printed label; empty where there is none or its tree is malformed, as it often is."""
    try:
        label = str(page.get_label())
        if packed := _HEX.fullmatch(label):  # PyMuPDF gives a prefix in UTF-16 as its hexadecimal digits
            label = bytes.fromhex(packed[1]).decode("utf-16-be") + packed[2]
    except Exception:
        return ""
    return "".join(filter(str.isprintable, label))[:_LABEL_CHARS]
