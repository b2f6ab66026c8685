"""Loaders and pipelines for back ends under test. None imports torch; a worker finds them by dotted name."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from core.models.profile import Models
from core.models.protocol import ModelError, Stop
from core.models.scripted import scripted_models
from core.records import Document, Final, Question, Request, RunRecord, Step
from core.systems import SYSTEMS, Pipeline, System


def request(system: str = "test-tiny", question: str = "Who wrote Faust?") -> Request:
    documents = (
        Document(id="a", title="Goethe", text="Faust was written by Johann Wolfgang von Goethe.", gold=True),
        Document(id="b", title="Schiller", text="The Robbers is a play by Friedrich Schiller.", gold=False),
        Document(id="c", title="Weimar", text="Weimar is a town in Thuringia.", gold=False),
    )
    return Request(system=system, question=Question(text=question, gold=(0,)), documents=documents)


def record(asked: Request, run_id: str, answer: str | None = None) -> RunRecord:
    return RunRecord(
        run_id=run_id,
        created="2026-01-01T00:00:00+00:00",
        system=asked.system,
        question=asked.question,
        documents=asked.documents,
        settings=asked.settings,
        models={"profile": "embedded"},
        final=Final(answer=answer) if answer else None,
    )


def tiny(asked: Request, models: Models, run_id: str, stop: Stop) -> Iterator[Step]:
    yield Step(stage="read", fraction=0.0, message="Reading")
    stop()
    yield Step(stage="answer", fraction=0.5, message="Answering", record=record(asked, run_id))
    print("a library prints this to standard output")
    yield Step(stage="done", fraction=1.0, record=record(asked, run_id, f"pid {os.getpid()}"))


def slow(asked: Request, models: Models, run_id: str, stop: Stop) -> Iterator[Step]:
    """Three seconds, looking at ``stop`` often."""
    for step in range(6):
        yield Step(stage="slow", fraction=step / 6, record=record(asked, run_id))
        for _ in range(25):
            time.sleep(0.02)
            stop()
    yield Step(stage="done", fraction=1.0, record=record(asked, run_id, "slow"))


def deaf(asked: Request, models: Models, run_id: str, stop: Stop) -> Iterator[Step]:
    """Never looks at ``stop``."""
    yield Step(stage="deaf", fraction=0.1, message="Busy")
    time.sleep(60)


def killed(asked: Request, models: Models, run_id: str, stop: Stop) -> Iterator[Step]:
    yield Step(stage="killed", fraction=0.1)
    os.kill(os.getpid(), signal.SIGKILL)


def broken(asked: Request, models: Models, run_id: str, stop: Stop) -> Iterator[Step]:
    yield Step(stage="broken", fraction=0.1)
    raise RuntimeError("an inner detail")


def too_long(asked: Request, models: Models, run_id: str, stop: Stop) -> Iterator[Step]:
    raise ModelError("Only 2 of the 3 documents fit the window. Remove one.")
    yield


def memory(asked: Request, models: Models, run_id: str, stop: Stop) -> Iterator[Step]:
    raise MemoryError
    yield


def empty(asked: Request, models: Models, run_id: str, stop: Stop) -> Iterator[Step]:
    yield Step(stage="empty", fraction=1.0)


PIPELINES: dict[str, Pipeline] = {
    "test-tiny": tiny,
    "test-slow": slow,
    "test-deaf": deaf,
    "test-killed": killed,
    "test-broken": broken,
    "test-too-long": too_long,
    "test-memory": memory,
    "test-empty": empty,
}
TEST_SYSTEMS = {
    name: System(name, name, "documents", "a test", f"{run.__module__}:{run.__name__}")
    for name, run in PIPELINES.items()
}


def scripted(profile: str, cache: Path) -> Models:
    SYSTEMS.update(TEST_SYSTEMS)
    return scripted_models()


def no_torch(profile: str, cache: Path) -> Models:
    """Says in its facts whether torch was loaded."""
    models = scripted(profile, cache)
    models.facts["device"] = "torch" if "torch" in sys.modules else "no torch"
    return models


def no_weights(profile: str, cache: Path) -> Models:
    raise ModelError("The weights of the backbone are missing. Run `make app` once more.")


def no_hub(profile: str, cache: Path) -> Models:
    raise OSError("We couldn't connect to the hub\nand a second line")


def dies(profile: str, cache: Path) -> Models:
    os._exit(3)


def dies_once(profile: str, cache: Path) -> Models:
    """Killed while it loads for the first time, as when memory runs out for a moment."""
    mark = cache / "tried"
    if not mark.exists():
        cache.mkdir(parents=True, exist_ok=True)
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return scripted(profile, cache)


def plain(profile: str, cache: Path) -> Models:
    """Scripted models, and no systems beside the real ones."""
    return scripted_models()


def named(profile: str, cache: Path) -> Models:
    """Scripted models that go by the profile that was asked for."""
    return replace(scripted_models(), profile=profile)


def sleepy(profile: str, cache: Path) -> Models:
    """Models that take ten seconds a call."""
    return scripted_models(delay=10)
