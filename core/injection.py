"""Words in a document that address the model: a hint for the person who reads, never a filter.

Such words stay text in every prompt (``core.models.prompt`` writes no special token out of a document); whether the
model follows them all the same is what the page is there to show.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Literal

from core.harmless import is_hidden
from core.settings.limits import INJECTION_CHARS, INJECTION_FOUND

Kind = Literal["template", "instruction"]

# The tokens that open and close roles in the chat templates of the families that are in use.
_TEMPLATE = re.compile(
    r"<\|[a-z_]{2,24}\|>|</?s>|\[/?INST\]|<</?SYS>>|<(?:start|end)_of_turn>|</?(?:system|assistant|im_start|im_end)>"
    r"|^\s*(?:###\s*)?(?:system|assistant)\s*:",
    re.IGNORECASE | re.MULTILINE,
)
_VERB = r"(?:ignore|disregard|forget|override)"
_WHAT = r"(?:(?:all|any|the|your|these|of)\s+){0,4}(?:previous|prior|above|earlier|other|preceding)"
_INSTRUCTION = re.compile(
    rf"\b{_VERB}\s+{_WHAT}\s+(?:instructions?|documents?|prompts?|rules|text|context|pages?)\b"
    r"|\byou\s+are\s+now\s+(?:a|an|the|in)\b"
    r"|\b(?:always\s+|only\s+|just\s+)?(?:answer|reply|respond)\s+(?:only\s+)?with\s+[\"'“‘]"
    r"|\b(?:choose|select|rank|pick)\s+this\s+(?:document|passage|page)\b"
    r"|\b(?:dear|attention|note\s+to(?:\s+the)?)\s+(?:ai|llm|language\s+model|assistant)s?\b"
    r"|\b(?:reveal|print|repeat)\s+(?:your|the)\s+(?:system\s+)?prompt\b"
    r"|(?:忽略|无视)(?:之前|以上|前面|上述)的?(?:所有)?(?:指令|指示|内容|提示)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Address:
    """One place where a text addresses the model."""

    kind: Kind
    """A token of a chat template, or an instruction in words."""
    start: int
    end: int
    """[start, end) in the text."""


def addresses(text: str) -> tuple[Address, ...]:
    """Where a text addresses the model, in order; at most ``INJECTION_FOUND``, in its first ``INJECTION_CHARS``.

    Hidden characters inside a word do not hide it, nor do full-width letters.
    """
    bare, places = _bare(text[:INJECTION_CHARS])
    found = [
        Address(kind, places[match.start()], places[match.end() - 1] + 1)
        for kind, pattern in _PATTERNS
        for match in pattern.finditer(bare)
    ]
    return tuple(sorted(found, key=lambda one: (one.start, -one.end))[:INJECTION_FOUND])


_PATTERNS: tuple[tuple[Kind, re.Pattern[str]], ...] = (("template", _TEMPLATE), ("instruction", _INSTRUCTION))


def _bare(text: str) -> tuple[str, list[int]]:
    """The text without hidden characters and in compatibility form, and where each character stood."""
    chars: list[str] = []
    places: list[int] = []
    for place, char in enumerate(text):
        if is_hidden(char):
            continue
        for plain in unicodedata.normalize("NFKC", char):
            chars.append(plain)
            places.append(place)
    return "".join(chars), places
