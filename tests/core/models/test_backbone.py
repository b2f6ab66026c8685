from __future__ import annotations

import numpy as np
import pytest
import torch

from core.models.backbone import CausalBackbone
from core.models.prompt import lay_out
from core.models.protocol import Cancelled, ModelError, Piece, Prompt, PromptTooLong, Task
from tests.core.models.prompts import TEXTS, never, prompt

SCHEMA = {
    "type": "object",
    "properties": {
        "important_docs": {"type": "array", "items": {"type": "integer", "enum": [2, 4]}, "minItems": 1, "maxItems": 2},
        "answer": {"type": "string", "maxLength": 8},
    },
    "required": ["important_docs", "answer"],
    "additionalProperties": False,
}


def full_eager(backbone: CausalBackbone, laid_ids: tuple[int, ...]) -> torch.Tensor:
    """All attention weights by the straightforward pass: (L, H, T, T)."""
    backbone.model.set_attn_implementation("eager")
    with torch.inference_mode():
        out = backbone.model(torch.tensor([laid_ids]), output_attentions=True)
    backbone.model.set_attn_implementation("sdpa")
    return torch.stack(out.attentions)[:, 0]


def assert_equals_full_eager(backbone: CausalBackbone, ask: Prompt) -> None:
    laid = lay_out(backbone.tokenizer, ask)
    full = full_eager(backbone, laid.ids)
    assert torch.triu(full, 1).abs().max() == 0  # causal: nothing looks ahead
    assert torch.allclose(full.sum(-1), torch.ones(()), atol=1e-5)
    row = full[:, :, laid.question_last, :].numpy()  # (L, H, T)
    expected = np.stack([row[:, :, s.start : s.end].mean(-1) for s in laid.documents], axis=-1)
    reading = backbone.read(ask, never)
    assert reading.attention.shape == expected.shape
    assert np.abs(reading.attention - expected).max() <= 1e-5
    mean = row.mean((0, 1))
    for tokens, places in zip(reading.token_weights, laid.tokens, strict=True):
        assert [weight for _, _, weight in tokens] == pytest.approx([mean[i] for i, _, _ in places], abs=1e-5)


@pytest.mark.parametrize("kind", ["llama", "qwen2", "mistral"])
def test_the_one_row_equals_full_eager_attention(backbones: dict[str, CausalBackbone], kind: str) -> None:
    assert_equals_full_eager(backbones[kind], prompt())


@pytest.mark.weights
def test_the_one_row_equals_full_eager_attention_on_the_embedded_model(embedded32: CausalBackbone) -> None:
    assert_equals_full_eager(embedded32, prompt(["The Potaro River plunges over Kaieteur Falls."] * 3 + TEXTS))


def test_the_fast_kernel_is_back_after_reading(tiny: CausalBackbone) -> None:
    tiny.read(prompt(), never)
    assert tiny.model.config._attn_implementation == "sdpa"


@pytest.mark.parametrize("kind", ["llama", "qwen2", "mistral"])
def test_likelihood_equals_the_models_own_loss(backbones: dict[str, CausalBackbone], kind: str) -> None:
    backbone = backbones[kind]
    contexts = [f"Document [1](Title: T) {text}\n\nQuestion:" for text in (*TEXTS, "long " * 60, "")]
    pairs = [(context, " which river is it") for context in contexts]
    scored = backbone.likelihoods(pairs, never)
    for (context, target), value in zip(pairs, scored.values, strict=True):
        plain = {"add_special_tokens": False, "split_special_tokens": True}
        before = backbone.tokenizer(context, **plain)["input_ids"]
        if backbone.tokenizer("")["input_ids"]:
            before = [0, *before]
        after = backbone.tokenizer(target, **plain)["input_ids"]
        labels = torch.tensor([[-100] * len(before) + after])
        with torch.inference_mode():
            loss = backbone.model(torch.tensor([before + after]), labels=labels).loss
        assert value == pytest.approx(float(loss), abs=1e-5)


def test_likelihood_without_any_context_scores_what_can_be_predicted(tiny: CausalBackbone) -> None:
    ids = tiny.tokenizer("which river")["input_ids"]
    with torch.inference_mode():
        loss = tiny.model(torch.tensor([ids]), labels=torch.tensor([ids])).loss
    assert tiny.likelihoods([("", "which river")], never).values[0] == pytest.approx(float(loss), abs=1e-5)


def test_likelihood_of_nothing_is_refused(tiny: CausalBackbone) -> None:
    with pytest.raises(ModelError, match="blank"):
        tiny.likelihoods([("context", "")], never)


@pytest.mark.parametrize("kind", ["llama", "qwen2", "mistral"])
def test_replies_decoded_together_equal_generate(backbones: dict[str, CausalBackbone], kind: str) -> None:
    backbone = backbones[kind]
    asks = [prompt(["one river"]), prompt(), prompt(["falls " * 30, "Guyana"])]
    replies = backbone.complete([Task(ask, 12) for ask in asks], never)
    for ask, reply in zip(asks, replies, strict=True):
        ids = torch.tensor([lay_out(backbone.tokenizer, ask).ids])
        out = backbone.model.generate(ids, attention_mask=torch.ones_like(ids), max_new_tokens=12, do_sample=False)
        text = backbone.tokenizer.decode(out[0, ids.shape[1] :], skip_special_tokens=True)
        assert reply.text == text.split("\n")[0].strip()
        assert reply.prompt_tokens == ids.shape[1]


def test_a_read_prompt_is_continued_without_reading_it_again(tiny: CausalBackbone) -> None:
    ask = prompt()
    reading = tiny.read(ask, never)
    fresh, continued = (tiny.complete([task], never)[0] for task in (Task(ask, 10), Task(ask, 10, reading=reading)))
    assert continued.text == fresh.text
    assert (continued.prompt_tokens, fresh.prompt_tokens) == (0, reading.prompt_tokens)
    assert tiny.complete([Task(ask, 10, reading=reading)], never)[0].text == fresh.text  # and again


def test_a_schema_is_followed_by_a_model_that_knows_nothing(tiny: CausalBackbone) -> None:
    import json

    replies = tiny.complete([Task(prompt(), 80, SCHEMA), Task(prompt(["x"]), 80, SCHEMA), Task(prompt(), 5)], never)
    for reply in replies[:2]:
        data = json.loads(reply.text)
        assert list(data) == ["important_docs", "answer"]
        assert set(data["important_docs"]) <= {2, 4} and data["important_docs"]
        assert len(data["answer"]) <= 8


def test_work_stops_inside_a_prefill(tiny: CausalBackbone) -> None:
    calls = 0

    def stop() -> None:
        nonlocal calls
        calls += 1
        if calls > 1:
            raise Cancelled

    with pytest.raises(Cancelled):
        tiny.read(prompt(), stop)
    assert calls == 2  # at the second layer, not after the pass
    assert tiny.read(prompt(), never).prompt_tokens  # and the model works on


def test_too_long_prompts_are_refused_by_every_use(tiny: CausalBackbone) -> None:
    long = prompt(["river " * 400] * 8)
    with pytest.raises(PromptTooLong, match="documents fit"):
        tiny.read(long, never)
    with pytest.raises(PromptTooLong, match="documents fit"):
        tiny.complete([Task(long, 10)], never)
    with pytest.raises(PromptTooLong, match="Document 1 has"):
        tiny.likelihoods([("river " * 3000, " q")], never)


def test_a_prompt_without_documents_has_no_profile(tiny: CausalBackbone) -> None:
    with pytest.raises(ModelError, match="no attention profile"):
        tiny.read(Prompt((Piece("Question: "), Piece("why", question=True))), never)


@pytest.mark.parametrize("kind", ["llama", "qwen2", "mistral"])
def test_weighing_options_equals_the_models_own_next_token(backbones: dict[str, CausalBackbone], kind: str) -> None:
    backbone = backbones[kind]
    options = [["Yes", " Yes", "Yes"], ["No"]]
    task = Task(prompt(), 4)
    weighed = backbone.weigh([task, Task(prompt(TEXTS[:2]), 4)], options, never)
    with torch.inference_mode():
        ids = lay_out(backbone.tokenizer, task.prompt).ids
        logs = backbone.model(torch.tensor([ids])).logits[0, -1].log_softmax(-1)
    first = [{backbone.tokenizer(s, add_special_tokens=False)["input_ids"][0] for s in option} for option in options]
    expected = [float(torch.stack([logs[i] for i in ids]).logsumexp(0)) for ids in first]
    assert weighed.shape == (2, 2)
    assert weighed[0] == pytest.approx(expected, abs=1e-4)
    assert not np.allclose(weighed[0], weighed[1])
