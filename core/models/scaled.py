"""Attention on documents multiplied while a reply is written (Found in the Middle §3.2)."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from contextvars import ContextVar
from dataclasses import replace
from typing import Any

import torch
from transformers import AttentionInterface, AttentionMaskInterface, DynamicCache
from transformers.masking_utils import eager_mask

from core.models.prompt import lay_out
from core.models.protocol import Task

_NAME = "scaled_documents"
_factors: ContextVar[torch.Tensor] = ContextVar("factors of the running pass")


@contextlib.contextmanager
def scaled(backbone: Any, tasks: Sequence[Task], states: Sequence[Any]) -> Iterator[Sequence[Any]]:
    """Inside, replies of tasks with ``scales`` are written under scaled attention; gives the states to start from.

    The last token of a prompt predicts the reply's first: it is run again under the scaling, everything before it
    stays as it was read. With no ``scales`` among the tasks nothing changes.
    """
    if not any(task.scales for task in tasks):
        yield states
        return
    rows = [_row(backbone, task, state) for task, state in zip(tasks, states, strict=True)]
    fast = backbone.model.config._attn_implementation
    backbone.model.set_attn_implementation(_NAME)
    try:
        again = [_last_again(backbone, state, row) for state, row in zip(states, rows, strict=True)]
        longest = max(len(row) for row in rows)
        padded = [torch.nn.functional.pad(row, (longest - len(row), 0), value=torch.nan) for row in rows]
        token = _factors.set(torch.stack(padded))  # (B, S), padded on the left as the merged cache is
        try:
            yield again
        finally:
            _factors.reset(token)
    finally:
        backbone.model.set_attn_implementation(fast)


def rescaled(weights: torch.Tensor, factors: torch.Tensor) -> torch.Tensor:
    """Attention (B, H, Q, S) with each document token's weight times its factor (B, S), NaN where there is none.

    One constant per row keeps the documents' total, so the row still sums to 1 (Found in the Middle §3.2). A row
    whose documents would lose everything stays as it is.
    """
    inside = ~factors.isnan()[:, None, None, :]  # (B, 1, 1, S)
    times = torch.where(inside, factors[:, None, None, :], 0).to(weights.dtype)
    before = (weights * inside).sum(-1, keepdim=True)  # (B, H, Q, 1)
    scaled_weights = weights * times
    after = scaled_weights.sum(-1, keepdim=True)
    kept = torch.where(after > 0, scaled_weights * before / after.clamp(min=torch.finfo(after.dtype).tiny), weights)
    return torch.where(inside, kept, weights)


def _row(backbone: Any, task: Task, state: Any) -> torch.Tensor:
    """Factor per token of the prompt (T,), NaN outside the documents or where the task has no ``scales``."""
    row = torch.full((state.length,), torch.nan, device=backbone.model.device)
    if task.scales:
        spans = lay_out(backbone.tokenizer, task.prompt).documents
        for span, factor in zip(spans, task.scales, strict=True):
            row[span.start : span.end] = factor
    return row


def _last_again(backbone: Any, state: Any, row: torch.Tensor) -> Any:
    cache = DynamicCache()
    for index, layer in enumerate(state.cache.layers):
        cache.update(layer.keys[:, :, :-1], layer.values[:, :, :-1], index)
    token = _factors.set(row[None])
    try:
        last = torch.tensor([[state.ids[-1]]], device=backbone.model.device)
        out = backbone.model(input_ids=last, cache=cache, use_cache=True, logits_to_keep=1)
    finally:
        _factors.reset(token)
    return replace(state, cache=cache, logits=out.logits[0, -1])


def _attention(
    module: Any,
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    attention_mask: torch.Tensor | None,
    scaling: float,
    **options: Any,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Plain attention (B, H, Q, D), rescaled in the last half of the layers."""
    groups = query.shape[1] // key.shape[1]
    keys, values = key.repeat_interleave(groups, dim=1), value.repeat_interleave(groups, dim=1)  # (B, H, S, D)
    scores = query @ keys.transpose(2, 3) * scaling
    if attention_mask is not None:
        scores = scores + attention_mask
    weights = scores.softmax(dim=-1, dtype=torch.float32)
    if module.layer_idx >= module.config.num_hidden_layers // 2:
        factors = _factors.get()
        new = weights.shape[-1] - factors.shape[-1]  # tokens of the reply so far
        weights = rescaled(weights, torch.nn.functional.pad(factors, (0, new), value=torch.nan))
    weights = weights.to(query.dtype)
    return (weights @ values).transpose(1, 2).contiguous(), weights


AttentionInterface.register(_NAME, _attention)
AttentionMaskInterface.register(_NAME, eager_mask)
