"""Every prompt of Tree of Agents, in our own words, with the schema of its reply."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from core.duquad.prompts import reading_pieces
from core.models.protocol import Piece, Prompt, Task
from core.records import ChunkReader, RunRecord, Walked
from core.settings.methods import ANSWER_CHARS, REASONING_CHARS

SILENT = frozenset({"", "none", "unknown"})
"""Normalised answers that are no vote."""
PERCEIVE = "You see one part of a larger set of documents. Look for what helps to answer the question."
PERCEIVE_FORM = (
    "Reply with a JSON object: evidence (what these documents say about it, or none), answer (a few words, or none)."
)
EXCHANGE = "Several readers have each seen one part of a set of documents. These are their notes."
WALK = "You have notes from the documents that you read before. Read the next part and bring the notes up to date."
WALK_FORM = (
    "Reply with a JSON object: useful (true if this part adds to the answer, else false), evidence (the notes as they "
    "stand now), answer (a few words, or none)."
)
DECIDE = "These are the notes of one reader after reading several parts of the documents, in several orders."
DECIDE_FORM = "Reply with a JSON object: answer (a few words, or none if the notes do not say)."
TIE = "Several readers disagree about an answer. Choose the most plausible answer, in one short sentence."

_EVIDENCE: dict[str, Any] = {"type": "string", "maxLength": REASONING_CHARS}
_ANSWER: dict[str, Any] = {"type": "string", "maxLength": ANSWER_CHARS}


def perceive(record: RunRecord, chunk: Sequence[int]) -> Task:
    """A reader's own chunk."""
    pieces = reading_pieces(record.question.text, record.documents, chunk, PERCEIVE, PERCEIVE_FORM)
    return Task(Prompt(pieces), record.settings.agent_tokens, _schema(evidence=_EVIDENCE, answer=_ANSWER))


def exchange(record: RunRecord, readers: Sequence[ChunkReader], own: int, most: int) -> Task:
    """All notes; which other readers' chunks would this one read?"""
    notes = [f"Reader {i + 1}: {note(reader.evidence, reader.answer)}" for i, reader in enumerate(readers)]
    others = [i + 1 for i in range(len(readers)) if i != own]
    form = (
        f"You are Reader {own + 1}. Reply with a JSON object: readers (the numbers of at most {most} other readers "
        "whose documents you should read as well, or an empty list)."
    )
    listed = {"type": "array", "items": {"type": "integer", "enum": others}, "minItems": 0, "maxItems": most}
    return Task(_notes(record, EXCHANGE, notes, form), record.settings.score_tokens, _schema(readers=listed))


def walk(record: RunRecord, chunk: Sequence[int], state: Walked) -> Task:
    """The notes so far and the next chunk."""
    instruction = f"{WALK}\n\nNotes so far: {note(state.evidence, state.answer)}"
    pieces = reading_pieces(record.question.text, record.documents, chunk, instruction, WALK_FORM)
    schema = _schema(useful={"type": "boolean"}, evidence=_EVIDENCE, answer=_ANSWER)
    return Task(Prompt(pieces), record.settings.agent_tokens, schema)


def decide(record: RunRecord, states: Sequence[Walked]) -> Task:
    """A reader's notes at the ends of its longest paths."""
    notes = [f"Notes {i}: {note(state.evidence, state.answer)}" for i, state in enumerate(states, start=1)]
    return Task(_notes(record, DECIDE, notes, DECIDE_FORM), record.settings.judge_tokens, _schema(answer=_ANSWER))


def tie(record: RunRecord, answers: Sequence[str], opener: str) -> Task:
    """The answers with equally many votes."""
    notes = [f"Answer {i}: {answer}" for i, answer in enumerate(answers, start=1)]
    return Task(_notes(record, TIE, notes, "", opener), record.settings.judge_tokens)


def note(evidence: str, answer: str) -> str:
    """What a reader knows, in one line."""
    return f"{evidence or 'nothing found'}; answered: {answer or 'none'}"


def _notes(record: RunRecord, instruction: str, notes: Sequence[str], form: str, opener: str = "") -> Prompt:
    said = "\n".join((instruction, "", *notes))
    pieces = (Piece(f"{said}\n\nQuestion: "), Piece(record.question.text, question=True))
    return Prompt((*pieces, Piece(f"\n{form}")) if form else pieces, opener)


def _schema(**properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}
