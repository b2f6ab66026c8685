"""Scripted models whose replies are hostile, and assets that were written by somebody hostile."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import cycle
from pathlib import Path

from core.models.profile import Models
from core.models.protocol import Reply, Task
from core.models.roles import Role
from core.models.scripted import ScriptedBackbone, scripted_models
from core.models.scripted_reader import ScriptedPageReader
from tests.hostile import TEXTS, said, spoiled


class HostileBackbone(ScriptedBackbone):
    """Chooses as the scripted one does; every text of its replies is hostile."""

    def __init__(self) -> None:
        super().__init__()
        self._texts = cycle(TEXTS)

    def reply(self, task: Task) -> str:
        """The reply to one task."""
        text = super()._reply(task).text
        found = said(json.loads(text) if task.schema else text, task.schema, self._texts)
        return json.dumps(found) if task.schema else str(found)

    def _reply(self, task: Task) -> Reply:
        return replace(super()._reply(task), text=self.reply(task))


def hostile_models() -> Models:
    """The models of the profile ``embedded``, all hostile."""
    models, backbone = scripted_models(), HostileBackbone()
    reader, given = ScriptedPageReader(backbone.reply), models.role

    def role(name: Role) -> object:
        return reader if name in ("reader", "thinking_reader") else given(name)

    return replace(models, backbone=backbone, role=role)


def spoil(folder: Path) -> None:
    """Makes every free text of an assets folder hostile."""
    texts = cycle(TEXTS)
    for path in sorted(folder.rglob("*.json*")):
        lines = path.read_text(encoding="utf-8").splitlines() if path.suffix == ".jsonl" else [path.read_text("utf-8")]
        path.write_text("\n".join(json.dumps(spoiled(json.loads(line), texts)) for line in lines) + "\n", "utf-8")
