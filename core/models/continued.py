"""Attention of new tokens behind a cache, on a CPU, without computing what the causal mask hides.

The new tokens attend to the cache, all of it, and to one another, causally: two kernels without a mask, whose
results are joined by their normalisers, as FlashAttention joins its blocks (Dao et al., 2022, §3.1).
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import torch
from transformers import AttentionInterface

_NAME = "behind_cache"
_PLAIN = ("llama", "qwen2", "qwen3", "mistral")  # families whose attention is a scaled dot product and nothing else
# The operation behind ``scaled_dot_product_attention`` on a CPU; that does not return the normalisers.
_kernel: Any = getattr(torch.ops.aten, "_scaled_dot_product_flash_attention_for_cpu", None)


def fits(model: Any) -> bool:
    """Whether a model's attention can be computed here: on a CPU, of a plain family, with no sliding window."""
    config = model.config.get_text_config()
    kinds = getattr(config, "layer_types", None)
    full = all(kind == "full_attention" for kind in kinds) if kinds else not getattr(config, "sliding_window", None)
    return _kernel is not None and model.device.type == "cpu" and config.model_type in _PLAIN and full


@contextlib.contextmanager
def behind_cache(model: Any) -> Iterator[None]:
    """Inside, passes of one row with no padding go through ``attention``."""
    fast = model.config._attn_implementation
    model.set_attn_implementation(_NAME)
    try:
        yield
    finally:
        model.set_attn_implementation(fast)


def attention(
    module: Any,
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    attention_mask: torch.Tensor | None,
    scaling: float,
    **options: Any,
) -> tuple[torch.Tensor, None]:
    """Causal attention (B, T, H, D) of the last T of S tokens: query (B, H, T, D), key and value (B, KV, S, D)."""
    batch, heads, new, width = query.shape
    groups, known = heads // key.shape[1], key.shape[2] - new
    own = [tensor[:, :, known:].repeat_interleave(groups, dim=1) for tensor in (key, value)]  # (B, H, T, D)
    found, weight = _kernel(query, *own, 0.0, True, scale=scaling)  # (B, H, T, D), (B, H, T)
    if known:
        # Without a mask the heads of a group are rows like any others: no key is copied.
        grouped = query.reshape(batch, key.shape[1], groups * new, width)  # (B, KV, G·T, D)
        before = (key[:, :, :known], value[:, :, :known])
        earlier, earlier_weight = _kernel(grouped, *before, 0.0, False, scale=scaling)
        share = torch.sigmoid(earlier_weight.reshape(weight.shape) - weight)[..., None].to(found.dtype)  # (B, H, T, 1)
        found = found + (earlier.reshape(found.shape) - found) * share
    return found.transpose(1, 2), None


AttentionInterface.register(_NAME, attention)
