"""From the attention of one token to what a reading says about each document."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch

from core.models.prompt import Layout
from core.models.protocol import ModelError


def query_rows(attentions: Sequence[torch.Tensor]) -> np.ndarray:
    """The one query row of every layer: (L, H, length), float32."""
    rows = torch.stack([attention[0, :, -1, :].float() for attention in attentions]).cpu().numpy()  # (L, H, S)
    if not np.isfinite(rows).all():
        raise ModelError("The model's attention is not finite; load it in float32.")
    return rows


def span_means(rows: np.ndarray, layout: Layout) -> np.ndarray:
    """Mean over each document's tokens: (L, H, N)."""
    return np.stack([rows[:, :, span.start : span.end].mean(axis=2) for span in layout.documents], axis=2)  # (L, H, N)


def token_weights(row: np.ndarray, layout: Layout) -> tuple[tuple[tuple[int, int, float], ...], ...]:
    """Per document: (start, end, weight) of each token that lies in its text."""
    return tuple(tuple((start, end, float(row[index])) for index, start, end in tokens) for tokens in layout.tokens)
