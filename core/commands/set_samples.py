"""The question set that ships with the page: our own examples as JSON lines, and the recorded answers to them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from core.commands.running import one_line
from core.evaluation.engines import Answer, Control, Job, Outcome, Outcomes
from core.evaluation.local_engine import LocalEngine
from core.evaluation.runner import SetRun
from core.evaluation.store import SetStore
from core.files import write_whole
from core.ingest.examples import Example
from core.ingest.sets.question_set import open_set
from core.models.profile import Models
from core.records import RunRecord
from core.settings.app import AppSettings

SAMPLE_SYSTEMS = ("duquad", "vanilla")
_QUESTIONS = "questions.jsonl"


class RecordedFirst:
    """Answers from the recorded runs of the examples where there is one, and asks the models for the rest.

    Args:
        recorded: the runs.
        models: for what is not recorded; None where all of it is.
    """

    def __init__(self, recorded: Sequence[RunRecord], models: Models | None) -> None:
        self._recorded = {(record.system, record.question.text): record for record in recorded}
        self._models = models

    def run(self, jobs: Iterator[Job], control: Control) -> Outcomes:
        """See ``Engine.run``."""
        while control.wait() and (job := next(jobs, None)):
            kept = {system: record for system in job.systems if (record := self._known(job, system))}
            answers = {system: Answer(system=system, record=record) for system, record in kept.items()}
            rest = tuple(system for system in job.systems if system not in kept)
            if rest and self._models is not None:
                missing = iter([job.model_copy(update={"systems": rest})])
                for outcome in LocalEngine(self._models).run(missing, control):
                    answers |= {answer.system: answer for answer in outcome.answers}
            yield Outcome(number=job.number, answers=tuple(answers[name] for name in job.systems if name in answers))

    def close(self) -> None:
        """Nothing is held beyond the models, which are the caller's."""

    def _known(self, job: Job, system: str) -> RunRecord | None:
        """The recorded run over the same documents."""
        record = self._recorded.get((system, job.request.question.text))
        texts = [document.text for document in job.request.documents]
        return record if record and [document.text for document in record.documents] == texts else None


def record(
    assets: Path,
    models: Models | None,
    profile: str,
    examples: Sequence[Example],
    systems: Sequence[str] = SAMPLE_SYSTEMS,
) -> None:
    """Writes ``sets/examples/questions.jsonl`` and asks what has no answer yet; the records lie beside it.

    Raises:
        InputError: the folder holds answers to other questions, or of another profile.
        StorageError: the folder cannot be written.
        RecordError: a recorded run cannot be opened.
    """
    folder = assets / "sets" / "examples"
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(folder / _QUESTIONS, "".join(f"{_line(example)}\n" for example in examples).encode())
    recorded = [RunRecord.from_json(path.read_bytes()) for path in sorted((assets / "runs").glob("*.json"))]
    engine = RecordedFirst([run for run in recorded if run.models.get("profile") == profile], models)
    questions = open_set(folder / _QUESTIONS, name="Example questions")
    store = SetStore(folder)
    pages = models.cache if models else AppSettings().cache
    try:
        SetRun(questions, store, engine, profile, tuple(systems), pages=pages).go()
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
