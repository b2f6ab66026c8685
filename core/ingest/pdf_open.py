"""A PDF opened inside the process that reads it: what it is, and why it cannot be used."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

from core.ingest.mupdf import pymupdf
from core.settings.pdf import PdfLimits

_NAME_CHARS = 80  # of an attachment's name that are shown; our choice


class Refused(Exception):
    """The file cannot be used; ``kind`` is one of ``core.ingest.pdf.PdfKind``."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


def look(file: Path, password: str, limits: PdfLimits) -> dict[str, Any]:
    """Facts of the file: pages, title, notes, encrypted. Of an encrypted one ``open.pdf`` is written beside it.

    Raises:
        Refused: it is damaged, has no page, or needs another password.
    """
    document = opened(file, password)
    if _is_portfolio(document):
        raise Refused("portfolio", _PORTFOLIO.format(files=_listed(_attachments(document, limits), limits)))
    encrypted = document.is_encrypted or bool(document.metadata and document.metadata.get("encryption"))
    if encrypted:
        document.save(file.with_name("open.pdf"), encryption=pymupdf.PDF_ENCRYPT_NONE)
    title = (document.metadata or {}).get("title") or ""
    return {
        "pages": document.page_count,
        "title": title[: limits.title_chars],
        "notes": _notes(document, encrypted, limits),
        "encrypted": encrypted,
    }


_PORTFOLIO = (
    "This PDF is a portfolio: a cover sheet around other files ({files}). "
    "Open it in a PDF viewer, save the file you need, and choose that."
)


def opened(file: Path, password: str = "") -> pymupdf.Document:
    """The document, its password tried. Raises Refused."""
    try:
        document = pymupdf.open(file, filetype="pdf")
    except (RuntimeError, ValueError) as error:
        raise Refused("damaged", f"The PDF is damaged beyond repair ({_brief(error)}). {_AGAIN}") from None
    # Before a password is given there are no pages, which looks like damage: this comes first.
    if document.needs_pass and not document.authenticate("") and not document.authenticate(password):
        wrong = "The password does not open the PDF" if password else "The PDF is encrypted"
        raise Refused("encrypted", f"{wrong}. Give its password.")
    if document.page_count == 0:
        if document.is_repaired:
            raise Refused("damaged", f"The PDF is damaged: no page could be recovered. {_AGAIN}")
        raise Refused("no_pages", f"The PDF has no pages. {_AGAIN}")
    return document


_AGAIN = "Download it again, or open it in a viewer and print it to a new PDF."


def _notes(document: pymupdf.Document, encrypted: bool, limits: PdfLimits) -> list[str]:
    notes = []
    if document.is_repaired:
        notes.append("The file is damaged and was repaired: something may be missing.")
    if encrypted:
        notes.append("The file is encrypted; its decrypted copy is kept in the cache of this installation.")
    if names := _attachments(document, limits):
        notes.append(f"Files are attached, which are not read: {_listed(names, limits)}.")
    with suppress(Exception):
        if document.is_form_pdf:
            notes.append("It is a form: its filled fields are read and drawn.")
    return notes


def _is_portfolio(document: pymupdf.Document) -> bool:
    """Whether the catalogue asks for a collection of attached files (PDF 1.7, §12.3.5) around a mere cover."""
    with suppress(Exception):
        kind, _ = document.xref_get_key(document.pdf_catalog(), "Collection")
        return bool(kind != "null" and document.page_count == 1 and document.embfile_count())
    return False


def _attachments(document: pymupdf.Document, limits: PdfLimits) -> list[str]:
    """Names of attached files of both kinds: of the document, and of annotations on its first pages."""
    names: list[str] = []
    with suppress(Exception):
        names += [document.embfile_info(name).get("filename") or name for name in document.embfile_names()]
    for number in range(min(document.page_count, limits.attachments)):
        with suppress(Exception):
            annotations = document[number].annots(types=[pymupdf.PDF_ANNOT_FILE_ATTACHMENT])
            names += [annotation.file_info["filename"] for annotation in annotations]
    return names


def _listed(names: list[str], limits: PdfLimits) -> str:
    shown = ["".join(filter(str.isprintable, name))[:_NAME_CHARS] for name in names[: limits.attachments]]
    more = len(names) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more > 0 else "")


def _brief(error: Exception) -> str:
    said = str(error).strip().splitlines()
    return said[0][:120] if said else type(error).__name__
