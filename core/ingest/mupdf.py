"""PyMuPDF without the layout network that it loads on import: 0.3 s in place of 1 s, and half the memory.

Imported only by modules that run inside ``core.ingest.pdf_child``.
"""

from __future__ import annotations

import sys

for _name in ("pymupdf.layout", "pymupdf4llm"):
    sys.modules.setdefault(_name, None)  # type: ignore[arg-type]  # makes the import fail, which PyMuPDF expects

import pymupdf  # noqa: E402

__all__ = ["pymupdf"]

pymupdf.no_recommend_layout()
pymupdf.TOOLS.mupdf_display_errors(False)
pymupdf.TOOLS.mupdf_display_warnings(False)
