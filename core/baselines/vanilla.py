"""Vanilla: all documents in one prompt, in the given order, and one reply. What DuQUAD's cost is measured against.

Source: the plain prompt of "Lost in the Middle" (Liu et al., 2023), in our own words.
"""

from __future__ import annotations

from collections.abc import Iterator

from core.duquad.pipeline import start
from core.duquad.prompts import answer_prompt
from core.models.calls import CallLog
from core.models.profile import Models
from core.models.protocol import Stop, Task
from core.records import Final, Request, Step
from core.settings.profiles import PROFILES


def run(request: Request, models: Models, run_id: str, stop: Stop) -> Iterator[Step]:
    """Runs one request. Raises ModelError, Cancelled."""
    settings = request.settings
    record = start(request, settings, models, run_id)
    yield Step(stage="answer", fraction=0.0, message=f"Reading {len(request.documents)} documents in one prompt")
    opener = PROFILES[models.profile].answer_opener
    prompt = answer_prompt(request.question.text, request.documents, settings.instruction, opener)
    log = CallLog()
    with log.call("answer", models.backbone.name, "generate") as usage:
        reply = models.backbone.complete([Task(prompt, settings.judge_tokens)], stop)[0]
        usage.prompt_tokens, usage.new_tokens = reply.prompt_tokens, reply.new_tokens
    final = Final(answer=reply.text.strip(), raw=reply.text)
    yield Step(stage="done", fraction=1.0, record=record.model_copy(update={"final": final, "calls": tuple(log.calls)}))
