"""The agents that speak: what a reply must look like, and how it is read (SLEUTH §3.2, §3.3, App. F)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Literal, get_args

from core.models.protocol import Reply
from core.models.reply import read_object
from core.page_record import Difficulty, EvidenceKind, Label, PageLayout
from core.records import Clue
from core.settings.pages import REPLY_LIMITS
from core.sleuth.placing import place
from core.sleuth.prompts import NEUTRAL_INSTRUCTIONS

Parsed = Literal["schema", "repaired", "failed"]
LABELS: dict[str, Label] = {"completely relevant": "CR", "relevant": "R", "irrelevant": "IR"}
_KINDS: tuple[str, ...] = get_args(EvidenceKind)
_CONFIDENCES = ("high", "medium", "low")
_LINE = re.compile(r"^[\W_]*(has[ _]chart|relevance|reasoning)[\s*]*:[\s*]*(.+?)[\s*]*$", re.IGNORECASE | re.MULTILINE)


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def _text(most: int) -> dict[str, Any]:
    return {"type": "string", "maxLength": most}


_ITEM = _object(
    {
        "evidence_type": {"enum": list(_KINDS)},
        "content": _text(REPLY_LIMITS.content),
        "location": _text(REPLY_LIMITS.location),
        "relevance": _text(REPLY_LIMITS.reason),
        "confidence": {"enum": list(_CONFIDENCES)},
    }
)
CLUE_SCHEMA = _object(
    {
        "has_relevant_evidence": {"type": "boolean"},
        "evidence_items": {"type": "array", "items": _ITEM, "maxItems": REPLY_LIMITS.items},
        "key_insights": _text(REPLY_LIMITS.content),
        "page_summary": _text(REPLY_LIMITS.reason),
    }
)
_RELEVANCE = {
    "relevance": {"enum": ["Completely Relevant", "Relevant", "Irrelevant"]},
    "reasoning": _text(REPLY_LIMITS.reason),
}
SCREENING_SCHEMA = _object({"has_chart": {"type": "boolean"}, **_RELEVANCE})
SCREENING_SCHEMA_OF_TEXT = _object(_RELEVANCE)
DIFFICULTY_SCHEMA = _object(
    {"difficulty_level": {"enum": [0, 1]}, "instruction_set": _text(REPLY_LIMITS.instructions)},
)


@dataclass(frozen=True)
class Clues:
    """A clue reply as it was read."""

    clues: tuple[Clue, ...]
    summary: str
    parsed: Parsed


@dataclass(frozen=True)
class Screened:
    """A screening reply as it was read."""

    label: Label | None
    """None where the reply holds none."""
    rationale: str
    parsed: Parsed


def read_clues(reply: Reply, layout: PageLayout) -> Clues:
    """A page's clues, each placed on the page; a page that is said to have no evidence has none."""
    found, exact = read_object(reply.text)
    data = _plain_keys(found or {})
    items = data.get("evidence_items")
    if not isinstance(items, list):
        said_none = data.get("has_relevant_evidence") is False
        return Clues((), line(data.get("page_summary"), REPLY_LIMITS.reason), "repaired" if said_none else "failed")
    insight = line(data.get("key_insights"), REPLY_LIMITS.content)
    rows = [_plain_keys(item) for item in items[: REPLY_LIMITS.items] if isinstance(item, dict)]
    clues = tuple(_clue(row, layout, insight) for row in rows if line(row.get("content"), 1))
    return Clues(clues, line(data.get("page_summary"), REPLY_LIMITS.reason), "schema" if exact else "repaired")


def _clue(row: dict[str, Any], layout: PageLayout, insight: str) -> Clue:
    content = line(row.get("content"), REPLY_LIMITS.content)
    region = line(row.get("location"), REPLY_LIMITS.location)
    found = place(content, layout, region)
    return Clue.model_validate(
        {
            "page": layout.page,
            "region": region,
            "content": content,
            "insight": insight,
            "rationale": line(row.get("relevance"), REPLY_LIMITS.reason),
            "kind": _one_of(row.get("evidence_type"), _KINDS, "text"),
            "confidence": _one_of(row.get("confidence"), _CONFIDENCES, "medium"),
            "boxes": found.boxes,
            "placed": found.placed,
        }
    )


def read_screening(reply: Reply) -> Screened:
    """A page's label and why: the JSON object that is asked for, or the paper's three labelled lines.

    A page with no chart is "none", and so is one with a label outside the three.
    """
    found, exact = read_object(reply.text)
    data = _plain_keys(found or dict(_LINE.findall(reply.text)))
    said = data.get("relevance")
    reason = line(data.get("reasoning"), REPLY_LIMITS.reason)
    seen = data.get("has_chart")
    if seen is False or (isinstance(seen, str) and seen.strip().casefold().startswith("no")):
        return Screened("none", reason, "schema" if exact else "repaired")
    if not isinstance(said, str) or not said.strip():
        return Screened(None, reason, "failed")
    label = LABELS.get(" ".join(re.sub(r"[\W_]+", " ", said).split()).casefold(), "none")
    return Screened(label, reason, "schema" if exact else "repaired")


def read_difficulty(reply: Reply, probability: float | None) -> Difficulty:
    """The level and the instructions; a reply that cannot be read is level 0 with a neutral instruction."""
    found, exact = read_object(reply.text)
    data = _plain_keys(found or {})
    level = str(data.get("difficulty_level", "")).strip()
    if level not in ("0", "1"):
        return Difficulty(
            level=0, probability=probability, instructions=NEUTRAL_INSTRUCTIONS, raw=reply.text, parsed="failed"
        )
    told = line(data.get("instruction_set"), REPLY_LIMITS.instructions)
    return Difficulty(
        level=1 if level == "1" else 0,
        probability=probability,
        instructions=told or NEUTRAL_INSTRUCTIONS,
        raw=reply.text,
        parsed="schema" if exact else "repaired",
    )


def _plain_keys(data: dict[Any, Any]) -> dict[str, Any]:
    """With keys as the schema spells them: "Evidence Items" is evidence_items."""
    return {re.sub(r"\W+", "_", str(key).strip()).casefold(): value for key, value in data.items()}


def _one_of(value: Any, known: tuple[str, ...], otherwise: str) -> str:
    said = str(value).strip().casefold()
    return said if said in known else otherwise


def line(value: Any, most: int) -> str:
    """A text of a reply on one line and within its limit; empty for anything else."""
    if not isinstance(value, str | int | float) or isinstance(value, bool):
        return ""
    return " ".join(str(value).split())[:most]
