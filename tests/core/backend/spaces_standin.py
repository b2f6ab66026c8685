"""Stands in for the package ``spaces``: each decorated call runs in a forked process, values cross by pickle.

What the real one does and this does too: durations are asked for with the call's own arguments, before the fork;
globals changed inside are lost; an exception reaches the caller as its class name; a process that dies aborts.
"""

from __future__ import annotations

import multiprocessing
import pickle
from collections.abc import Callable, Iterator
from typing import Any

CONTEXT = multiprocessing.get_context("fork")
asked: list[float] = []
"""Seconds that the calls asked for."""


class WorkerError(Exception):
    """As ``spaces`` raises for what went wrong inside."""


def GPU(duration: Callable[..., float]) -> Callable[[Callable[..., Iterator[Any]]], Callable[..., Iterator[Any]]]:
    def decorate(task: Callable[..., Iterator[Any]]) -> Callable[..., Iterator[Any]]:
        def lent(*args: Any) -> Iterator[Any]:
            asked.append(duration(*args))
            here, there = CONTEXT.Pipe(duplex=False)
            process = CONTEXT.Process(target=_inside, args=(task, pickle.dumps(args), there), daemon=True)
            process.start()
            there.close()
            try:
                yield from _received(here)
            finally:
                process.join(timeout=5)

        return lent

    return decorate


def _inside(task: Callable[..., Iterator[Any]], args: bytes, there: Any) -> None:
    try:
        for value in task(*pickle.loads(args)):
            there.send_bytes(pickle.dumps(("value", value)))
        there.send_bytes(pickle.dumps(("end", None)))
    except Exception as error:
        there.send_bytes(pickle.dumps(("error", type(error).__name__)))


def _received(here: Any) -> Iterator[Any]:
    while True:
        try:
            kind, value = pickle.loads(here.recv_bytes())
        except EOFError:
            raise WorkerError("GPU task aborted") from None
        if kind == "end":
            return
        if kind == "error":
            raise WorkerError(value)
        yield value
