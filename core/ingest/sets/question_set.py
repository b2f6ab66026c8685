"""A question set: opened once, read as a stream as often as needed, the same every time."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, count, islice
from pathlib import Path

from core.ingest.lines import InputError
from core.ingest.sets.dirt import DirtLog
from core.ingest.sets.formats import detected
from core.ingest.sets.library import Library
from core.ingest.sets.mapped import NeedsMapping, guess, mapped, offered, usable
from core.ingest.sets.rows import container, rows
from core.ingest.sets.values import PAST_THE_END, Mend, Raw
from core.set_record import Dirt, Mapping, SetFormat, SetQuestion, SetSummary, Skipped
from core.settings.evaluation import CHARS_PER_TOKEN
from core.settings.limits import LIMITS

__all__ = ["NeedsMapping", "QuestionSet", "open_set"]

_LOOKED_AT = 20  # rows that the layout is told from
_MISSING_SHOWN = 50
_CHUNK = 1 << 20


class QuestionSet:
    """Questions, in the order of their file. Iterating reads the file anew, so that nothing is held in memory."""

    def __init__(
        self,
        file: Path,
        name: str,
        format: SetFormat,
        read: Callable[[Raw, Mend], SetQuestion],
        library: Library,
        scratch: tempfile.TemporaryDirectory[str] | None,
    ) -> None:
        self.file = file
        """Where the questions stand."""
        self.name = name
        """Of that file, as it was given; shown, never used as a path."""
        self.format: SetFormat = format
        self._read = read
        self._library = library
        self._scratch = scratch
        self._log: DirtLog | None = None
        self._summary: SetSummary | None = None

    def __iter__(self) -> Iterator[SetQuestion]:
        log = DirtLog()
        ids: set[str] = set()
        for number, raw in enumerate(rows(self.file), start=1):
            if number > LIMITS.set_rows:
                log.leave_out(Skipped(place="the file", reason=f"only the first {LIMITS.set_rows:,} rows are read."))
                break
            found = raw if isinstance(raw, Skipped) else self._question(raw, ids, log)
            if isinstance(found, Skipped):
                log.leave_out(found)
            else:
                ids.add(found.id)
                yield found
        self._log = log

    @property
    def skipped(self) -> tuple[Skipped, ...]:
        """Rows that were left out or mended, at most 50 for each reason; reads the file where nothing has yet."""
        return self._logged().skipped()

    @property
    def dirt(self) -> tuple[Dirt, ...]:
        """The same by reason, all rows counted."""
        return self._logged().dirt()

    def summary(self) -> SetSummary:
        """What the set holds; reads the file once."""
        if self._summary is None:
            questions = documents = chars = gold = answers = 0
            pdfs: dict[str, None] = {}
            for question in self:
                questions += 1
                documents += len(question.documents)
                chars += len(question.question.text)
                chars += sum(len(document.title) + len(document.text) for document in question.documents)
                gold += bool(question.question.gold or question.question.gold_pages)
                answers += bool(question.question.answers)
                pdfs.update({question.pdf: None} if question.pdf else {})
            missing = [name for name in pdfs if self._library.pdf(name) is None]
            log = self._logged()
            self._summary = SetSummary(
                format=self.format,
                questions=questions,
                left_out=log.left_out,
                mended=log.mended,
                documents=documents,
                pdfs=len(pdfs),
                pdfs_missing=tuple(missing[:_MISSING_SHOWN]),
                tokens=round(chars / CHARS_PER_TOKEN),
                gold_known=gold,
                answers_known=answers,
                dirt=log.dirt(),
            )
        return self._summary

    def fingerprint(self) -> str:
        """SHA-256 of the file as it is, in hex."""
        digest = hashlib.sha256()
        with self.file.open("rb") as file:
            while chunk := file.read(_CHUNK):
                digest.update(chunk)
        return digest.hexdigest()

    def pdf(self, name: str) -> Path | None:
        """The PDF of a question, where the folder or zip has it."""
        return self._library.pdf(name)

    def count_pages(self) -> None:
        """Looks how many pages the PDFs have that the questions name and that are at hand; reads the file once."""
        self._library.count({question.pdf for question in self if question.pdf})
        self._log = None  # pages past the end were not known while this was read

    def close(self) -> None:
        """Removes what was unpacked."""
        if self._scratch:
            self._scratch.cleanup()

    def _logged(self) -> DirtLog:
        if self._log is None:
            for _ in self:
                pass
        assert self._log is not None
        return self._log

    def _question(self, raw: Raw, ids: set[str], log: DirtLog) -> SetQuestion | Skipped:
        reasons: set[str] = set()
        try:
            question = self._within(self._read(raw, reasons.add), reasons.add)
        except InputError as error:
            return Skipped(place=raw.place, reason=str(error))
        if question.id in ids:
            reasons.add("its id was there before: its row's number is added to it.")
            question = question.model_copy(update={"id": _free(f"{question.id}#{raw.number}", ids)})
        log.mend(raw.place, reasons)
        return question

    def _within(self, question: SetQuestion, mend: Mend) -> SetQuestion:
        """Evidence pages past the end of the PDF that is at hand are left out."""
        total = self._library.pages(question.pdf) if question.pdf else None
        pages = tuple(page for page in question.question.gold_pages if total is None or page < total)
        if len(pages) == len(question.question.gold_pages):
            return question
        mend(PAST_THE_END.format(name="evidence page"))
        return question.model_copy(update={"question": question.question.model_copy(update={"gold_pages": pages})})


def open_set(
    source: Path | Sequence[Path],
    mapping: Mapping | None = None,
    pdfs: Path | None = None,
    name: str = "",
) -> QuestionSet:
    """A question set, known by its content.

    Args:
        source: a file of questions, a folder or zip that holds one with its PDFs, or several of these.
        mapping: which columns are what; only needed for a table whose layout is not known, and then it decides.
        pdfs: a folder or zip with the PDFs (or the one PDF) that the questions are about.
        name: of the file as a person knows it, where the path does not say it.

    Raises:
        NeedsMapping: the layout is not known; ``columns`` says what there is, and offers a guess.
        InputError: there is no question file, or it cannot be used.
    """
    scratch = tempfile.TemporaryDirectory(prefix="w-lens-set-")
    try:
        library, files = _sorted_out([source] if isinstance(source, Path) else list(source), pdfs, Path(scratch.name))
        file_name, file = _question_file(files or library.others)
        format, read = _layout(file, mapping)
        opened = QuestionSet(file, name or file_name, format, read, library, scratch)
        if format in _ABOUT_PDFS and library.has_pdfs:
            opened.count_pages()
    except BaseException:
        scratch.cleanup()
        raise
    return opened


_ABOUT_PDFS = ("mmlongbench", "longdocurl", "papertab", "fetatab", "mapped")


def _sorted_out(sources: list[Path], pdfs: Path | None, scratch: Path) -> tuple[Library, list[tuple[str, Path]]]:
    """What stands beside the questions, and the files that were named themselves."""
    library, files = Library(), []
    for number, path in enumerate([*sources, pdfs] if pdfs else sources):
        kind = "folder" if path.is_dir() else container(path)
        if kind == "folder":
            library.add_folder(path)
        elif kind == "zip":
            library.add_zip(path, scratch / f"zip-{number}")
        elif kind == "pdf":
            library.add_pdf(path)
        elif path is pdfs:
            raise InputError(f"{path.name} is neither a PDF nor a folder or zip of PDFs.")
        else:
            files.append((path.name, path))
    return library, files


def _question_file(files: Sequence[tuple[str, Path]]) -> tuple[str, Path]:
    """The only file, or the first whose rows have a layout that is known."""
    if len(files) == 1:
        return files[0]
    for name, path in files:
        try:
            if detected(_first(path)):
                return name, path
        except InputError:
            continue
    found = f"none of its {len(files)} files has a layout that is known" if files else "it holds none"
    raise InputError(f"There is no question file: {found}. Name the file of questions, and its PDFs beside it.")


def _layout(file: Path, mapping: Mapping | None) -> tuple[SetFormat, Callable[[Raw, Mend], SetQuestion]]:
    first = _first(file)
    layout = detected(first) if mapping is None else None
    if layout:
        return layout.format, layout.read
    if not first:
        broken = next((row for row in islice(rows(file), 1) if isinstance(row, Skipped)), None)
        why = f": {broken.place}: {broken.reason}" if broken else " in it."
        raise InputError(f"This file has no row that can be read{why}")
    names = dict.fromkeys(name for row in first for name in row.fields)  # in the order of the columns
    chosen = mapping or guess(names)
    if chosen is None or not usable(chosen) or (mapping and mapping.question not in names):
        raise NeedsMapping(offered(first))
    return "mapped", lambda raw, mend: mapped(raw, chosen, mend)


def _first(file: Path) -> list[Raw]:
    return [row for row in islice(rows(file), _LOOKED_AT) if isinstance(row, Raw)]


def _free(name: str, taken: set[str]) -> str:
    return next(found for found in chain([name], (f"{name}-{more}" for more in count(2))) if found not in taken)
