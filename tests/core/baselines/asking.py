"""Requests for the baselines, and a run over scripted models that says what was asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from core.models.profile import Models
from core.models.protocol import Prompt, Task
from core.models.scripted import ScriptedBackbone, scripted_models
from core.records import Document, Question, Request, RunRecord
from core.systems import SYSTEMS
from tests.core.models.prompts import never

GOLD = 9
REST = [i for i in range(20) if i != GOLD]


def request(system: str, n: int = 20, gold: int = GOLD, same: bool = False, **settings: object) -> Request:
    """N documents of which one answers; ``same`` makes them all alike."""
    documents = [
        Document(id=str(i), title=f"T{i}", text="A lake is calm. Birds live there.", gold=i == gold) for i in range(n)
    ]
    if gold < n and not same:
        text = "The Potaro River plunges over Kaieteur Falls. It is brown. Boats stay away."
        documents[gold] = documents[gold].model_copy(update={"text": text})
    return Request(
        system=system,
        question=Question(text="which river plunges over Kaieteur Falls", answers=("Potaro",)),
        documents=tuple(documents),
        settings=settings,
    )


@dataclass
class Asked:
    """What a run left and what it asked."""

    record: RunRecord
    calls: list[tuple[str, Any]]

    @property
    def names(self) -> list[str]:
        return [name for name, _ in self.calls]

    def tasks(self, call: int) -> tuple[Task, ...]:
        """The tasks of a call to ``complete`` or ``weigh``."""
        name, argument = self.calls[call]
        return argument[0] if name == "weigh" else argument

    def reader(self) -> list[int]:
        """The documents of the last prompt, in its order."""
        return shown(self.tasks(-1)[0].prompt)


def run(ask: Request, replies: list[str] | None = None, models: Models | None = None) -> Asked:
    models = models or scripted_models(replies or [])
    *_, last = SYSTEMS[ask.system].load()(ask, models, "run", never)
    assert isinstance(last.record, RunRecord)
    assert RunRecord.from_json(last.record.to_json()) == last.record
    assert isinstance(models.backbone, ScriptedBackbone)
    return Asked(last.record, models.backbone.calls)


def shown(prompt: Prompt) -> list[int]:
    return [piece.document for piece in prompt.pieces if piece.document is not None]


def scores(record: RunRecord) -> np.ndarray:
    """Score per document (N,)."""
    found = {ranked.document: ranked.score for ranked in record.ranking or ()}
    return np.array([found[i] for i in range(len(found))])
