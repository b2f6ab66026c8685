"""``python -m core read``: one question about a PDF."""

from __future__ import annotations

import argparse
from pathlib import Path

from core.commands.running import app_settings, carried_out, one_line
from core.ingest.page_store import PageStore
from core.ingest.pdf import take_in
from core.ingest.questions import InputError, checked
from core.page_text import page_name
from core.records import PdfRef, Question, Request, RunRecord
from core.settings.methods import PdfSettings, RunSettings
from core.settings.profiles import PROFILES
from core.sleuth.disagreement import disagreements
from core.systems import of_kind
from core.text import contains_answer

_LABELS = {
    "CR": "completely relevant", "R": "relevant", "IR": "irrelevant", "none": "no visual", None: "not screened",
}  # fmt: skip


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command to the command line."""
    read = commands.add_parser("read", help="ask one question about a PDF, and keep the run record")
    read.add_argument("--pdf", required=True, type=Path, help="the file")
    read.add_argument("--question", required=True, help="what is asked")
    read.add_argument("--answer", action="append", default=[], help="an accepted answer; may be given again")
    read.add_argument("--gold-page", action="append", default=[], type=int, help="a page that holds it, from 1")
    read.add_argument("--password", default="", help="of an encrypted file")
    names = [system.name for system in of_kind("pdf")]
    read.add_argument("--system", choices=names, default="sleuth", help="default: %(default)s")
    read.add_argument("--top-k", type=int, default=PdfSettings().top_k, help="candidate pages; default: %(default)s")
    read.add_argument("--neighbours", type=int, default=0, help="pages beside each hit; default: %(default)s")
    read.add_argument("--ocr", choices=["auto", "off", "all"], default="auto", help="default: %(default)s")
    read.add_argument("--profile", choices=["auto", *PROFILES], help="default: W_LENS_PROFILE, or embedded")
    read.add_argument("--out", type=Path, help="file for the run record, beside the one in the run folder")
    read.add_argument("--runs", type=Path, help="folder of run records; default: W_LENS_RUNS, or runs")
    read.set_defaults(command=run)


def run(options: argparse.Namespace) -> int:
    """Runs the command and returns its exit code: 0 done, 1 failed. Raises InputError, ModelError."""
    app = app_settings()
    source = take_in(options.pdf, options.pdf.name, PageStore(app.cache), options.password)
    question = Question(
        text=options.question,
        answers=tuple(options.answer),
        gold_pages=tuple(_gold(number, source.pages) for number in options.gold_page),
    )
    ref = PdfRef(sha256=source.sha256, name=source.name)
    request = Request(system=options.system, question=question, pdf=ref, settings=RunSettings(pdf=_settings(options)))
    return 0 if carried_out(options, app, checked(request), show) else 1


def _gold(number: int, pages: int) -> int:
    if not 1 <= number <= pages:
        raise InputError(f"The gold page {number} does not exist; the PDF has {pages}.")
    return number - 1


def _settings(options: argparse.Namespace) -> PdfSettings:
    try:
        return PdfSettings(top_k=options.top_k, neighbours=options.neighbours, ocr=options.ocr)
    except ValueError as error:
        raise InputError(f"The settings cannot be used: {error}") from None


def show(record: RunRecord) -> None:
    """Prints the answer, what it cites, the candidate pages and the clues."""
    if record.final:
        print(f"\nAnswer: {one_line(record.final.answer, 300)}")
        right = contains_answer(record.final.answer, record.question.answers)
        if right is not None:
            print("It contains an accepted answer." if right else "It contains no accepted answer.")
    for citation in record.citations or ():
        mark = "found    " if citation.verified else "not found"
        print(f"  {mark}  {page_name(citation.page)}: “{one_line(citation.evidence, 160)}”")
        if not citation.verified:
            print(f"             {one_line(citation.reason, 160)}")
    print("\nCandidate pages:")
    gold = set(record.question.gold_pages)
    for page in sorted((p for p in record.pages or () if p.candidate), key=lambda p: (p.rank is None, p.rank)):
        mark = " [gold]" if page.page in gold else ""
        fate = "kept" if page.kept else "dropped"
        print(f"  {page_name(page.page, page.printed)}{mark}: {_LABELS[page.label]}, {fate}")
        for clue in record.clues or ():
            if clue.page == page.page:
                print(f"      {clue.confidence:6}  “{one_line(clue.content, 150)}”")
    if record.difficulty:
        print(f"\nDifficulty: {record.difficulty.level}")
    for sentence in disagreements(record):
        print(f"\n{one_line(sentence, 300)}")
    for warning in record.warnings:
        print(f"\nWarning: {one_line(warning, 500)}")
