"""Foreign text made harmless: nothing hidden in it, and nothing that a spreadsheet would run."""

from __future__ import annotations

import csv
import io
import unicodedata
from collections.abc import Iterable, Sequence

Cell = str | int | float | bool | None

# Embeddings, overrides and isolates reorder what follows them; zero-width ones hide inside words.
_HIDDEN = {*map(chr, range(0x202A, 0x202F)), *map(chr, range(0x2066, 0x206A)), "\u200b", "\u2060", "\ufeff", "\u00ad"}
# What a spreadsheet would run; OWASP, CSV injection.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")


def is_hidden(char: str) -> bool:
    """Whether a character has no picture of its own; line breaks and tabs are not meant."""
    return char in _HIDDEN or (char not in "\n\t" and unicodedata.category(char) in ("Cc", "Cs"))


def stand_in(char: str) -> str:
    """A visible stand-in for a character that has no picture of its own."""
    if ord(char) < 0x20:
        return chr(0x2400 + ord(char))
    return "\u2421" if char == "\x7f" else f"⟨U+{ord(char):04X}⟩"


def visible(text: str) -> str:
    """Text with stand-ins for hidden characters; line breaks stay."""
    if not any(map(is_hidden, set(text))):
        return text
    return "".join(stand_in(char) if is_hidden(char) else char for char in text)


def plain(text: str) -> str:
    """Text on one line with nothing hidden in it: for attributes, figure labels and table cells."""
    return visible(" ".join(text.split()))


def cell_text(cell: Cell) -> str:
    """A cell as text; text that a spreadsheet would take for a formula gets a leading apostrophe."""
    if cell is None:
        return ""
    if isinstance(cell, str) and (cell.startswith(_FORMULA) or cell.lstrip().startswith(_FORMULA)):
        return f"'{cell}"
    return str(cell)


def csv_text(headers: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    """A table as CSV; text that a spreadsheet would run is made harmless."""
    file = io.StringIO()
    writer = csv.writer(file)
    writer.writerow([cell_text(header) for header in headers])
    writer.writerows([[cell_text(cell) for cell in row] for row in rows])
    return file.getvalue()
