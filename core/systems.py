"""The list of systems; the only place that knows them all. It names pipelines and imports none: a page may read it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Literal

from core.records import Request, Step

Pipeline = Callable[[Request, Any, str, Callable[[], None]], Iterator[Step]]
"""(request, models, run id, stop) → steps; the last step carries the finished record. Models and stop are those of
``core.models.protocol``."""

Kind = Literal["documents", "pdf", "sweep", "compare"]


@dataclass(frozen=True)
class System:
    """One way of answering a question."""

    name: str
    title: str
    kind: Kind
    """What it works on; a sweep asks one question at many places, and its run ends with a ``SweepRecord``; a
    comparison asks several systems, and ends with a ``CompareRecord``."""
    source: str
    """Where the method was published."""
    pipeline: str
    """``package.module:function``, imported when it is first used."""
    cost: str = ""
    """Calls of the model for N documents, as a person would count them."""
    role: str = ""
    """The role of a model that it cannot do without and that not every profile has."""

    def load(self) -> Pipeline:
        """The pipeline; imports the method."""
        module, name = self.pipeline.split(":")
        found: Pipeline = getattr(import_module(module), name)
        return found


SYSTEMS: dict[str, System] = {
    system.name: system
    for system in (
        System(
            "duquad",
            "DuQUAD",
            "documents",
            "DuQUAD: Dual-View Multi-Document QA",
            "core.duquad.pipeline:run",
            cost="3 calls and one for each candidate (at most 6)",
        ),
        System(
            "vanilla",
            "Vanilla",
            "documents",
            "all documents in one prompt, one reply",
            "core.baselines.vanilla:run",
            cost="1 call",
        ),
        System(
            "sweep",
            "Position sweep",
            "sweep",
            "one document at every place of the Vanilla prompt",
            "core.duquad.sweep:run",
        ),
    )
}


def of_kind(kind: Kind) -> tuple[System, ...]:
    """The systems of one kind, in the order in which they are shown."""
    return tuple(system for system in SYSTEMS.values() if system.kind == kind)
