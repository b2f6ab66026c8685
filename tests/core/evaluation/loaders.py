"""Models and systems for engines under test, found by dotted name in processes and actors."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

from core.baselines import vanilla
from core.models.profile import Models
from core.models.protocol import Stop
from core.models.scripted import scripted_models
from core.records import Request, Step
from core.systems import SYSTEMS, System

MARK = "W_LENS_TEST_MARK"
"""Names a file that says that a process was killed already."""


def killed_once(asked: Request, models: Models, run_id: str, stop: Stop) -> Iterator[Step]:
    """Answers as Vanilla does; the first process that is asked the third question is killed in the middle of it."""
    mark = Path(os.environ[MARK])
    yield Step(stage="answer", fraction=0.0)
    if "Cy2" in asked.question.text and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    yield from vanilla.run(asked, models, run_id, stop)


def killed_always(asked: Request, models: Models, run_id: str, stop: Stop) -> Iterator[Step]:
    """Answers as Vanilla does, but for the second question, which kills every process that is asked it."""
    if "Bo1" in asked.question.text:
        os.kill(os.getpid(), signal.SIGKILL)
    yield from vanilla.run(asked, models, run_id, stop)


KILLERS = {
    name: System(name, name, "documents", "a test", f"tests.core.evaluation.loaders:{name.replace('-', '_')}")
    for name in ("killed-once", "killed-always")
}


def scripted(profile: str, cache: Path) -> Models:
    SYSTEMS.update(KILLERS)
    return scripted_models()
