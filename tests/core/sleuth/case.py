"""A document of six pages by hand, in a page store, and scripted models for it."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from core.models.page_protocol import PageTask, PageView
from core.models.profile import Models, Role
from core.models.protocol import Cancelled, ModelError, Stop
from core.models.scripted import scripted_models
from core.models.scripted_calls import Calls
from core.models.scripted_reader import ScriptedPageReader
from core.records import PdfRef, Question, Request, RunRecord, Step
from core.settings.methods import PdfSettings, RunSettings
from core.sleuth import pipeline
from tests.core.models.pages import layout
from tests.core.models.prompts import never

SHA = "a" * 64
QUESTION = "When did the Golden Gate bridge open?"
PAGES = (
    layout(0, ("text", ["Bridges of the west coast."]), printed="i"),
    layout(1, ("text", ["The Golden Gate bridge did open in 1937.", "It is painted orange."]), printed="ii"),
    layout(2, ("table", ["Bridge | Open since", "Golden Gate | 1937", "Bay | 1936"])),
    layout(3, ("text", ["Ferries sail when the gate is shut."])),
    layout(4),
    layout(5, ("text", ["Index of names."])),
)


class Case:
    """Runs the pipeline on the six pages."""

    def __init__(self, cache: Path) -> None:
        self.cache = cache
        self.calls: Calls = []
        self.models: Models = scripted_models()

    def run(
        self,
        replies: Sequence[str] = (),
        thinking: Sequence[str] | ModelError | None = None,
        sees: Any = "image",
        stop: Stop = never,
        request: Request | None = None,
        **settings: Any,
    ) -> tuple[list[Step], RunRecord]:
        """Steps and the finished record; what the readers were asked is in ``calls``."""
        models = scripted_models()
        self.calls.clear()

        def unused(task: Any) -> str:
            raise AssertionError(f"no reply is left for: {task.prompt.content[-300:]}")

        reader = ScriptedPageReader(unused, replies, calls=self.calls, sees=sees)
        thinker = ScriptedPageReader(
            unused, [] if isinstance(thinking, ModelError) else thinking or [], calls=self.calls, thinks=True
        )
        thinker.name = "scripted-thinker"

        def role(name: Role) -> Any:
            if name == "thinking_reader" and isinstance(thinking, ModelError):
                raise thinking
            return {"reader": reader, "thinking_reader": thinker}.get(name) or models.role(name)

        self.models = dataclasses.replace(models, cache=self.cache, role=role)
        own = {"agents": "spoken", "duquad": False, "top_k": 3} | settings
        asked = request or ask(**own)
        steps = list(pipeline.run(asked, self.models, "run", stop))
        record = steps[-1].record
        assert isinstance(record, RunRecord)
        return steps, record

    def tasks(self) -> list[list[PageTask]]:
        """What the readers were asked to complete, call by call."""
        return [list(argument) for name, argument in self.calls if name == "read_pages"]


def ask(resume: RunRecord | None = None, **settings: Any) -> Request:
    return Request(
        system="sleuth",
        question=Question(text=QUESTION, answers=("1937",), gold_pages=(1,)),
        pdf=PdfRef(sha256=SHA, name="bridges.pdf"),
        resume=resume,
        settings=RunSettings(pdf=PdfSettings.model_validate(settings)),
    )


def clue(*contents: str, confidence: str = "high", **more: Any) -> str:
    items = [
        {
            "evidence_type": "text",
            "content": content,
            "location": "Text 1",
            "relevance": "asked",
            "confidence": confidence,
        }
        for content in contents
    ]
    reply = {"has_relevant_evidence": bool(items), "evidence_items": items, "key_insights": "", "page_summary": ""}
    return json.dumps(reply | more)


def label(relevance: str, chart: bool = True) -> str:
    return json.dumps({"has_chart": chart, "relevance": relevance, "reasoning": f"because {relevance}"})


def level(number: int, instructions: str = "Look at page 2.") -> str:
    return json.dumps({"difficulty_level": number, "instruction_set": instructions})


def decided(answer: str, *rows: tuple[int, str]) -> str:
    citations = [{"page": page, "evidence": evidence, "source": "text"} for page, evidence in rows]
    return json.dumps({"answer": answer, "citations": citations})


def pages_of(task: PageTask) -> list[int]:
    return [part.layout.page for part in task.parts if isinstance(part, PageView)]


def text_of(task: PageTask) -> str:
    return "".join(part for part in task.parts if isinstance(part, str))


def stop_after(calls: int) -> Stop:
    seen = 0

    def stop() -> None:
        nonlocal seen
        seen += 1
        if seen > calls:
            raise Cancelled

    return stop
