"""What every test may use."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pytest
from hypothesis import settings

from core.runs import RunStore

_LIBRARIES = ("torch", "transformers", "xgrammar", "gradio", "pydantic", "numpy", "plotly", "playwright", "hypothesis")

settings.register_profile("w-lens", deadline=None)  # a busy machine is no failure
settings.load_profile("w-lens")


def _version(name: str) -> str:
    try:
        return f"{name} {version(name)}"
    except PackageNotFoundError:
        return f"{name} missing"


def pytest_report_header() -> str:
    return "libraries: " + ", ".join(map(_version, _LIBRARIES))


@pytest.fixture(autouse=True)
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs go to a temporary folder, and nothing is taken from the caller's settings.

    The cache of converted weights stays where it is, so that tests with the embedded weights start fast.
    """
    for name in ("W_LENS_BACKEND", "W_LENS_PROFILE", "PORT", "GRADIO_SERVER_PORT", "GRADIO_SERVER_NAME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("W_LENS_RUNS", str(tmp_path / "runs"))


@pytest.fixture
def store(tmp_path: Path) -> RunStore:
    """An empty run store."""
    return RunStore(tmp_path / "runs")
