"""Large finished sets: every analysis over 500 questions, and the master table over 10,000.

The rows are made from the recorded runs that ship with the project, each asked many times under other ids, so that
signals, scores and texts have their real sizes.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from core.evaluation.analyses import ANALYSES
from core.evaluation.numbers import numbers
from core.evaluation.record import ResultRow, SetQuestion
from core.evaluation.scoring import score
from core.evaluation.table import SetTable, open_table
from core.evaluation.table_view import Query, View, neighbour
from core.records import RunRecord
from tests.bench.table import NotHere, row
from ui.samples import ASSETS

QUESTIONS = 500
SYSTEMS = ("duquad", "vanilla", "bm25", "dense", "rrf", "by_likelihood")
FINISHED = 10_000
_FORMAT = "lost_in_the_middle"
_BY_SIGNALS = ("signals", "agents", "pool")  # what only DuQUAD leaves behind


@row("analyses_500", "<= 2", "s for the slowest analysis of 500 questions by six systems, from the files of the set")
def analyses_500() -> float:
    """Each opens the folder anew, as a page does that shows it first."""
    with TemporaryDirectory() as folder:
        _write(Path(folder), QUESTIONS, SYSTEMS)
        return max(_seconds(lambda run=offered.run: run(open_table(Path(folder)))) for offered in ANALYSES)


@row("table_10000", "<= 1", "s for the slowest of open, filter, search, sort, step over 10,000 finished rows")
def table_10000() -> float:
    """Median of three of each; filters, sorts and steps are of an open table."""
    with TemporaryDirectory() as folder:
        _write(Path(folder), FINISHED, ("duquad",))
        opened = _seconds(lambda: View(open_table(Path(folder))).select(Query()))
        return max(opened, *_steps(open_table(Path(folder))))


def _steps(table: SetTable) -> Iterator[float]:
    queries = (
        Query(marks=("wrong",), stages=("pruned",)),
        Query(search="moon lassell"),
        Query(groups={"gold_position": ("9",)}),
        Query(sort="question", descending=True),
        Query(sort="answer"),
    )
    for query in queries:
        yield _seconds(lambda query=query: View(table).select(query))
    shown = View(table).select(Query())
    yield _seconds(lambda: neighbour(shown, FINISHED // 2, 1))


def _seconds(work: Callable[[], object]) -> float:
    taken = []
    for _ in range(3):
        start = time.perf_counter()
        work()
        taken.append(time.perf_counter() - start)
    return statistics.median(taken)


@cache
def _recorded() -> tuple[RunRecord, ...]:
    found = tuple(RunRecord.from_json(path.read_bytes()) for path in sorted((ASSETS / "runs").glob("*.json")))
    if not found:
        raise NotHere("no recorded run ships in assets/runs; record them with `python -m core samples`")
    return found


def _write(folder: Path, questions: int, systems: tuple[str, ...]) -> None:
    """A set's folder as the runner leaves it."""
    marked = {}
    for system in systems:
        for number, record in enumerate(_recorded()):
            run = record.model_copy(update={"system": system})
            if system != "duquad":
                run = run.model_copy(update=dict.fromkeys(_BY_SIGNALS))
            asked = SetQuestion(id="q", place="line 1", question=run.question, documents=run.documents)
            marked[system, number] = (run, score(asked, run, _FORMAT), numbers(asked, run, _FORMAT))
    with (folder / "results.jsonl").open("w") as results, (folder / "numbers.jsonl").open("w") as lines:
        for number in range(questions):
            for system in systems:
                run, marks, line = marked[system, number % len(_recorded())]
                results.write(_row(number, run, marks.model_dump()).model_dump_json(by_alias=True) + "\n")
                named = line.model_copy(update={"id": f"q{number}"})
                lines.write(named.model_dump_json(by_alias=True, exclude_none=True) + "\n")


def _row(number: int, run: RunRecord, marks: dict[str, object]) -> ResultRow:
    return ResultRow.model_validate(
        {
            **{"id": f"q{number}", "place": f"line {number + 1}", "system": run.system, "question": run.question.text},
            **{"answers": run.question.answers, "answer": run.final.answer if run.final else "", **marks},
            **{"calls": len(run.calls), "prompt_tokens": sum(call.prompt_tokens for call in run.calls)},
            **{"seconds": sum(call.seconds for call in run.calls), "record": f"records/{number}-{run.system}.json"},
            "meta": {"gold_position": str(run.question.gold[0]), "type": "example"},
        }
    )
