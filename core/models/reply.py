"""Reads the JSON object of a reply, tolerantly. No model library."""

from __future__ import annotations

import json
import re
from typing import Any


def read_object(text: str) -> tuple[dict[str, Any] | None, bool]:
    """The first JSON object in a reply, and whether the reply was exactly that.

    Tolerates fences, text around it, trailing commas and a reply that was cut off at its token limit.
    """
    try:
        whole = json.loads(text)
        if isinstance(whole, dict):
            return whole, True
    except (ValueError, RecursionError):
        pass
    begin = text.find("{")
    if begin < 0:
        return None, False
    body = re.sub(r",\s*([}\]])", r"\1", text[begin:])
    for candidate in (body, *_closed(body)):
        try:
            found, _ = json.JSONDecoder().raw_decode(candidate)
        except (ValueError, RecursionError):
            continue
        if isinstance(found, dict):
            return found, False
    return None, False


def _closed(body: str) -> list[str]:
    """Ways to close an object that was cut off: where it ends, after a null, and behind its last whole part."""
    stack, quoted, escaped = "", False, False
    whole = ""  # the beginning up to the last comma outside strings, closed
    for place, char in enumerate(body):
        if quoted:
            quoted, escaped = (char != '"' or escaped), char == "\\" and not escaped
        elif char == '"':
            quoted = True
        elif char in "{[":
            stack += "}" if char == "{" else "]"
        elif char in "}]":
            stack = stack[:-1]
        elif char == ",":
            whole = body[:place] + stack[::-1]
    ending = stack[::-1]
    return [body + '"' + ending, body + ending, body + "null" + ending, whole]
