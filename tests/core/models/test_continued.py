"""New tokens behind a cache: the same attention as with a mask, for grouped heads; and room in a cache."""

from __future__ import annotations

import pytest
import torch
from torch.nn.functional import scaled_dot_product_attention
from transformers import AutoConfig, DynamicCache

from core.models.backbone import CausalBackbone
from core.models.continued import attention, fits
from core.models.room import RoomyCache


def masked(query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, scaling: float) -> torch.Tensor:
    """The definition: token i of the last T of S sees the first S − T + i + 1."""
    new, every, groups = query.shape[2], key.shape[2], query.shape[1] // key.shape[1]
    seen = torch.arange(every)[None] <= torch.arange(every - new, every)[:, None]
    key, value = key.repeat_interleave(groups, 1), value.repeat_interleave(groups, 1)
    return scaled_dot_product_attention(query, key, value, attn_mask=seen, scale=scaling).transpose(1, 2)


@pytest.mark.parametrize("known", [0, 1, 7, 300])
@pytest.mark.parametrize("new", [1, 2, 33, 129])
@pytest.mark.parametrize(("heads", "groups"), [(4, 1), (6, 3)])
def test_two_kernels_are_one_masked_one(known: int, new: int, heads: int, groups: int) -> None:
    torch.manual_seed(known + new)
    query = torch.randn(2, heads, new, 16)
    key, value = torch.randn(2, 2, heads // groups, known + new, 16)
    found, nothing = attention(None, query, key, value, None, 0.2)
    assert nothing is None
    assert (found - masked(query, key, value, 0.2)).abs().max() <= 1e-5


def test_extreme_scores_stay_finite() -> None:
    torch.manual_seed(0)
    query, key, value = 200 * torch.randn(1, 2, 5, 8), 200 * torch.randn(1, 2, 12, 8), torch.randn(1, 2, 12, 8)
    found, _ = attention(None, query, key, value, None, 1.0)
    assert torch.isfinite(found).all() and (found - masked(query, key, value, 1.0)).abs().max() <= 1e-5


def test_a_sliding_window_and_strange_families_keep_their_mask(backbones: dict[str, CausalBackbone]) -> None:
    assert fits(backbones["llama"].model) and fits(backbones["qwen2"].model)
    for wrong in ({"model_type": "gemma2"}, {"layer_types": ["full_attention", "sliding_attention"]}):
        model = torch.nn.Linear(1, 1)
        config = AutoConfig.for_model("llama")
        for name, what in wrong.items():
            setattr(config, name, what)
        model.config, model.device = config, torch.device("cpu")  # type: ignore[assignment]
        assert not fits(model)


def test_a_cache_with_room_holds_what_a_joining_one_holds() -> None:
    torch.manual_seed(1)
    plain, roomy, small = DynamicCache(), RoomyCache(40), RoomyCache(3)
    for new in (5, 1, 1, 9, 1):
        key, value = torch.randn(2, 2, 3, new, 4)
        want = plain.update(key, value, 0)
        for cache in (roomy, small):
            assert all(torch.equal(*pair) for pair in zip(cache.update(key, value, 0), want, strict=True))
            assert cache.get_seq_length() == plain.get_seq_length()
    before = roomy.layers[0].keys.data_ptr()
    roomy.update(torch.randn(2, 3, 1, 4), torch.randn(2, 3, 1, 4), 0)
    assert roomy.layers[0].keys.data_ptr() == before, "nothing was copied"
    roomy.layers[0].crop(4 - roomy.get_seq_length())
    roomy.update(key, value, 0)
    assert torch.equal(roomy.layers[0].keys[:, :, 4:], key) and roomy.get_seq_length() == 5
    roomy.layers[0].keys, roomy.layers[0].values = key.clone(), value.clone()  # as beams and batches put others in
    roomy.update(key + 1, value + 1, 0)
    assert torch.equal(roomy.layers[0].keys, torch.cat([key, key + 1], dim=2))
