"""Lexical relevance: BM25 over lower-case words (bm25s)."""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence

import bm25s
import numpy as np
from numpy.typing import NDArray
from Stemmer import Stemmer

from core.settings.models import BM25_B, BM25_K1

logging.getLogger("bm25s").setLevel(logging.WARNING)  # it tells of every index that it builds

_WORD = re.compile(r"\w+")


def bm25_scores(query: str, texts: Sequence[str], stemmed: bool = False) -> NDArray[np.float64]:
    """BM25 of each text for a query: (N,), never negative; 0 for a text that shares no word with it.

    Lucene's variant (Kamphuis et al., ECIR 2020, "Which BM25 Do You Mean?"), whose idf cannot be negative. The
    texts are the whole collection: idf and mean length are theirs.

    Args:
        query: what is looked for.
        texts: where it is looked for.
        stemmed: compares English word stems (Snowball's English stemmer) in place of words.
    """
    collection = [word_tokens(text) for text in texts]
    asked = word_tokens(query)
    if stemmed:
        stems = Stemmer("english").stemWords
        collection, asked = [stems(tokens) for tokens in collection], stems(asked)
    if not asked or not any(collection):
        return np.zeros(len(texts), dtype=np.float64)
    index = bm25s.BM25(k1=BM25_K1, b=BM25_B, method="lucene", dtype="float64")
    index.index(collection, show_progress=False, create_empty_token=False)
    return np.asarray(index.get_scores(asked), dtype=np.float64)


def word_tokens(text: str) -> list[str]:
    """The words and numbers of a text, in lower case, in order."""
    return _WORD.findall(text.lower())


def best_first(scores: NDArray[np.float64]) -> list[int]:
    """The indexes of (N,) scores, the highest first; ties go to the lower index."""
    return [int(index) for index in np.argsort(-scores, kind="stable")]
