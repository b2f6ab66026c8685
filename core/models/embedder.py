"""Embeds questions and documents with sentence-transformers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.models.protocol import Stop
from core.settings import EMBEDDING_BATCH, EMBEDDING_WINDOW_WORDS


class SentenceEmbedder:
    """Cosine relevance of documents to a question (DuQUAD Φsem; the paper names no model)."""

    def __init__(self, model: Any, name: str) -> None:
        """Takes a loaded ``SentenceTransformer``."""
        self.name = name
        self.model = model
        # Models such as Qwen3-Embedding want an instruction before the query only; it is in their own config.
        self._query_prompt = "query" if model.prompts.get("query") else None

    def similarities(self, query: str, texts: Sequence[str], stop: Stop) -> tuple[NDArray[np.float64], int]:
        """Cosine of the query with each text (N,), and the number of tokens read.

        A text longer than a window is embedded in windows; the best window counts, so that a long document
        is not judged by its beginning alone.
        """
        windows = [(i, window) for i, text in enumerate(texts) for window in _windows(text)]
        vectors = []
        for begin in range(0, len(windows), EMBEDDING_BATCH):
            stop()
            vectors.append(self._encode([window for _, window in windows[begin : begin + EMBEDDING_BATCH]], None))
        question = self._encode([query], self._query_prompt)[0]
        best = np.full(len(texts), -1.0)
        for (i, _), cosine in zip(windows, np.concatenate(vectors) @ question, strict=True):
            best[i] = max(best[i], cosine)
        return best, self._count([query, *(window for _, window in windows)])

    def _encode(self, texts: list[str], prompt_name: str | None) -> NDArray[np.float64]:
        vectors = self.model.encode(
            texts,
            prompt_name=prompt_name,
            batch_size=EMBEDDING_BATCH,
            normalize_embeddings=True,
            convert_to_numpy=True,
            show_progress_bar=False,
        )
        return np.asarray(vectors, dtype=np.float64)

    def _count(self, texts: list[str]) -> int:
        most = self.model.max_seq_length or 10**9
        return sum(min(len(ids), most) for ids in self.model.tokenizer(texts, verbose=False)["input_ids"])


def _windows(text: str) -> list[str]:
    parts = text.split()
    if len(parts) <= EMBEDDING_WINDOW_WORDS:
        return [text]
    step = EMBEDDING_WINDOW_WORDS
    return [" ".join(parts[i : i + step]) for i in range(0, len(parts), step)]
