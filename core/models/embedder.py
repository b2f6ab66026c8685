"""Embeds questions and documents with sentence-transformers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.models.protocol import Stop
from core.settings.models import EMBEDDING_BATCH, EMBEDDING_WINDOW_WORDS


class SentenceEmbedder:
    """Cosine relevance of documents to a question (DuQUAD Φsem; the paper names no model)."""

    def __init__(self, model: Any, name: str) -> None:
        """Takes a loaded ``SentenceTransformer``."""
        self.name = name
        self.model = model

    def similarities(self, query: str, texts: Sequence[str], stop: Stop) -> tuple[NDArray[np.float64], int]:
        """Cosine of the query with each text (N,), and the number of tokens read.

        A text longer than a window is embedded in windows; the best window counts, so that a long document
        is not judged by its beginning alone.
        """
        windows = [(i, window) for i, text in enumerate(texts) for window in _windows(text)]
        cosines = embed(self.model, [window for _, window in windows], stop) @ embed_query(self.model, query)
        best = np.full(len(texts), -1.0)
        for (i, _), cosine in zip(windows, cosines, strict=True):
            best[i] = max(best[i], cosine)
        return best, tokens_run(self.model, [query, *(window for _, window in windows)])


def embed(model: Any, texts: Sequence[str], stop: Stop) -> NDArray[np.float64]:
    """The vectors of texts, each of length one: (N, dim)."""
    vectors = [np.zeros((0, model.get_embedding_dimension()))]
    for begin in range(0, len(texts), EMBEDDING_BATCH):
        stop()
        vectors.append(_encode(model, texts[begin : begin + EMBEDDING_BATCH], None))
    return np.concatenate(vectors)


def embed_query(model: Any, query: str) -> NDArray[np.float64]:
    """The vector of a question, of length one: (dim)."""
    # Models such as Qwen3-Embedding want an instruction before the query only; it is in their own config.
    return _encode(model, [query], "query" if model.prompts.get("query") else None)[0]


def tokens_run(model: Any, texts: list[str]) -> int:
    """How many tokens of the texts the model runs."""
    most = model.max_seq_length or 10**9
    return sum(min(len(ids), most) for ids in model.tokenizer(texts, verbose=False)["input_ids"]) if texts else 0


def _encode(model: Any, texts: Sequence[str], prompt_name: str | None) -> NDArray[np.float64]:
    vectors = model.encode(
        list(texts),
        prompt_name=prompt_name,
        batch_size=EMBEDDING_BATCH,
        normalize_embeddings=True,
        convert_to_numpy=True,
        show_progress_bar=False,
    )
    return np.asarray(vectors, dtype=np.float64)


def _windows(text: str) -> list[str]:
    parts = text.split()
    if len(parts) <= EMBEDDING_WINDOW_WORDS:
        return [text]
    step = EMBEDDING_WINDOW_WORDS
    return [" ".join(parts[i : i + step]) for i in range(0, len(parts), step)]
