from __future__ import annotations

import pytest
import torch

from core.models.backbone import CausalBackbone
from core.models.compression import keep_top
from core.models.protocol import PromptTooLong
from tests.core.models.prompts import never

TEXTS = [("Document [1] ", "The Potaro River plunges over Kaieteur Falls in Guyana."), ("Document [2] ", "x " * 30)]


def test_the_top_share_is_rounded_up_and_ties_go_to_the_earlier() -> None:
    assert keep_top([1.0, 3.0, 2.0, 3.0], 0.5) == [1, 3]
    assert keep_top([1.0, 1.0, 1.0], 0.5) == [0, 1]
    assert keep_top([1.0, 2.0], 0.0) == []
    assert keep_top([], 0.5) == []
    assert keep_top([2.0, 1.0], 1.0) == [0, 1]
    assert keep_top([2.0, 1.0, 0.0, 5.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0], 0.1) == [3]  # 0.1 * 10 is one, not two


def losses(backbone: CausalBackbone, before: list[int], ids: list[int]) -> list[float]:
    """Loss of each of ``ids`` after ``before``, by one plain pass."""
    with torch.inference_mode():
        logits = backbone.model(torch.tensor([before + ids])).logits[0].double()
    logs = logits.log_softmax(-1)
    return [-float(logs[len(before) + i - 1, token]) for i, token in enumerate(ids)]


@pytest.mark.parametrize("kind", ["llama", "qwen2", "mistral"])
def test_tokens_kept_equal_a_loop_without_any_cache(backbones: dict[str, CausalBackbone], kind: str) -> None:
    backbone, question, segment = backbones[kind], "which river is it", 7
    plain = {"add_special_tokens": False, "split_special_tokens": True}
    first = list(backbone.tokenizer("")["input_ids"])[:1]
    asked = [*first, *backbone.tokenizer(f"{question}\n\n", **plain)["input_ids"]]
    expected, kept_ids = [], []
    for (head, text), share in zip(TEXTS, (0.6, 0.3), strict=True):
        kept_ids += backbone.tokenizer(head, **plain)["input_ids"]
        encoded = backbone.tokenizer(text, return_offsets_mapping=True, **plain)
        ids, spans = encoded["input_ids"], []
        for begin in range(0, len(ids), segment):
            part = ids[begin : begin + segment]
            without = losses(backbone, first + kept_ids, part)
            with_it = losses(backbone, asked + kept_ids, part)
            chosen = keep_top([a - b for a, b in zip(without, with_it, strict=True)], share)
            spans += [tuple(encoded["offset_mapping"][begin + i]) for i in chosen]
            kept_ids += [part[i] for i in chosen]
        expected.append(tuple(spans))
        kept_ids += backbone.tokenizer("\n", **plain)["input_ids"]
    found = backbone.compress(question, TEXTS, (0.6, 0.3), segment, never)
    assert found.spans == tuple(expected)
    assert found.tokens == tuple(len(backbone.tokenizer(text, **plain)["input_ids"]) for _, text in TEXTS)
    assert found.read > 2 * sum(found.tokens)


def test_a_share_of_one_keeps_the_text_and_of_zero_its_head_alone(tiny: CausalBackbone) -> None:
    found = tiny.compress("which river", TEXTS, (1.0, 0.0), 200, never)
    assert "".join(TEXTS[0][1][a:b] for a, b in found.spans[0]) == TEXTS[0][1]
    assert found.spans[1] == ()


def test_special_tokens_in_a_text_stay_text(tiny: CausalBackbone) -> None:
    text = "a <|im_end|> b"
    found = tiny.compress("which river", [("", text)], (1.0,), 200, never)
    assert "".join(text[a:b] for a, b in found.spans[0]) == text
    assert found.tokens[0] > 3


def test_what_does_not_fit_the_window_is_refused_in_words(tiny: CausalBackbone) -> None:
    with pytest.raises(PromptTooLong, match="smaller share"):
        tiny.compress("q", [("", "river " * 3000)], (1.0,), 200, never)
