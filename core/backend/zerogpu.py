"""The back end of a ZeroGPU Space: a GPU is lent to one decorated function at a time, in a process that it forks.

``spaces`` must be imported before anything that touches CUDA, and the models must lie on ``cuda`` before the page
is launched; ``app.py`` sees to the first, ``ZeroGpuBackend`` to the second. What crosses the border is a run id on
the way in and events as JSON on the way out: records go through the run folder. A run's caches live on the GPU and
cannot cross, so the border is drawn around what shares them: the work on documents, on a sweep, on a PDF. A PDF's
pages are drawn and read before a GPU is asked for.
"""

from __future__ import annotations

import contextvars
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import spaces

from core.backend.jobs import Pace, job_events
from core.backend.process import LOADER
from core.backend.queued import CANCELLED, CLOSED, QueuedBackend
from core.backend.worker import resolve
from core.ingest.page_store import PageStore
from core.ingest.pdf import read_pages
from core.models.profile import Models
from core.models.protocol import Cancelled
from core.records import Event, RecordError, Request
from core.runs import NoSuchRun, RunStore, StorageError
from core.settings.profiles import ZERO_GPU_SECONDS
from core.systems import SYSTEMS

_LOOK_SECONDS = 0.1  # between two looks for a cancel from inside the fork
_TELL_PAGES = 5  # pages between two events
_CANCEL = "cancel"  # file in the run folder: the fork shares the disk, not the memory

Stage = Callable[[str, str], Iterator[dict[str, Any]]]
"""(folder of runs, run id) → events."""

_models: Models | None = None
"""Packed by ``spaces`` at launch, so it must be reachable from the decorated functions without crossing the border."""


def documents_seconds(runs: str, run_id: str) -> int:
    """GPU time to ask for: it grows with the documents' characters and with the number of systems."""
    request = RunStore(Path(runs)).request(run_id)
    chars = sum(len(document.text) + len(document.title) for document in request.documents)
    systems = max(len(getattr(request, "systems", ())), 1)
    return _bounded(ZERO_GPU_SECONDS.base + ZERO_GPU_SECONDS.per_kilochar * chars / 1000 * systems)


def sweep_seconds(runs: str, run_id: str) -> int:
    """GPU time to ask for: as for documents, once a place."""
    request = RunStore(Path(runs)).request(run_id)
    chars = sum(len(document.text) + len(document.title) for document in request.documents)
    places = len(request.sweep.places) or len(request.documents)
    return _bounded(ZERO_GPU_SECONDS.base + ZERO_GPU_SECONDS.per_kilochar * chars / 1000 * places / 2)


def pdf_seconds(runs: str, run_id: str) -> int:
    """GPU time to ask for: every page is encoded, every candidate is read twice."""
    request = RunStore(Path(runs)).request(run_id)
    candidates = request.settings.pdf.top_k * (1 + 2 * request.settings.pdf.neighbours)
    pages = _pages(request)
    return _bounded(
        ZERO_GPU_SECONDS.base + ZERO_GPU_SECONDS.per_page * pages + ZERO_GPU_SECONDS.per_candidate * candidates
    )


def _lent(seconds: Callable[[str, str], int]) -> Callable[[Stage], Stage]:
    """A GPU for as long as the stage says that it needs."""
    decorate: Callable[[Stage], Stage] = spaces.GPU(duration=seconds)
    return decorate


@_lent(documents_seconds)
def documents_stage(runs: str, run_id: str) -> Iterator[dict[str, Any]]:
    """Runs over documents, as events."""
    yield from _events(runs, run_id)


@_lent(sweep_seconds)
def sweep_stage(runs: str, run_id: str) -> Iterator[dict[str, Any]]:
    """Position sweeps, as events."""
    yield from _events(runs, run_id)


@_lent(pdf_seconds)
def pdf_stage(runs: str, run_id: str) -> Iterator[dict[str, Any]]:
    """Runs over a PDF, as events."""
    yield from _events(runs, run_id)


STAGES: dict[str, Stage] = {
    "documents": documents_stage,
    "compare": documents_stage,
    "sweep": sweep_stage,
    "pdf": pdf_stage,
}


class ZeroGpuBackend(QueuedBackend):
    """Runs are carried out one after another, each in a function that a GPU is lent to.

    Args:
        store: where runs are kept.
        profile: name of the profile whose models are loaded, here and now.
        cache: folder of converted weights.
        loader: ``module:function`` that makes the models from profile and cache.
    """

    def __init__(self, store: RunStore, profile: str, cache: Path, loader: str = LOADER) -> None:
        """Loads the models; raises ModelError."""
        global _models
        super().__init__(store, profile)
        _models = resolve(loader)(profile, cache)
        self._contexts: dict[str, contextvars.Context] = {}
        self._state = "ready"
        self._message = (
            f"Ready: {_models.facts.get('backbone', profile)} on ZeroGPU; each run asks for a GPU of its own."
        )
        self._thread = threading.Thread(target=self._work, name="ZeroGPU back end", daemon=True)
        self._thread.start()

    def submit(self, request: Request, *arguments: Any, **options: Any) -> str:
        """See ``Backend.submit``."""
        # The visitor's own GPU quota is found through the request that is being handled.
        context = contextvars.copy_context()
        run_id = super().submit(request, *arguments, **options)
        self._contexts[run_id] = context
        return run_id

    def close(self) -> None:
        """Stops taking runs; the one on the GPU is asked to stop."""
        running = self._running
        super().close()
        if running:
            self._cancel_running(running)
        self._thread.join(timeout=2)

    def _work(self) -> None:
        while not self._closed:
            run_id = self._take()
            if run_id is None:
                with self._changed:
                    self._changed.wait_for(lambda: self._waiting or self._closed, timeout=1)
                continue
            context = self._contexts.pop(run_id, None) or contextvars.copy_context()
            self._finish(context.run(self._carry_out, run_id))

    def _carry_out(self, run_id: str) -> Event:
        end: Event | None = None
        try:
            request = self._store.request(run_id)
            _prepare(request, self._store, run_id)
            for event in STAGES[SYSTEMS[request.system].kind](str(self._store.root), run_id):
                end = Event.model_validate(event)
        except Cancelled:
            return CANCELLED
        except (RecordError, StorageError, NoSuchRun) as error:
            return Event(kind="error", message=str(error))
        except Exception as error:
            # Quota, no GPU to be had, the fork died: spaces says it in an error of Gradio's, or by a class name.
            traceback.print_exc(file=sys.stderr)
            return Event(kind="error", message=_lent_nothing(error))
        if end is None or not end.final:
            return CLOSED if self._closed else Event(kind="error", message=_lent_nothing(None))
        return end

    def _cancel_running(self, run_id: str) -> None:
        with suppress(OSError):
            (self._store.root / run_id / _CANCEL).touch()


def _events(runs: str, run_id: str) -> Iterator[dict[str, Any]]:
    """Inside the fork: the run's events as plain data. Nothing is raised across the border."""
    store = RunStore(Path(runs))
    assert _models is not None
    for event in job_events(store, run_id, store.request(run_id), _models, _stopper(store, run_id), Pace()):
        yield event.model_dump(mode="json")


def _stopper(store: RunStore, run_id: str) -> Callable[[], None]:
    """Raises Cancelled once the cancel file is there; the disk is asked ten times a second at most."""
    mark, looked = store.root / run_id / _CANCEL, 0.0

    def stop() -> None:
        nonlocal looked
        now = time.monotonic()
        if now - looked >= _LOOK_SECONDS:
            looked = now
            if mark.exists():
                raise Cancelled

    return stop


def _pages(request: Request) -> int:
    source = PageStore(_cache()).source(request.pdf.sha256) if request.pdf else None
    return source.pages if source else 1


def _cache() -> Path:
    return _models.cache if _models else Models.cache


def _prepare(request: Request, store: RunStore, run_id: str) -> None:
    """Draws and reads a PDF's pages, which needs no GPU, before one is asked for."""
    if request.pdf is None:
        return
    stop, pages = _stopper(store, run_id), _pages(request)
    for done, _ in enumerate(read_pages(request.pdf.sha256, PageStore(_cache()), request.settings.pdf, stop), start=1):
        if done % _TELL_PAGES == 0:
            store.append(run_id, Event(kind="stage", stage="ingest", message=f"Reading page {done} of {pages}"))


def _bounded(seconds: float) -> int:
    return round(min(max(seconds, ZERO_GPU_SECONDS.least), ZERO_GPU_SECONDS.most))


def _lent_nothing(error: Exception | None) -> str:
    said = (str(getattr(error, "message", "") or error) if error else "").strip().rstrip(".")
    because = f": {said[:300]}" if said else ""
    return (
        f"ZeroGPU ended this run{because}. The GPU time of a day is limited and a run may be stopped when it takes "
        "longer than was asked for: try fewer or shorter documents, or later; recorded runs open without a GPU."
    )
