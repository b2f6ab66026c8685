"""A prompt read after another one: the same numbers as when it is read alone, with fewer tokens run."""

from __future__ import annotations

import numpy as np
import pytest

from core.models import backbone as backbone_module
from core.models.backbone import CausalBackbone
from core.models.prompt import lay_out
from core.models.protocol import Cancelled, Prompt, Reading, Task
from core.sweep_record import moved_order
from tests.core.models.prompts import TEXTS, never, prompt

KINDS = ["llama", "qwen2", "mistral"]
MANY = [*TEXTS, *(text * 2 for text in TEXTS)]


def moved(place: int, texts: list[str] = MANY) -> Prompt:
    return prompt([texts[i] for i in moved_order(len(texts), 2, place)])


def assert_same(one: Reading, other: Reading) -> None:
    assert np.abs(one.attention - other.attention).max() <= 1e-5
    for mine, theirs in zip(one.token_weights, other.token_weights, strict=True):
        assert [part[:2] for part in mine] == [part[:2] for part in theirs]
        assert [part[2] for part in mine] == pytest.approx([part[2] for part in theirs], abs=1e-5)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("order", [range(len(MANY)), range(len(MANY) - 1, -1, -1), (4, 9, 0, 5)])
def test_a_sweep_equals_separate_readings(
    backbones: dict[str, CausalBackbone], kind: str, order: range | tuple[int, ...]
) -> None:
    backbone, last, run = backbones[kind], None, 0
    for place in order:
        ask = moved(place)
        alone, last = backbone.read(ask, never), backbone.read(ask, never, after=last)
        assert_same(last, alone)
        one, other = backbone.complete([Task(ask, 8, reading=last), Task(ask, 8, reading=alone)], never)
        assert one.text == other.text
        run += last.prompt_tokens
    assert run < 0.9 * sum(len(lay_out(backbone.tokenizer, moved(place)).ids) for place in order)


@pytest.mark.weights
def test_a_sweep_equals_separate_readings_on_the_embedded_model(embedded32: CausalBackbone) -> None:
    last = embedded32.read(moved(2), never)
    for place in (3, 9):
        last = embedded32.read(moved(place), never, after=last)
        assert_same(last, embedded32.read(moved(place), never))


@pytest.mark.parametrize("kind", KINDS)
def test_parts_change_nothing(backbones: dict[str, CausalBackbone], kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    backbone = backbones[kind]
    first = backbone.read(moved(1), never)
    monkeypatch.setattr(backbone_module, "CONTINUED_TOKENS", 7)
    monkeypatch.setattr(backbone_module, "fits", lambda model: False)
    assert_same(backbone.read(moved(3), never, after=first), backbone.read(moved(3), never))


def test_the_tokens_that_are_run_are_the_ones_that_differ(tiny: CausalBackbone) -> None:
    first = tiny.read(moved(3), never)
    a, b = (lay_out(tiny.tokenizer, moved(place)).ids for place in (3, 6))
    shared = next(i for i, (one, other) in enumerate(zip(a, b, strict=False)) if one != other)
    assert first.prompt_tokens == len(a)
    assert tiny.read(moved(6), never, after=first).prompt_tokens == len(b) - shared


def test_the_earlier_reading_stays_as_it_is(tiny: CausalBackbone) -> None:
    first = tiny.read(moved(5), never)
    before = tiny.complete([Task(moved(5), 8, reading=first)], never)[0].text
    tiny.read(moved(1), never, after=first)
    assert first.state.cache.get_seq_length() == first.prompt_tokens
    assert tiny.complete([Task(moved(5), 8, reading=first)], never)[0].text == before


def test_the_same_prompt_again_still_has_its_attention(tiny: CausalBackbone) -> None:
    first = tiny.read(moved(5), never)
    again = tiny.read(moved(5), never, after=first)
    assert_same(again, first)
    assert 0 < again.prompt_tokens < first.prompt_tokens / 2  # the question's last token and what follows it


@pytest.mark.parametrize("texts", [["one river"], ["one river", "two"]])
def test_nothing_shared_but_the_beginning(tiny: CausalBackbone, texts: list[str]) -> None:
    other = prompt(["Completely different."] * 3, question="who", form="")
    assert_same(tiny.read(prompt(texts), never, after=tiny.read(other, never)), tiny.read(prompt(texts), never))


def test_a_continued_reading_can_be_stopped(tiny: CausalBackbone) -> None:
    first, calls = tiny.read(moved(8), never), 0

    def stop() -> None:
        nonlocal calls
        calls += 1
        raise Cancelled

    with pytest.raises(Cancelled):
        tiny.read(moved(2), stop, after=first)
    assert calls == 1
    assert_same(tiny.read(moved(2), never, after=first), tiny.read(moved(2), never))
