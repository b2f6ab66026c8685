"""MACT, in an untrained form: plan, carry out, judge, correct, answer.

Source: MACT (arXiv 2508.03404). (1) The planning agent writes a similar task with a plan, then (2) a plan for the
question; (3) the execution agent carries out the steps one by one over the pages, with the results of those before;
(4) the judgment agent reads question, plan and results and says whether the plan or a step is wrong, and how; a wrong
plan goes back to (2), a wrong step to (3), at most 3 times in all; (5) the answer agent gets the last process and the
mistaken ones. n + 4 calls for n steps, and as much again for each correction but the sample.

Untrained: the published agents are three models trained for their parts by SFT and GRPO, with a reward model that
chooses among candidates of a step. Here one reader plays all agents, with one candidate a step and no reward model, so
this says nothing about MACT as it was published. Our choices: pages are the K best, not the whole document; one sample
task; at most 4 steps; no tools; the prompts' wording; no forced thinking in the judgment. A plan that cannot be read is
the question itself as its one step, and a judgment that cannot be read finds no mistake. A model that is too small to
write a judgment gives it by the likelihood of three letters, in one pass.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

from core.baselines import pdf_prompts as prompts
from core.baselines.pdf_reading import (
    answer_task,
    as_parts,
    asked,
    by_rank,
    finished,
    fitting,
    going_on,
    opened,
    shown,
    weigh,
)
from core.models.page_protocol import PageTask, PageView
from core.models.profile import Models
from core.models.protocol import Stop
from core.models.reply import read_object
from core.records import Request, Step
from core.settings.pages import PDF_PEERS
from core.sleuth.agents import line
from core.sleuth.state import Run

UNTRAINED = "MACT's agents are trained models; here one untrained reader plays them all, over the best pages alone."
_LETTERS = (("A", " A"), ("B", " B"), ("C", " C"))


@dataclass(frozen=True)
class Verdict:
    """What the judgment agent says of a process."""

    plan_wrong: bool = False
    steps_wrong: bool = False
    mistake: str = ""


def run(request: Request, models: Models, run_id: str, stop: Stop) -> Iterator[Step]:
    """Runs one request. Raises InputError, ModelError, Cancelled."""
    under_way, _ = yield from opened(request, models, run_id, stop)
    under_way.warn(UNTRAINED)
    process = Process(under_way, by_rank(under_way))
    yield going_on(under_way, "plan", 0.0, "Planning")
    process.plan()
    for attempt in range(PDF_PEERS.corrections + 1):
        yield from process.carry_out(attempt)
        if not process.judged_wrong(last=attempt == PDF_PEERS.corrections):
            break
    yield going_on(under_way, "answer", 1.0, "Answering from the steps")
    said = prompts.conclude(under_way.question, process.steps, process.results, process.mistaken)
    (reply,) = asked(under_way, "answer", [answer_task(under_way, (said,), PDF_PEERS.answer_tokens)])
    shown(under_way, process.views)
    yield finished(under_way, reply.text)


@dataclass
class Process:
    """A plan as it is carried out."""

    run: Run
    views: Sequence[PageView]
    """The pages that every step reads, in this order."""
    sample: str = ""
    steps: list[str] = field(default_factory=list)
    results: list[str] = field(default_factory=list)
    mistake: str = ""
    """What the last judgment found wrong; empty before the first one."""
    mistaken: list[str] = field(default_factory=list)
    """Results of processes that were judged wrong, with what was wrong."""

    def plan(self) -> None:
        """A sample task with its plan, then a plan for the question."""
        self.sample = _sample(self.run)
        self.steps = _plan(self.run, self.sample, "")

    def carry_out(self, attempt: int) -> Iterator[Step]:
        """Carries out the steps, one by one; says so before each."""
        self.results = []
        for number in range(len(self.steps)):
            share = (attempt + number / len(self.steps)) / (PDF_PEERS.corrections + 1)
            yield going_on(self.run, "steps", share, f"Step {number + 1} of {len(self.steps)}")
            said = prompts.step(self.run.question, number, self.steps, self.results, self.mistake)
            result, self.views = fitting(self.run, self.views, partial(_result, self.run, said))
            self.results.append(result)

    def judged_wrong(self, last: bool) -> bool:
        """Judges the process; a wrong one is made ready to be carried out again, with another plan if need be."""
        verdict = _judged(self.run, self.steps, self.results)
        if last or not (verdict.plan_wrong or verdict.steps_wrong):
            return False
        self.run.counted["corrections"] += 1
        self.mistake = verdict.mistake or "it does not lead to the answer"
        self.mistaken.append(f"{' '.join(self.results)} ({self.mistake})")
        if verdict.plan_wrong:
            self.steps = _plan(self.run, self.sample, self.mistake)
        return True


def _sample(run: Run) -> str:
    """A similar task with its plan, as text."""
    task = PageTask((prompts.samples(run.question),), PDF_PEERS.plan_tokens, prompts.SAMPLES_SCHEMA)
    (reply,) = asked(run, "samples", [task])
    found = read_object(reply.text)[0] or {}
    steps = read_steps(found)
    named = line(found.get("task"), PDF_PEERS.line_chars)
    return f"{named}\n{prompts.process(steps, ())}" if named and steps else line(reply.text, PDF_PEERS.line_chars)


def _plan(run: Run, sample: str, mistake: str) -> list[str]:
    said = prompts.plan(run.question, sample, mistake)
    (reply,) = asked(run, "plan", [PageTask((said,), PDF_PEERS.plan_tokens, prompts.PLAN_SCHEMA)])
    return read_steps(read_object(reply.text)[0] or {}) or [run.question]


def read_steps(found: dict[str, object]) -> list[str]:
    """The steps of a plan, as far as they can be read."""
    listed = found.get("steps")
    read = [line(goal, PDF_PEERS.line_chars) for goal in listed] if isinstance(listed, list) else []
    return [goal for goal in read if goal][: PDF_PEERS.steps]


def _result(run: Run, said: str, views: Sequence[PageView]) -> str:
    """The result of one step over the pages."""
    (reply,) = asked(run, "step", [answer_task(run, (*as_parts(views), said), PDF_PEERS.answer_tokens)])
    return line(reply.text, PDF_PEERS.line_chars)


def _judged(run: Run, steps: Sequence[str], results: Sequence[str]) -> Verdict:
    if run.pdf.agents == "signals":
        task = PageTask((prompts.verdict(run.question, steps, results),), 1)
        letter = int(weigh(run, "judge", task, _LETTERS).argmax())
        return Verdict(plan_wrong=letter == 1, steps_wrong=letter == 2)
    said = prompts.judge(run.question, steps, results)
    (reply,) = asked(run, "judge", [PageTask((said,), PDF_PEERS.plan_tokens, prompts.JUDGE_SCHEMA)])
    found = read_object(reply.text)[0] or {}
    mistake = line(found.get("mistake"), PDF_PEERS.line_chars)
    return Verdict(found.get("plan_wrong") is True, found.get("steps_wrong") is True, mistake)
