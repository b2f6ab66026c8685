"""``python -m tests.load [--only NAME,NAME]``: runs the scenarios one after another and prints their figures."""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

from tests.load.scenarios import SCENARIOS

OUT = Path("build/load.json")


def main() -> int:
    """Exit status 1 when a scenario could not be carried out."""
    parser = argparse.ArgumentParser(prog="python -m tests.load")
    parser.add_argument("--only", help=f"scenarios, with commas between: {', '.join(SCENARIOS)}")
    options = parser.parse_args()
    chosen = options.only.split(",") if options.only else list(SCENARIOS)
    if unknown := set(chosen) - set(SCENARIOS):
        parser.error(f"there is no scenario {', '.join(sorted(unknown))}")
    figures, failed = _before(), False
    for name in chosen:
        started = time.perf_counter()
        try:
            figures[name] = dict(SCENARIOS[name]())
        except Exception as error:
            failed = True
            figures[name] = {"failed": f"{type(error).__name__}: {error}"[:500]}
        print(f"\n{name} [{time.perf_counter() - started:.0f} s]")
        for what, value in figures[name].items():
            print(f"  {what:45} {value}", flush=True)
        OUT.parent.mkdir(exist_ok=True)
        OUT.write_text(json.dumps(figures, indent=1), encoding="utf-8")
    return int(failed)


def _before() -> dict[str, dict[str, float | str]]:
    try:
        found: dict[str, dict[str, float | str]] = json.loads(OUT.read_text(encoding="utf-8"))
        return found
    except (OSError, ValueError):
        return {}


if __name__ == "__main__":
    sys.exit(main())
