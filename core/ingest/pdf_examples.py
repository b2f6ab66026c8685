"""The project's own example PDFs and their questions, as ``examples.json`` beside them lists them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from core.records import Question


@dataclass(frozen=True)
class PdfExample:
    """One question about an example PDF."""

    slug: str
    """Names its recorded run: the file's name and the question's number, from 1."""
    file: str
    """Name of the PDF in the folder."""
    title: str
    question: Question


def read_pdf_examples(folder: Path) -> list[PdfExample]:
    """The questions of a folder's ``examples.json``, in its order; none where there is no such file.

    It is a list of ``{"name", "title", "questions": [{"question", "answers", "gold"}]}``; ``gold`` are pages, 0-based.
    """
    path = folder / "examples.json"
    if not path.is_file():
        return []
    files = json.loads(path.read_text(encoding="utf-8"))
    return [
        PdfExample(
            slug=f"{Path(file['name']).stem}-{number}",
            file=file["name"],
            title=file["title"],
            question=Question(text=asked["question"], answers=tuple(asked["answers"]), gold_pages=tuple(asked["gold"])),
        )
        for file in files
        for number, asked in enumerate(file["questions"], start=1)
    ]
