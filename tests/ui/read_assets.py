"""An assets folder and a page store of the made run, so that the tab opens with pictures."""

from __future__ import annotations

import json
from pathlib import Path

from PIL import Image, ImageDraw

from core.ingest.page_store import PageStore
from core.records import PageLayout
from tests.ui.read_sample import COUNT, SHA, layout, read_sample

SLUG = "trams-1"
OPEN = "trams-2"
"""A question about the same file that has no recorded run."""


def read_assets(folder: Path) -> None:
    """Two questions about one PDF: the first with its recorded run."""
    for name in ("pdfs", "pdf_runs"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    record = read_sample()
    asked = {"question": record.question.text, "answers": ["4,310"], "gold": [7]}
    file = {"name": "trams.pdf", "title": "Trams <img src=x onerror='window.pwned=1'>", "questions": [asked, asked]}
    (folder / "pdfs" / "examples.json").write_text(json.dumps([file]), encoding="utf-8")
    (folder / "pdf_runs" / f"{SLUG}.json").write_text(record.to_json(), encoding="utf-8")


def read_pictures(cache: Path) -> None:
    """The pictures of all pages, drawn from the words."""
    store = PageStore(cache)
    for page in range(COUNT):
        stem = store.stem(SHA, page)
        stem.parent.mkdir(parents=True, exist_ok=True)
        picture = drawn(layout(page))
        picture.save(stem.with_suffix(".png"))
        picture.resize((160, 226)).save(stem.with_suffix(".thumb.jpg"))


def drawn(page: PageLayout) -> Image.Image:
    """White paper with the words in their boxes."""
    wide, high = page.pixels[0] // 2, page.pixels[1] // 2
    picture = Image.new("RGB", (wide, high), "white")
    pen = ImageDraw.Draw(picture)
    for word in page.words:
        left, top, _, bottom = word.box
        pen.text((left * wide, top * high), word.text, fill="black", font_size=max(6, 0.8 * (bottom - top) * high))
    return picture
