"""Tables that take hours: rows are kept as they come, and asked for again only where they are missing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from core.settings.app import AppSettings
from core.settings.profiles import PROFILES
from core.systems import Kind, of_kind, why_not

Row = dict[str, Any]
RESULTS = Path(__file__).resolve().parents[2] / "assets" / "results"
"""Where the rows are kept, in the repository, so that whoever has the time goes on with them."""


def runnable(kind: Kind) -> list[str]:
    """The systems of a kind that the embedded profile can run."""
    embedded, own = PROFILES["embedded"], AppSettings.from_env()
    return [system.name for system in of_kind(kind) if not why_not(system, embedded, own)]


def known(rows: Path) -> list[Row]:
    """The rows that were asked before; a line that was cut short by an interruption is left out."""
    found = []
    for line in rows.read_text(encoding="utf-8").splitlines() if rows.exists() else ():
        try:
            found.append(json.loads(line))
        except ValueError:
            continue
    return found
