"""Exactness: the one attention row in float32 against full eager attention."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch

from core.models.backbone import CausalBackbone
from core.models.load import load_backbone
from core.models.prompt import lay_out
from tests.bench.material import backbone32, never
from tests.bench.table import row
from tests.core.models import checkpoints
from tests.core.models.prompts import TEXTS, prompt

UNIT = "largest difference from full eager attention, float32"


def difference(backbone: CausalBackbone) -> float:
    """Largest absolute difference over all layers, heads and documents."""
    ask = prompt([*TEXTS, *(text * 4 for text in TEXTS)])
    laid = lay_out(backbone.tokenizer, ask)
    backbone.model.set_attn_implementation("eager")
    with torch.inference_mode():
        full = backbone.model(torch.tensor([laid.ids]), output_attentions=True).attentions
    backbone.model.set_attn_implementation("sdpa")
    rows = torch.stack(full)[:, 0, :, laid.question_last].numpy()  # (L, H, T)
    expected = np.stack([rows[:, :, span.start : span.end].mean(-1) for span in laid.documents], axis=-1)
    return float(np.abs(backbone.read(ask, never).attention - expected).max())


def _tiny(make: Callable[[Path], Path]) -> float:
    with tempfile.TemporaryDirectory() as folder:
        return difference(load_backbone(str(make(Path(folder))), Path(folder), "cpu", torch.float32))


@row("exact_embedded", "<= 1e-05", UNIT)
def exact_embedded() -> float:
    """SmolLM2-135M-Instruct."""
    return difference(backbone32())


@row("exact_llama", "<= 1e-05", UNIT)
def exact_llama() -> float:
    """A tiny random Llama with grouped heads."""
    return _tiny(checkpoints.llama)


@row("exact_qwen2", "<= 1e-05", UNIT)
def exact_qwen2() -> float:
    """A tiny random Qwen2."""
    return _tiny(checkpoints.qwen2)
