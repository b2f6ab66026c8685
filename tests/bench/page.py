"""The page: how fast it starts, and how fast a what-if is drawn. No model runs."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from playwright.sync_api import sync_playwright

from tests.bench.table import NotHere, row
from tests.browser.chromium import launch
from tests.browser.conftest import ROOT, draws, free_port, open_page, wait_until_up
from ui.inspect_draft import draft_of
from ui.inspect_views import draw
from ui.inspect_whatif import values_of
from ui.samples import Samples

MOVES = 12


@contextmanager
def served(backend: str) -> Iterator[tuple[str, float]]:
    """The address of the app, and the seconds from its start to its first answer."""
    port = free_port()
    with tempfile.TemporaryDirectory() as runs:
        env = {**os.environ, "PORT": str(port), "W_LENS_BACKEND": backend, "W_LENS_RUNS": runs}
        url = f"http://127.0.0.1:{port}"
        start = time.perf_counter()
        process = subprocess.Popen(
            [sys.executable, "app.py"], cwd=ROOT, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            wait_until_up(url, process)
            yield url, time.perf_counter() - start
        finally:
            process.terminate()
            process.wait(20)


@row("app_start", "<= 8", "seconds from `python app.py` to a page that answers, models loading behind it")
def app_start() -> float:
    """Median of three starts with the real back end, weights converted before."""
    return statistics.median(_start() for _ in range(3))


def _start() -> float:
    with served("process") as (_, seconds):
        return seconds


@row("whatif_server", "<= 50", "ms of server time for one moved what-if control, all views drawn")
def whatif_server() -> float:
    """Median over moves of alpha on a recorded example of twenty documents."""
    samples = Samples()
    recorded = [samples.recorded(slug) for slug in samples.examples]
    record = next((item for item in recorded if item and len(item.documents) == 20), None)
    if record is None:
        raise NotHere("no recorded run ships in assets/runs")
    draft, values = draft_of(record.question, record.documents), values_of(record.settings)
    draw(record, draft, values, 0, False)
    taken = []
    for move in range(MOVES):
        start = time.perf_counter()
        draw(record, draft, replace(values, alpha=move / MOVES), 0, False)
        taken.append(1000 * (time.perf_counter() - start))
    return statistics.median(taken)


@row("whatif_browser", "<= 300", "ms from moving a what-if control to its figures redrawn in the browser")
def whatif_browser() -> float:
    """Median over moves of the alpha slider in headless Chromium, server and network included."""
    return _moves()


def _moves() -> float:
    with served("fake") as (url, _), sync_playwright() as playwright:
        browser = launch(playwright)
        page = browser.new_page(base_url=url, viewport={"width": 1280, "height": 800})
        open_page(page)
        page.get_by_role("tab", name="What if").click()
        slider = page.get_by_label("range slider for α semantic")
        slider.focus()
        taken = []
        for move in range(MOVES):
            page.wait_for_timeout(300)  # what the last move drew
            before = draws(page)
            start = time.perf_counter()
            slider.press("ArrowRight" if move % 2 else "ArrowLeft")
            # A figure that does not change is not drawn again: a weight moves the ranking.
            page.wait_for_function("n => wlens.draws > n", arg=before, polling=5)
            taken.append(1000 * (time.perf_counter() - start))
        browser.close()
    return statistics.median(taken)
