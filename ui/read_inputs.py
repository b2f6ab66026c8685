"""Where a PDF comes from: example cards, an uploaded file, an exported record."""

from __future__ import annotations

import html
from dataclasses import dataclass
from pathlib import Path

from core.ingest.pdf_examples import PdfExample
from core.settings.methods import PdfSettings
from ui.markup import empty, escape
from ui.samples import Samples


@dataclass(frozen=True, eq=False)
class Upload:
    """A file that was uploaded and needs a password before it can be read."""

    path: str = ""


def name_of(path: str) -> str:
    """The name that an uploaded file had; shown, never used as a path."""
    return Path(path).name


def cards_html(samples: Samples) -> str:
    """The questions about the example PDFs as a row of buttons."""
    if not samples.readings:
        return empty("No example PDFs are installed. Upload one of your own.")
    cards = "".join(_card(samples, example) for example in samples.readings.values())
    return f'<div class="wl wl-examples wl-read-examples">{cards}</div>'


def _card(samples: Samples, example: PdfExample) -> str:
    record = samples.reading(example.slug)
    pages = f"{len(record.pages or ())} pages" if record else "not run yet"
    gold = " and ".join(str(page + 1) for page in example.question.gold_pages)
    where = f"evidence on page {gold}" if gold else "no answer in it"
    return (
        f'<button type="button" class="wl-example" data-read="example" data-value="{html.escape(example.slug)}" '
        f'title="{html.escape(example.title)}" translate="no"><span class="wl-sub">{escape(example.title)}</span>'
        f"<b>{escape(example.question.text)}</b>"
        f'<span class="wl-sub" translate="yes">{pages} · {where}</span></button>'
    )


def settings_of(base: PdfSettings, values: tuple[object, ...]) -> PdfSettings:
    """The settings of the controls, in the order in which they stand: top K, neighbours, OCR, C, P, D, DuQUAD.

    Raises:
        ValueError: a value is none that the control offers.
    """
    names = ("top_k", "neighbours", "ocr", "clue", "screening", "difficulty", "duquad")
    return PdfSettings.model_validate(base.model_dump() | {"put_back": ()} | dict(zip(names, values, strict=True)))


def row_of(settings: PdfSettings) -> list[object]:
    """What the controls hold for these settings."""
    switches = [settings.clue, settings.screening, settings.difficulty, settings.duquad]
    return [settings.top_k, settings.neighbours, settings.ocr, *switches]
