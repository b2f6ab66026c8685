"""The list of systems; the only place that knows them all."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from core.baselines import vanilla
from core.duquad import pipeline as duquad
from core.duquad import sweep
from core.models.protocol import Models, Stop
from core.records import Request, Step

Pipeline = Callable[[Request, Models, str, Stop], Iterator[Step]]
"""(request, models, run id, stop) → steps; the last step carries the finished record."""


@dataclass(frozen=True)
class System:
    """One way of answering a question."""

    name: str
    title: str
    kind: Literal["documents", "pdf", "sweep"]
    """What it works on; a sweep asks one question at many places, and its run ends with a ``SweepRecord``."""
    source: str
    """Where the method was published."""
    pipeline: Pipeline


SYSTEMS: dict[str, System] = {
    system.name: system
    for system in (
        System("duquad", "DuQUAD", "documents", "DuQUAD: Dual-View Multi-Document QA", duquad.run),
        System("vanilla", "Vanilla", "documents", "all documents in one prompt, one reply", vanilla.run),
        System("sweep", "Position sweep", "sweep", "one document at every place of the Vanilla prompt", sweep.run),
    )
}
