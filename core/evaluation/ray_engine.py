"""Answers on Ray: actors with warm models, here or on the cluster that ``RAY_ADDRESS`` names. Optional.

Every machine of a cluster needs this project's code and, for questions about PDFs, the same cache folder. A cluster
with token authentication, the default of newer Rays, takes the token from ``RAY_AUTH_TOKEN``, as Ray's own tools do.
"""

from __future__ import annotations

import json
import os
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from core.backend.process import LOADER
from core.evaluation.answerer import load
from core.evaluation.engines import Control, Job, Outcome, Outcomes, lost
from core.evaluation.local_engine import answered
from core.models.profile import Models
from core.models.protocol import ModelError
from core.records import dumps
from core.settings.limits import HEARTBEAT_SECONDS

_ROOT = Path(__file__).resolve().parents[2]
_TRIES = 2  # of a job whose actor died under it
_DEATHS = 6  # of one actor in a row without an answer in between, which is three questions
# Ray tells who runs it otherwise, and asks its maker's host whether it may.
_QUIET = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0"}


class Answerer:
    """The actor: loads the models once, then answers jobs as JSON."""

    def __init__(self, profile: str, cache: str, loader: str) -> None:
        self._models: Models | None = None
        self._failed = ""
        try:
            self._models = load(loader, profile, Path(cache))
        except ModelError as error:
            self._failed = str(error)

    def answer(self, job: str) -> str:
        """The outcome of a job, or ``{"failed": reason}``; as JSON, so that Ray need not know the records."""
        if self._models is None:
            return dumps({"failed": self._failed})
        outcome = answered(Job.model_validate_json(job), self._models, lambda: None)
        return outcome.model_dump_json(by_alias=True, exclude_none=True)


@dataclass
class _Seat:
    """A place for an actor."""

    actor: Any = None
    job: Job | None = None
    deaths: int = 0


@dataclass
class RayEngine:
    """Several actors; one that is lost is started again, and its job is tried once more."""

    profile: str
    cache: Path
    workers: int = 0
    """0 for one a GPU of the cluster, or one a CPU where it has no GPU."""
    loader: str = LOADER
    _ray: Any = None
    _started: bool = False
    _seats: list[_Seat] = field(default_factory=list)

    def run(self, jobs: Iterator[Job], control: Control) -> Outcomes:
        """See ``Engine.run``."""
        again: deque[Job] = deque()
        tries: dict[int, int] = {}
        flying: dict[Any, _Seat] = {}
        more = True
        self._begin()
        try:
            while not control.stopped and (more or again or flying):
                for seat in self._seats:
                    if seat.job is None and not control.paused and (more or again):
                        seat.job = again.popleft() if again else next(jobs, None)
                        more = more and seat.job is not None
                        flying |= self._ask(seat)
                if not flying:
                    time.sleep(HEARTBEAT_SECONDS)  # a pause
                    continue
                ready, _ = self._ray.wait(list(flying), timeout=HEARTBEAT_SECONDS)
                for reference in ready:
                    yield from self._taken(reference, flying.pop(reference), again, tries)
        finally:
            self.close()

    def close(self) -> None:
        """Ends the actors, and Ray where it was started here."""
        for seat in self._seats:
            if seat.actor is not None:
                self._ray.kill(seat.actor)
        self._seats = []
        if self._started:
            self._ray.shutdown()
            self._started = False

    def _begin(self) -> None:
        """Joins the cluster, or starts one on this machine. Raises ModelError."""
        if find_spec("ray") is None:
            raise ModelError("Ray is not installed: pip install -r requirements-ray.txt, or take another engine.")
        os.environ.update(_QUIET)
        self._ray = import_module("ray")
        if not self._ray.is_initialized():
            path = os.pathsep.join(filter(None, [str(_ROOT), os.environ.get("PYTHONPATH")]))
            # Without an address, Ray would join whatever cluster was last started on this machine.
            address = os.environ.get("RAY_ADDRESS") or "local"
            here = address == "local"
            try:
                self._ray.init(
                    address=address,
                    runtime_env={"env_vars": {"PYTHONPATH": path, "TOKENIZERS_PARALLELISM": "false"}},
                    log_to_driver=False,
                    **({"include_dashboard": False, "num_cpus": self.workers or None} if here else {}),
                )
            except (ConnectionError, RuntimeError, ValueError) as error:
                raise ModelError(f"Ray could not be reached or started: {str(error).splitlines()[0][:300]}") from error
            self._started = True
        have = self._ray.cluster_resources()
        self._gpus = int(have.get("GPU", 0))
        cpus = max(1, int(have.get("CPU", 1)))  # an actor beyond these would wait for ever
        self._seats = [_Seat() for _ in range(min(self.workers or self._gpus or cpus, cpus))]

    def _ask(self, seat: _Seat) -> dict[Any, _Seat]:
        if seat.job is None:
            return {}
        if seat.actor is None:
            each = min(1.0, self._gpus / len(self._seats))
            # Restarting is ours: a restarted actor would answer for its lost job a second time, unasked.
            remote = self._ray.remote(num_cpus=1, num_gpus=each, max_restarts=0)(Answerer)
            seat.actor = remote.remote(self.profile, str(self.cache.absolute()), self.loader)
        return {seat.actor.answer.remote(seat.job.model_dump_json(by_alias=True, exclude_none=True)): seat}

    def _taken(self, reference: Any, seat: _Seat, again: deque[Job], tries: dict[int, int]) -> Iterator[Outcome]:
        job, seat.job = seat.job, None
        assert job is not None
        try:
            said = json.loads(self._ray.get(reference))
        except self._ray.exceptions.RayError as error:
            yield from self._lost(seat, job, _told(error), again, tries)
            return
        if "failed" in said:
            raise ModelError(said["failed"])
        seat.deaths = 0
        yield Outcome.model_validate(said)

    def _lost(self, seat: _Seat, job: Job, why: str, again: deque[Job], tries: dict[int, int]) -> Iterator[Outcome]:
        """A new actor takes the seat when it is next needed."""
        if seat.actor is not None:
            self._ray.kill(seat.actor)
        seat.actor, seat.deaths = None, seat.deaths + 1
        if seat.deaths >= _DEATHS:
            raise ModelError(f"An actor was lost again and again: {why}")
        tries[job.number] = tries.get(job.number, 1) + 1
        if tries[job.number] <= _TRIES:
            again.append(job)
        else:
            yield lost(job, f"Its actor was lost in the middle of it, {_TRIES} times: {why}")


def _told(error: Exception) -> str:
    """Ray's own words, without its addresses and log paths."""
    return " ".join(str(error).split())[:200]
