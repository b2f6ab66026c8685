"""How much memory there is, and giving back what is not used any more."""

from __future__ import annotations

import gc
from typing import Any

import psutil
import torch


def bytes_of(model: Any) -> int:
    """Bytes of a model's parameters."""
    return sum(parameter.numel() * parameter.element_size() for parameter in model.parameters())


def free_bytes(device: str) -> int:
    """Bytes that are free where models lie: of the GPU, or of the machine."""
    return int(torch.cuda.mem_get_info()[0]) if device == "cuda" else int(psutil.virtual_memory().available)


def give_back() -> None:
    """Frees what nothing refers to, on the GPU as well."""
    gc.collect()
    if torch.cuda.is_available():
        torch.cuda.empty_cache()
