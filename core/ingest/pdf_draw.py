"""Page pictures: drawn within limits, written as small as is quick."""

from __future__ import annotations

import io
import struct
from dataclasses import dataclass, field
from pathlib import Path

from isal import isal_zlib
from PIL import Image

from core.files import write_whole
from core.ingest.mupdf import pymupdf
from core.settings.pdf import PAGE_PIXELS, PAGE_SIDE, PICTURE_BYTES, PICTURE_QUALITY, THUMB_QUALITY, THUMB_WIDTH

Rect = tuple[float, float, float, float]
"""(left, top, right, bottom)."""

_INK = 24  # of 255 grey levels between a word and what is around it, so that it can be seen; our choice


@dataclass
class Picture:
    """A page as it was drawn."""

    image: Image.Image
    scale: float
    """Pixels per point."""
    notes: list[str] = field(default_factory=list)

    @property
    def blank(self) -> bool:
        """Whether nothing at all is to be seen."""
        return self.contrast((0, 0, self.image.width / self.scale, self.image.height / self.scale)) == 0

    def shows(self, box: Rect) -> bool:
        """Whether there is anything to be seen in the box (in points)."""
        return self.contrast(box) >= _INK

    def contrast(self, box: Rect) -> int:
        """Levels between the darkest and the lightest pixel of the box, in the band where they are most."""
        left, top, right, bottom = (round(value * self.scale) for value in box)
        left, top = max(left, 0), max(top, 0)
        right, bottom = min(max(right, left + 1), self.image.width), min(max(bottom, top + 1), self.image.height)
        if right <= left or bottom <= top:
            return 0
        bands = self.image.crop((left, top, right, bottom)).getextrema()
        pairs = [bands] if isinstance(bands[0], int | float) else bands
        return int(max(high - low for low, high in pairs))


def draw(shown: pymupdf.DisplayList, dpi: int, grey: bool = False) -> Picture:
    """The page as a viewer draws it, at ``dpi`` or what the limits on pixels leave of it; grey, or sRGB."""
    frame = shown.rect
    scale, notes = dpi / 72, []
    most = min(PAGE_SIDE / max(frame.width, frame.height), (PAGE_PIXELS / (frame.width * frame.height)) ** 0.5)
    if scale > most:
        notes.append(
            f"The page is {_metres(frame.width)} × {_metres(frame.height)} large: "
            f"it is drawn at {72 * most:.0f} dpi instead of {dpi}."
        )
        scale = most
    if min(frame.width, frame.height) * scale < _SMALL:
        notes.append(f"The page is only {frame.width:g} × {frame.height:g} points large: nothing can be read on it.")
    return Picture(_drawn(shown, scale, grey), scale, notes)


_SMALL = 8  # pixels of the shorter side, below which no letter can be told from another


def _drawn(shown: pymupdf.DisplayList, scale: float, grey: bool) -> Image.Image:
    space = pymupdf.csGRAY if grey else pymupdf.csRGB
    pixels = shown.get_pixmap(matrix=pymupdf.Matrix(scale, scale), colorspace=space, alpha=0)
    mode = "L" if pixels.n == 1 else "RGB"
    return Image.frombytes(mode, (pixels.width, pixels.height), pixels.samples_mv)


def keep(picture: Picture, stem: Path) -> None:
    """Writes picture and thumbnail beside each other. Raises OSError."""
    data = _png(picture.image)
    if len(data) <= PICTURE_BYTES:
        write_whole(stem.with_suffix(".png"), data)
    else:
        write_whole(stem.with_suffix(".jpg"), _jpeg(picture.image, PICTURE_QUALITY))
    width, height = picture.image.size
    by = max(1, width // THUMB_WIDTH, height // (4 * THUMB_WIDTH))
    write_whole(stem.with_suffix(".thumb.jpg"), _jpeg(picture.image.reduce(by), THUMB_QUALITY))


def _jpeg(image: Image.Image, quality: int) -> bytes:
    out = io.BytesIO()
    image.save(out, "JPEG", quality=quality)
    return out.getvalue()


def _png(image: Image.Image) -> bytes:
    """A PNG without filters, packed by ISA-L: 0.8 ms for an A4 page of text at 144 dpi, 39 ms by Pillow."""
    width, height = image.size
    flat = image if image.mode == "L" else Image.frombytes("L", (3 * width, height), image.tobytes())
    rows = Image.new("L", (flat.width + 1, height))  # each row begins with its filter's number: 0, none
    rows.paste(flat, (1, 0))
    head = struct.pack(">IIBBBBB", width, height, 8, 0 if image.mode == "L" else 2, 0, 0, 0)
    chunks = ((b"IHDR", head), (b"IDAT", isal_zlib.compress(rows.tobytes(), 1)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", isal_zlib.crc32(kind + data))
        for kind, data in chunks
    )


def _metres(points: float) -> str:
    return f"{points / 72 * 0.0254:.1f} m"
