"""One server and one browser for all tests; a fresh context for each, watched for what must never happen."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.chromium import launch

ROOT = Path(__file__).resolve().parents[2]
DELAY = 0.3  # seconds of each use of a scripted model: a run takes long enough to be watched


def free_port() -> int:
    """A port that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_until_up(url: str, process: subprocess.Popen[bytes], seconds: float = 60) -> None:
    """Waits for the first answer; fails with the process's fate."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        assert process.poll() is None, "the server ended"
        try:
            urllib.request.urlopen(url, timeout=2).close()
            return
        except OSError:
            time.sleep(0.1)
    raise AssertionError(f"no answer from {url} in {seconds} s")


@contextmanager
def serving(folder: Path, delay: float, *more: str) -> Iterator[str]:
    """The address of the page over the fake back end, as long as it is needed."""
    port = free_port()
    command = [sys.executable, "-m", "tests.browser.serve", str(port), str(folder), str(delay), *more]
    with open(folder / "log", "wb") as log:
        process = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=log, env={**os.environ})
    url = f"http://127.0.0.1:{port}"
    try:
        wait_until_up(url, process)
        yield url
    finally:
        process.terminate()
        process.wait(10)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The page that most tests look at."""
    with serving(tmp_path_factory.mktemp("page"), DELAY) as url:
        yield url


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A headless Chromium."""
    with sync_playwright() as playwright:
        found = launch(playwright)
        yield found
        found.close()


@pytest.fixture
def page(browser: Browser, server: str) -> Iterator[Page]:
    """A page that fails its test when a script of someone else's ran, or another host was asked."""
    with watched(browser, server) as page:
        yield page


@contextmanager
def watched(browser: Browser, server: str) -> Iterator[Page]:
    """A page of a browser of its own; at its end it fails as ``page`` does."""
    context = browser.new_context(base_url=server, viewport={"width": 1280, "height": 800}, accept_downloads=True)
    page = context.new_page()
    page.set_default_timeout(15_000)
    wrong: list[str] = []
    page.on("dialog", lambda dialog: (wrong.append(f"dialog: {dialog.message}"), dialog.dismiss()))
    page.on("pageerror", lambda error: wrong.append(f"script error: {error}"))
    page.on("request", lambda request: None if _own(request.url, server) else wrong.append(f"asked {request.url}"))
    yield page
    pwned = page.evaluate("window.pwned")
    context.close()
    assert not wrong
    assert pwned is None


def _own(url: str, server: str) -> bool:
    return url.startswith((server, "data:", "blob:"))


def draws(page: Page) -> int:
    """How many figures have been drawn since the page was opened."""
    return int(page.evaluate("window.wlens?.draws || 0"))


def open_page(page: Page, path: str = "/") -> Page:
    """Opens an address and waits until its figures are drawn."""
    page.goto(path)
    page.wait_for_function("window.wlens && wlens.draws >= 3")
    return page
