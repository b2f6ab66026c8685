"""``python -m tests.core.evaluation.killed SET OUT SEED``: a run that is killed ten times, then left to finish.

First it runs uninterrupted, to a folder beside OUT. The interpreter is started once and forked, so that a kill costs
no start.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import time
from pathlib import Path

from tests.core.evaluation.small_sets import run

KILLS = 10


def main() -> None:
    source, out, seed = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
    chance = random.Random(seed)
    started = time.monotonic()
    run(source, out.with_name("uninterrupted")).go()  # also loads what the children need
    whole = time.monotonic() - started
    killed = 0
    while killed < KILLS:
        child = os.fork()
        if child == 0:
            run(source, out).go()
            os._exit(0)
        time.sleep(chance.uniform(0.0, 0.15 * whole))
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        killed += os.WIFSIGNALED(status)
        if not os.WIFSIGNALED(status):
            raise SystemExit("the set was finished before it was killed ten times: take a larger one")
    lines = (out / "results.jsonl").read_bytes() if (out / "results.jsonl").exists() else b""
    print(lines.count(b"\n"), "lines after the last kill")
    run(source, out).go()


if __name__ == "__main__":
    main()
