"""The public function about PDFs: ``read_pdf``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import gradio as gr
from pydantic import ValidationError

from core.backend.protocol import Backend
from core.ingest.page_store import PageStore
from core.ingest.pdf import take_in
from core.ingest.questions import InputError
from core.records import PdfRef, Question, Request
from core.settings.methods import PdfSettings, RunSettings
from ui.api import finished
from ui.inspect_run import KNOWN, submit

ReadPdf = Callable[[str, str, Any, Any, str], dict[str, Any]]


def build_read_pdf(backend: Backend, store: PageStore) -> ReadPdf:
    """The function ``read_pdf`` over a back end; PDFs are kept in the worker's own page store."""

    def read_pdf(
        pdf: str,
        question: str,
        answers: list[str] | None = None,
        settings: dict[str, Any] | None = None,
        password: str = "",
    ) -> dict[str, Any]:
        """Asks one question about a PDF, and says which pages were read, what was found where, and what is cited.

        Args:
            pdf: The PDF file.
            question: What is asked.
            answers: Accepted answers, where known.
            settings: What differs from the defaults, such as {"top_k": 3, "difficulty": false}.
            password: Of an encrypted file.

        Returns:
            The run record: pages with labels, clues, difficulty, final answer, citations. Pages count from 0.
        """
        try:
            asked = _request(question, answers, settings)
            if not pdf:
                raise ValueError("pdf: a file is needed")
            source = take_in(Path(pdf), Path(pdf).name, store, password or "")
            ref = PdfRef(sha256=source.sha256, name=source.name)
            return finished(backend, submit(backend, asked.model_copy(update={"pdf": ref})))
        except (*KNOWN, InputError, ValueError) as error:
            raise gr.Error(str(error), print_exception=False) from None

    return read_pdf


def publish_read_pdf(backend: Backend, store: PageStore) -> None:
    """Adds the function to the page. Components that nobody sees carry its arguments.

    Gradio checks that the file of a component was uploaded to it; that of a plain function is whatever the caller
    writes.
    """
    with gr.Row(visible=False):
        inputs = [
            gr.File(type="filepath", label="pdf"),
            gr.Textbox(label="question"),
            gr.JSON(label="answers"),
            gr.JSON(label="settings"),
            gr.Textbox("", label="password"),
        ]
        output = gr.JSON(label="record")
        gr.Button().click(build_read_pdf(backend, store), inputs, output, api_name="read_pdf", concurrency_limit=8)


def _request(question: Any, answers: Any, settings: Any) -> Request:
    """Raises ValueError; the message names the argument."""
    if not isinstance(answers, list | None) or any(not isinstance(answer, str) for answer in answers or ()):
        raise ValueError("answers: a list of texts is needed")
    try:
        own = PdfSettings.model_validate(settings or {})
        asked = Question(text=question, answers=tuple(answers or ()))
    except ValidationError as error:
        first = error.errors()[0]
        argument = {"Question": "question"}.get(error.title, "settings")
        raise ValueError(f"{'.'.join(map(str, (argument, *first['loc'])))}: {first['msg']}") from None
    return Request(system="sleuth", question=asked, settings=RunSettings(pdf=own))
