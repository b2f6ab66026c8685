"""The Core Decision: what its reply must look like, and how it is read (SLEUTH §3.4, App. F)."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from core.models.reply import read_object
from core.settings.pages import PLACING, REPLY_LIMITS
from core.sleuth.agents import Parsed, line

SOURCES = ("text", "table", "chart", "figure", "page image")
_FENCE = re.compile(r"```(?:json)?\s*(?=\[)", re.IGNORECASE)
_ARRAY = re.compile(r"\[\s*\{")
_NONE = re.compile(r"\W*(?:no answers? (?:was |were |is )?found|not answerable|unanswerable)\b", re.IGNORECASE)
_PAGE = re.compile(r"\s*(?:p(?:age|\.)?\s*)?(\d{1,6})\b.*", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True)
class Row:
    """One citation as the model gave it."""

    page: int | None
    """0-based; None where no page was named."""
    evidence: str
    source: str


@dataclass(frozen=True)
class Decision:
    """A decision reply as it was read."""

    answer: str
    rows: tuple[Row, ...]
    parsed: Parsed

    @property
    def no_answer(self) -> bool:
        """Whether the reply says that the evidence holds no answer."""
        return says_none(self.answer)


def decision_schema(pages: Sequence[int]) -> dict[str, Any]:
    """JSON schema of a decision: only pages that were read can be cited."""
    row = {
        "type": "object",
        "properties": {
            "page": {"type": "integer", "enum": [page + 1 for page in pages]},
            "evidence": {"type": "string", "maxLength": REPLY_LIMITS.content},
            "source": {"enum": list(SOURCES)},
        },
        "required": ["page", "evidence", "source"],
        "additionalProperties": False,
    }
    properties = {
        "answer": {"type": "string", "maxLength": REPLY_LIMITS.answer},
        "citations": {"type": "array", "items": row, "maxItems": REPLY_LIMITS.citations},
    }
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def read_decision(text: str) -> Decision:
    """An answer and its citations: the JSON object that is asked for, or free text with an array behind it.

    With neither, the whole reply is the answer, and it cites nothing.
    """
    found, exact = read_object(text) if text.lstrip().startswith(("{", "```")) else (None, False)
    if found and isinstance(found.get("answer"), str | int | float):
        return Decision(line(found["answer"], REPLY_LIMITS.answer), _rows(found.get("citations")), _parsed(exact))
    fence = _FENCE.search(text) or _ARRAY.search(text)
    if fence is None:
        return Decision(_answer(text), (), "repaired" if text.strip() else "failed")
    listed = text[fence.start() :].lstrip("`").removeprefix("json")
    return Decision(_answer(text[: fence.start()]), _rows(_objects(listed)), "repaired")


def says_none(answer: str) -> bool:
    """Whether an answer says that there is none."""
    return bool(_NONE.match(answer))


def _parsed(exact: bool) -> Parsed:
    return "schema" if exact else "repaired"


def _answer(text: str) -> str:
    """Free text as an answer: line breaks of a list stay, the rest is cut to its limit."""
    lines = [" ".join(part.split()) for part in text.strip().splitlines()]
    return "\n".join(part for part in lines if part)[: REPLY_LIMITS.answer]


def _objects(text: str) -> list[Any]:
    """The objects of a JSON array, as many as can be read: it may be cut off, or followed by anything."""
    decoder, place = json.JSONDecoder(), text.find("{")
    found: list[Any] = []
    while place >= 0 and len(found) < REPLY_LIMITS.citations:
        try:
            item, end = decoder.raw_decode(text, place)
        except (ValueError, RecursionError):
            break
        found.append(item)
        place = text.find("{", end)
    return found


def _rows(listed: Any) -> tuple[Row, ...]:
    items = [item for item in listed if isinstance(item, dict)] if isinstance(listed, list) else []
    return tuple(_row(item) for item in items[: REPLY_LIMITS.citations])


def _row(item: dict[Any, Any]) -> Row:
    known = {re.sub(r"\W+", "_", str(key)).strip("_").casefold(): value for key, value in item.items()}

    def first(*names: str) -> Any:
        return next((known[name] for name in names if name in known), None)

    named = _PAGE.fullmatch(str(first("page", "page_index", "page_number")))
    source = line(first("source", "evidence_source"), REPLY_LIMITS.location).casefold()
    evidence = line(first("evidence", "evidence_content", "quote", "content"), PLACING.chars)
    return Row(int(named[1]) - 1 if named else None, evidence, source)
