"""The project's own example questions: one JSON file each, written by us."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from core.records import Document, Question


@dataclass(frozen=True)
class Example:
    """A question with its documents, written to show one thing."""

    slug: str
    headline: str
    teaser: str
    question: Question
    documents: tuple[Document, ...]


def read_examples(folder: Path) -> list[Example]:
    """The examples of a folder, by slug."""
    return [_read(path) for path in sorted(folder.glob("*.json"))]


def _read(path: Path) -> Example:
    data = json.loads(path.read_text(encoding="utf-8"))
    gold = tuple(data["gold"])
    return Example(
        slug=data["slug"],
        headline=data["headline"],
        teaser=data["teaser"],
        question=Question(text=data["question"], answers=tuple(data["answers"]), gold=gold),
        documents=tuple(
            Document(id=raw["id"], title=raw["title"], text=raw["text"], gold=index in gold)
            for index, raw in enumerate(data["documents"])
        ),
    )
