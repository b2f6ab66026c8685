"""The frame of the page: what its scripts know of it, what it brings, and what it serves."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import plotly
import pytest

from core.backend.fake import FakeBackend
from core.runs import RunStore
from core.settings.app import AppSettings
from ui import shell

UI = Path(shell.__file__).parent
PLOTLY_SHA256 = "79542150855a52c567260e3137095dbe2b744e6d702a5cabe67da246942fba7a"


def test_the_scripts_know_the_tabs_in_their_order() -> None:
    found = re.search(r"const TABS = \[([^\]]*)\]", (UI / "glue.js").read_text(encoding="utf-8"))
    assert found
    assert re.findall(r'"(\w+)"', found[1]) == [shell.slug(name) for name in shell.TABS]


def test_the_drawing_library_is_the_one_that_the_figures_are_made_for() -> None:
    script = UI / "vendor" / shell.PLOTLY
    whole = Path(plotly.__file__).parent / "package_data" / "plotly.min.js"
    version = re.search(r"plotly\.js v([\d.]+)", whole.read_text(encoding="utf-8")[:400])
    assert version and f"v{version[1]}\n" in script.read_text(encoding="utf-8")[:200]
    assert hashlib.sha256(script.read_bytes()).hexdigest() == PLOTLY_SHA256


def test_quiet_events_show_their_progress_in_one_place(
    store: RunStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("W_LENS_RUNS", str(tmp_path))
    demo = shell.build(AppSettings.from_env(), FakeBackend(store), store)
    wired = [function for function in demo.config["dependencies"] if function["show_progress"] == "hidden"]
    assert len(wired) > 50
    assert len({tuple(function["show_progress_on"] or ()) for function in wired}) == 1
