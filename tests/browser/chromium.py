"""A browser for the tests: the one that is installed, else Debian's, else Playwright's own.

``python -m tests.browser.chromium`` makes sure that there is one.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import Browser, Playwright, sync_playwright

ARGS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--force-color-profile=srgb")


def installed() -> str | None:
    """The path of a Chromium on this machine, Playwright's own not counted."""
    if Path("/usr/bin/chromium").exists():
        return "/usr/bin/chromium"
    return shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


def launch(playwright: Playwright) -> Browser:
    """A headless browser."""
    return playwright.chromium.launch(executable_path=installed(), args=list(ARGS))


def works() -> bool:
    """Whether a browser starts."""
    try:
        with sync_playwright() as playwright:
            launch(playwright).close()
    except Exception as error:
        print(f"no browser starts: {str(error).splitlines()[0]}", file=sys.stderr)
        return False
    return True


def _install() -> None:
    if os.geteuid() == 0 and shutil.which("apt-get") and not installed():
        quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        subprocess.run(["apt-get", "update", "-qq"], env=quiet, check=False)
        subprocess.run(["apt-get", "install", "-y", "-qq", "chromium"], env=quiet, check=False)
    if not installed():
        subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=False)


def main() -> int:
    """Installs a browser where none starts; returns the exit status."""
    if works():
        return 0
    _install()
    if works():
        return 0
    print("The browser tests need Chromium: install it, or run pytest -m 'not browser'.", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
