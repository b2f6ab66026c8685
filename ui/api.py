"""The one public function of the page: for ``gradio_client``, plain HTTP and MCP."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import gradio as gr
from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from core.backend.protocol import Backend
from core.records import AnyResult, Document, Question, Request
from core.settings.methods import RunSettings
from core.systems import of_kind
from ui.inspect_run import KNOWN, submit

_LOOK_SECONDS = 0.2

Ask = Callable[[str, list[dict[str, Any]], list[str] | None, dict[str, Any] | None, str], dict[str, Any]]


class _Given(BaseModel):
    """A document as a caller writes it."""

    model_config = ConfigDict(extra="forbid")

    text: str
    title: str = ""
    id: str = ""
    gold: bool | None = None


_GIVEN = TypeAdapter(list[_Given])


def build_ask(backend: Backend) -> Ask:
    """The function ``ask`` over a back end."""

    def ask(
        question: str,
        documents: list[dict[str, Any]],
        answers: list[str] | None = None,
        settings: dict[str, Any] | None = None,
        system: str = "duquad",
    ) -> dict[str, Any]:
        """Asks one question over many documents and says what the model did with each of them.

        Args:
            question: What is asked.
            documents: The documents in prompt order, each with "text", and where known "title", "id", "gold" (bool).
            answers: Accepted answers, where known.
            settings: Run settings that differ from the defaults, such as {"k": 6, "tau": 0.4}.
            system: Which system answers: duquad, vanilla, bm25, main_rag, ...; `python -m core systems` lists them.

        Returns:
            The run record, with DuQUAD: signals, ranking, the two agents' replies, the pool with DocScores, the final
            answer.
        """
        try:
            return finished(backend, submit(backend, _request(question, documents, answers, settings, system)))
        except (*KNOWN, ValueError) as error:
            raise gr.Error(str(error), print_exception=False) from None

    return ask


def _request(question: Any, documents: Any, answers: Any, settings: Any, system: Any) -> Request:
    """Raises ValueError; the message names the field."""
    known = [one.name for one in of_kind("documents")]
    if system not in known:
        raise ValueError(f"system: there is none of this name; choose one of {', '.join(known)}")
    if not isinstance(documents, list):
        raise ValueError("documents: a list of objects is needed")
    if not isinstance(answers, list | None):
        raise ValueError("answers: a list of texts is needed")
    try:
        given = _GIVEN.validate_python(documents)
        found = [
            Document(id=one.id or str(place), title=one.title, text=one.text, gold=one.gold)
            for place, one in enumerate(given, start=1)
        ]
        gold = tuple(index for index, one in enumerate(given) if one.gold)
        asked = Question(text=question, answers=tuple(answers or ()), gold=gold)
        chosen = RunSettings.model_validate(settings or {})
        return Request(system=system, question=asked, documents=tuple(found), settings=chosen)
    except ValidationError as error:
        first = error.errors()[0]
        argument = {"Question": "question", "RunSettings": "settings"}.get(error.title, "documents")
        place = ".".join(map(str, (argument, *first["loc"])))
        raise ValueError(f"{place}: {first['msg']}") from None


def finished(backend: Backend, run_id: str) -> dict[str, Any]:
    """Waits for a run. Raises RunFailed, UnknownRun."""
    record: AnyResult | None = None
    while record is None:
        time.sleep(_LOOK_SECONDS)
        record = backend.result(run_id)
    return record.model_dump(mode="json", by_alias=True, exclude_none=True)
