"""Mean negative log-likelihood of a target after a context, in length-sorted batches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import torch

from core.models.prompt import raw_ids
from core.models.protocol import Likelihoods, ModelError, PromptTooLong
from core.settings.models import LIKELIHOOD_BATCH_TOKENS


def mean_nll(model: Any, tokenizer: Any, pairs: Sequence[tuple[str, str]], window: int) -> Likelihoods:
    """Mean NLL in nats of each target's tokens after its context (raw text, no chat template).

    The target's ids are appended to the context's, so no token spans the border and none is lost. Rows are
    padded on the right: under a causal mask no real token sees the padding, so no mask is needed.

    Raises:
        PromptTooLong: a context with its target exceeds the window.
        ModelError: a target has no token.
    """
    rows = [_row(tokenizer, context, target) for context, target in pairs]
    for i, (ids, _) in enumerate(rows):
        if len(ids) > window:
            raise PromptTooLong(f"Document {i + 1} has {len(ids):,} tokens; the model reads at most {window:,}.")
    values = np.zeros(len(rows))
    for batch in _batches([len(ids) for ids, _ in rows]):
        values[batch] = _score(model, [rows[i] for i in batch])
    return Likelihoods(values=values, tokens=sum(len(ids) for ids, _ in rows))


def _row(tokenizer: Any, context: str, target: str) -> tuple[list[int], int]:
    """Token ids and the number of target tokens at their end."""
    before = raw_ids(tokenizer, context, start=True)
    after = raw_ids(tokenizer, target, start=False)
    if not after:
        raise ModelError("There is nothing to score: the text is blank.")
    # With no token in front the first target token could not be predicted, and is not scored.
    return before + after, len(after) if before else len(after) - 1


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Indexes in batches of similar length, longest first, so that memory peaks at once or never."""
    batch: list[int] = []
    for i in sorted(range(len(lengths)), key=lambda i: -lengths[i]):
        if batch and (len(batch) + 1) * lengths[batch[0]] > LIKELIHOOD_BATCH_TOKENS:
            yield batch
            batch = []
        batch.append(i)
    if batch:
        yield batch


def _score(model: Any, rows: Sequence[tuple[list[int], int]]) -> np.ndarray:
    width = max(len(ids) for ids, _ in rows)
    ids = torch.tensor([row + [0] * (width - len(row)) for row, _ in rows], device=model.device)  # (B, T)
    # Only positions that predict a target token need logits: a slice of T x vocabulary.
    first = min(len(row) - count for row, count in rows) - 1
    keep = torch.arange(first, width - 1, device=model.device)
    logits = model(input_ids=ids, use_cache=False, logits_to_keep=keep).logits.float()  # (B, K, V)
    nll = torch.nn.functional.cross_entropy(logits.transpose(1, 2), ids[:, first + 1 :], reduction="none")  # (B, K)
    means = []
    for i, (row, count) in enumerate(rows):
        end = len(row) - 1 - first  # one past the position that predicts the last token
        means.append(float(nll[i, end - count : end].mean()))
    return np.array(means)
