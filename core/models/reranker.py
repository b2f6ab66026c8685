"""A cross-encoder over question and documents (sentence-transformers)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from sentence_transformers import CrossEncoder

from core.models.loading import loading, short_name
from core.models.protocol import ModelError, Stop
from core.models.weights import locate
from core.settings.models import RERANK_BATCH


class CrossReranker:
    """Wraps a loaded cross-encoder; see :class:`core.models.protocol.Reranker`."""

    def __init__(self, model: Any, name: str) -> None:
        """Takes a loaded ``CrossEncoder``."""
        self.name = name
        self._model = model

    def rerank(self, query: str, texts: Sequence[str], stop: Stop) -> tuple[NDArray[np.float64], int]:
        """Relevance of each text (N,), and the number of tokens read; a pair is cut at the model's length."""
        scores = []
        for begin in range(0, len(texts), RERANK_BATCH):
            stop()
            pairs = [[query, text] for text in texts[begin : begin + RERANK_BATCH]]
            scores.append(self._model.predict(pairs, batch_size=RERANK_BATCH, show_progress_bar=False))
        found = np.concatenate(scores).astype(np.float64) if scores else np.zeros(0)
        if found.ndim != 1:
            raise ModelError(f"{self.name} gives several numbers for a pair; a reranker gives one.")
        return found, self._count(query, texts)

    def _count(self, query: str, texts: Sequence[str]) -> int:
        if not texts:
            return 0
        ids = self._model.tokenizer([query] * len(texts), list(texts), truncation=True, verbose=False)["input_ids"]
        return sum(map(len, ids))


def load_reranker(source: str, remote_code: bool, cache: Path, device: str, dtype: torch.dtype) -> CrossReranker:
    """A reranker by hub id or folder.

    Code that comes with a model (Jina's rerankers bring some) runs only with ``remote_code``. Raises ModelError.
    """
    place = locate(source, cache)
    options = {"dtype": dtype}
    try:
        model = loading(
            source,
            lambda: CrossEncoder(
                place,
                device=device,
                trust_remote_code=remote_code,
                local_files_only=place != source,
                model_kwargs=options,
            ),
        )
    except ModelError as error:
        if remote_code or "trust_remote_code" not in str(error.__cause__):
            raise
        raise ModelError(
            f"The reranker {source} brings code of its own, which this page does not run unasked. Allow it with "
            "W_LENS_REMOTE_CODE=yes, or name another reranker in W_LENS_RERANKER."
        ) from error
    return CrossReranker(model, short_name(source, place))
