"""Loads the page encoder that fits a checkpoint."""

from __future__ import annotations

from pathlib import Path

import torch

from core.models.embedder import SentenceEmbedder
from core.models.page_text_encoder import TextPageEncoder
from core.models.protocol import ModelError, PageEncoder
from core.settings import TOKENS_OF_EMBEDDER


def load_page_encoder(
    source: str, embedder: SentenceEmbedder, cache: Path, device: str, dtype: torch.dtype
) -> PageEncoder:
    """A page encoder by hub id or folder; ``TOKENS_OF_EMBEDDER`` takes the embedder that is loaded already.

    Raises:
        ModelError: it is no page encoder, its weights are incomplete, or it cannot be had here.
    """
    if source == TOKENS_OF_EMBEDDER:
        return TextPageEncoder(embedder.model, embedder.name)
    raise ModelError(f"{source} is no page encoder that is known here.")
