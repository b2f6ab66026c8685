"""A running app, and visitors who ask it as a browser would, over plain HTTP."""

from __future__ import annotations

import asyncio
import os
import secrets
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import psutil

from tests.browser.conftest import ROOT, free_port, wait_until_up


@dataclass
class Site:
    """An app that was started for a scenario."""

    url: str
    process: subprocess.Popen[bytes]
    runs: Path
    log: Path

    def workers(self) -> list[psutil.Process]:
        """The processes that run models."""
        children = psutil.Process(self.process.pid).children(recursive=True)
        return [child for child in children if "core.backend.worker" in " ".join(child.cmdline())]

    def rss_mib(self) -> float:
        """Memory of the page's own process."""
        return float(psutil.Process(self.process.pid).memory_info().rss / 2**20)


@contextmanager
def site(runs: Path, backend: str = "fake", **env: str) -> Iterator[Site]:
    """An app over its own run folder; ended at the end."""
    port = free_port()
    log = next(path for path in runs.parents if path.is_dir()) / f"app-{port}.log"
    settings = {"PORT": str(port), "W_LENS_BACKEND": backend, "W_LENS_RUNS": str(runs), **env}
    with open(log, "wb") as out:
        process = subprocess.Popen(
            [sys.executable, "app.py"], cwd=ROOT, env={**os.environ, **settings}, stdout=out, stderr=out
        )
    try:
        wait_until_up(f"http://127.0.0.1:{port}", process, 120)
        yield Site(f"http://127.0.0.1:{port}", process, runs, log)
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()


@dataclass
class Visitor:
    """One browser's worth of requests."""

    client: httpx.AsyncClient
    session: str = field(default_factory=lambda: secrets.token_hex(8))
    taken: list[float] = field(default_factory=list)
    """Seconds of each request."""

    async def get(self, path: str) -> httpx.Response:
        """One timed request."""
        started = time.perf_counter()
        response = await self.client.get(path)
        self.taken.append(time.perf_counter() - started)
        response.raise_for_status()
        return response

    async def open(self, path: str = "/") -> None:
        """The page, its configuration, and what it asks for when it opens."""
        await self.get(path)
        config = (await self.get("/config")).json()
        loads = [one for one in config["dependencies"] if any(target[1] == "load" for target in one["targets"])]
        for one in loads:
            started = time.perf_counter()
            response = await self.client.post(
                "/gradio_api/run/predict",
                json={
                    "data": [False] * len(one["inputs"]),
                    "fn_index": one["id"],
                    "session_hash": self.session,
                    "trigger_id": None,
                    "event_data": None,
                },
                headers={"referer": f"{self.client.base_url}{path.lstrip('/')}"},
            )
            self.taken.append(time.perf_counter() - started)
            response.raise_for_status()

    async def call(self, name: str, **arguments: Any) -> tuple[str, Any]:
        """A public function, as a program calls it; ("complete", value) or ("error", reason)."""
        joined = await self.client.post(f"/gradio_api/call/v2/{name}", json=arguments)
        joined.raise_for_status()
        event = joined.json()["event_id"]
        kind = ""
        async with self.client.stream("GET", f"/gradio_api/call/{name}/{event}", timeout=None) as lines:
            async for line in lines.aiter_lines():
                if line.startswith("event: "):
                    kind = line.removeprefix("event: ").strip()
                elif line.startswith("data: ") and kind in ("complete", "error"):
                    return kind, line.removeprefix("data: ")
        return "error", "the stream ended"


def visitors(url: str, number: int) -> list[Visitor]:
    """Visitors with connections of their own."""
    return [Visitor(httpx.AsyncClient(base_url=url, timeout=120)) for _ in range(number)]


async def together(tasks: list[Any]) -> list[Any]:
    """All at once; what is raised is returned in its place."""
    return await asyncio.gather(*tasks, return_exceptions=True)


def p95(seconds: list[float]) -> float:
    """The 95th percentile, in ms."""
    return 1000 * (statistics.quantiles(seconds, n=20)[-1] if len(seconds) > 1 else seconds[0])
