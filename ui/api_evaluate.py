"""The public function about question sets: ``evaluate`` starts one, or says how far one is."""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gradio as gr
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from core.evaluation.analyses import systems_by_metrics
from core.evaluation.analyses_record import Cell
from core.evaluation.service import SetPlan, UnknownSet
from core.evaluation.table import open_table
from core.ingest.questions import InputError
from core.settings.limits import LIMITS
from core.systems import of_kind
from ui.inspect_run import KNOWN
from ui.set_library import Sets
from ui.visitor import visitor

_LOOK_SECONDS = 0.5
_GOING_ON = ("running", "paused")
_ASKED = [system.name for kind in ("documents", "pdf") for system in of_kind(kind)]

Evaluate = Callable[[Any, Any, Any, Any, Any, Any, Any], dict[str, Any]]


class _Document(BaseModel):
    """A document of a question as a caller writes it."""

    model_config = ConfigDict(extra="forbid")

    text: str
    title: str = ""
    id: str = ""
    gold: bool = False


class _Question(BaseModel):
    """A question as a caller writes it."""

    model_config = ConfigDict(extra="forbid")

    question: str = Field(min_length=1)
    documents: list[_Document] = Field(min_length=1)
    answers: list[str] = []
    id: str = ""


_QUESTIONS = TypeAdapter(list[_Question])


def build_evaluate(sets: Sets) -> Evaluate:
    """The function ``evaluate`` over the sets of this server."""

    def evaluate(
        questions: list[dict[str, Any]] | None = None,
        file: str | None = None,
        pdfs: list[str] | None = None,
        systems: list[str] | None = None,
        limit: int | None = None,
        wait: bool = True,
        set_id: str = "",
    ) -> dict[str, Any]:
        """Asks every question of a set of one or several systems, and says how well each did.

        Args:
            questions: The questions, each with "question", "documents" ("text", and where known "title", "gold"), and
                where known "answers" and "id". Give these or a file.
            file: A question file in any layout that the page knows.
            pdfs: The PDFs that the questions of the file are about, as files or one zip.
            systems: Which systems answer; duquad and vanilla by default. `python -m core systems` lists them.
            limit: Only the first questions.
            wait: Whether to wait for the end. Without it the set goes on in the background.
            set_id: Of a set that was started before: nothing is started, and its state is returned.

        Returns:
            "set_id", "state" (running, paused, stopped, interrupted, finished or failed), "message", "done", "total",
            "errors", and "metrics": a list with "system", "metric", "mean", "low", "high", "questions" and the paired
            difference from one system. The set opens in the page at /?tab=set&set= with its id.
        """
        try:
            known = set_id or _start(sets, questions, file, pdfs, systems, limit)
            while wait and sets.service.status(known).state in _GOING_ON:
                time.sleep(_LOOK_SECONDS)
            return _told(sets, known)
        except (*KNOWN, UnknownSet, ValueError) as error:
            raise gr.Error(str(error), print_exception=False) from None

    return evaluate


def _start(sets: Sets, questions: Any, file: Any, pdfs: Any, systems: Any, limit: Any) -> str:
    """The id of a new set. Raises InputError, StorageError, ValueError; the message names the argument."""
    if bool(questions) == bool(file):
        raise ValueError("questions, file: give one of the two")
    if not isinstance(systems, list | None) or any(not isinstance(name, str) for name in systems or ()):
        raise ValueError("systems: a list of names is needed")
    for one in systems or ():
        if one not in _ASKED:
            raise ValueError(f"systems: there is none called {one!r}; choose among {', '.join(_ASKED)}")
    whole = isinstance(limit, int | float) and not isinstance(limit, bool) and int(limit) == limit and limit >= 1
    if limit is not None and not whole:
        raise ValueError("limit: a number from 1 is needed")
    name = Path(file).name[:255] if file else "Questions of a program"
    plan = SetPlan(
        name=name,
        systems=tuple(systems or ("duquad", "vanilla")),
        limit=None if limit is None else int(limit),
        owner=visitor(),
    )
    if file:
        return sets.service.start(plan, Path(file), [Path(path) for path in pdfs or ()])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "questions.jsonl")
        path.write_text(_lines(questions), encoding="utf-8")
        return sets.service.start(plan, path)


def _lines(questions: Any) -> str:
    """The questions in the lost-in-the-middle layout. Raises ValueError, InputError."""
    if not isinstance(questions, list):
        raise ValueError("questions: a list of objects is needed")
    if len(questions) > LIMITS.set_rows:
        raise InputError(f"questions: at most {LIMITS.set_rows:,} at once")
    try:
        found = _QUESTIONS.validate_python(questions)
    except ValidationError as error:
        first = error.errors()[0]
        raise ValueError(f"{'.'.join(map(str, ('questions', *first['loc'])))}: {first['msg']}") from None
    return "".join(json.dumps(_line(one, place), ensure_ascii=False) + "\n" for place, one in enumerate(found, start=1))


def _line(one: _Question, place: int) -> dict[str, Any]:
    documents = [
        {"id": document.id or str(number), "title": document.title, "text": document.text, "isgold": document.gold}
        for number, document in enumerate(one.documents, start=1)
    ]
    return {"id": one.id or f"question-{place}", "question": one.question, "answers": one.answers, "ctxs": documents}


def _told(sets: Sets, set_id: str) -> dict[str, Any]:
    """How far a set is, and the marks of what is done. Raises UnknownSet."""
    status = sets.service.status(set_id)
    found = systems_by_metrics(open_table(sets.service.folder(set_id)))
    metrics: list[dict[str, Cell]] = [dict(zip(found.columns, row, strict=True)) for row in found.rows]
    fields = {"set_id", "state", "message", "done", "total", "errors"}
    return {**status.model_dump(mode="json", include=fields), "metrics": metrics}


def publish_evaluate(sets: Sets) -> None:
    """Adds the function to the page. Components that nobody sees carry its arguments.

    Gradio checks that the files of a component were uploaded to it; those of a plain function are whatever the caller
    writes.
    """
    with gr.Row(visible=False):
        inputs = [
            gr.JSON(label="questions"),
            gr.File(type="filepath", label="file"),
            gr.File(type="filepath", file_count="multiple", label="pdfs"),
            gr.JSON(label="systems"),
            gr.Number(None, label="limit"),
            gr.Checkbox(True, label="wait"),
            gr.Textbox("", label="set_id"),
        ]
        output = gr.JSON(label="set")
        gr.Button().click(build_evaluate(sets), inputs, output, api_name="evaluate", concurrency_limit=8)
