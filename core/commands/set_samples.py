"""The question set that ships with the page: our own examples as JSON lines, and the recorded answers to them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from core.commands.running import one_line
from core.evaluation.local_engine import LocalEngine
from core.evaluation.runner import SetRun
from core.evaluation.store import SetStore
from core.files import write_whole
from core.ingest.examples import Example
from core.ingest.sets.question_set import open_set
from core.models.protocol import Models

SAMPLE_SYSTEMS = ("duquad", "vanilla")
_QUESTIONS = "questions.jsonl"


def record(assets: Path, models: Models, profile: str, examples: Sequence[Example]) -> None:
    """Writes ``sets/examples/questions.jsonl`` and asks what has no answer yet; the records lie beside it.

    Raises:
        InputError: the folder holds answers to other questions, or of another profile.
        StorageError: the folder cannot be written.
    """
    folder = assets / "sets" / "examples"
    folder.mkdir(parents=True, exist_ok=True)
    short_first = sorted(
        examples, key=lambda example: len(example.documents)
    )  # a recording may be cut off and taken up
    write_whole(folder / _QUESTIONS, "".join(f"{_line(example)}\n" for example in short_first).encode())
    questions = open_set(folder / _QUESTIONS, name="Example questions")
    store = SetStore(folder)
    try:
        SetRun(questions, store, LocalEngine(models), profile, SAMPLE_SYSTEMS, pages=models.cache).go()
    finally:
        questions.close()
        (folder / ".lock").unlink(missing_ok=True)
    for row in store.rows():
        mark = "error" if row.error else "right" if row.right else "wrong"
        print(f"{mark}  {row.id} by {row.system}: {one_line(row.answer or row.error, 90)}", flush=True)


def _line(example: Example) -> str:
    """A question in the lost-in-the-middle layout."""
    documents = [
        {"id": document.id, "title": document.title, "text": document.text, "isgold": document.gold is True}
        for document in example.documents
    ]
    asked = {"id": example.slug, "question": example.question.text, "answers": example.question.answers}
    return json.dumps(asked | {"ctxs": documents}, ensure_ascii=False)
