"""The real pipelines over scripted models, in a thread: for tests and for working on the page."""

from __future__ import annotations

import threading

from core.backend.jobs import Pace, run_stored
from core.backend.queued import QueuedBackend
from core.models.profile import Models
from core.models.protocol import Cancelled
from core.models.scripted import scripted_models
from core.runs import RunStore


class FakeBackend(QueuedBackend):
    """A back end with no weights and no process.

    Args:
        store: where runs are kept.
        delay: seconds that each use of a model takes.
        models: other models than the scripted ones.
    """

    def __init__(self, store: RunStore, delay: float = 0.05, models: Models | None = None) -> None:
        super().__init__(store, "embedded")
        self._models = models or scripted_models(delay=delay)
        self._state, self._message = "ready", "Scripted models: answers are made from shared words, by no real model."
        self._thread = threading.Thread(target=self._work, name="fake back end", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stops the thread; what runs ends as cancelled."""
        super().close()
        self._thread.join(timeout=2)

    def _work(self) -> None:
        pace = Pace()
        while not self._closed:
            run_id = self._take()
            if run_id is None:
                with self._changed:
                    self._changed.wait_for(lambda: self._waiting or self._closed)
                continue
            self._finish(run_stored(self._store, run_id, self._models, self._stop, pace))

    def _stop(self) -> None:
        if self._closed or (self._cancelled and self._cancelled == self._running):
            raise Cancelled
