"""``python -m tests.bench [--only NAME] [--questions N]``; exit status 1 when a row falls short."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tests.bench import material


def main() -> int:
    """Measures and prints the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench")
    parser.add_argument("--only", help="rows, or the beginnings of their names, with commas between")
    parser.add_argument("--questions", type=int, default=material.QUESTIONS, help="of NQ-pool-20, at most 50")
    options = parser.parse_args()
    material.QUESTIONS = max(1, min(options.questions, 50))
    # Registering happens on import, in the order of the table.
    from tests.bench import (  # noqa: F401
        analyses,
        errors,
        exact,
        ingest,
        lab,
        page,
        quality,
        retrieval,
        sets,
        sleuth,
        speed,
        systems,
        table,
    )

    return 0 if table.run(options.only, Path("build/bench.json")) else 1


if __name__ == "__main__":
    sys.exit(main())
