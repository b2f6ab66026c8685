"""From an example or a file to what is compared."""

from __future__ import annotations

from pathlib import Path

from pydantic import ValidationError

from core.records import AnyResult, CompareRecord, PdfRef, RecordError, Request, RunRecord, open_result
from core.settings.limits import LIMITS
from core.settings.pdf import PDF_LIMITS
from ui.compare_numbers import count
from ui.pages_files import Files
from ui.samples import Samples


def example_request(slug: str, samples: Samples, files: Files) -> Request | None:
    """What an example asks, over its documents or its PDF. Raises InputError where the PDF cannot be read."""
    if slug in samples.examples:
        example = samples.examples[slug]
        return Request(system="compare", question=example.question, documents=example.documents)
    if slug not in samples.readings:
        return None
    reading = samples.readings[slug]
    source = files.example(reading.file)
    ref = PdfRef(sha256=source.sha256, name=source.name[:255])
    return Request(system="compare", question=reading.question, pdf=ref)


def read_record(path: Path) -> AnyResult:
    """An exported record. Raises RecordError."""
    if path.stat().st_size > LIMITS.record_bytes:
        raise RecordError(f"The file is larger than {LIMITS.record_bytes // 2**20} MiB, which no record is.")
    found = open_result(path.read_bytes())
    if len(found.documents) > LIMITS.documents:
        raise RecordError(
            f"This record has {len(found.documents):,} documents; at most {LIMITS.documents} can be shown."
        )
    if isinstance(found, CompareRecord) and count(found) > PDF_LIMITS.pages:
        raise RecordError(f"This record has {count(found):,} pages; at most {PDF_LIMITS.pages:,} can be shown.")
    return found


def pdf_of(found: AnyResult) -> PdfRef | None:
    """The PDF that a record is about. Raises RecordError."""
    records = found.records if isinstance(found, CompareRecord) else (found,)
    sources = [record.source for record in records if isinstance(record, RunRecord) and record.source]
    if not sources:
        return None
    try:
        return PdfRef(sha256=sources[0].sha256, name=sources[0].name[:255])
    except ValidationError:
        raise RecordError("This record does not say which PDF it read.") from None
