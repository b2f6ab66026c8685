"""Keeps account of what the models were asked. No model library."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from core.records import Call


@dataclass
class Usage:
    """Filled in by the block that uses the model."""

    prompt_tokens: int = 0
    new_tokens: int = 0
    sequences: int = 1


class CallLog:
    """The calls of one run, in order."""

    def __init__(self) -> None:
        """Starts empty."""
        self.calls: list[Call] = []

    @contextlib.contextmanager
    def call(self, stage: str, model: str, kind: Literal["generate", "score", "embed"]) -> Iterator[Usage]:
        """Times a block and records it with what the block fills in."""
        usage = Usage()
        start = time.perf_counter()
        yield usage
        seconds = time.perf_counter() - start
        self.calls.append(Call(stage=stage, model=model, kind=kind, seconds=round(seconds, 4), **vars(usage)))
