"""``python -m tests.fuzz [--files 500] [--seed 0] [--kinds pdf,questions,record]``; exit status 1 on a fault."""

from __future__ import annotations

import argparse
import json
import sys
import time
import traceback
from collections import Counter
from pathlib import Path

from tests.fuzz import trial
from tests.fuzz.damage import damaged, pdf_files, question_files, records

OUT = Path("build/fuzz.json")
KINDS = {
    "pdf": (trial.pdf, pdf_files),
    "questions": (trial.questions, question_files),
    "record": (trial.record, records),
}


def main() -> int:
    """Tries every kind and prints how many were read, refused, and what went wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz")
    parser.add_argument("--files", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kinds", default=",".join(KINDS))
    options = parser.parse_args()
    faults, figures = 0, {}
    for kind in options.kinds.split(","):
        attempt, originals = KINDS[kind]
        ends: Counter[str] = Counter()
        longest, began = 0.0, time.perf_counter()
        for done, data in damaged(originals(), options.files, options.seed):
            started = time.perf_counter()
            try:
                ends[attempt(data)] += 1
            except Exception:
                ends["fault"] += 1
                kept = OUT.parent / f"fuzz-{kind}-{ends['fault']}"
                kept.parent.mkdir(exist_ok=True)
                kept.write_bytes(data)
                print(f"\n{kind}, {done}, kept as {kept}:\n{traceback.format_exc(limit=-4)}", flush=True)
            longest = max(longest, time.perf_counter() - started)
        faults += ends["fault"]
        figures[kind] = {**ends, "longest s": round(longest, 1), "seconds": round(time.perf_counter() - began)}
        print(f"{kind:10} {options.files} files: {figures[kind]}", flush=True)
        OUT.parent.mkdir(exist_ok=True)
        OUT.write_text(json.dumps({"files": options.files, "seed": options.seed, **figures}, indent=1))
    return int(faults > 0)


if __name__ == "__main__":
    sys.exit(main())
