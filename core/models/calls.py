"""Keeps account of what the models were asked. No model library."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Literal

from core.records import Call


@dataclass
class Usage:
    """Filled in by the block that uses the model."""

    prompt_tokens: int = 0
    new_tokens: int = 0
    sequences: int = 1
    shared_seconds: float = 0.0
    """Seconds of work that was done before and is used again; see ``credit``."""


_open: ContextVar[Usage | None] = ContextVar("open call", default=None)


def credit(seconds: float) -> None:
    """Counts seconds that were spent earlier towards the call that is being timed, so that it does not look cheap."""
    usage = _open.get()
    if usage:
        usage.shared_seconds += seconds


class CallLog:
    """The calls of one run, in order."""

    def __init__(self) -> None:
        """Starts empty."""
        self.calls: list[Call] = []

    @contextlib.contextmanager
    def call(self, stage: str, model: str, kind: Literal["generate", "score", "embed"]) -> Iterator[Usage]:
        """Times a block and records it with what the block fills in."""
        usage = Usage()
        token = _open.set(usage)
        start = time.perf_counter()
        try:
            yield usage
        finally:
            _open.reset(token)
        seconds = time.perf_counter() - start + usage.shared_seconds
        self.calls.append(
            Call(
                stage=stage,
                model=model,
                kind=kind,
                sequences=usage.sequences,
                prompt_tokens=usage.prompt_tokens,
                new_tokens=usage.new_tokens,
                seconds=round(seconds, 4),
                shared_seconds=round(usage.shared_seconds, 4) or None,
            )
        )
