"""A process that answers a set's questions with models of its own; it is not the page's worker.

Started by ``core.evaluation.process_engine`` as ``python -m core.evaluation.answerer PROFILE CACHE LOADER``. It reads a
``Job`` a line from standard input and leaves when that closes. It writes JSON lines to what was its standard output:
``{"ready": facts}`` or ``{"failed": reason}``, then an ``Outcome`` for every job.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import traceback
from pathlib import Path
from queue import Queue
from typing import TextIO

from core.backend.worker import resolve
from core.evaluation.engines import Job
from core.evaluation.local_engine import answered
from core.models.profile import Models
from core.models.protocol import ModelError
from core.records import dumps


def load(loader: str, profile: str, cache: Path) -> Models:
    """The models. Raises ModelError, whatever went wrong."""
    try:
        models: Models = resolve(loader)(profile, cache)
    except ModelError:
        raise
    except Exception as error:
        traceback.print_exc()
        reason = str(error).splitlines()[0][:300] if str(error) else type(error).__name__
        raise ModelError(f"The models of the profile {profile!r} could not be loaded: {reason}") from error
    return models


def main() -> None:
    """The process, from start to end."""
    profile, cache, loader = sys.argv[1:]
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; the runner decides
    out = _take_stdout()
    jobs: Queue[str] = Queue()
    threading.Thread(target=_listen, args=(jobs,), daemon=True).start()
    try:
        models = load(loader, profile, Path(cache))
    except ModelError as error:
        _say(out, dumps({"failed": str(error)}))
        sys.stderr.flush()
        os._exit(1)
    _say(out, dumps({"ready": models.facts}))
    while True:
        job = Job.model_validate_json(jobs.get())
        _say(out, answered(job, models, lambda: None).model_dump_json(by_alias=True, exclude_none=True))


def _listen(jobs: Queue[str]) -> None:
    """Takes jobs until the runner is gone, then ends the process, whatever it is doing."""
    for line in sys.stdin:
        jobs.put(line)
    os._exit(0)


def _take_stdout() -> TextIO:
    """The pipe to the runner; what libraries print goes to standard error from now on."""
    pipe = os.dup(1)
    os.dup2(2, 1)
    return os.fdopen(pipe, "w", encoding="utf-8")


def _say(out: TextIO, line: str) -> None:
    try:
        out.write(line + "\n")
        out.flush()
    except OSError:
        os._exit(0)  # the runner is gone


if __name__ == "__main__":
    main()
