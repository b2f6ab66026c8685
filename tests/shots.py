"""Takes the README's screenshots of recorded runs: ``python -m tests.shots`` writes ``assets/shots/*.png``."""

from __future__ import annotations

import io
import itertools
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from tests.browser.chromium import launch
from tests.browser.conftest import ROOT, free_port, wait_until_up

SHOTS = ROOT / "assets" / "shots"
SIZES = {"wide": (1280, 800), "narrow": (400, 800)}
TABS = {
    "inspect": ("", "window.wlens && wlens.draws >= 3"),
    "read": (
        "tab=pdf&",
        "document.querySelector('#wl-read-page img[data-picture]')?.naturalWidth > 0"
        " && document.querySelector('#wl-read-strip .wl-face')?.style.backgroundImage",
    ),
    "lab": ("tab=lab&answer=3&", "document.querySelector('#wl-lab-heat .hm')"),
    "compare": ("tab=compare&", "document.querySelector('#wl-compare-bump .main-svg')"),
    "chinese": ("lang=zh&", "window.wlens && wlens.draws >= 3 && document.documentElement.lang === 'zh-Hans'"),
    "set": ("tab=set&analysis=loss&", "document.querySelector('#wl-set-figure .main-svg')"),
    "errors": ("tab=errors&mark=wrong&", "document.querySelector('#wl-errors-first .main-svg')"),
}
"""Tab → its address, and what is true once its figures are drawn."""
_CALM = "* { animation: none !important; transition: none !important; caret-color: transparent !important; }"
_NO_WORKER = ".wl-status-said { display: none; }"  # no model runs while the pictures are taken


def main() -> int:
    """Serves the recorded runs with no model and takes each picture; returns the exit status."""
    port = free_port()
    SHOTS.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as runs:
        env = {**os.environ, "W_LENS_BACKEND": "fake", "W_LENS_RUNS": runs, "PORT": str(port)}
        app = subprocess.Popen([sys.executable, "app.py"], cwd=ROOT, env=env, stdout=subprocess.DEVNULL)
        try:
            wait_until_up(f"http://127.0.0.1:{port}", app)
            with sync_playwright() as playwright:
                browser = launch(playwright)
                tabs = [tab for tab in TABS if tab != "chinese" or _has_chinese_font()]
                for tab, theme, name in itertools.product(tabs, ("light", "dark"), SIZES):
                    path = SHOTS / f"{tab}-{name}-{theme}.png"
                    address, drawn = TABS[tab]
                    _take(browser, f"http://127.0.0.1:{port}/?{address}__theme={theme}", drawn, SIZES[name], path)
                    print(path.relative_to(ROOT))
                browser.close()
        finally:
            app.terminate()
            app.wait(10)
    return 0


def _has_chinese_font() -> bool:
    """Without one the picture would show boxes; the one that there is stays."""
    found = shutil.which("fc-list") and subprocess.run(["fc-list", ":lang=zh"], capture_output=True, check=False).stdout
    if not found:
        print("No Chinese font is installed (Debian: fonts-wqy-zenhei): nothing is taken.", file=sys.stderr)
    return bool(found)


def _take(browser: Browser, url: str, drawn: str, size: tuple[int, int], path: Path) -> None:
    page = browser.new_page(viewport={"width": size[0], "height": size[1]}, device_scale_factor=2)
    page.goto(url)
    page.add_style_tag(content=_CALM + _NO_WORKER)
    page.wait_for_function(drawn)
    page.wait_for_timeout(500)  # figures resize once after they are drawn
    picture = Image.open(io.BytesIO(page.screenshot(full_page=size[0] < 600)))
    picture = picture.crop((0, 0, picture.width, min(picture.height, 4 * size[1])))
    picture.quantize(256, dither=Image.Dither.NONE).save(path, optimize=True)
    page.close()


if __name__ == "__main__":
    sys.exit(main())
