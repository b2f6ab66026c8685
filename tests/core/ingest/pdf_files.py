"""PDFs for tests, made on the fly: ordinary, odd and hostile ones."""

from __future__ import annotations

import io
import zlib
from pathlib import Path
from typing import Any

import pymupdf
from PIL import Image

from core.ingest.page_store import PageStore
from core.ingest.pdf import read_pages, take_in
from core.page_record import Box, PageLayout
from core.settings.methods import PdfSettings
from core.settings.pdf import PDF_LIMITS, PdfLimits

TEXT = "The quick brown fox jumps over the lazy dog."


def never() -> None:
    """A stop that never stops."""


def pages(*texts: str, size: tuple[float, float] = (300, 200)) -> pymupdf.Document:
    """A document with a line of text on each page."""
    document = pymupdf.open()
    for text in texts:
        document.new_page(width=size[0], height=size[1]).insert_text((20, 40), text, fontsize=12)
    return document


def written(document: pymupdf.Document, folder: Path, name: str = "file.pdf", **options: Any) -> Path:
    """The document as a file."""
    document.save(folder / name, **options)
    return folder / name


def read(
    document: pymupdf.Document | Path,
    folder: Path,
    ocr: str = "auto",
    limits: PdfLimits = PDF_LIMITS,
    asked: list[int] | None = None,
) -> tuple[PageStore, str, list[PageLayout]]:
    """The document taken in and read by the real processes: (store, sha, layouts)."""
    path = document if isinstance(document, Path) else written(document, folder)
    store = PageStore(folder / "cache")
    source = take_in(path, path.name, store)
    settings = PdfSettings.model_validate({"ocr": ocr})
    return store, source.sha256, list(read_pages(source.sha256, store, settings, never, asked, limits))


def ink(picture: Path) -> Box:
    """The box around everything darker than mid grey, as shares of the picture."""
    with Image.open(picture) as image:
        dark = image.convert("L").point(lambda level: 255 * (level < 128))
        left, top, right, bottom = dark.getbbox() or (0, 0, 0, 0)
        return (left / image.width, top / image.height, right / image.width, bottom / image.height)


def holds(box: Box, inner: Box, slack: float = 0.005) -> bool:
    """Whether a box holds another, but for a little."""
    return all(box[i] - slack <= inner[i] for i in (0, 1)) and all(box[i] + slack >= inner[i] for i in (2, 3))


def as_scan(document: pymupdf.Document, dpi: int = 150) -> pymupdf.Document:
    """Pictures of the pages, without a text layer."""
    made = pymupdf.open()
    for page in document:
        fresh = made.new_page(width=page.rect.width, height=page.rect.height)
        fresh.insert_image(fresh.rect, stream=page.get_pixmap(dpi=dpi).tobytes("png"))
    return made


def cmyk_jpeg(colour: tuple[int, int, int, int]) -> bytes:
    """A CMYK picture of one colour."""
    out = io.BytesIO()
    Image.new("CMYK", (80, 60), colour).save(out, "JPEG")
    return out.getvalue()


def endless(page: pymupdf.Page, levels: int = 9, times: int = 12) -> None:
    """Makes a page that takes for ever: forms that draw forms that draw forms."""
    document = page.parent
    inner = None
    for level in range(levels):
        xref = document.get_new_xref()
        resources = f"/Resources<</XObject<</F {inner} 0 R>>>>" if inner else ""
        document.update_object(xref, f"<</Type/XObject/Subtype/Form/BBox[0 0 300 200]{resources}>>")
        content = b"q /F Do Q " * times if inner else b"0 0 m 9 9 l S "
        document.update_stream(xref, content, new=True)
        inner = xref
        del level
    document.xref_set_key(page.xref, "Resources", f"<</XObject<</F {inner} 0 R>>>>")
    xref = document.get_new_xref()
    document.update_object(xref, "<<>>")
    document.update_stream(xref, b"q /F Do Q", new=True)
    document.xref_set_key(page.xref, "Contents", f"{xref} 0 R")


def bomb(page: pymupdf.Page, side: int) -> None:
    """Puts a grey picture of ``side`` × ``side`` pixels on the page, packed to almost nothing."""
    document = page.parent
    xref = document.get_new_xref()
    keys = f"/Width {side}/Height {side}/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/FlateDecode"
    document.update_object(xref, f"<</Type/XObject/Subtype/Image{keys}>>")
    packer = zlib.compressobj(9)
    rows = b"".join(packer.compress(bytes(side)) for _ in range(side)) + packer.flush()
    document.update_stream(xref, rows, new=False, compress=False)
    document.xref_set_key(xref, "Filter", "/FlateDecode")
    document.xref_set_key(page.xref, "Resources", f"<</XObject<</B {xref} 0 R>>>>")
    document.update_stream(page.get_contents()[0], b"q 100 0 0 100 20 20 cm /B Do Q")
