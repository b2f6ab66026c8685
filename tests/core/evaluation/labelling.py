"""A reviewer as a process of its own: takes from the queue and labels until nothing is left.

``python -m tests.core.evaluation.labelling FOLDER REVIEWER ANSWERS``; prints what it labelled, a line each.
"""

from __future__ import annotations

import sys
from pathlib import Path

from core.evaluation.labels import LabelStore
from core.evaluation.labels_record import Label


def main() -> None:
    folder, reviewer, count = sys.argv[1:]
    store = LabelStore(Path(folder))
    queue = [(f"q{i}", "duquad") for i in range(int(count))]
    print("ready", flush=True)
    sys.stdin.readline()
    while answer := store.take(reviewer, queue):
        store.save(Label(question=answer[0], system=answer[1], reviewer=reviewer, verdict="wrong"))
        print(answer[0], flush=True)


if __name__ == "__main__":
    main()
