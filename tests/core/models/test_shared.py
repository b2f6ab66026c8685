from __future__ import annotations

import time
from dataclasses import replace

import numpy as np
import pytest

from core.models.calls import CallLog, credit
from core.models.profile import Models
from core.models.protocol import ModelError, Prompt, Reading, Task
from core.models.scripted import ScriptedBackbone, scripted_models
from core.models.shared import shared
from core.settings.methods import SHARED_CACHES
from tests.core.models.prompts import never, prompt


def asked(models: Models) -> list[str]:
    assert isinstance(models.backbone, ScriptedBackbone)
    return [name for name, _ in models.backbone.calls]


def test_the_same_question_is_asked_once() -> None:
    models = scripted_models()
    remembering, work = shared(models)
    task = Task(prompt(), 8)
    for _ in range(3):
        remembering.backbone.read(prompt(), never)
        remembering.backbone.complete([task], never)
        remembering.backbone.likelihoods([("a", "b")], never)
        remembering.backbone.weigh([task], [["Yes"], ["No"]], never)
        remembering.backbone.compress("q", [("a", "b c")], (0.5,), 200, never)
        remembering.embedder.similarities("q", ["a"], never)
    assert asked(models) == ["read", "complete", "likelihoods", "weigh", "compress", "similarities"]
    assert work.calls == 12 and work.tokens > 0


def test_another_question_is_asked_again() -> None:
    models = scripted_models()
    backbone = shared(models)[0].backbone
    first = Task(prompt(), 8)
    others = [
        replace(first, max_new_tokens=9),
        replace(first, schema={"type": "object"}),
        replace(first, scales=(1.0,) * 5),
        replace(first, prompt=prompt(question="which town")),
        replace(first, prompt=replace(prompt(), opener="It is")),
    ]
    for task in (first, *others):
        backbone.complete([task], never)
    backbone.complete([first, others[0]], never)
    backbone.read(prompt(), never)
    backbone.read(prompt(), never, reserve=5)
    assert len(asked(models)) == 9


def test_answers_are_those_of_the_models() -> None:
    plain, (remembering, _) = scripted_models(), shared(scripted_models())
    for _ in range(2):
        assert np.array_equal(
            remembering.backbone.read(prompt(), never).attention, plain.backbone.read(prompt(), never).attention
        )
        task = Task(prompt(), 8)
        assert remembering.backbone.complete([task], never) == plain.backbone.complete([task], never)
    assert remembering.backbone.count_tokens("a b") == 2


class Slow(ScriptedBackbone):
    """Takes a fifth of a second for a reading."""

    def read(self, *arguments: object, **named: object) -> Reading:
        time.sleep(0.2)
        return super().read(*arguments, **named)  # type: ignore[arg-type]


def test_what_is_shared_costs_what_it_cost_the_first_time() -> None:
    remembering, work = shared(replace(scripted_models(), backbone=Slow()))
    log = CallLog()
    for _ in range(2):
        with log.call("attention", "m", "score"):
            remembering.backbone.read(prompt(), never)
    first, second = log.calls
    assert first.shared_seconds is None and first.seconds >= 0.2
    assert second.shared_seconds == pytest.approx(first.seconds, abs=0.02)
    assert second.seconds >= second.shared_seconds
    assert work.counts["shared_seconds"] == pytest.approx(second.shared_seconds, abs=0.001)


def test_credit_goes_to_the_open_call_alone() -> None:
    log = CallLog()
    credit(5)
    with log.call("a", "m", "score"):
        credit(2)
    credit(3)
    with log.call("b", "m", "score"):
        pass
    assert log.calls[0].shared_seconds == 2 and log.calls[0].seconds >= 2
    assert log.calls[1].shared_seconds is None


def test_a_failed_call_is_not_remembered() -> None:
    class Failing(ScriptedBackbone):
        def read(self, *arguments: object, **named: object) -> Reading:
            if not self.calls:
                self.calls.append(("failed", None))
                raise ModelError("no memory")
            return super().read(*arguments, **named)  # type: ignore[arg-type]

    backbone = shared(replace(scripted_models(), backbone=Failing()))[0].backbone
    with pytest.raises(ModelError):
        backbone.read(prompt(), never)
    assert backbone.read(prompt(), never).state is not None


def numbered(i: int) -> Prompt:
    return prompt(question=f"which river {i}")


def test_few_caches_are_kept_and_a_reply_reads_again_what_is_gone() -> None:
    models = scripted_models()
    backbone = shared(models)[0].backbone
    for i in range(SHARED_CACHES + 1):
        backbone.read(numbered(i), never)
    gone, kept = (backbone.read(numbered(i), never) for i in (0, SHARED_CACHES))
    assert gone.state is None and kept.state is not None
    backbone.complete([Task(numbered(0), 8, reading=gone), Task(numbered(2), 8, reading=kept)], never)
    (name, (first, second)) = models.backbone.calls[-1]  # type: ignore[attr-defined]
    assert name == "complete" and first.reading is None and second.reading is not None
    # A reading without its cache cannot be continued by another reading either.
    assert backbone.read(numbered(9), never, after=gone).prompt_tokens == gone.prompt_tokens


def test_readings_that_follow_another_leave_no_cache() -> None:
    backbone = shared(scripted_models())[0].backbone
    first = backbone.read(numbered(0), never)
    for i in range(1, 9):
        backbone.read(numbered(i), never, after=first)
    assert backbone.read(numbered(0), never).state is not None
    assert backbone.read(numbered(8), never, after=first).state is None


def test_other_roles_are_handed_on_and_the_reranker_remembers() -> None:
    class Reranker:
        name = "r"
        asked = 0

        def rerank(self, query: str, texts: list[str], stop: object) -> tuple[np.ndarray, int]:
            self.asked += 1
            return np.zeros(len(texts)), 3

    found = Reranker()
    models = replace(scripted_models(), role=lambda role: found if role == "reranker" else role)
    remembering, work = shared(models)
    for _ in range(2):
        remembering.reranker().rerank("q", ["a"], never)
    assert found.asked == 1 and work.tokens == 3
    assert remembering.page_encoder() == "page_encoder"
