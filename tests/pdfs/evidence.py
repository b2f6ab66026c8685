"""Documents with questions whose pages are known, to measure how many of those pages are found."""

from __future__ import annotations

import random
import re
from pathlib import Path

from tests.pdfs.paper import SERIF, Paper, scanned
from tests.pdfs.topics import TOPICS, Topic

PAGES = 16
FILLING = 6  # sentences of a page besides the fact or the misleading one


def evidence_set(folder: Path) -> list[tuple[Path, str, tuple[int, ...]]]:
    """Writes ten PDFs of sixteen pages, three of them scans, and returns (file, question, 0-based gold pages).

    Each question is in other words than its page; another page of the same file uses words of the question.
    """
    folder.mkdir(parents=True, exist_ok=True)
    asked: list[tuple[Path, str, tuple[int, ...]]] = []
    for number, topic in enumerate(TOPICS):
        path = folder / f"{re.sub('[^a-z]+', '-', topic.title.lower()).strip('-')[:40]}.pdf"
        gold = _write(path, topic, random.Random(number))
        asked += [(path, question, (page,)) for (_, question), page in zip(topic.facts, gold, strict=True)]
    return asked


def _write(path: Path, topic: Topic, chance: random.Random) -> list[int]:
    """Writes one file; the page of each fact."""
    places = chance.sample(range(PAGES), len(topic.facts) + len(topic.misleading))
    gold = places[: len(topic.facts)]
    special = [fact for fact, _ in topic.facts] + list(topic.misleading)
    said = dict(zip(places, special, strict=True))
    paper = Paper(topic.title, topic.title, font=SERIF)
    for page in range(PAGES):
        sentences = chance.sample(topic.filling, FILLING)
        if page in said:
            sentences.insert(chance.randrange(1, FILLING), said[page])
        paper.turn()
        paper.heading(f"§ {page + 1}", 14)
        paper.paragraph(" ".join(sentences[:3]))
        paper.paragraph(" ".join(sentences[3:]))
    if topic.scanned:
        scanned(paper.document, topic.title, seed=len(topic.title)).save(path, garbage=4, deflate=True, no_new_id=True)
    else:
        paper.save(path)
    return gold
