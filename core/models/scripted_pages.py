"""Scripted models of pages: no weights, the same interface, the same result every time."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import Literal

import numpy as np

from core.models.page_protocol import PageVectors, PageView, QueryVectors
from core.models.protocol import Stop
from core.models.scripted_calls import Calls, Scripted
from core.text import words


class ScriptedPageEncoder(Scripted):
    """Late interaction over words: equal words have equal vectors, different ones nearly orthogonal vectors."""

    name = "scripted-pages"
    sees: Literal["text", "image"] = "text"
    key = "scripted-pages"

    def __init__(self, delay: float = 0.0, calls: Calls | None = None) -> None:
        super().__init__(calls, delay)

    def encode_pages(self, pages: Sequence[PageView], stop: Stop) -> tuple[list[PageVectors], int]:
        """One vector a word (n, 256); the delay is that of each page."""
        vectors = []
        for page in pages:
            self._took("encode_pages", page, stop)
            texts = [word.text for word in page.layout.words]
            vectors.append(PageVectors(_word_vectors(texts), np.arange(len(texts), dtype=np.int32)))
        return vectors, sum(len(page.layout.words) for page in pages)

    def encode_query(self, text: str) -> QueryVectors:
        """One vector a word (m, 256)."""
        self.calls.append(("encode_query", text))
        return QueryVectors(_word_vectors(text.split()), tuple(text.split()))


def _word_vectors(texts: Sequence[str]) -> np.ndarray:
    """A unit vector for each word by its normalised letters: (n, 256)."""
    keys = ["".join(sorted(words(text))) or text for text in texts]
    rows = [np.random.default_rng(zlib.crc32(key.encode("utf-8", "replace"))).standard_normal(256) for key in keys]
    found = np.array(rows, dtype=np.float32).reshape(len(rows), 256)
    return found / np.linalg.norm(found, axis=1, keepdims=True)
