from __future__ import annotations

import subprocess

import pytest

from core.backend import hardware
from core.backend.hardware import Hardware, detect, plan
from core.settings.app import AppSettings


def found(**fields: object) -> Hardware:
    base = {"zero_gpu": False, "gpu_mib": 0, "embedded_weights": True, "space": ""}
    return Hardware(**(base | fields))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("machine", "backend", "profile", "word"),
    [
        (found(), "process", "embedded", "no GPU"),
        (found(embedded_weights=False, space="a/b"), "process", "embedded", "model hub"),
        (found(gpu_mib=4_096), "process", "embedded", "only 4 GiB"),
        (found(gpu_mib=15_360), "process", "small", "15 GiB"),
        (found(gpu_mib=46_068), "process", "paper", "45 GiB"),
        (found(zero_gpu=True, embedded_weights=False), "zerogpu", "paper", "ZeroGPU"),
    ],
)
def test_each_kind_of_machine_gets_its_back_end_and_profile(
    machine: Hardware, backend: str, profile: str, word: str
) -> None:
    chosen = plan(AppSettings(), machine)
    assert (chosen.backend, chosen.profile) == (backend, profile)
    assert word in chosen.reason


def test_what_the_settings_name_is_taken() -> None:
    chosen = plan(AppSettings(backend="process", profile="small"), found(zero_gpu=True))
    assert (chosen.backend, chosen.profile) == ("process", "small")
    assert "named in the settings" in chosen.reason


@pytest.mark.parametrize(
    ("answer", "mib"), [("15360\n", 15_360), ("15360\n81559\n", 81_559), ("", 0), ("No devices were found\n", 0)]
)
def test_the_largest_gpu_counts(monkeypatch: pytest.MonkeyPatch, answer: str, mib: int) -> None:
    monkeypatch.delenv("SPACES_ZERO_GPU", raising=False)
    monkeypatch.setattr(
        hardware.subprocess, "run", lambda *a, **k: subprocess.CompletedProcess(a, 0, stdout=answer, stderr="")
    )
    assert detect().gpu_mib == mib


@pytest.mark.parametrize("error", [FileNotFoundError(), subprocess.TimeoutExpired("nvidia-smi", 10)])
def test_no_driver_is_no_gpu(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    def fails(*args: object, **options: object) -> None:
        raise error

    monkeypatch.setattr(hardware.subprocess, "run", fails)
    assert detect().gpu_mib == 0


def test_zero_gpu_is_told_by_its_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPACES_ZERO_GPU", "true")
    assert detect().zero_gpu
