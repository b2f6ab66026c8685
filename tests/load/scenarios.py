"""What many people and bad luck do to the app. Each scenario returns its figures."""

from __future__ import annotations

import asyncio
import json
import os
import random
import resource
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import psutil

from core.records import Event, Request, RunRecord
from core.retention import Retention
from core.runs import RunStore
from core.settings.limits import CLOCK_JUMP, LIMITS
from tests.load.site import Site, Visitor, p95, site, together, visitors
from ui.samples import Samples

Figures = dict[str, float | str]
SCENARIOS: dict[str, Callable[[], Figures]] = {}
QUESTION = "Which river is the longest in Oran?"
DOCUMENTS = [
    {"title": "Oran", "text": "Oran has a port and an opera house. " * 3},
    {"title": "Sil", "text": "The Sil is the longest river in Oran.", "gold": True},
    {"title": "Rivers", "text": "Rivers run to the sea, and some end in a lake. " * 3},
]
ROUGH = [0]  # seed of what is random here


def scenario(run: Callable[[], Figures]) -> Callable[[], Figures]:
    """Registers a scenario by its name."""
    SCENARIOS[run.__name__] = run
    return run


@contextmanager
def folder() -> Iterator[Path]:
    """A folder for one scenario."""
    with tempfile.TemporaryDirectory(prefix="w-lens-load-") as path:
        yield Path(path)


def ended(runs: Path) -> dict[str, int]:
    """How the runs in a folder ended, by kind; "open" for one that has not."""
    store, found = RunStore(runs), dict[str, int]()
    for path in sorted(runs.iterdir()) if runs.is_dir() else []:
        with suppress(LookupError):
            last = store.last_event(path.name)
            kind = last.kind if last and last.final else "open"
            found[kind] = found.get(kind, 0) + 1
    return found


@scenario
def fifty_on_recorded_runs() -> Figures:
    """Fifty visitors open recorded runs at once."""
    slugs = list(Samples().examples)

    async def all_of_them(url: str) -> list[float]:
        people = visitors(url, 50)
        done = await together([person.open(f"/?example={slugs[i % len(slugs)]}") for i, person in enumerate(people)])
        assert not [one for one in done if isinstance(one, BaseException)], done
        return [seconds for person in people for seconds in person.taken]

    with folder() as path, site(path / "runs") as app:
        started = time.perf_counter()
        taken = asyncio.run(all_of_them(app.url))
        return {
            "requests": len(taken),
            "seconds until all have their page": round(time.perf_counter() - started, 1),
            "p95 ms of a request": round(p95(taken)),
        }


@scenario
def twenty_ask_at_once() -> Figures:
    """Twenty ask the embedded models at once, while one looks at pages."""

    async def asking(app: Site) -> Figures:
        people = visitors(app.url, 20)
        looker = visitors(app.url, 1)[0]
        asked = [asyncio.create_task(person.call("ask", question=QUESTION, documents=DOCUMENTS)) for person in people]
        while not all(task.done() for task in asked):
            await looker.get("/?example=" + next(iter(Samples().examples)))
            await looker.get("/config")
            await asyncio.sleep(0.5)
        done = [task.result()[0] for task in asked]
        places = _places(app.runs)
        return {
            "answered": done.count("complete"),
            "lost": done.count("error"),
            "told their place in the queue": places["place"],
            "told how long": places["about"],
            "p95 ms of a page while the worker is busy": round(p95(looker.taken)),
        }

    with folder() as path, site(path / "runs", "process", W_LENS_PROFILE="embedded") as app:
        _until_ready(app)
        return asyncio.run(asking(app)) | {"runs by end": json.dumps(ended(app.runs))}


@scenario
def more_than_the_queue_holds() -> Figures:
    """More ask than may wait: those above the bound are refused with a message, the others are answered."""
    number = LIMITS.queue + 12

    async def asking(url: str) -> list[tuple[str, str]]:
        people = visitors(url, number)
        return list(await together([one.call("ask", question=QUESTION, documents=DOCUMENTS) for one in people]))

    with folder() as path, site(path / "runs") as app:
        done = asyncio.run(asking(app.url))
        refused = [text for kind, text in done if kind == "error"]
        return {
            "asked": number,
            "answered": number - len(refused),
            "refused": len(refused),
            "refused with the reason": sum("queue is full" in text for text in refused),
        }


@scenario
def worker_killed_twenty_times() -> Figures:
    """The worker is killed at random moments of runs; each run says so, and the next one works."""
    chance = random.Random(ROUGH[0])

    async def killing(app: Site) -> Figures:
        said, told = 0, []
        for _ in range(20):
            person = visitors(app.url, 1)[0]
            task = asyncio.create_task(person.call("ask", question=QUESTION, documents=DOCUMENTS))
            await _until_busy(app)
            await asyncio.sleep(chance.uniform(0, 2))
            killed = time.perf_counter()
            for worker in app.workers():
                with suppress(psutil.Error):
                    worker.kill()
            kind, text = await task
            told.append(time.perf_counter() - killed)
            said += kind == "error" and "worker process ended" in text
        kind, _ = await visitors(app.url, 1)[0].call("ask", question=QUESTION, documents=DOCUMENTS)
        return {
            "killed": 20,
            "runs that say so": said,
            "longest s until it is said": round(max(told), 1),
            "the next run": kind,
        }

    with folder() as path, site(path / "runs", "process", W_LENS_PROFILE="embedded") as app:
        _until_ready(app)
        return asyncio.run(killing(app)) | {"runs by end": json.dumps(ended(app.runs))}


@scenario
def disk_full() -> Figures:
    """No file may grow beyond 2 KB: records cannot be written. The page stays, the message says why."""

    async def asking(url: str) -> tuple[str, str]:
        person = visitors(url, 1)[0]
        await person.open()
        return await person.call("ask", question=QUESTION, documents=DOCUMENTS)

    with folder() as path, site(path / "runs") as app:
        # The log of the app is a file as well, and long before this.
        resource.prlimit(app.process.pid, resource.RLIMIT_FSIZE, (2_000, 2_000))
        kind, text = asyncio.run(asking(app.url))
        return {"answer": kind, "says that the disk is full": float("disk is full" in text)}


@scenario
def read_only_runs_folder() -> Figures:
    """The run folder cannot be written: recorded runs open, a question gets the reason."""

    async def asking(url: str) -> tuple[str, str]:
        person = visitors(url, 1)[0]
        await person.open(f"/?example={next(iter(Samples().examples))}")
        return await person.call("ask", question=QUESTION, documents=DOCUMENTS)

    with folder() as path:
        locked = path / "locked"
        locked.write_text("a file, where the folder would be")  # also refuses root, whom no mode stops
        with site(locked / "runs") as app:
            kind, text = asyncio.run(asking(app.url))
            return {"answer": kind, "says which folder and what to do": float("W_LENS_RUNS" in text)}


@scenario
def clock_jump() -> Figures:
    """The wall clock jumps a year ahead: nothing that is kept for 30 days is deleted."""
    with folder() as path:
        store, wall = RunStore(path / "runs"), [time.time()]
        for _ in range(20):
            store.append(store.create(_request()), Event(kind="done"))
        retention = Retention(store, path, 30 * 86_400, lambda: wall[0])
        wall[0] += 365 * 86_400
        gone = retention.look()
        return {"runs": 20, "deleted": len(gone), "s of a jump that are noticed": CLOCK_JUMP}


@scenario
def a_thousand_runs_kept() -> Figures:
    """A thousand runs lie in the folder; the page opens, and one of them."""
    record = next(filter(None, map(Samples().recorded, Samples().examples)))

    async def opening(url: str, run_id: str) -> list[float]:
        taken = []
        for path in ("/", f"/?run={run_id}"):
            person, started = visitors(url, 1)[0], time.perf_counter()
            await person.open(path)
            taken.append(time.perf_counter() - started)
        return taken

    with folder() as path:
        store = RunStore(path / "runs")
        first = store.create(_request())
        store.write_result(first, record.model_copy(update={"run_id": first}))
        store.append(first, Event(kind="done"))
        for number in range(999):
            shutil.copytree(store.root / first, store.root / f"copy-{number}")
        with site(store.root) as app:
            page, run = asyncio.run(opening(app.url, first))
            return {"runs": 1000, "s to open the page": round(page, 2), "s to open a run": round(run, 2)}


@scenario
def two_hundred_runs() -> Figures:
    """Memory of the page's process after 50 and after 200 runs."""

    async def asking(app: Site) -> list[float]:
        memory, person = [], visitors(app.url, 1)[0]
        for number in range(1, 201):
            kind, _ = await person.call("ask", question=QUESTION, documents=DOCUMENTS)
            assert kind == "complete"
            if number % 10 == 0:
                await person.open()
            if number in (50, 200):
                memory.append(app.rss_mib())
        return memory

    with folder() as path, site(path / "runs") as app:
        early, late = asyncio.run(asking(app))
        return {"MiB after 50": round(early), "MiB after 200": round(late), "growth in MiB": round(late - early, 1)}


@scenario
def two_apps_one_folder() -> Figures:
    """Two apps share a run folder: each opens what the other ran, and nothing is lost or doubled."""

    async def asking(first: Site, second: Site) -> Figures:
        people = visitors(first.url, 10) + visitors(second.url, 10)
        done = await together([one.call("ask", question=QUESTION, documents=DOCUMENTS) for one in people])
        ids = [json.loads(text)[0]["run_id"] for kind, text in done if kind == "complete"]
        crossed = await together(
            [one.call("get_run", run_id=run_id) for one, run_id in zip(reversed(people), ids, strict=False)]
        )
        opened = sum(kind == "complete" and json.loads(text)[0]["state"] == "done" for kind, text in crossed)
        return {"asked": len(people), "answered": len(ids), "different runs": len(set(ids)), "opened crosswise": opened}

    with folder() as path, site(path / "runs") as first, site(path / "runs") as second:
        return asyncio.run(asking(first, second)) | {"runs by end": json.dumps(ended(path / "runs"))}


def _request() -> Request:
    record = next(filter(None, map(Samples().recorded, Samples().examples)))
    assert isinstance(record, RunRecord)
    return Request(question=record.question, documents=record.documents)


def _until_ready(app: Site) -> None:
    """Waits until the models are there: the first question is answered."""
    kind, text = asyncio.run(_first(app))
    assert kind == "complete", text


async def _first(app: Site) -> tuple[str, Any]:
    person: Visitor = visitors(app.url, 1)[0]
    return await person.call("ask", question=QUESTION, documents=DOCUMENTS)


async def _until_busy(app: Site) -> None:
    store, until = RunStore(app.runs), time.monotonic() + 120
    while time.monotonic() < until:
        for name in os.listdir(app.runs):
            with suppress(LookupError):
                last = store.last_event(name)
                if last and last.kind in ("stage", "record"):
                    return
        await asyncio.sleep(0.05)
    raise AssertionError("the worker took no run")


def _places(runs: Path) -> dict[str, int]:
    """In how many runs the queue told a place, and a time."""
    store, found = RunStore(runs), {"place": 0, "about": 0}
    for path in runs.iterdir():
        with suppress(LookupError):
            said = [event.message for event in store.events(path.name) if event.kind == "queued"]
            found["place"] += any("place" in message for message in said)
            found["about"] += any("about" in message for message in said)
    return found
