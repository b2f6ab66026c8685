"""Questions that nothing was chosen on: handbooks of forty pages, to measure what is found and what is answered."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from pathlib import Path

from tests.pdfs.handbooks import HANDBOOKS, Handbook
from tests.pdfs.paper import Paper

PAGES_OF_PART = 4
SENTENCES = 8  # of a page besides the fact or the misleading one


@dataclass(frozen=True)
class Asked:
    """A question about one of the files."""

    path: Path
    question: str
    answers: tuple[str, ...]
    """Empty where the file holds no answer."""
    gold: tuple[int, ...]
    """0-based pages."""


def held_out(folder: Path) -> list[Asked]:
    """Writes four PDFs of forty pages; 24 questions with an answer and 8 without one."""
    folder.mkdir(parents=True, exist_ok=True)
    asked: list[Asked] = []
    for number, book in enumerate(HANDBOOKS):
        path = folder / f"{re.sub('[^a-z]+', '-', book.title.lower()).strip('-')[:40]}.pdf"
        facts = (*book.facts, *book.rows)
        gold = _write(path, book, random.Random(4000 + number))
        asked += [Asked(path, fact.question, fact.answers, (page,)) for fact, page in zip(facts, gold, strict=True)]
        asked += [Asked(path, question, (), ()) for question in book.unanswered]
    return asked


def _write(path: Path, book: Handbook, chance: random.Random) -> list[int]:
    """Writes one file; the page of each fact, those of tables last."""
    pages = len(book.parts) * PAGES_OF_PART
    places = chance.sample(range(pages), len(book.facts) + len(book.rows) + len(book.misleading))
    facts, rest = places[: len(book.facts)], places[len(book.facts) :]
    tables = rest[: len(book.rows)]
    sentences = [*(fact.sentence for fact in book.facts), *book.misleading]
    said = dict(zip([*facts, *rest[len(book.rows) :]], sentences, strict=True))
    rows = dict(zip(tables, book.rows, strict=True))
    paper = Paper(book.title, book.title)
    for page in range(pages):
        part, section = book.parts[page // PAGES_OF_PART], page % PAGES_OF_PART
        numbers = {name: chance.randint(3, 60) for name in "abc"}
        body = [text.format(part=part, **numbers) for text in chance.sample(book.filling, SENTENCES)]
        if page in said:
            body.insert(chance.randrange(1, SENTENCES), said[page])
        paper.turn()
        paper.heading(f"{page // PAGES_OF_PART + 1}.{section + 1}  {part.capitalize()}", 14)
        if section % 2:
            paper.items(body)
        else:
            paper.paragraph(" ".join(body[:4]))
            paper.paragraph(" ".join(body[4:]))
        if page in rows:
            listed = [rows[page].sentence, *chance.sample(book.other_rows, 2)]
            chance.shuffle(listed)
            paper.table([list(book.heads), *(text.split(" | ") for text in listed)])
    paper.save(path)
    return [*facts, *tables]
