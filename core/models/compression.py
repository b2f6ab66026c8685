"""Keeps the tokens of texts that a question makes less surprising (LongLLMLingua §4.1.2)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import torch
from transformers import DynamicCache

from core.models.prompt import raw_ids
from core.models.protocol import Compressed, PromptTooLong


def compress(
    model: Any,
    tokenizer: Any,
    question: str,
    texts: Sequence[tuple[str, str]],
    shares: Sequence[float],
    segment: int,
    window: int,
) -> Compressed:
    """See :class:`core.models.protocol.Backbone`; two streams go over the texts, one behind the question."""
    first = raw_ids(tokenizer, "", start=True)
    asked = raw_ids(tokenizer, f"{question}\n\n", start=False)
    plain, informed = _Stream(model, first, window), _Stream(model, [*first, *asked], window)
    spans: list[tuple[tuple[int, int], ...]] = []
    counts: list[int] = []
    for (head, text), share in zip(texts, shares, strict=True):
        before = raw_ids(tokenizer, head, start=False)
        plain.take(before)
        informed.take(before)
        ids, offsets = _tokens(tokenizer, text)
        kept: list[int] = []
        for begin in range(0, len(ids), segment):
            part = ids[begin : begin + segment]
            gain = plain.losses(part) - informed.losses(part)
            chosen = keep_top(gain.tolist(), share)
            kept += [begin + i for i in chosen]
            for stream in (plain, informed):
                stream.take([part[i] for i in chosen])
        spans.append(tuple(offsets[i] for i in kept))
        counts.append(len(ids))
        for stream in (plain, informed):
            stream.take(raw_ids(tokenizer, "\n", start=False))
    return Compressed(tuple(spans), tuple(counts), plain.run + informed.run)


def keep_top(scores: Sequence[float], share: float) -> list[int]:
    """Indexes of the top share of scores, rounded up, in order; ties go to the earlier one."""
    count = min(math.ceil(share * len(scores) - 1e-9), len(scores))
    best = sorted(range(len(scores)), key=lambda i: (-scores[i], i))[: max(count, 0)]
    return sorted(best)


class _Stream:
    """What has been read so far."""

    def __init__(self, model: Any, ids: Sequence[int], window: int) -> None:
        self.run = 0
        """Tokens that were run."""
        self._model = model
        self._window = window
        self._cache = DynamicCache()
        self._next: torch.Tensor | None = None  # logits (V,) after the last token
        self.take(ids)

    def take(self, ids: Sequence[int]) -> None:
        """Reads tokens for good."""
        if ids:
            self._next = self._forward(ids, 1)[-1]

    def losses(self, ids: Sequence[int]) -> torch.Tensor:
        """Negative log-likelihood of each token (T,), after what was taken; they are not taken."""
        logits = self._forward(ids, len(ids))  # (T, V)
        self._cache.crop(-len(ids))
        start = logits[:1] if self._next is None else self._next[None]
        predicting = torch.cat([start, logits[:-1]])
        target = torch.tensor(list(ids), device=logits.device)
        return torch.nn.functional.cross_entropy(predicting.float(), target, reduction="none")

    def _forward(self, ids: Sequence[int], keep: int) -> torch.Tensor:
        length = self._cache.get_seq_length() + len(ids)
        if length > self._window:
            raise PromptTooLong(
                f"What is kept of the documents has {length:,} tokens, but the model reads {self._window:,} at most. "
                "Remove some documents, or keep a smaller share."
            )
        self.run += len(ids)
        tokens = torch.tensor([list(ids)], device=self._model.device)  # (1, T)
        out = self._model(input_ids=tokens, cache=self._cache, use_cache=True, logits_to_keep=keep)
        return out.logits[0]


def _tokens(tokenizer: Any, text: str) -> tuple[list[int], list[tuple[int, int]]]:
    encoded = tokenizer(
        text, add_special_tokens=False, split_special_tokens=True, return_offsets_mapping=True, verbose=False
    )
    return list(encoded["input_ids"]), [(int(start), int(end)) for start, end in encoded["offset_mapping"]]
