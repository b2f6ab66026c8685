"""The models of one profile, as methods are given them."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol

from core.models.page_protocol import PageEncoder, PageReader
from core.models.protocol import Backbone, Embedder, ModelError, Reranker

Role = Literal["page_encoder", "reader", "thinking_reader", "reranker"]


class _RoleLoader(Protocol):
    def __call__(self, role: Role) -> Any: ...


def _none(role: Role) -> Any:
    raise ModelError(f"These models have no {role.replace('_', ' ')}.")


@dataclass(frozen=True)
class Models:
    """The models of one profile, loaded; those of the page roles are loaded when they are first asked for."""

    profile: str
    backbone: Backbone
    embedder: Embedder
    facts: dict[str, str]
    """For the record: backbone, embedder, device, dtype, ..."""
    cache: Path = Path("~/.cache/w-lens")
    """Folder of the page store and of page embeddings."""
    role: _RoleLoader = field(repr=False, default=_none)
    """Loads the model of a role at its first use, and gives the same one afterwards.

    Raises:
        ModelError: there is none in this profile, or it cannot be had here; the message says which, why, what to do.
    """

    def page_encoder(self) -> PageEncoder:
        """The model of pages and questions for late interaction. Raises ModelError."""
        found: PageEncoder = self.role("page_encoder")
        return found

    def reader(self, thinking: bool = False) -> PageReader:
        """The model that reads pages. Raises ModelError."""
        found: PageReader = self.role("thinking_reader" if thinking else "reader")
        return found

    def reranker(self) -> Reranker:
        """The cross-encoder. Raises ModelError."""
        found: Reranker = self.role("reranker")
        return found
