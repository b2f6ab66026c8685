"""Question sets: reading a large file, a set's question against a single run, two Ray actors against one."""

from __future__ import annotations

import gzip
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from core.backend.jobs import run_job
from core.evaluation.engines import Control, Job, Outcomes
from core.evaluation.local_engine import LocalEngine, answered
from core.evaluation.ray_engine import RayEngine
from core.evaluation.runner import SetRun
from core.evaluation.store import SetStore
from core.ingest.sets.question_set import open_set
from core.models.profile import Models
from core.runs import RunStore
from core.settings.app import AppSettings
from core.settings.limits import LIMITS
from tests.bench import material
from tests.bench.material import DATA, models, never
from tests.bench.table import NotHere, row

BIG = 100 * 1000 * 1000  # bytes of the large file
SINGLE = 6  # questions at most that are asked as a set and as single runs; each takes half a minute on two cores
RAY = 12  # questions at most of each of the two runs on Ray
# The peak is read off the process's own memory: getrusage also counts what its parent had when it was started.
READ = (
    "import sys, time; from pathlib import Path; start = time.perf_counter();"
    "from core.ingest.sets.question_set import open_set; s = open_set(Path(sys.argv[1])).summary();"
    "seconds = time.perf_counter() - start; status = Path('/proc/self/status').read_text();"
    "print(seconds, int(status.split('VmHWM:')[1].split()[0]) / 1000, s.questions)"
)


@cache
def nq_file() -> Path:
    """NQ-pool-20, gold tenth. Raises NotHere."""
    file = DATA / "nq_pool20_gold_at_9.jsonl.gz"
    if not file.exists():
        raise NotHere(f"{file.name} is not here; name its folder in W_LENS_DATA")
    return file


@cache
def big_read(as_list: bool) -> tuple[float, float]:
    """Seconds and peak MB of opening a 100 MB file and summing it up, in a process of its own; imports included."""
    if not Path("/proc/self/status").exists():
        raise NotHere("the peak of a process's memory is read where Linux shows it")
    with gzip.open(nq_file()) as lines:
        every = [json.loads(line) for line in lines]
    chance, size, texts = random.Random(0), 0, []
    while True:
        item = chance.choice(every)
        text = json.dumps(item | {"question": f"{item['question']} {len(texts)}"})
        size += len(text) + 2
        if size > BIG:
            break
        texts.append(text)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "big")
        path.write_text("[" + ",\n".join(texts) + "]" if as_list else "\n".join(texts))
        told = subprocess.run([sys.executable, "-c", READ, str(path)], capture_output=True, text=True, check=True)
    seconds, peak, questions = map(float, told.stdout.split())
    assert questions == len(texts) <= LIMITS.set_rows
    return seconds, peak


@row("big_file", "<= 15", "s for 100 MB of JSON lines, read and summed up")
def big_file() -> float:
    return big_read(False)[0]


@row("big_file_memory", "<= 300", "MB at most while that is read")
def big_file_memory() -> float:
    return big_read(False)[1]


@row("big_list", "<= 15", "s for 100 MB of one JSON list")
def big_list() -> float:
    return big_read(True)[0]


@row("big_list_memory", "<= 300", "MB at most while that is read")
def big_list_memory() -> float:
    return big_read(True)[1]


class _SideBySide:
    """Asks each question as a single run first, as the worker does for Inspect; the time of those is kept apart."""

    def __init__(self, models: Models, runs: RunStore) -> None:
        self._models = models
        self._runs = runs
        self.seconds = 0.0

    def run(self, jobs: Iterator[Job], control: Control) -> Outcomes:
        for job in jobs:
            start = time.perf_counter()
            for system in job.systems:
                request = job.request.model_copy(update={"system": system})
                run_job(self._runs, self._runs.create(request), request, self._models, never)
            self.seconds += time.perf_counter() - start
            yield answered(job, self._models, never)

    def close(self) -> None:
        pass


def _against_single(systems: tuple[str, ...]) -> float:
    count = min(SINGLE, material.QUESTIONS)
    with tempfile.TemporaryDirectory() as folder:
        engine = _SideBySide(models(), RunStore(Path(folder, "runs")))
        warm = SetRun(
            open_set(nq_file()),
            SetStore(Path(folder, "warm")),
            LocalEngine(models()),
            "embedded",
            ("vanilla",),
            pages=Path(folder),
            limit=1,
        )
        warm.go()
        run = SetRun(
            open_set(nq_file()),
            SetStore(Path(folder, "out")),
            engine,
            "embedded",
            systems,
            pages=Path(folder),
            limit=count,
        )
        start = time.perf_counter()
        assert run.go().errors == 0
        return (time.perf_counter() - start - engine.seconds) / engine.seconds


@row("set_per_question", "<= 1.0", "time of a set's question, everything included, against its single run (DuQUAD)")
def set_per_question() -> float:
    return _against_single(("duquad",))


@row("set_two_systems", "<= 1.0", "the same for DuQUAD and Vanilla together, against two single runs")
def set_two_systems() -> float:
    return _against_single(("duquad", "vanilla"))


def _ray_rate(workers: int, folder: Path) -> float:
    """Answers a second, from the first answer to the last: loading is not counted."""
    times: list[float] = []
    count = max(4, min(RAY, material.QUESTIONS))
    run = SetRun(
        open_set(nq_file()),
        SetStore(folder / str(workers)),
        RayEngine("embedded", AppSettings.from_env().cache, workers),
        "embedded",
        ("vanilla",),
        pages=folder,
        limit=count,
        notify=lambda progress: times.append(time.perf_counter()),
    )
    assert run.go().errors == 0
    # The first answers come together once the actors are warm: one of each does not count.
    return (count - workers) / (times[-1] - times[workers])


@row("ray_two_actors", ">= 1.3", "rate of two Ray actors against one, two cores, one thread each (Vanilla)")
def ray_two_actors() -> float:
    if find_spec("ray") is None:
        raise NotHere("Ray is not installed: requirements-ray.txt")
    before = os.environ.get("OMP_NUM_THREADS")
    os.environ["OMP_NUM_THREADS"] = "1"
    try:
        with tempfile.TemporaryDirectory() as folder:
            one = _ray_rate(1, Path(folder))
            return _ray_rate(2, Path(folder)) / one
    finally:
        if before is None:
            del os.environ["OMP_NUM_THREADS"]
        else:
            os.environ["OMP_NUM_THREADS"] = before
