"""The constants of reading PDFs, with their sources: a part of ``core.settings``.

They stand apart so that the process that reads PDFs, which starts anew for every file, need not load pydantic.
"""

from __future__ import annotations

from dataclasses import dataclass

PAGE_DPI = 144  # of page pictures; not in SLEUTH, but what its peers draw at (MMLongBench-Doc, MDocAgent, MoLoRAG)
PAGE_PIXELS = 6_000_000  # most of one picture; our choice: an A3 page at 144 dpi has 4 million
PAGE_SIDE = 4_096  # longest side of a picture in pixels; our choice
THUMB_WIDTH = 160  # pixels of a thumbnail; our choice
THUMB_QUALITY = 70  # of its JPEG; our choice
# A picture is kept as PNG up to this size, as JPEG of this quality beyond it. Our choice: pages of text are smaller
# and crisper as PNG (96 against 190 kB), photographs as JPEG.
PICTURE_BYTES = 2 * 2**20
PICTURE_QUALITY = 85
PAGE_VERSION = 2  # raised when pages are read or drawn in another way, so that no stale page is served
# Of the words right on dense two-column pages at 72 / 96 / 120 / 144 dpi: 0.918 / 0.961 / 0.969 / 0.976,
# in 4.0 / 4.6 / 5.5 / 6.0 s a page.
OCR_DPI = 96

# A text layer is not believed where this share of its letters has no Unicode value (our choice), or where this share
# of at least so many words of four letters and more has no vowel: 0.0007 of the passages of NQ-pool-20, 0.32 of the
# same with letters shifted by three. Where vowels are more than VOWEL_SHARE (0.36 and 0.14), words are not looked at.
GARBAGE_SHARE = 0.1
UNPRONOUNCEABLE_SHARE = 0.25
VOWEL_SHARE = 0.25
UNPRONOUNCEABLE_WORDS = 20
FIGURE_SHARE = 0.015  # of the page that an image or a cluster of drawings covers to be a figure; our choice
FIGURE_PARTS = 5  # drawings that make a cluster a figure; fewer are frames and underlines; our choice
TABLE_ROWS = 3  # rows and columns of words in line that make a table without ruling lines; our choice
TABLE_COLUMNS = 3
TABLE_FILLED = 0.6  # of its cells that hold words; our choice
TABLE_CELL_WORDS = 4  # mean words of a filled cell; more are columns of prose; our choice
COLUMN_GAP = 1.2  # heights of a line between two words that begin another column of a table; our choice
TINY_POINTS = 1.0  # letters smaller than this cannot be seen; our choice
LIGHT_LEVEL = 0xE0  # from this level of red, green and blue on, a word is looked for in the picture; our choice
SCAN_SHARE = 0.5  # of the page covered by pictures: few or no words beside them make it a scan; our choice
FEW_WORDS = 25  # a scan with no more visible words than these (a stamp, a page number) is read by OCR; our choice
OCR_AGREES = 0.6  # of a hidden layer's words found by OCR: then the layer is what the picture shows; our choice


@dataclass(frozen=True)
class PdfLimits:
    """What a PDF may ask of the process that reads it; our choices."""

    file_bytes: int = 200 * 2**20
    pages: int = 1_000
    """Pages of one file."""
    many_pages: int = 200
    """From here on the person is told that reading takes a while."""
    children: int = 2
    """Processes side by side."""
    child_bytes: int = 4 * 2**30
    """Address space of one of them; OCR alone maps 1 GiB."""
    open_seconds: float = 30.0
    """Opening, and repairing a damaged file."""
    page_seconds: float = 30.0
    """One page; a page that is read by OCR gets as much again."""
    page_words: int = 20_000
    """Words kept of one page; a dense newspaper page has 6,000."""
    title_chars: int = 500
    attachments: int = 20
    """Names of attached files that are listed."""


PDF_LIMITS = PdfLimits()
