"""``python -m tests.pdfs`` writes the example PDFs to ``assets/pdfs``; the same bytes every time."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.pdfs import manual, minutes, report

FOLDER = Path(__file__).resolve().parents[2] / "assets" / "pdfs"


def main() -> None:
    """Writes the three files and what is asked about them."""
    report.report().save(FOLDER / "port-of-lindrum.pdf")
    manual.manual().save(FOLDER / "kestrel-400.pdf")
    minutes.minutes().save(FOLDER / "vennwick-minutes.pdf", garbage=4, deflate=True, no_new_id=True)
    listed: list[dict[str, Any]] = [
        {"name": name, "title": part.TITLE, "questions": list(part.QUESTIONS)}
        for name, part in (
            ("port-of-lindrum.pdf", report),
            ("kestrel-400.pdf", manual),
            ("vennwick-minutes.pdf", minutes),
        )
    ]
    (FOLDER / "examples.json").write_text(json.dumps(listed, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
