"""Values of rows that nobody has checked: short texts, lists in several spellings, pages."""

from __future__ import annotations

import ast
import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.ingest.lines import InputError, clean
from core.ingest.rows import kind, text_field
from core.settings.limits import LIMITS, LIST_CHARS, NUMBER_BITS
from core.text import normalize_answer

PAST_THE_END = "{name} past the last one that there is: left out."
Mend = Callable[[str], None]
"""Told what was wrong with a row that stays in the set, and what was done about it."""


@dataclass(frozen=True)
class Raw:
    """One row as its file holds it."""

    number: int
    """From 1, as the unit counts."""
    unit: str
    """line or row."""
    fields: dict[str, Any]

    @property
    def place(self) -> str:
        """Where it stands, for messages."""
        return f"{self.unit} {self.number}"


def literal(text: str) -> object:
    """A list (or another literal) in text form, JSON's or Python's; the text itself where it is none.

    Parsed, never evaluated.
    """
    stripped = text.strip()
    if not stripped.startswith(("[", "{")) or len(stripped) > LIST_CHARS:
        return text
    try:
        return json.loads(stripped)
    except (ValueError, RecursionError):
        pass
    try:
        return ast.literal_eval(stripped)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return text


def items(value: object) -> list[object]:
    """A list as it is, a list in text form, one value as a list of one; none for null and blank."""
    if value is None or (isinstance(value, str) and not value.strip()):
        return []
    found = literal(value) if isinstance(value, str) else value
    return list(found) if isinstance(found, list | tuple) else [value]  # a set has no order: it stays a text


def short(value: object, name: str, most: int = LIMITS.question_chars) -> str:
    """A text or number as a text; "" for null.

    Raises:
        InputError: of another kind, or longer than ``most`` characters.
    """
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        value = int(value)  # tables turn whole numbers into floats where a cell is empty
    if not isinstance(value, str | int | float):
        raise InputError(f"'{name}' is {kind(value)}; a text is expected.")
    if isinstance(value, int) and value.bit_length() > NUMBER_BITS:
        raise InputError(f"'{name}' is a number of more digits than can be read.")
    return text_field({name: str(value)}, name, most, needed=False).strip()


def named(raw: Raw, *names: str) -> str:
    """The row's own id from the first of these fields that has one, else ``row-<number>``."""
    for name in names:
        found = short(raw.fields.get(name), name, LIMITS.title_chars)
        if found:
            return found
    return f"row-{raw.number}"


def asked(row: Mapping[str, Any], name: str = "question") -> str:
    """The question's text. Raises InputError."""
    return text_field(row, name, LIMITS.question_chars)


def accepted(values: Sequence[object], mend: Mend) -> tuple[str, ...]:
    """Accepted answers, each once; those that normalise to nothing would always count as right and are left out.

    Raises:
        InputError: an answer is no text or number, or there are too many.
    """
    texts = list(dict.fromkeys(filter(None, (short(value, "answer") for value in values))))
    if len(texts) > LIMITS.answers:
        raise InputError(f"there are {len(texts):,} answers; at most {LIMITS.answers} are read.")
    empty = [text for text in texts if not normalize_answer(text)]
    for text in empty:
        mend(f"the accepted answer {text[:20]!r} is punctuation or an article alone: left out.")
    return tuple(text for text in texts if text not in empty)


def pages(
    value: object, first: int, mend: Mend, total: int | None = None, name: str = "evidence page"
) -> tuple[int, ...]:
    """0-based evidence pages (or gold documents), ascending, each once.

    Args:
        value: a number, a list, or a list in text form.
        first: how the source counts, from 0 or from 1.
        mend: told of each page that cannot be there.
        total: how many there are, where known.
        name: of what is counted, for messages.
    """
    found: set[int] = set()
    for item in items(value):
        number = _whole(item)
        if number is None:
            mend(f"{name} that is no number: left out.")
        elif number < first:
            mend(f"{name} {number}, where they count from {first}: left out.")
        elif total is not None and number - first >= total:
            mend(PAST_THE_END.format(name=name))
        else:
            found.add(number - first)
    return tuple(sorted(found))


def _whole(item: object) -> int | None:
    if isinstance(item, bool):
        return None
    if isinstance(item, str) and item.strip().isdecimal() and len(item) < 10:
        return int(item)
    if isinstance(item, float) and item.is_integer() and abs(item) < 1e9:
        return int(item)
    return item if isinstance(item, int) and abs(item) < 10**9 else None


def joined(value: object, name: str) -> str:
    """A list as one text, its parts apart by ``; ``. Raises InputError."""
    return "; ".join(filter(None, (short(item, name, LIMITS.title_chars) for item in items(value))))


def present(**meta: str) -> dict[str, str]:
    """The entries that are not empty, cleaned."""
    return {name: clean(value) for name, value in meta.items() if value}
