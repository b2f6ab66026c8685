"""What a person gave for a set, kept beside its results, so that a run can be taken up again after the app ended."""

from __future__ import annotations

import shutil
import zipfile
from collections.abc import Sequence
from pathlib import Path

from core.evaluation.record import Mapping
from core.ingest.sets.question_set import QuestionSet, open_set

_QUESTIONS, _PDFS = "questions", "pdfs.zip"


def keep(folder: Path, questions: Path, pdfs: Sequence[Path]) -> None:
    """Copies the input to ``<folder>/input``. The files' names are kept inside a zip, and are never paths here."""
    target = folder / "input"
    target.mkdir()
    shutil.copyfile(questions, target / _QUESTIONS)
    if len(pdfs) == 1 and zipfile.is_zipfile(pdfs[0]):
        shutil.copyfile(pdfs[0], target / _PDFS)
    elif pdfs:
        with zipfile.ZipFile(target / _PDFS, "w", zipfile.ZIP_STORED) as archive:
            for path in pdfs:
                archive.write(path, path.name)


def kept(folder: Path, name: str, mapping: Mapping | None) -> QuestionSet:
    """The set that ``keep`` has copied. Raises InputError."""
    pdfs = folder / "input" / _PDFS
    return open_set(folder / "input" / _QUESTIONS, mapping, pdfs if pdfs.exists() else None, name)


def given(questions: Path, pdfs: Sequence[Path], mapping: Mapping | None, name: str = "") -> QuestionSet:
    """The set as a person gave it, before anything is copied. Raises NeedsMapping, InputError."""
    return open_set([questions, *pdfs], mapping, name=name)
