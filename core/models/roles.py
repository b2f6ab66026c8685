"""Models of the page roles, each loaded when a run first asks for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from core.models.backbone import CausalBackbone
from core.models.embedder import SentenceEmbedder
from core.models.page_encoders import load_page_encoder
from core.models.protocol import ModelError, PageEncoder, Reranker, Role
from core.models.reranker import load_reranker
from core.settings import AppSettings, Profile


@dataclass(frozen=True)
class Loaded:
    """What a loader may build on."""

    profile: Profile
    own: AppSettings
    """What the environment puts in place of the profile's models."""
    device: str
    dtype: torch.dtype
    backbone: CausalBackbone
    embedder: SentenceEmbedder

    @property
    def cache(self) -> Path:
        """Folder of converted weights."""
        return self.own.cache


def _page_encoder(loaded: Loaded) -> PageEncoder:
    source = loaded.own.page_encoder or loaded.profile.page_encoder
    return load_page_encoder(source, loaded.embedder, loaded.cache, loaded.device, loaded.dtype)


def _reranker(loaded: Loaded) -> Reranker:
    own = loaded.own
    source = own.reranker or loaded.profile.reranker
    if not source:
        raise ModelError(
            f"The profile {loaded.profile.name} has no reranker. Name one in W_LENS_RERANKER, or take a profile that "
            "has one (W_LENS_PROFILE=small)."
        )
    return load_reranker(source, own.remote_code, loaded.cache, loaded.device, loaded.dtype)


LOADERS: dict[Role, Callable[[Loaded], Any]] = {"page_encoder": _page_encoder, "reranker": _reranker}


class Roles:
    """Gives the model of a role, the same one each time; see ``Models.role``."""

    def __init__(self, loaded: Loaded) -> None:
        """Loads nothing yet."""
        self._loaded = loaded
        self._given: dict[Role, Any] = {}

    def __call__(self, role: Role) -> Any:
        """The role's model. Raises ModelError; the next call tries again."""
        if role not in self._given:
            if role not in LOADERS:
                raise ModelError(f"The profile {self._loaded.profile.name} has no {role.replace('_', ' ')}.")
            self._given[role] = LOADERS[role](self._loaded)
        return self._given[role]
