from __future__ import annotations

import pytest
import torch

from core.models.backbone import CausalBackbone
from core.models.decoding import decode
from core.models.prompt import lay_out
from core.models.protocol import Task
from core.models.scaled import rescaled, scaled
from tests.core.models.prompts import never, prompt

KINDS = ["llama", "qwen2", "mistral"]
SCALES = (0.1, 3.0, 0.0, 1.0, 7.0)
OUTSIDE = float("nan")


def test_the_documents_total_is_kept_and_the_rest_is_not_touched() -> None:
    weights = torch.tensor([[[[0.2, 0.1, 0.3, 0.4]]]])
    factors = torch.tensor([[OUTSIDE, 1.0, 3.0, OUTSIDE]])
    # 0.1 and 0.9 share the 0.4 that the documents had: 0.04 and 0.36.
    assert rescaled(weights, factors).flatten().tolist() == pytest.approx([0.2, 0.04, 0.36, 0.4])


def test_documents_that_would_all_lose_everything_keep_what_they_had() -> None:
    weights = torch.tensor([[[[0.5, 0.2, 0.3]]]])
    assert torch.equal(rescaled(weights, torch.tensor([[OUTSIDE, 0.0, 0.0]])), weights)


def factors(backbone: CausalBackbone, task: Task, more: int = 0) -> torch.Tensor:
    """Factor of each token of the prompt and of ``more`` tokens behind it, NaN outside the documents."""
    laid = lay_out(backbone.tokenizer, task.prompt)
    row = torch.full((len(laid.ids) + more,), torch.nan)
    for span, factor in zip(laid.documents, task.scales, strict=True):
        row[span.start : span.end] = factor
    return row


def by_hand(backbone: CausalBackbone, task: Task, steps: int) -> list[int]:
    """Greedy tokens, the whole prompt run each time; rows of attention are rescaled one by one."""
    ids = list(lay_out(backbone.tokenizer, task.prompt).ids)
    first = len(ids) - 1
    for _ in range(steps):
        ids.append(int(scaled_logits(backbone.model, ids, first, factors(backbone, task, steps)).argmax()))
    return ids[first + 1 :]


def scaled_logits(model: torch.nn.Module, ids: list[int], first: int, row_factors: torch.Tensor) -> torch.Tensor:
    """Logits after the last of ``ids``; rows of attention from ``first`` on are rescaled in the last half of layers."""
    captured: list[torch.Tensor] = []
    half = model.config.num_hidden_layers // 2

    def hook(module: torch.nn.Module, args: tuple[torch.Tensor, ...], kwargs: dict[str, torch.Tensor]) -> None:
        captured.append(kwargs["hidden_states"] if "hidden_states" in kwargs else args[0])

    handles = [layer.self_attn.register_forward_pre_hook(hook, with_kwargs=True) for layer in model.model.layers]

    def replace(module: torch.nn.Module, _: object, output: tuple[torch.Tensor, torch.Tensor]) -> object:
        if module.layer_idx < half:
            return output
        hidden, weights = captured[-1], output[1].clone()  # (1, H, T, T)
        values = module.v_proj(hidden).view(1, len(ids), -1, module.head_dim).transpose(1, 2)
        values = values.repeat_interleave(weights.shape[1] // values.shape[1], dim=1)
        for row in range(first, len(ids)):
            for head in range(weights.shape[1]):
                line = weights[0, head, row]
                inside = ~row_factors[: len(ids)].isnan()
                times = torch.where(inside, line * row_factors[: len(ids)].nan_to_num(), line)
                if times[inside].sum() > 0:
                    times[inside] *= line[inside].sum() / times[inside].sum()
                weights[0, head, row] = times
        mixed = (weights @ values).transpose(1, 2).reshape(1, len(ids), -1)
        return module.o_proj(mixed), weights

    handles += [layer.self_attn.register_forward_hook(replace) for layer in model.model.layers]
    model.set_attn_implementation("eager")
    try:
        with torch.inference_mode():
            return model(torch.tensor([ids]), use_cache=False, output_attentions=True).logits[0, -1]
    finally:
        model.set_attn_implementation("sdpa")
        for handle in handles:
            handle.remove()


@pytest.mark.parametrize("kind", KINDS)
def test_logits_equal_a_hand_made_eager_attention(backbones: dict[str, CausalBackbone], kind: str) -> None:
    backbone, task = backbones[kind], Task(prompt(), 4, scales=SCALES)
    laid = lay_out(backbone.tokenizer, task.prompt)
    plain = backbone.read(task.prompt, never).state
    with torch.inference_mode(), scaled(backbone, [task], [plain]) as (state,):
        pass
    expected = scaled_logits(backbone.model, list(laid.ids), len(laid.ids) - 1, factors(backbone, task))
    assert (state.logits - expected).abs().max() <= 1e-4
    if kind != "mistral":  # whose window of 24 tokens ends behind the documents
        assert (state.logits - plain.logits).abs().max() > 1e-2


def test_replies_equal_a_hand_made_eager_attention(tiny: CausalBackbone) -> None:
    task = Task(prompt(), 4, scales=SCALES)
    expected = by_hand(tiny, task, 4)
    with torch.inference_mode(), scaled(tiny, [task], [tiny.read(task.prompt, never).state]) as states:
        assert decode(tiny, states, [4], [None], never) == [expected]


def test_equal_scales_change_nothing(tiny: CausalBackbone) -> None:
    plain = tiny.complete([Task(prompt(), 12)], never)[0]
    assert tiny.complete([Task(prompt(), 12, scales=(5.0,) * 5)], never)[0].text == plain.text


def test_a_reading_is_continued_and_stays_as_it_was(tiny: CausalBackbone) -> None:
    reading = tiny.read(prompt(), never)
    before = reading.state.cache.get_seq_length()
    task = Task(prompt(), 6, reading=reading, scales=SCALES)
    again = Task(prompt(), 6, scales=SCALES)
    said = tiny.complete([task], never)[0]
    assert said.text == tiny.complete([again], never)[0].text
    assert said.prompt_tokens == 0
    assert reading.state.cache.get_seq_length() == before


def test_scaled_and_plain_replies_are_decoded_together(tiny: CausalBackbone) -> None:
    alone = [tiny.complete([task], never)[0].text for task in tasks()]
    assert [reply.text for reply in tiny.complete(tasks(), never)] == alone


def tasks() -> list[Task]:
    short = prompt(["One river.", "Two rivers."])
    return [Task(prompt(), 8, scales=SCALES), Task(short, 8), Task(short, 8, scales=(0.2, 4.0))]


def test_the_fast_kernel_is_back_afterwards(tiny: CausalBackbone) -> None:
    tiny.complete([Task(prompt(), 2, scales=SCALES)], never)
    assert tiny.model.config._attn_implementation == "sdpa"
