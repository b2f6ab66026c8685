"""Models of the page roles, each loaded when a run first asks for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from core.models.backbone import CausalBackbone
from core.models.embedder import SentenceEmbedder
from core.models.memory import bytes_of, free_bytes, give_back
from core.models.page_encoders import load_page_encoder
from core.models.page_image_reader import ImagePageReader
from core.models.page_protocol import PageEncoder, PageReader
from core.models.page_readers import load_reader
from core.models.profile import Role
from core.models.protocol import ModelError, Reranker
from core.models.reranker import load_reranker
from core.settings.app import AppSettings
from core.settings.profiles import Profile


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
    return load_reranker(source, own.remote_code == "yes", loaded.cache, loaded.device, loaded.dtype)


def _reader(loaded: Loaded) -> PageReader:
    source = loaded.own.reader or loaded.profile.reader
    return load_reader(source, loaded.backbone, loaded.cache, loaded.device, loaded.dtype)


def _thinking_reader(loaded: Loaded) -> PageReader:
    source = loaded.own.thinking_reader or loaded.profile.thinking_reader
    return load_reader(source, loaded.backbone, loaded.cache, loaded.device, loaded.dtype)


LOADERS: dict[Role, Callable[[Loaded], Any]] = {
    "page_encoder": _page_encoder,
    "reader": _reader,
    "thinking_reader": _thinking_reader,
    "reranker": _reranker,
}
_READERS: dict[Role, Role] = {"reader": "thinking_reader", "thinking_reader": "reader"}
_ROOM = 1.3  # times the weights of the one reader that the other one is taken to need; they are of one family


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
            if role == "thinking_reader" and self._one_reader():
                return self("reader")
            self._make_room(role)
            self._given[role] = LOADERS[role](self._loaded)
        return self._given[role]

    def _one_reader(self) -> bool:
        own, profile = self._loaded.own, self._loaded.profile
        return (own.thinking_reader or profile.thinking_reader) == (own.reader or profile.reader)

    def _make_room(self, role: Role) -> None:
        """Lets go of the other page reader where both do not fit; it is loaded again when it is asked for."""
        other = self._given.get(_READERS[role]) if role in _READERS else None
        if isinstance(other, ImagePageReader) and free_bytes(self._loaded.device) < _ROOM * bytes_of(other.model):
            del self._given[_READERS[role]], other
            give_back()
