"""Runs a set: questions in, answers marked and kept, whichever engine answers; taken up again where it ended."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from core.evaluation.engines import Answer, Control, Engine, Job, Outcome, lost, run_name
from core.evaluation.numbers import line as numbers_line
from core.evaluation.progress import Progress
from core.evaluation.record import Mapping, ResultRow, SetQuestion
from core.evaluation.scoring import score
from core.evaluation.store import Manifest, SetStore, record_name
from core.ingest.lines import InputError
from core.ingest.page_store import PageStore
from core.ingest.pdf import take_in
from core.ingest.questions import checked
from core.ingest.sets.question_set import QuestionSet
from core.records import PdfRef, Request
from core.settings.methods import RunSettings
from core.systems import SYSTEMS

Taken = PdfRef | str
"""A PDF that was taken in, or why it was not."""
Notify = Callable[[Progress], None]


@dataclass
class SetRun:
    """One run of a set. ``go`` is called once."""

    questions: QuestionSet
    store: SetStore
    engine: Engine
    profile: str
    systems: tuple[str, ...]
    pages: Path
    """Folder of the page store: the cache."""
    settings: RunSettings = field(default_factory=RunSettings)
    mapping: Mapping | None = None
    limit: int | None = None
    """Only the first questions."""
    retry_errors: bool = False
    """Whether what ended in an error is asked again."""
    control: Control = field(default_factory=Control)
    notify: Notify = lambda progress: None
    """Told after every question, and once at the start."""

    def __post_init__(self) -> None:
        self._asked: dict[int, SetQuestion] = {}  # given to the engine and not back yet
        self._done: set[tuple[str, str]] = set()
        self._order: dict[str, int] = {}
        self._taken: dict[str, Taken] = {}
        self._format = self.questions.format

    def go(self) -> Progress:
        """Asks what has not been asked, until all is done or ``control`` says stop.

        Raises:
            InputError: the folder holds another run's results, or the set cannot be read.
            StorageError: the results cannot be written.
            ModelError, BackendError: no question can be answered at all.
        """
        count = self.questions.summary().questions
        total = min(count, self.limit or count)
        with self.store.opened(self._manifest(total)) as manifest:
            if self.retry_errors:
                self.store.drop_errors()
            rows = self.store.rows()
            self._done = {(row.id, row.system) for row in rows}
            progress = Progress(total * len(self.systems))
            progress.add((row for row in rows if row.system in self.systems), earlier=True)
            self.notify(progress)
            jobs = self._jobs(progress)
            try:
                with closing(self.engine.run(jobs, self.control)) as outcomes:
                    for outcome in outcomes:
                        progress.add(self._kept(outcome))
                        self.notify(progress)
            finally:
                self.store.arrange(self._order, manifest.systems)
        return progress

    def _manifest(self, total: int) -> Manifest:
        return Manifest(
            name=self.questions.name,
            fingerprint=self.questions.fingerprint(),
            format=self._format,
            mapping=self.mapping,
            profile=self.profile,
            systems=self.systems,
            settings=self.settings,
            questions=total,
        )

    def _jobs(self, progress: Progress) -> Iterator[Job]:
        """What is to be asked; questions that cannot be are errors at once."""
        for number, question in enumerate(islice(self.questions, self.limit)):
            self._order[question.id] = number
            systems = tuple(name for name in self.systems if (question.id, name) not in self._done)
            if not systems:
                continue
            self._asked[number] = question
            job = Job(number=number, systems=systems, request=Request(question=question.question))
            try:
                job = job.model_copy(update={"request": self._request(question, systems)})
            except InputError as error:
                progress.add(self._kept(lost(job, str(error))))
                self.notify(progress)
            else:
                yield job

    def _request(self, question: SetQuestion, systems: Sequence[str]) -> Request:
        """Raises InputError."""
        kind, about = ("pdf", "a PDF") if question.pdf else ("documents", "documents")
        unfit = [SYSTEMS[name].title for name in systems if SYSTEMS[name].kind != kind]
        if unfit:
            raise InputError(f"The question is about {about}, on which {' and '.join(unfit)} cannot work.")
        pdf = self._pdf(question.pdf) if question.pdf else None
        if isinstance(pdf, str):
            raise InputError(pdf)
        return checked(
            Request(question=question.question, documents=question.documents, pdf=pdf, settings=self.settings)
        )

    def _pdf(self, name: str) -> Taken:
        """Taken in once a run, however many questions are about it."""
        if name not in self._taken:
            path = self.questions.pdf(name)
            if path is None:
                self._taken[name] = f"The PDF {name!r} is not in the folder or zip beside the questions."
            else:
                try:
                    source = take_in(path, name, PageStore(self.pages))
                    self._taken[name] = PdfRef(sha256=source.sha256, name=name)
                except InputError as error:
                    self._taken[name] = str(error)
        return self._taken[name]

    def _kept(self, outcome: Outcome) -> list[ResultRow]:
        """Writes the answers; the rows as written."""
        question = self._asked.pop(outcome.number)
        return [self._write(outcome.number, question, answer) for answer in outcome.answers]

    def _write(self, number: int, question: SetQuestion, answer: Answer) -> ResultRow:
        row = ResultRow(
            id=question.id,
            place=question.place,
            system=answer.system,
            question=question.question.text,
            answers=question.question.answers,
            error=answer.error,
            meta=question.meta,
        )
        record = answer.record
        if record is None:
            self.store.write(row)
            return row
        record = record.model_copy(update={"run_id": run_name(number, answer.system)})
        marks = score(question, record, self._format)
        row = row.model_copy(
            update={
                "answer": record.final.answer if record.final else "",
                "no_answer": bool(record.final and record.final.no_answer),
                **marks.model_dump(),
                "calls": record.llm_calls,
                "prompt_tokens": sum(call.prompt_tokens for call in record.calls),
                "new_tokens": sum(call.new_tokens for call in record.calls),
                "seconds": sum(call.seconds for call in record.calls),
                "record": record_name(number, answer.system),
            }
        )
        self.store.write(row, record.to_json(), numbers_line(question, record))
        return row
