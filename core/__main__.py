"""The command line: ``python -m core ask``, ``read``, ``evaluate``, ``systems``, ``samples``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from core.backend.process import LOADER
from core.backend.worker import resolve
from core.commands import pdf_samples, read, set_samples
from core.commands.running import app_settings, carried_out, one_line, tell
from core.duquad.crowd import among, telling
from core.evaluation import command as evaluate
from core.files import write_whole
from core.ingest.examples import Example, read_examples
from core.ingest.questions import InputError, checked, gold_indexes, read_documents
from core.models.profile import Models
from core.models.protocol import ModelError
from core.records import (
    AnyResult,
    CompareRecord,
    Document,
    Question,
    RecordError,
    Request,
    RunRecord,
    SweepOptions,
    SweepRecord,
)
from core.runs import StorageError
from core.settings.app import AppSettings
from core.settings.profiles import PROFILES
from core.systems import SYSTEMS
from core.text import contains_answer

_SHOWN = 6  # lines of the ranking
_SWEPT = ("first-tour-de-france", "winklers-element")  # twenty documents each, and answers that can be right
_LESSONS = _SWEPT[:1]  # length and noise, and the four ways to ask: as much work as a sweep
_SIDE_BY_SIDE = ("golden-gate-color", "hudsons-ship")  # ten and twelve documents: six systems take minutes, not hours
_COMPARED = ("vanilla", "duquad", "rrf", "fim_reorder", "main_rag", "tree_of_agents")  # one of each kind
_OK, _FAILED, _BAD_INPUT, _STOPPED = 0, 1, 2, 130


def main(arguments: Sequence[str] | None = None, loader: str = LOADER) -> int:
    """Runs one command and returns its exit code: 0 done, 1 failed, 2 bad input, 130 stopped by Ctrl-C."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a terminal that cannot show a character
    options = _parser().parse_args(arguments, argparse.Namespace(loader=loader))
    try:
        return int(options.command(options))
    except InputError as error:
        tell(f"Cannot start: {error}")
        return _BAD_INPUT
    except (ModelError, StorageError, RecordError, OSError) as error:
        tell(f"Failed: {error}")
        return _FAILED
    except KeyboardInterrupt:
        tell("Stopped.")
        return _STOPPED


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m core", description="W-Lens without the page.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    ask = commands.add_parser("ask", help="ask one question over documents, and keep the run record")
    ask.add_argument("--question", required=True, help="what is asked")
    ask.add_argument("--documents", required=True, type=Path, help="JSON lines (title, text, gold) or plain text")
    ask.add_argument("--answer", action="append", default=[], help="an accepted answer; may be given again")
    asked = [system.name for system in SYSTEMS.values() if system.kind == "documents"]
    ask.add_argument("--system", choices=asked, default="duquad", help="default: %(default)s")
    ask.add_argument("--profile", choices=["auto", *PROFILES], help="default: W_LENS_PROFILE, or embedded")
    ask.add_argument("--out", type=Path, help="file for the run record, beside the one in the run folder")
    ask.add_argument("--runs", type=Path, help="folder of run records; default: W_LENS_RUNS, or runs")
    ask.set_defaults(command=_ask)
    systems = commands.add_parser("systems", help="list the systems: name, kind, source")
    systems.set_defaults(command=_systems)
    samples = commands.add_parser("samples", help="record the examples anew, with the models of a profile")
    samples.add_argument("--assets", type=Path, default=Path("assets"), help="default: %(default)s")
    samples.add_argument("--profile", choices=list(PROFILES), default="embedded", help="default: %(default)s")
    samples.add_argument(
        "--only",
        choices=["runs", "sweeps", "lessons", "compare", "pdfs", "sets"],
        help="record one kind, and leave the other as it is",
    )
    samples.add_argument("--example", help="record one example, by its file's name, and leave the others as they are")
    samples.set_defaults(command=_samples)
    evaluate.add(commands)
    read.add(commands)
    return parser


def _samples(options: argparse.Namespace) -> int:
    """Writes ``runs/<slug>.json`` for every ``examples/<slug>.json``; sweeps and comparisons of two of them; runs
    over the example PDFs.
    """
    examples = read_examples(options.assets / "examples")
    examples = [example for example in examples if options.example in (None, example.slug)]
    if not examples and options.only != "pdfs":
        raise InputError(f"There is no example in {options.assets / 'examples'}.")
    models: Models = resolve(options.loader)(options.profile, AppSettings.from_env().cache)
    if options.only in (None, "pdfs"):
        pdf_samples.record(options.assets, models, options.example)
    for example in examples if options.only in (None, "runs") else ():
        record = _recorded(options.assets / "runs", example, "duquad", models)
        answer = record.final.answer if isinstance(record, RunRecord) and record.final else ""
        right = contains_answer(answer, example.question.answers)
        print(f"{'right' if right else 'wrong'}  {example.slug}: {one_line(answer, 100)}", flush=True)
    for example in examples if options.only in (None, "sweeps") else ():
        if example.slug in _SWEPT:
            sweep = _recorded(options.assets / "sweeps", example, "sweep", models)
            right_at = (
                [str(row.place + 1) for row in sweep.places if row.right] if isinstance(sweep, SweepRecord) else []
            )
            print(f"sweep  {example.slug}: right at {', '.join(right_at) or 'no place'}", flush=True)
    for example in examples if options.only in (None, "lessons") else ():
        if example.slug in _LESSONS:
            others = [document for other in examples if other is not example for document in other.documents]
            _recorded(options.assets / "lengths", example, "length", models, others)
            _recorded(options.assets / "fixes", example, "fix", models, places=_telling(options.assets, example))
            print(f"lesson {example.slug}", flush=True)
    for example in examples if options.only in (None, "compare") else ():
        if example.slug in _SIDE_BY_SIDE:
            compared = _recorded(options.assets / "compare", example, "compare", models)
            ran = len(compared.records) if isinstance(compared, CompareRecord) else 0
            print(f"compare {example.slug}: {ran} systems", flush=True)
    if options.only in (None, "sets") and options.example is None:
        set_samples.record(options.assets, models, options.profile, examples)
    return _OK


def _telling(assets: Path, example: Example) -> tuple[int, ...]:
    """Where the example's recorded sweep was answered wrongly, and the middle; () where there is no sweep."""
    sweep = assets / "sweeps" / f"{example.slug}.json"
    if not sweep.is_file():
        return ()
    return telling(SweepRecord.from_json(sweep.read_bytes()), len(example.documents) // 2)


def _recorded(
    folder: Path,
    example: Example,
    system: str,
    models: Models,
    foreign: Sequence[Document] = (),
    places: tuple[int, ...] = (),
) -> AnyResult:
    """Runs a system on an example and writes its record to ``<folder>/<slug>.json``. Raises ModelError.

    ``foreign`` documents, of other questions, are for the system ``length``.
    """
    sweep = SweepOptions(dummy=True, places=places)
    request = Request(system=system, question=example.question, documents=example.documents, sweep=sweep)
    if system == "compare":
        request = request.model_copy(update={"systems": _COMPARED})
    request = checked(among(request, foreign) if foreign else request)
    *_, last = SYSTEMS[system].load()(request, models, f"sample-{example.slug}", lambda: None)
    assert last.record is not None
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(folder / f"{example.slug}.json", last.record.to_json().encode())
    return last.record


def _systems(options: argparse.Namespace) -> int:
    width = max(map(len, SYSTEMS))
    for system in SYSTEMS.values():
        print(f"{system.name:{width}}  {system.kind:9}  {system.source}")
    return _OK


def _ask(options: argparse.Namespace) -> int:
    return _OK if carried_out(options, app_settings(), _request(options), _show) else _FAILED


def _request(options: argparse.Namespace) -> Request:
    documents, problems = read_documents(options.documents)
    for problem in problems:
        tell(f"{options.documents}: {problem}")
    question = Question(text=options.question, answers=tuple(options.answer), gold=gold_indexes(documents))
    if not documents:
        raise InputError(f"There is no usable document in {options.documents}.")
    return checked(Request(system=options.system, question=question, documents=documents))


def _show(record: RunRecord) -> None:
    if record.final:
        print(f"\nAnswer: {one_line(record.final.answer, 300)}")
        right = contains_answer(record.final.answer, record.question.answers)
        if right is not None:
            print("It contains an accepted answer." if right else "It contains no accepted answer.")
    if record.ranking:
        print("\nRanking by SFS:" if record.signals else "\nRanking:")
        for place, ranked in enumerate(record.ranking[:_SHOWN], start=1):
            print(f"  {place}. {_named(record, ranked.document)}  {ranked.score:.3f}")
        if len(record.ranking) > _SHOWN:
            print(f"  … and {len(record.ranking) - _SHOWN} more")
    if record.shown is not None and record.shown != tuple(range(len(record.documents))):
        print(f"\nRead in this order: {', '.join(str(i + 1) for i in record.shown)}")
    if record.pool is not None:
        print("\nPool:" if record.pool else "\nPool: no agent named a document.")
        for entry in record.pool:
            fate = "kept  " if entry.kept else "pruned"
            by = " and ".join(entry.selected_by)
            print(f"  {fate}  {_named(record, entry.document)}  DocScore {entry.score:.2f} ({entry.kind}), by {by}")
            for snippet in entry.snippets:
                print(f"          “{one_line(snippet.text, 200)}”")
    for warning in record.warnings:
        print(f"\nWarning: {one_line(warning, 500)}")


def _named(record: RunRecord, index: int) -> str:
    document = record.documents[index]
    gold = " [gold]" if document.gold else ""
    return f"Document {index + 1}{gold}: {one_line(document.title or document.text, 60)}"


if __name__ == "__main__":
    sys.exit(main())
