"""What is refused, given up or deleted, and when."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """What one request may ask for; our choices, sized for two cores and a model window of 8,192 tokens."""

    documents: int = 200
    """Documents in one request; more than fit the model's window are refused with the number that fit."""
    sweep_documents: int = 40
    """Documents in a sweep, whose cost and record grow with their square."""
    document_chars: int = 400_000
    """Characters of one document (about 60,000 words)."""
    question_chars: int = 4_000
    title_chars: int = 500
    answers: int = 50
    file_bytes: int = 100 * 2**20
    """Bytes of an uploaded question file, before and after decompression."""
    file_rows: int = 10_000
    """Rows read from a question file."""
    line_chars: int = 5_000_000
    """Characters of one line of a question file."""
    set_rows: int = 100_000
    """Rows read from a question set."""
    table_columns: int = 500
    """Columns of a table that is a question set."""
    archive_bytes: int = 4 * 2**30
    """Bytes of a zip of PDFs, before and after unpacking."""
    archive_files: int = 5_000
    """Files in a zip or folder that belongs to a set."""
    archive_ratio: int = 200
    """How many times larger than packed one file of a zip may be, above a first MiB; PDFs hardly shrink at all."""
    reader_bytes: int = 4 * 2**30
    """Address space of the process that opens Parquet, Excel and zip files."""
    reader_seconds: int = 300
    """Processor time of that process."""
    record_bytes: int = 64 * 2**20
    """Bytes of a run record that is opened again."""
    queue: int = 32
    """Requests waiting in the worker's queue; one more is refused with a message."""
    queue_each: int = 8
    """Requests of one visitor that wait; one more is refused with a message."""
    runs_kept: int = 5_000
    """Runs in the folder where runs are kept for a limited time; the oldest go first."""


LIMITS = Limits()
LIST_CHARS = 50_000  # a longer list in text form is no list of answers or pages; our choice
NUMBER_BITS = 3_000  # of a whole number, 900 digits; our choice: Python writes out 4,300 digits and no more

INJECTION_CHARS = 400_000  # characters of a text that are searched for words to the model; our choice: a whole document
INJECTION_FOUND = 20  # places that are told of one text; our choice
SPACE_KEEP_DAYS = 30  # on a Space, whose disk is shared by strangers; our choice
RETENTION_EVERY = 3600.0  # seconds between two looks for what is too old; our choice
# Of PDFs and their pages on disk; our choice: about 60,000 pages of the examples' kind, which take 0.13 MB each.
PAGE_STORE_BYTES = 8 * 2**30
PAGES_IN_USE = 3600.0  # seconds since a PDF was last used in which it is left alone; our choice: longer than a run
CLOCK_JUMP = 600.0  # seconds between the wall clock and the running one at which nothing is deleted; our choice
CANCEL_SECONDS = 2.0  # a cancel takes effect within this time; checked between decoding steps
HEARTBEAT_SECONDS = 0.5  # how often a supervisor looks whether its worker lives
CACHE_VERSION = 1  # raised when the layout of converted weights changes
