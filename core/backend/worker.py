"""The worker process: loads the models once, then carries out one run after another.

Started by ``core.backend.process`` as ``python -m core.backend.worker RUNS PROFILE CACHE LOADER``. It reads
JSON lines from its standard input (``{"run": id}``, ``{"cancel": id}``) and leaves when that closes, so it
never outlives the app. It writes JSON lines to what was its standard output: ``{"ready": facts}`` or
``{"failed": reason}``, then ``{"end": event, "run": id}`` for every run.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import sys
import threading
import traceback
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any, TextIO

from core.backend.jobs import Pace, run_stored
from core.models.profile import Models
from core.models.protocol import Cancelled, ModelError
from core.records import dumps
from core.runs import RunStore


def resolve(dotted: str) -> Any:
    """The object that ``package.module:name`` names."""
    module, name = dotted.split(":")
    return getattr(import_module(module), name)


class Worker:
    """Models, and the runs that are asked of them."""

    def __init__(self, store: RunStore, out: TextIO) -> None:
        self._store = store
        self._out = out
        self._jobs: queue.Queue[str] = queue.Queue()
        self._cancelled: set[str] = set()
        self._pace = Pace()

    def listen(self) -> None:
        """Takes messages until the app is gone, then ends the process, whatever it is doing."""
        for line in sys.stdin:
            message = json.loads(line)
            if "run" in message:
                self._jobs.put(message["run"])
            if "cancel" in message:
                self._cancelled.add(message["cancel"])
        os._exit(0)

    def load(self, loader: str, profile: str, cache: Path) -> Models | None:
        """The models; None, and a word to the app, where they cannot be loaded."""
        try:
            models: Models = resolve(loader)(profile, cache)
        except ModelError as error:
            self._say({"failed": str(error)})
        except Exception as error:
            traceback.print_exc()
            self._say({"failed": f"The models of the profile {profile!r} could not be loaded: {_brief(error)}"})
        else:
            self._say({"ready": models.facts})
            return models
        return None

    def serve(self, models: Models) -> None:
        """Carries out runs, for ever."""
        while True:
            run_id = self._jobs.get()

            def stop(run_id: str = run_id) -> None:
                if run_id in self._cancelled:
                    raise Cancelled

            end = run_stored(self._store, run_id, models, stop, self._pace)
            self._say({"run": run_id, "end": json.loads(end.model_dump_json())})

    def _say(self, message: dict[str, Any]) -> None:
        with suppress(OSError):  # the app is gone, and ``listen`` is about to notice
            self._out.write(dumps(message) + "\n")
            self._out.flush()


def _brief(error: Exception) -> str:
    return f"{type(error).__name__}: {str(error).splitlines()[0][:300] if str(error) else 'no reason given'}"


def _take_stdout() -> TextIO:
    """The pipe to the app; what libraries print goes to standard error from now on."""
    pipe = os.dup(1)
    os.dup2(2, 1)
    return os.fdopen(pipe, "w", encoding="utf-8")


def main() -> None:
    """The process, from start to end."""
    runs, profile, cache, loader = sys.argv[1:]
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; the app decides
    worker = Worker(RunStore(Path(runs)), _take_stdout())
    threading.Thread(target=worker.listen, daemon=True).start()
    models = worker.load(loader, profile, Path(cache))
    if models:
        worker.serve(models)
    sys.stderr.flush()
    os._exit(1)  # an orderly exit would wait for the thread that reads standard input


if __name__ == "__main__":
    main()
