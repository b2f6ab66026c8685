"""How much the models are given at once, and how texts are matched by their words."""

from __future__ import annotations

LIKELIHOOD_BATCH_TOKENS = (
    768  # padded tokens of one likelihood batch; measured on one core, 20 passages: 6.8 s, 13.7 s at 2048
)
# Tokens run together behind a cache, on a CPU; a prompt of 2,100 tokens after its first 130: 5.7 s, 6.9 s in one.
CONTINUED_TOKENS = 384
RERANK_BATCH = 16  # pairs that a cross-encoder reads together; our choice
EMBEDDING_BATCH = 32  # texts embedded together; our choice
EMBEDDING_WINDOW_WORDS = 150  # longer documents are embedded in windows, the best one counts; our choice
WINDOW_BATCH_TOKENS = 4096  # padded tokens of windows that are run together; our choice

BM25_K1 = 1.2  # saturation of a word's count; Robertson & Zaragoza 2009, §3.3; Lucene's default
BM25_B = 0.75  # weight of a text's length; the same
