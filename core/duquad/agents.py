"""The Local and the Global Agent: what a reply must look like, and how it is read (DuQUAD §3.2)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from core.models.protocol import Reply
from core.models.reply import read_object
from core.records import AgentReply
from core.settings.kinds import SelectionKind
from core.settings.methods import ANSWER_CHARS, MAX_IMPORTANT, REASONING_CHARS

_ANSWER = re.compile(r"answer\W{1,6}([^\n\"}]{1,200})", re.IGNORECASE)
_NUMBERS = re.compile(r"\[(\d{1,4})\]|[Dd]ocument (\d{1,4})")


def reply_schema(shown: Sequence[int], selection: SelectionKind = "spoken") -> dict[str, Any]:
    """JSON schema of an agent's reply: only numbers that were shown can be named.

    Documents and answer come before the reasoning, so that a reply that reaches its limit has them. Where the
    selection is read off the signals, no documents are asked for.
    """
    numbers = [index + 1 for index in sorted(shown)]
    important = {
        "type": "array",
        "items": {"type": "integer", "enum": numbers},
        "minItems": 1,
        "maxItems": min(MAX_IMPORTANT, len(numbers)),
    }
    properties = {
        "answer": {"type": "string", "maxLength": ANSWER_CHARS},
        "reasoning": {"type": "string", "maxLength": REASONING_CHARS},
    }
    if selection == "spoken":
        properties = {"important_docs": important, **properties}
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def read_reply(
    reply: Reply, shown: Sequence[int], fallback: Sequence[int], selection: SelectionKind = "spoken"
) -> AgentReply:
    """An agent's reply as a record.

    Spoken: numbers that were not shown are dropped, repeats too, the rest is cut to three; with no number left
    ``fallback`` is taken (the best by SFS for the Local Agent, none for the Global Agent). Signals: the
    selection is ``fallback``.
    """
    found, exact = read_object(reply.text)
    data = found or _loose(reply.text)
    numbers = data.get("important_docs") if selection == "spoken" else None
    important = _known(numbers if isinstance(numbers, list) else [], shown)
    whole = exact and bool(important or selection == "signals")
    return AgentReply(
        answer=_line(data.get("answer")),
        reasoning=_line(data.get("reasoning")),
        important_documents=tuple(important or fallback),
        selection=selection,
        documents_shown=tuple(shown),
        raw=reply.text,
        parsed="schema" if whole else "repaired" if found or important else "failed",
    )


def _known(numbers: Sequence[Any], shown: Sequence[int]) -> list[int]:
    known: list[int] = []
    for number in numbers:
        if isinstance(number, str) and number.strip().isdecimal():
            number = int(number)
        if isinstance(number, int) and number - 1 in shown and number - 1 not in known:
            known.append(number - 1)
    return known[:MAX_IMPORTANT]


def _loose(text: str) -> dict[str, Any]:
    """What can be found in a reply that is no JSON object."""
    answer = _ANSWER.search(text)
    numbers = [int(a or b) for a, b in _NUMBERS.findall(text)]
    return {"answer": answer[1] if answer else text, "important_docs": numbers}


def _line(value: Any) -> str:
    return " ".join(value.split()) if isinstance(value, str) else ""
