"""A sheet of paper that fills from top to bottom: headings, paragraphs, tables, charts."""

from __future__ import annotations

import io
import random
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pymupdf
from PIL import Image

A4 = (595.0, 842.0)
B5 = (499.0, 709.0)
MARGIN = 54.0
BODY, BOLD, SERIF = "helv", "hebo", "tiro"
COLOURS = ((0.13, 0.33, 0.53), (0.85, 0.44, 0.16), (0.25, 0.55, 0.36))


class Paper:
    """A document in the making. ``y`` is where the next thing goes on the newest page."""

    def __init__(self, title: str, running: str = "", size: tuple[float, float] = B5, font: str = BODY) -> None:
        self.document = pymupdf.open()
        self.document.set_metadata({"title": title, "creationDate": "", "modDate": "", "producer": "", "creator": ""})
        self.width, self.height = size
        self.running, self.font = running, font
        self.y = 0.0
        self.page: pymupdf.Page = None

    @property
    def inner(self) -> float:
        """Width between the margins."""
        return self.width - 2 * MARGIN

    def turn(self) -> None:
        """Begins a page, with running title and page number."""
        self.page = self.document.new_page(width=self.width, height=self.height)
        number = str(self.document.page_count)
        self.page.insert_text((MARGIN, 40), self.running, fontsize=8, fontname=self.font, color=(0.35,) * 3)
        self.page.insert_text((self.width / 2 - 4, self.height - 32), number, fontsize=9, fontname=self.font)
        self.y = 74.0

    def heading(self, text: str, size: float = 15) -> None:
        for line in self.wrapped(text, BOLD, size):
            self.page.insert_text((MARGIN, self.y + size), line, fontsize=size, fontname=BOLD)
            self.y += 1.25 * size
        self.y += 8

    def paragraph(self, text: str, size: float = 11.5) -> None:
        for line in self.wrapped(text, self.font, size):
            self.page.insert_text((MARGIN, self.y + size), line, fontsize=size, fontname=self.font)
            self.y += 1.45 * size
        self.y += 9

    def items(self, texts: Sequence[str], size: float = 11.5) -> None:
        for number, text in enumerate(texts, start=1):
            for at, line in enumerate(self.wrapped(text, self.font, size, self.inner - 20)):
                if not at:
                    self.page.insert_text((MARGIN, self.y + size), f"{number}.", fontsize=size, fontname=self.font)
                self.page.insert_text((MARGIN + 20, self.y + size), line, fontsize=size, fontname=self.font)
                self.y += 1.45 * size
        self.y += 9

    def caption(self, text: str) -> None:
        self.paragraph(text, 9)
        self.y += 4

    def table(self, rows: Sequence[Sequence[str]], ruled: bool = True, size: float = 9.5) -> None:
        """Rows of cells, the first one in bold; ruled by a grid or by a line below the head."""
        columns = len(rows[0])
        step, high = self.inner / columns, 2 * size
        top = self.y
        for number, row in enumerate(rows):
            for column, text in enumerate(row):
                at = (MARGIN + column * step + 5, top + number * high + 1.35 * size)
                self.page.insert_text(at, text, fontsize=size, fontname=self.font if number else BOLD)
        bottom = top + len(rows) * high
        lines = range(len(rows) + 1) if ruled else (0, 1, len(rows))
        for number in lines:
            self.page.draw_line((MARGIN, top + number * high), (self.width - MARGIN, top + number * high), width=0.6)
        for column in range(columns + 1) if ruled else ():
            self.page.draw_line((MARGIN + column * step, top), (MARGIN + column * step, bottom), width=0.6)
        self.y = bottom + 12

    def bars(self, names: Sequence[str], values: Sequence[float], unit: str, high: float = 190) -> None:
        """A bar chart with the value above each bar."""
        top, base, step = self.y + 14, self.y + high, self.inner / len(names)
        self.page.insert_text((MARGIN, self.y + 8), unit, fontsize=8, fontname=self.font)
        for quarter in range(1, 5):
            y = base - quarter / 4 * (base - top)
            self.page.draw_line((MARGIN, y), (self.width - MARGIN, y), color=(0.8,) * 3, width=0.4)
        self.page.draw_line((MARGIN, base), (self.width - MARGIN, base), width=0.8)
        for number, (name, value) in enumerate(zip(names, values, strict=True)):
            left = MARGIN + number * step + step * 0.2
            tip = base - 0.9 * value / max(values) * (base - top)
            bar = pymupdf.Rect(left, tip, left + step * 0.6, base)
            self.page.draw_rect(bar, color=COLOURS[0], fill=COLOURS[0], width=0.3)
            self.page.insert_text((left, tip - 3), f"{value:,g}", fontsize=8, fontname=self.font)
            self.page.insert_text((left, base + 11), name, fontsize=8, fontname=self.font)
        self.y = base + 24

    def lines(self, names: Sequence[str], series: dict[str, Sequence[float]], unit: str, high: float = 190) -> None:
        """A line chart, the name of each series at its end."""
        top, base, left = self.y + 20, self.y + high, MARGIN + 22
        step = (self.inner - 22 - 44) / (len(names) - 1)
        tick = next(size for size in (5, 10, 20, 25, 50, 100) if 4 * size >= max(map(max, series.values())))
        self.page.insert_text((MARGIN, self.y + 8), unit, fontsize=8, fontname=self.font)
        for number in range(5):
            y = base - number / 4 * (base - top)
            self.page.draw_line((left, y), (self.width - MARGIN - 34, y), color=(0.8,) * 3, width=0.4)
            self.page.insert_text((MARGIN, y + 3), f"{number * tick:g}", fontsize=8, fontname=self.font)
        for number, name in enumerate(names):
            self.page.insert_text((left + number * step - 6, base + 12), name, fontsize=8, fontname=self.font)
        label = 0.0
        for (name, values), colour in zip(series.items(), COLOURS, strict=False):
            points = [(left + i * step, base - v / (4 * tick) * (base - top)) for i, v in enumerate(values)]
            self.page.draw_polyline(points, color=colour, width=1.6)
            for x, y in points:
                self.page.draw_circle((x, y), 2.2, color=colour, fill=colour)
            label = max(label + 10, points[-1][1] - 2)
            self.page.insert_text((points[-1][0] + 8, label), name, fontsize=8, fontname=BOLD, color=colour)
        self.y = base + 26

    def wrapped(self, text: str, font: str, size: float, width: float | None = None) -> list[str]:
        """The text in lines that fit the width."""
        lines, line, used = [], "", 0.0
        for word in text.split():
            wide = _width(f" {word}" if line else word, font, size)
            if used + wide > (width or self.inner):
                lines.append(line)
                line, used = word, _width(word, font, size)
            else:
                line, used = f"{line} {word}".strip(), used + wide
        return [*lines, line] if line else lines

    def save(self, path: Path) -> None:
        """Writes the file; the same content gives the same bytes."""
        path.parent.mkdir(parents=True, exist_ok=True)
        self.document.save(path, garbage=4, deflate=True, no_new_id=True)


@cache
def _width(text: str, font: str, size: float) -> float:
    return float(pymupdf.get_text_length(text, fontname=font, fontsize=size))


def scanned(document: pymupdf.Document, title: str, seed: int, dpi: int = 120, quality: int = 38) -> pymupdf.Document:
    """The document as a scanner gives it: grey pictures, a little askew and noisy, without a text layer."""
    chance = random.Random(seed)
    made = pymupdf.open()
    made.set_metadata({"title": title, "creationDate": "", "modDate": "", "producer": "", "creator": ""})
    for page in document:
        pixels = page.get_pixmap(dpi=dpi, colorspace=pymupdf.csGRAY)
        image = Image.frombytes("L", (pixels.width, pixels.height), pixels.samples)
        image = image.rotate(chance.uniform(-0.7, 0.7), Image.Resampling.BICUBIC, fillcolor=255)
        noise = Image.frombytes("L", image.size, chance.randbytes(image.width * image.height))
        image = Image.blend(image.point(lambda level: 30 + level * 210 // 255), noise, 0.05)
        out = io.BytesIO()
        image.save(out, "JPEG", quality=quality)
        made.new_page(width=page.rect.width, height=page.rect.height).insert_image(page.rect, stream=out.getvalue())
    return made
