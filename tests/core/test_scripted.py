from __future__ import annotations

import json
import time
from typing import Any

import numpy as np
import pytest

from core.models.protocol import Cancelled, Piece, Prompt, Task
from core.models.scripted import ScriptedBackbone, ScriptedEmbedder, overlap, scripted_models

QUESTION = "Who wrote the play Faust?"
TEXTS = ("Weimar is a town.", "The play Faust was written by Johann Goethe in 1808.", "A river.", "Jena is near.")


def go() -> None:
    """Never stops."""


def prompt(order: tuple[int, ...] = (0, 1, 2, 3)) -> Prompt:
    documents = tuple(Piece(f"[{i + 1}] T\n{TEXTS[i]}", document=i, body=6) for i in order)
    return Prompt((Piece("Read.\n"), *documents, Piece("\nQuestion: "), Piece(QUESTION, question=True)))


def reply(schema: dict[str, Any] | None = None, model: ScriptedBackbone | None = None) -> str:
    return (model or ScriptedBackbone()).complete([Task(prompt(), 64, schema)], go)[0].text


def test_attention_has_high_ends_and_a_spike_on_the_best_overlap() -> None:
    reading = ScriptedBackbone().read(prompt(), go)
    assert reading.attention.shape == (4, 3, 4) and reading.attention.dtype == np.float32
    mean = reading.attention.mean(axis=(0, 1))
    assert mean.argmax() == 1 and mean[0] > mean[2] and mean[3] > mean[2]
    assert reading.prompt_tokens > 10


def test_attention_is_in_the_order_of_the_documents_whatever_the_prompts_order() -> None:
    reading = ScriptedBackbone().read(prompt((3, 1, 0, 2)), go)
    assert reading.attention.mean(axis=(0, 1)).argmax() == 1


def test_token_weights_are_offsets_in_the_documents_text() -> None:
    weights = ScriptedBackbone().read(prompt(), go).token_weights
    by_word = {TEXTS[1][start:end]: weight for start, end, weight in weights[1]}
    assert by_word["Faust"] > by_word["The"] > 0


def test_free_replies_name_what_the_question_does_not() -> None:
    assert reply() == "1808"


def test_replies_follow_the_schema() -> None:
    schema = {
        "type": "object",
        "properties": {
            "important_docs": {
                "type": "array",
                "items": {"enum": ["4", "2", "1"]},
                "maxItems": 3,
            },
            "answer": {"type": "string", "maxLength": 3},
            "reasoning": {"type": "string"},
            "score": {"type": "number", "minimum": 0, "maximum": 1},
            "level": {"type": "integer"},
            "sure": {"type": "boolean"},
            "mode": {"const": "x"},
            "maybe": {"anyOf": [{"type": "null"}, {"type": "string"}]},
            "texts": {"type": "array", "items": {"type": "string"}, "minItems": 3},
        },
    }
    filled = json.loads(reply(schema))
    assert filled["important_docs"] == ["2", "1"]
    assert filled["answer"] == "180" and "Goethe" in filled["reasoning"]
    assert 0 <= filled["score"] <= 1 and filled["level"] in (0, 1) and isinstance(filled["sure"], bool)
    assert filled["mode"] == "x" and filled["maybe"] is None and len(filled["texts"]) == 3


def test_likelihoods_are_lower_where_words_are_shared() -> None:
    likelihoods = ScriptedBackbone().likelihoods([(text, QUESTION) for text in (*TEXTS, "")], go)
    assert likelihoods.values.argmin() == 1 and likelihoods.values[4] == likelihoods.values.max()
    assert likelihoods.tokens > 20


def test_similarities() -> None:
    values, tokens = ScriptedEmbedder().similarities(QUESTION, TEXTS, go)
    assert values.argmax() == 1 and ((values >= -1) & (values <= 1)).all() and tokens > 20


def test_scripted_replies_come_first_and_calls_are_kept_in_order() -> None:
    models = scripted_models(replies=["exactly this"])
    models.embedder.similarities(QUESTION, TEXTS, go)
    assert models.backbone.complete([Task(prompt(), 8), Task(prompt(), 8)], go)[0].text == "exactly this"
    models.backbone.likelihoods([("a", "b")], go)
    assert isinstance(models.backbone, ScriptedBackbone)
    assert [what for what, _ in models.backbone.calls] == ["similarities", "complete", "likelihoods"]
    assert models.backbone.calls[2][1] == (("a", "b"),)


def test_the_same_question_gets_the_same_reply() -> None:
    one, two = ScriptedBackbone(), ScriptedBackbone()
    assert (one.read(prompt(), go).attention == two.read(prompt(), go).attention).all()
    assert reply(model=one) == reply(model=two)


def test_a_delay_looks_at_stop() -> None:
    start = time.monotonic()

    def stop() -> None:
        if time.monotonic() - start > 0.1:
            raise Cancelled

    with pytest.raises(Cancelled):
        ScriptedBackbone(delay=10).read(prompt(), stop)
    assert time.monotonic() - start < 1


def test_odd_questions_and_texts() -> None:
    assert overlap("?", "text") == 0
    bare = Prompt((Piece("no documents, no question"),))
    assert ScriptedBackbone().complete([Task(bare, 8)], go)[0].text
    assert ScriptedBackbone().read(bare, go).attention.shape == (4, 3, 0)
    single = Prompt((Piece("", document=0), Piece("?", question=True)))
    reading = ScriptedBackbone().read(single, go)
    assert reading.attention.shape == (4, 3, 1) and reading.token_weights == ((),)
    assert ScriptedBackbone().complete([Task(single, 8)], go)[0].text == "unknown"
