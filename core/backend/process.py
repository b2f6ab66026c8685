"""The back end with a worker process of its own, watched and started again by a thread."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from core.backend.queued import CANCELLED, CLOSED, QueuedBackend
from core.records import Event, dumps
from core.runs import RunStore
from core.settings.limits import HEARTBEAT_SECONDS

LOADER = "core.models.load:load_models"
_KILL_AFTER = 1.5  # seconds from a cancel to the kill; leaves time to end within CANCEL_SECONDS
_LEAVE_AFTER = 1.0  # seconds that the worker gets to leave by itself
_LONGEST_PAUSE = 30.0  # seconds between two starts of a worker that keeps dying
_LOADS = 3  # starts without ever being ready before the back end gives up
_ROOT = Path(__file__).resolve().parents[2]
_QUIET = {"TRANSFORMERS_VERBOSITY": "error", "HF_HUB_DISABLE_PROGRESS_BARS": "1", "TOKENIZERS_PARALLELISM": "false"}


class _Child:
    """One worker process and the pipes to and from it."""

    def __init__(self, arguments: list[str], take: Callable[[_Child, dict[str, Any]], None]) -> None:
        path = os.pathsep.join(filter(None, [str(_ROOT), os.environ.get("PYTHONPATH")]))
        # A fresh interpreter: forking is unsafe beside threads, and multiprocessing's spawn would run
        # ``app.py``, and so import Gradio, once more inside the worker.
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-m", "core.backend.worker", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | _QUIET | {"PYTHONPATH": path},
        )
        self._take = take
        self._reader = threading.Thread(target=self._listen, name="worker pipe", daemon=True)
        self._reader.start()

    def say(self, **message: str) -> None:
        """Sends a message; a worker that is gone is noticed elsewhere."""
        if self.process.stdin:
            with suppress(OSError, ValueError):
                self.process.stdin.write(dumps(message).encode() + b"\n")
                self.process.stdin.flush()

    def leave(self) -> None:
        """Asks the process to go, and sees to it."""
        if self.process.stdin:
            with suppress(OSError):
                self.process.stdin.close()
        try:
            self.process.wait(_LEAVE_AFTER)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self._reader.join(_LEAVE_AFTER)  # what it said last is still in the pipe

    def _listen(self) -> None:
        if self.process.stdout:
            with self.process.stdout as lines:
                for line in lines:
                    with suppress(ValueError):  # a killed worker can leave half a line
                        self._take(self, json.loads(line))
        self._take(self, {})


class ProcessBackend(QueuedBackend):
    """Runs are carried out by a worker process; it is started at once and started again when it dies.

    Args:
        store: where runs are kept.
        profile: name of the profile whose models the worker loads.
        cache: folder of converted weights.
        loader: ``module:function`` that makes the models from profile and cache, inside the worker.
        reason: why this profile, for the person.
    """

    def __init__(self, store: RunStore, profile: str, cache: Path, loader: str = LOADER, reason: str = "") -> None:
        super().__init__(store, profile)
        self._why = reason
        self._arguments = [str(store.root), profile, str(cache.absolute()), loader]
        self._child: _Child | None = None
        self._mail: deque[tuple[_Child, dict[str, Any]]] = deque()
        self._kill_at = 0.0  # when the cancelled run is ended by force
        self._deaths = 0  # since the last run that was finished
        self._loads = 0  # starts since the models were ready
        self._message = f"Loading the models of the profile {profile} …"
        self._thread = threading.Thread(target=self._supervise, name="worker supervisor", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stops the worker; what runs or waits ends with an error. A second call does nothing."""
        super().close()
        self._thread.join(timeout=2 * _LEAVE_AFTER + 1)

    def _supervise(self) -> None:
        try:
            while not self._over():
                self._live()
        except Exception as error:
            traceback.print_exc()
            self._fail(f"The back end has stopped ({type(error).__name__}). Start the app again.")
        self._finish(CLOSED if self._closed else Event(kind="error", message=self._message))

    def _live(self) -> None:
        """One worker, from its start to its end."""
        self._loads += 1
        try:
            child = _Child(self._arguments, self._receive)
        except OSError as error:
            self._died(f"it could not be started ({error.strerror})")
            return
        self._child = child
        try:
            self._serve(child)
        finally:
            self._child = None
            child.leave()
        self._read_mail(child)
        if not self._over():
            self._died(_reason(child.process.returncode))

    def _serve(self, child: _Child) -> None:
        """Gives runs to the worker until it is gone, has failed to load, or the back end is closed."""
        while not self._over() and child.process.poll() is None:
            with self._changed:
                idle = self._running or not self._waiting or self._state != "ready"
                if idle and not self._mail and not self._over():
                    self._changed.wait(self._patience())
                late = self._being_cancelled() and time.monotonic() >= self._kill_at
            self._read_mail(child)
            if late and self._being_cancelled():
                child.process.kill()
                return
            if self._state == "ready" and (run_id := self._take()):
                child.say(run=run_id)

    def _read_mail(self, child: _Child) -> None:
        """Acts on what the worker has said; what an earlier one said late is dropped."""
        with self._changed:
            mail = [message for sender, message in self._mail if sender is child]
            self._mail.clear()
        for message in mail:
            if "ready" in message:
                with self._changed:
                    self._loads = 0
                    self._state, self._message = (
                        "ready",
                        " ".join(filter(None, (_described(message["ready"]), self._why))),
                    )
            elif "failed" in message:
                self._fail(message["failed"])
            elif "end" in message and message.get("run") == self._running:
                self._deaths = 0
                self._finish(Event.model_validate(message["end"]))

    def _died(self, reason: str) -> None:
        """Ends the run that was going on, and waits before the next start where one death follows another."""
        cancelled = self._being_cancelled()
        self._deaths += not cancelled
        if self._loads >= _LOADS:
            self._fail(
                f"The models cannot be loaded: the worker process ended {_LOADS} times, at last because {reason}. "
                "Free memory or choose a smaller profile, then start the app again."
            )
            return
        with self._changed:
            self._state = "restarting"
            self._message = "The worker process is starting again" + ("." if cancelled else f": {reason}.")
        ended = f"The worker process ended in the middle of this run: {reason}."
        again = Event(kind="error", message=f"{ended} It starts again by itself, and the next run works.")
        self._finish(CANCELLED if cancelled else again)
        pause = min(2.0 ** (self._deaths - 2), _LONGEST_PAUSE) if self._deaths > 1 else 0.0
        with self._changed:
            self._changed.wait_for(lambda: self._closed, timeout=pause)

    def _cancel_running(self, run_id: str) -> None:
        self._kill_at = time.monotonic() + _KILL_AFTER
        if self._child:
            self._child.say(cancel=run_id)

    def _being_cancelled(self) -> bool:
        return self._running is not None and self._running == self._cancelled

    def _over(self) -> bool:
        return self._closed or self._state == "failed"

    def _patience(self) -> float:
        if not self._being_cancelled():
            return HEARTBEAT_SECONDS
        return max(0.0, min(HEARTBEAT_SECONDS, self._kill_at - time.monotonic()))

    def _receive(self, child: _Child, message: dict[str, Any]) -> None:
        with self._changed:
            self._mail.append((child, message))
            self._changed.notify_all()


def _reason(code: int) -> str:
    """Why a process ended, in words."""
    if code == -signal.SIGKILL:
        return "it was killed (SIGKILL), most likely because memory ran out; fewer or shorter documents need less"
    if code < 0:
        with suppress(ValueError):
            return f"it was ended by {signal.Signals(-code).name}"
        return f"it was ended by signal {-code}"
    return f"it left with code {code}; the log says more"


def _described(facts: dict[str, str]) -> str:
    models = " and ".join(facts[role] for role in ("backbone", "embedder") if role in facts)
    where = ", ".join(facts[part] for part in ("device", "dtype") if part in facts)
    return f"Ready: {models}" + (f" ({where})." if where else ".")
