"""Answers in several processes, each with models of its own: one a GPU, or as many as are asked for."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from core.backend.process import LOADER
from core.evaluation.engines import Control, Job, Outcome, Outcomes, lost
from core.models.protocol import ModelError
from core.settings.limits import HEARTBEAT_SECONDS

_ROOT = Path(__file__).resolve().parents[2]
_QUIET = {"TRANSFORMERS_VERBOSITY": "error", "HF_HUB_DISABLE_PROGRESS_BARS": "1", "TOKENIZERS_PARALLELISM": "false"}
_TRIES = 2  # of a job whose process died under it
_LOADS = 3  # starts of one process without its models ever being ready, before the run is given up
_DEATHS = 6  # of one process in a row without an answer in between, which is three questions
Mail = queue.Queue[tuple["_Child", str]]


@dataclass
class _Slot:
    """A place for a process, on one device."""

    device: str | None
    child: _Child | None = None
    job: Job | None = None
    ready: bool = False
    loads: int = 0
    deaths: int = 0


class _Child:
    """One process; what it says goes to the mail, and an empty line when it is gone."""

    def __init__(self, arguments: list[str], environment: dict[str, str], mail: Mail) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-m", "core.evaluation.answerer", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | _QUIET | environment,
        )
        threading.Thread(target=self._listen, args=(mail,), name="answerer pipe", daemon=True).start()

    def ask(self, job: Job) -> None:
        """Gives it a job; a process that is gone is noticed by its silence."""
        if self.process.stdin:
            with suppress(OSError, ValueError):
                self.process.stdin.write(job.model_dump_json(by_alias=True, exclude_none=True).encode() + b"\n")
                self.process.stdin.flush()

    def leave(self) -> None:
        """Ends it; it holds nothing that is worth waiting for."""
        if self.process.stdin:
            with suppress(OSError):
                self.process.stdin.close()
        self.process.kill()
        self.process.wait()

    def _listen(self, mail: Mail) -> None:
        if self.process.stdout:
            with self.process.stdout as lines:
                for line in lines:
                    mail.put((self, line.decode("utf-8", errors="replace")))
        mail.put((self, ""))


@dataclass
class ProcessEngine:
    """Several processes; one that dies is started again, and its job is tried once more."""

    profile: str
    cache: Path
    workers: int = 0
    """0 for one a GPU, or one where there is none."""
    loader: str = LOADER
    _slots: list[_Slot] = field(default_factory=list)
    _mail: Mail = field(default_factory=queue.Queue)

    def run(self, jobs: Iterator[Job], control: Control) -> Outcomes:
        """See ``Engine.run``."""
        again: deque[Job] = deque()
        tries: dict[int, int] = {}
        more = True
        self._slots = [_Slot(device) for device in places(self.workers, devices())]
        try:
            while not control.stopped and (more or again or any(slot.job for slot in self._slots)):
                for slot in self._slots:
                    if slot.job is None and not control.paused and (more or again):
                        slot.job = again.popleft() if again else next(jobs, None)
                        more = more and slot.job is not None
                        self._give(slot)
                with suppress(queue.Empty):
                    yield from self._heard(*self._mail.get(timeout=HEARTBEAT_SECONDS), again, tries)
        finally:
            self.close()

    def close(self) -> None:
        """Ends the processes."""
        for slot in self._slots:
            if slot.child:
                slot.child.leave()
        self._slots = []

    def _give(self, slot: _Slot) -> None:
        """Starts the process where it is needed, and tells it its job."""
        if slot.job is None:
            return
        if slot.child is None:
            slot.child, slot.ready, slot.loads = self._child(slot), False, slot.loads + 1
        elif slot.ready:
            slot.child.ask(slot.job)

    def _child(self, slot: _Slot) -> _Child:
        path = os.pathsep.join(filter(None, [str(_ROOT), os.environ.get("PYTHONPATH")]))
        threads = str(max(1, (os.cpu_count() or 1) // len(self._slots)))
        environment = {"PYTHONPATH": path, "OMP_NUM_THREADS": os.environ.get("OMP_NUM_THREADS", threads)}
        if slot.device is not None:
            environment["CUDA_VISIBLE_DEVICES"] = slot.device
        return _Child([self.profile, str(self.cache.absolute()), self.loader], environment, self._mail)

    def _heard(self, child: _Child, line: str, again: deque[Job], tries: dict[int, int]) -> Iterator[Outcome]:
        """Acts on one line; what a process says that was given up is dropped."""
        slot = next((slot for slot in self._slots if slot.child is child), None)
        if slot is None:
            return
        if not line:
            yield from self._died(slot, again, tries)
            return
        said = json.loads(line)
        if "failed" in said:
            raise ModelError(said["failed"])
        if "ready" in said:
            slot.ready, slot.loads = True, 0
            self._give(slot)
        else:
            slot.job, slot.deaths = None, 0
            yield Outcome.model_validate(said)

    def _died(self, slot: _Slot, again: deque[Job], tries: dict[int, int]) -> Iterator[Outcome]:
        assert slot.child
        slot.child.leave()
        code = slot.child.process.returncode
        slot.child, slot.deaths = None, slot.deaths + 1
        job, slot.job = slot.job, None
        if slot.deaths >= _DEATHS or slot.loads >= _LOADS:
            raise ModelError(f"A process ended again and again (code {code}): free memory, or take fewer of them.")
        if job:
            tries[job.number] = tries.get(job.number, 1) + 1
            if tries[job.number] <= _TRIES:
                again.append(job)
            else:
                yield lost(job, f"Its process ended in the middle of it, {_TRIES} times (code {code}).")


def devices() -> list[str]:
    """The GPUs that may be used: those of ``CUDA_VISIBLE_DEVICES``, else all that the driver lists."""
    named = os.environ.get("CUDA_VISIBLE_DEVICES")
    if named is not None:
        return [device for device in named.split(",") if device.strip()]
    try:
        told = subprocess.run(["nvidia-smi", "-L"], capture_output=True, text=True, timeout=20, check=True)
    except (OSError, subprocess.SubprocessError):
        return []
    cards = [line for line in told.stdout.splitlines() if line.startswith("GPU ")]
    return [str(number) for number in range(len(cards))]


def places(workers: int, gpus: list[str]) -> list[str | None]:
    """The device of each process: GPUs in turn; None where there is none."""
    count = workers or len(gpus) or 1
    return [gpus[number % len(gpus)] if gpus else None for number in range(count)]
