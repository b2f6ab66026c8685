"""Where the input comes from: example cards, pasted text, a question file, an exported record."""

from __future__ import annotations

import html
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from core.ingest.examples import Example
from core.ingest.questions import (
    InputError,
    Problem,
    QuestionFile,
    gold_indexes,
    parse_pasted,
    read_questions,
    validate,
)
from core.records import Question, RecordError, RunRecord
from core.settings.limits import LIMITS
from ui.inspect_draft import Draft, draft_of
from ui.inspect_run import notice
from ui.markup import empty, escape, short
from ui.samples import Samples

ROWS_SHOWN = 40

FORMAT_HINT = (
    "One document per block, with a blank line between blocks. A first line that starts with `# ` is its title. "
    'JSON lines work too: `{"title": "…", "text": "…", "gold": true}`.'
)
TEMPLATE = (
    "# First document\nIts text, as many sentences as you like.\n\n"
    "# Second document\nAnother text. The answer may stand here.\n\n"
    "# Third document\nOne more, to make it harder."
)


def cards_html(samples: Samples) -> str:
    """The examples as a row of buttons; each shows where gold stands among its documents."""
    if not samples.examples:
        return empty("No examples are installed.")
    return f'<div class="wl wl-examples">{"".join(map(_card, samples.examples.values()))}</div>'


def _card(example: Example) -> str:
    gold = example.question.gold
    ticks = "".join(f'<i class="{"is-gold" if i in gold else ""}"></i>' for i in range(len(example.documents)))
    places = " and ".join(str(i + 1) for i in gold)
    return (
        f'<button type="button" class="wl-example" data-example="{html.escape(example.slug)}" '
        f'title="{html.escape(example.teaser)}"><b>{escape(example.headline)}</b>'
        f'<span class="wl-places"><span class="wl-ticks" aria-hidden="true">{ticks}</span>'
        f'<span class="wl-sub"><span class="wl-said">gold </span>{places} of {len(example.documents)}</span></span>'
        f"</button>"
    )


def pasted(question: str, answers: str, documents: str) -> tuple[Draft, str]:
    """A draft of pasted text, and a notice about what was passed over.

    Raises:
        InputError: there is no question or no document in it, or too much.
    """
    found, problems = parse_pasted(documents)
    if problems and not found:
        raise InputError("\n".join(map(str, problems)))
    text, found = validate(question, found)
    accepted = tuple(line.strip() for line in answers.splitlines() if line.strip())[: LIMITS.answers]
    draft = draft_of(Question(text=text, answers=accepted, gold=gold_indexes(found)), found)
    return draft, notice(_passed_over(problems), "warning") if problems else ""


def _passed_over(problems: tuple[Problem, ...]) -> str:
    return "\n".join(["These were passed over:", *map(str, problems)])


@dataclass(frozen=True, eq=False)
class Chosen:
    """A question file that a visitor chose; its rows are read again when they are needed."""

    path: str = ""


@lru_cache(maxsize=4)
def _read(path: str, _age: int) -> QuestionFile:
    return read_questions(Path(path))


def rows_of(chosen: Chosen) -> QuestionFile:
    """The rows of a chosen file. Raises InputError."""
    path = Path(chosen.path)
    if not chosen.path or not path.is_file():
        raise InputError("The file is not here any more: choose it again.")
    return _read(chosen.path, path.stat().st_mtime_ns)


def rows_html(file: QuestionFile, search: str) -> str:
    """The first rows whose number is, or whose question holds, the searched text."""
    wanted = search.strip().casefold()
    found = [
        (number, item)
        for number, item in enumerate(file.items, start=1)
        if not wanted or wanted == str(number) or wanted in item.question.text.casefold()
    ]
    rows = "".join(
        f'<li><button type="button" class="wl-file-row" data-row="{number - 1}"><span class="wl-num">{number}</span>'
        f"<bdi>{escape(short(item.question.text, 140))}</bdi>"
        f'<span class="wl-sub">{len(item.documents)} documents</span></button></li>'
        for number, item in found[:ROWS_SHOWN]
    )
    count = f"{len(found):,} of {len(file.items):,} questions" if wanted else f"{len(file.items):,} questions"
    more = f", the first {ROWS_SHOWN} shown" if len(found) > ROWS_SHOWN else ""
    problems = notice(_passed_over(file.problems), "warning") if file.problems else ""
    return f'{problems}<p class="wl wl-sub" role="status">{count}{more}</p><ol class="wl wl-rows">{rows}</ol>'


def row_draft(chosen: Chosen, row: object) -> Draft:
    """The draft of one row (0-based). Raises InputError."""
    items = rows_of(chosen).items
    if not isinstance(row, int) or not 0 <= row < len(items):
        raise InputError("There is no such row in the file.")
    return draft_of(items[row].question, items[row].documents)


def open_record(path: str) -> RunRecord:
    """An exported record. Raises RecordError."""
    file = Path(path)
    if file.stat().st_size > LIMITS.record_bytes:
        raise RecordError(f"The file is larger than {LIMITS.record_bytes // 2**20} MiB, which no record is.")
    record = RunRecord.from_json(file.read_bytes())
    if len(record.documents) > LIMITS.documents:
        raise RecordError(
            f"This record has {len(record.documents):,} documents; at most {LIMITS.documents} can be shown."
        )
    if any(len(document.title) > LIMITS.title_chars for document in record.documents):
        raise RecordError(f"A title in this record is longer than {LIMITS.title_chars} characters, which none can be.")
    return record
