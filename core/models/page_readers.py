"""Loads the page reader that fits a source."""

from __future__ import annotations

from pathlib import Path

import torch

from core.models.backbone import CausalBackbone
from core.models.page_image_reader import load_image_reader
from core.models.page_protocol import PageReader
from core.models.page_text_reader import TextPageReader
from core.settings.profiles import BACKBONE_OVER_TEXT


def load_reader(source: str, backbone: CausalBackbone, cache: Path, device: str, dtype: torch.dtype) -> PageReader:
    """A page reader by hub id or folder; ``BACKBONE_OVER_TEXT`` takes the backbone that is loaded already.

    Raises:
        ModelError: it is no vision model, its weights are incomplete, or it cannot be had here.
    """
    if source == BACKBONE_OVER_TEXT:
        return TextPageReader(backbone)
    return load_image_reader(source, cache, device, dtype)
