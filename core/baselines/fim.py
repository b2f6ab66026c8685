"""Found in the Middle: what documents draw beyond what their places draw (Hsieh et al., Findings of ACL 2024, §2).

The question stands before and behind the documents. A document's relevance is its attention minus that of a
content-free text of the same length in its place; the rest of the prompt stays as it is.

Our choices, where the paper is silent: attention of the question's last token, not of the template's last (as
DuQUAD, so that the two can be compared); mean over all layers and heads; the wording of prompt and dummy.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.duquad.contrast import document_attention
from core.duquad.prompts import EVIDENCE_INSTRUCTION, document_piece
from core.duquad.sweep import dummy_document
from core.models.calls import CallLog
from core.models.profile import Models
from core.models.protocol import Piece, Prompt, Reading, Stop
from core.records import Document, RunRecord
from core.settings.profiles import PROFILES

Vector = NDArray[np.float64]


@dataclass(frozen=True)
class Calibrated:
    """What was measured over the documents in their given order."""

    attention: Vector
    """A of each document (N,)."""
    relevance: Vector
    """A minus the dummy's in the same place (N,)."""
    prompt: Prompt
    reading: Reading
    """Of ``prompt``; a reply can continue from it."""


def calibrated(record: RunRecord, models: Models, log: CallLog, stop: Stop) -> Calibrated:
    """One reading of the documents, and one for each place with a dummy there (or one for all places).

    The readings of dummies take over what they share with the first. Raises ModelError.
    """
    reserve = record.settings.judge_tokens
    prompt = both_sides(record, record.documents, range(len(record.documents)), PROFILES[models.profile].answer_opener)
    with log.call("attention", models.backbone.name, "score") as usage:
        reading = models.backbone.read(prompt, stop, reserve)
        usage.prompt_tokens = reading.prompt_tokens
    attention = document_attention(reading.attention)
    drawn = np.zeros(len(record.documents))
    with log.call("calibration", models.backbone.name, "score") as usage:
        places = _dummy_places(record)
        for at in places:
            control = models.backbone.read(_with_dummies(record, models, at), stop, reserve, after=reading)
            usage.prompt_tokens += control.prompt_tokens
            drawn[at] = document_attention(control.attention)[at]
        usage.sequences = len(places)
    return Calibrated(attention, attention - drawn, prompt, reading)


def both_sides(record: RunRecord, documents: Sequence[Document], shown: Sequence[int], opener: str) -> Prompt:
    """The reader's prompt with the question before the documents as well (§2.1)."""
    instruction = record.settings.instruction or EVIDENCE_INSTRUCTION
    question = record.question.text
    pieces = [Piece(f"{instruction}\n\nQuestion: {question}\n\n")]
    for index in shown:
        pieces += [document_piece(index, documents[index]), Piece("\n")]
    return Prompt((*pieces, Piece("\nQuestion: "), Piece(question, question=True)), opener)


def u_order(best: Sequence[int]) -> list[int]:
    """The best at both ends: first, last, second, last but one, and so on, of documents given best first (§3).

    The best is first for odd and even N alike.
    """
    return [*best[0::2], *reversed(best[1::2])]


def _dummy_places(record: RunRecord) -> list[list[int]]:
    """The places that hold a dummy in each further reading."""
    every = list(range(len(record.documents)))
    return [every] if record.settings.baselines.dummy == "together" else [[place] for place in every]


def _with_dummies(record: RunRecord, models: Models, at: Sequence[int]) -> Prompt:
    documents = list(record.documents)
    for place in at:
        documents[place] = dummy_document(documents[place])
    return both_sides(record, documents, range(len(documents)), PROFILES[models.profile].answer_opener)
