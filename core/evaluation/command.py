"""``python -m core evaluate``: a question set from the command line, taken up again by the same command."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from statistics import mean

from core.backend.choose import profile_name
from core.backend.worker import resolve
from core.evaluation.engines import Engine, known_systems
from core.evaluation.local_engine import LocalEngine
from core.evaluation.pace import from_rows, from_runs
from core.evaluation.process_engine import ProcessEngine
from core.evaluation.progress import Progress, words
from core.evaluation.ray_engine import RayEngine
from core.evaluation.record import Mapping, ResultRow, SetSummary
from core.evaluation.runner import SetRun
from core.evaluation.store import RESULTS_FILE, SetStore
from core.ingest.lines import InputError
from core.ingest.sets.mapped import NeedsMapping
from core.ingest.sets.question_set import QuestionSet, open_set
from core.runs import RunStore
from core.settings.app import AppSettings
from core.settings.profiles import PROFILES

_TOLD_EVERY = 2.0  # seconds between two lines of progress
_DIRT_SHOWN = 12
_PLACES_SHOWN = 6


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command to the command line."""
    parser = commands.add_parser("evaluate", help="ask every question of a set, and keep marked results")
    parser.add_argument("set", type=Path, help="file of questions, or a folder or zip that holds one with its PDFs")
    parser.add_argument("--systems", default="duquad,vanilla", help="with commas between; default: %(default)s")
    parser.add_argument("--out", type=Path, required=True, help="folder of the results; the same one goes on")
    parser.add_argument("--profile", choices=["auto", *PROFILES], help="default: W_LENS_PROFILE, or embedded")
    parser.add_argument("--pdfs", type=Path, help="folder or zip of the PDFs that the questions are about")
    parser.add_argument("--limit", type=_count, help="only the first questions")
    parser.add_argument("--engine", choices=["worker", "processes", "ray"], default="worker", help="who answers")
    parser.add_argument("--workers", type=_count, default=0, help="processes or actors; default: one a GPU")
    parser.add_argument("--columns", default="", help="for other tables: question=A,answers=B,documents=C,pdf=D …")
    parser.add_argument("--retry-errors", action="store_true", help="ask again what ended in an error")
    parser.set_defaults(command=evaluate)


def evaluate(options: argparse.Namespace) -> int:
    """Runs the command and returns its exit code: 0 every question has an answer, 1 some are errors."""
    try:
        app = AppSettings.from_env()
        systems = tuple(name.strip() for name in options.systems.split(",") if name.strip())
        known_systems(systems)
    except ValueError as error:
        raise InputError(str(error)) from None
    mapping = columns(options.columns)
    questions = _opened(options.set, mapping, options.pdfs)
    store = SetStore(options.out)
    try:
        _show_summary(questions, store, systems, app.runs, options.limit)
        profile = options.profile if options.profile not in (None, "auto") else profile_name(app)
        engine = _engine(options, profile, app)
        run = SetRun(
            questions,
            store,
            engine,
            profile,
            systems,
            pages=app.cache,
            mapping=mapping,
            limit=options.limit,
            retry_errors=options.retry_errors,
            notify=_Teller(),
        )
        return _gone(run)
    finally:
        questions.close()


def columns(text: str) -> Mapping | None:
    """A mapping from ``question=A,answers=B+C``; None where there is none.

    Raises:
        InputError: it names no question, or something that no mapping has.
    """
    if not text:
        return None
    many = ("answers", "documents", "groups")
    parts = dict(part.partition("=")[::2] for part in text.split(","))
    unknown = [name for name in parts if name not in Mapping.model_fields]
    if unknown or not parts.get("question"):
        raise InputError(f"--columns needs question=NAME, and may have {', '.join(Mapping.model_fields)}.")
    try:
        return Mapping.model_validate(
            {name: tuple(value.split("+")) if name in many else _number(value) for name, value in parts.items()}
        )
    except ValueError:
        raise InputError("--columns: gold_from and pages_from are 0 or 1.") from None


def _number(value: str) -> str | int:
    return int(value) if value in ("0", "1") else value


def _opened(path: Path, mapping: Mapping | None, pdfs: Path | None) -> QuestionSet:
    if not path.exists():
        raise InputError(f"There is no file {path}.")
    try:
        return open_set(path, mapping, pdfs)
    except NeedsMapping as needs:
        raise InputError(f"{needs} Use --columns question=…,answers=…,documents=…") from None


def _engine(options: argparse.Namespace, profile: str, app: AppSettings) -> Engine:
    if options.engine == "processes":
        return ProcessEngine(profile, app.cache, options.workers, options.loader)
    if options.engine == "ray":
        return RayEngine(profile, app.cache, options.workers, options.loader)
    if options.workers > 1:
        raise InputError("--workers is for --engine processes or ray.")
    _tell(f"Loading the models of the profile {profile} …")
    return LocalEngine(resolve(options.loader)(profile, app.cache))


def _gone(run: SetRun) -> int:
    try:
        progress = run.go()
    except KeyboardInterrupt:
        _tell("What is done is kept; the same command goes on where it stopped.")
        raise
    finally:
        run.engine.close()
    print(table(run.store.rows(), run.systems))
    print(f"\nResults: {run.store.folder / RESULTS_FILE}")
    return 1 if progress.errors else 0


class _Teller:
    """Lines of progress, not too many."""

    def __init__(self) -> None:
        self._last = 0.0

    def __call__(self, progress: Progress) -> None:
        now = time.monotonic()
        if progress.done < progress.total and now - self._last < _TOLD_EVERY:
            return
        self._last = now
        left = f", {progress.per_minute:.3g} a minute" if progress.per_minute else ""
        if progress.seconds_left:
            left += f", about {words(progress.seconds_left)} left"
        errors = f", {progress.errors} errors" if progress.errors else ""
        _tell(f"[{progress.done} of {progress.total}] {progress.right} of {progress.marked} right{errors}{left}")


def _show_summary(
    questions: QuestionSet, store: SetStore, systems: tuple[str, ...], runs: Path, limit: int | None
) -> None:
    summary = questions.summary()
    for line in summary_lines(summary):
        print(_plain(line))
    pace = from_runs(RunStore(runs), summary) | from_rows(store.rows())
    seconds = summary.seconds(pace, systems)
    share = min(1.0, (limit or summary.questions) / max(1, summary.questions))
    print(
        f"Estimated time for {', '.join(systems)}: "
        + (f"{words(seconds * share)}." if seconds is not None else "known after the first questions.")
    )
    if not summary.questions:
        raise InputError("No question of this set can be asked.")


def summary_lines(summary: SetSummary) -> Iterable[str]:
    """The summary in words, a line each; foreign text among them."""
    about = f"{summary.documents:,} documents" if not summary.pdfs else f"{summary.pdfs:,} PDFs"
    yield (
        f"{summary.format}: {summary.questions:,} questions, {about}, about {summary.tokens:,} tokens; evidence known "
        f"of {summary.gold_known:,}, answers of {summary.answers_known:,}."
    )
    if summary.pdfs_missing:
        yield f"Missing PDFs: {', '.join(summary.pdfs_missing[:_PLACES_SHOWN])} …"
    for entry in summary.dirt[:_DIRT_SHOWN]:
        more = f" and {entry.rows - _PLACES_SHOWN:,} more" if entry.rows > _PLACES_SHOWN else ""
        fate = "mended" if entry.kept else "left out"
        yield f"{fate} ({', '.join(entry.places[:_PLACES_SHOWN])}{more}): {entry.reason}"
    if len(summary.dirt) > _DIRT_SHOWN:
        yield f"… and {len(summary.dirt) - _DIRT_SHOWN} other reasons."


def table(rows: list[ResultRow], systems: tuple[str, ...]) -> str:
    """The results by system, as text."""
    lines = [f"{'system':16}{'answers':>8}{'errors':>8}{'right':>8}{'calls':>8}{'tokens':>10}{'seconds':>9}"]
    for system in systems:
        own = [row for row in rows if row.system == system]
        good = [row for row in own if not row.error]
        marked = [bool(row.right) for row in good if row.right is not None]
        cells = [
            f"{system:16}{len(own):>8}{len(own) - len(good):>8}",
            f"{mean(marked):>8.1%}" if marked else f"{'-':>8}",
        ]
        if good:
            cells.append(f"{mean(row.calls for row in good):>8.1f}")
            cells.append(f"{mean(row.prompt_tokens + row.new_tokens for row in good):>10,.0f}")
            cells.append(f"{mean(row.seconds for row in good):>9.2f}")
        lines.append("".join(cells))
    return "\n".join(lines)


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 1")
    return int(text)


def _plain(text: str) -> str:
    """Foreign text for a terminal: no control characters, which could move the cursor or worse."""
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())


def _tell(message: str) -> None:
    print(_plain(message), file=sys.stderr, flush=True)
