"""One JSON line to typed values; every refusal says what was found and what was expected."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from core.ingest.lines import InputError, clean
from core.records import Document
from core.settings.limits import LIMITS, Limits


def json_object(line: str) -> dict[str, Any]:
    """The line as a JSON object.

    Raises:
        InputError: it is something else.
    """
    try:
        value = json.loads(line)
    except RecursionError:
        raise InputError("nested too deeply; a JSON object with plain fields is expected.") from None
    except json.JSONDecodeError as error:
        raise InputError(
            f"not JSON ({error.msg} at character {error.pos + 1}); one object a line is expected."
        ) from None
    except ValueError:
        raise InputError("holds a number with too many digits.") from None
    if not isinstance(value, dict):
        raise InputError(f"{kind(value)}; a JSON object is expected.")
    return value


def kind(value: object) -> str:
    """What a JSON value is, in words."""
    names = {
        dict: "an object",
        list: "a list",
        str: "a text",
        bool: "true or false",
        int: "a number",
        float: "a number",
    }
    return "null" if value is None else names.get(type(value), "of a kind that is not read")


def text_field(row: Mapping[str, Any], name: str, most: int, needed: bool = True) -> str:
    """A text field, cleaned; "" where it is missing or null and not needed.

    Raises:
        InputError: missing, blank (where needed), not a text, or longer than ``most`` characters.
    """
    value = row.get(name)
    if value is None and not needed:
        return ""
    if value is None:
        raise InputError(f"has no '{name}'; a text is expected there.")
    if not isinstance(value, str):
        raise InputError(f"'{name}' is {kind(value)}; a text is expected.")
    if needed and not value.strip():
        raise InputError(f"'{name}' is empty.")
    if len(value) > most:
        raise InputError(f"'{name}' has {len(value):,} characters; at most {most:,} are read.")
    return clean(value)


def document_row(row: object, place: int, limits: Limits = LIMITS) -> Document:
    """A document from ``text``, and where given ``title``, ``id``, and ``gold`` or ``isgold``.

    Without an id it is named by its place, from 1.

    Raises:
        InputError: a field is missing or of another kind.
    """
    if not isinstance(row, dict):
        raise InputError(f"{kind(row)}; an object with 'title' and 'text' is expected.")
    gold = row.get("gold", row.get("isgold"))
    if gold is not None and not isinstance(gold, bool):
        raise InputError(f"'gold' is {kind(gold)}; true or false is expected.")
    name = row.get("id")
    if isinstance(name, bool) or not isinstance(name, int | str | None):
        raise InputError(f"'id' is {kind(name)}; a text or a number is expected.")
    return Document(
        id=clean(str(place if name is None else name))[: limits.title_chars],
        title=text_field(row, "title", limits.title_chars, needed=False),
        text=text_field(row, "text", limits.document_chars),
        gold=gold,
    )


def answers_field(value: object, limits: Limits = LIMITS) -> tuple[str, ...]:
    """The accepted answers: a list of texts, or one text; none where it is missing or null.

    Raises:
        InputError: of another kind, too many or too long.
    """
    values = [] if value is None else [value] if isinstance(value, str) else value
    if not isinstance(values, list) or not all(isinstance(answer, str) for answer in values):
        raise InputError("'answers' is not a list of texts.")
    if len(values) > limits.answers:
        raise InputError(f"'answers' has {len(values):,} entries; at most {limits.answers} are read.")
    if any(len(answer) > limits.question_chars for answer in values):
        raise InputError(f"one of 'answers' is longer than {limits.question_chars:,} characters.")
    return tuple(clean(answer) for answer in values)
