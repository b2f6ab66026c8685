"""Answers in this process, by models that are its own."""

from __future__ import annotations

from collections.abc import Iterator

from core.backend.jobs import told
from core.evaluation.engines import Answer, Control, Job, Outcome, Outcomes, failed, requests, run_name, taken_apart
from core.models.profile import Models
from core.models.protocol import Cancelled, Stop
from core.records import AnyResult, Request
from core.systems import SYSTEMS


class LocalEngine:
    """One question after another, in this process."""

    def __init__(self, models: Models) -> None:
        self._models = models

    def run(self, jobs: Iterator[Job], control: Control) -> Outcomes:
        """See ``Engine.run``."""

        def stop() -> None:
            if control.stopped:
                raise Cancelled

        while control.wait():
            job = next(jobs, None)
            if job is None:
                return
            try:
                outcome = answered(job, self._models, stop)
            except Cancelled:
                return
            yield outcome

    def close(self) -> None:
        """Nothing is held beyond the models, which are the caller's."""


def answered(job: Job, models: Models, stop: Stop) -> Outcome:
    """The job's answers; what its systems have in common is computed once. Raises Cancelled."""
    answers: list[Answer] = []
    for request in requests(job):
        run_id = run_name(job.number, request.system)
        try:
            answers += taken_apart(request, _last_record(request, models, run_id, stop))
        except Cancelled:
            raise
        except Exception as error:
            answers += failed(request, told(error, run_id))
    return Outcome(number=job.number, answers=tuple(answers))


def _last_record(request: Request, models: Models, run_id: str, stop: Stop) -> AnyResult:
    system = SYSTEMS[request.system]
    record: AnyResult | None = None
    for step in system.load()(request, models, run_id, stop):
        record = step.record or record
        stop()
    if record is None:
        raise RuntimeError(f"the pipeline of {request.system} ended without a record")
    return record
