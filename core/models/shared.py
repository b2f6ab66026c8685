"""Models that remember: what one system of a comparison asked, another gets without asking again. No model library."""

from __future__ import annotations

import json
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from core.models.calls import credit
from core.models.profile import Models, Role
from core.models.protocol import (
    Backbone,
    Compressed,
    Embedder,
    Likelihoods,
    Prompt,
    Reading,
    Reply,
    Reranker,
    Stop,
    Task,
)
from core.settings.methods import SHARED_CACHES

T = TypeVar("T")


@dataclass
class SharedWork:
    """What did not have to be done again."""

    calls: int = 0
    tokens: int = 0
    """Tokens that were not run again."""
    seconds: float = 0.0
    """Seconds that they took the first time."""

    @property
    def counts(self) -> dict[str, float]:
        """As a record keeps it."""
        return {
            "shared_calls": float(self.calls),
            "shared_tokens": float(self.tokens),
            "shared_seconds": round(self.seconds, 4),
        }


class _Memory:
    """Results by what was asked, with the seconds that each took."""

    def __init__(self) -> None:
        self.work = SharedWork()
        self._known: dict[Hashable, tuple[Any, float]] = {}

    def recall(self, key: Hashable, ask: Callable[[], T], tokens: Callable[[T], int], keep: Callable[[T], T]) -> T:
        """What was answered before, its seconds credited to the open call; else asks, and remembers ``keep`` of it."""
        if key in self._known:
            result, seconds = self._known[key]
            self.work.calls += 1
            self.work.tokens += tokens(result)
            self.work.seconds += seconds
            credit(seconds)
            return result
        start = time.perf_counter()
        result = ask()
        self._known[key] = (keep(result), time.perf_counter() - start)
        return result


def _same(result: T) -> T:
    return result


def shared(models: Models) -> tuple[Models, SharedWork]:
    """The same models with a memory, and the account of what it saved.

    Only exactly the same question is answered from memory; replies are greedy, so they would be the same. What is
    answered so costs the asking system what it cost the first time: see ``core.models.calls.credit``.
    """
    memory = _Memory()
    backbone = _SharedBackbone(models.backbone, memory)

    def loaded(role: Role) -> Any:
        model = models.role(role)
        return _SharedReranker(model, memory) if role == "reranker" else model

    embedder = _SharedEmbedder(models.embedder, memory)
    return replace(models, backbone=backbone, embedder=embedder, role=loaded), memory.work


class _SharedBackbone:
    """See :class:`core.models.protocol.Backbone`."""

    def __init__(self, backbone: Backbone, memory: _Memory) -> None:
        self.name = backbone.name
        self._backbone = backbone
        self._memory = memory
        self._states: OrderedDict[Hashable, Any] = OrderedDict()

    def read(self, prompt: Prompt, stop: Stop, reserve: int = 0, after: Reading | None = None) -> Reading:
        """A reading; the caches of the last few that follow no other are kept, of the rest attention alone."""
        key = ("read", prompt, reserve)

        def ask() -> Reading:
            reading = self._backbone.read(prompt, stop, reserve, after if after and after.state else None)
            if after is None:
                self._states[key] = reading.state
                while len(self._states) > SHARED_CACHES:
                    self._states.popitem(last=False)
            return reading

        reading = self._memory.recall(key, ask, lambda r: r.prompt_tokens, lambda r: replace(r, state=None))
        return reading if reading.state else replace(reading, state=self._states.get(key))

    def complete(self, tasks: Sequence[Task], stop: Stop) -> list[Reply]:
        """Replies; tasks whose reading has lost its cache are read again."""
        key = ("complete", *map(_asked, tasks))
        return self._memory.recall(key, lambda: self._backbone.complete(_readable(tasks), stop), _tokens, _same)

    def likelihoods(self, pairs: Sequence[tuple[str, str]], stop: Stop) -> Likelihoods:
        """Likelihoods of exactly these pairs."""
        key = ("likelihoods", tuple(pairs))
        return self._memory.recall(key, lambda: self._backbone.likelihoods(pairs, stop), lambda r: r.tokens, _same)

    def weigh(self, tasks: Sequence[Task], options: Sequence[Sequence[str]], stop: Stop) -> NDArray[np.float64]:
        """Weights of exactly these options after exactly these prompts."""
        key = ("weigh", tuple(map(_asked, tasks)), tuple(map(tuple, options)))

        def tokens(_: NDArray[np.float64]) -> int:
            return sum(self._backbone.count_tokens(task.prompt) for task in tasks)

        return self._memory.recall(key, lambda: self._backbone.weigh(_readable(tasks), options, stop), tokens, _same)

    def count_tokens(self, what: Prompt | str) -> int:
        """Tokens; nothing is run."""
        return self._backbone.count_tokens(what)

    def compress(
        self, question: str, texts: Sequence[tuple[str, str]], shares: Sequence[float], segment: int, stop: Stop
    ) -> Compressed:
        """Compression of exactly these texts."""
        key = ("compress", question, tuple(texts), tuple(shares), segment)

        def ask() -> Compressed:
            return self._backbone.compress(question, texts, shares, segment, stop)

        return self._memory.recall(key, ask, lambda r: r.read, _same)


class _SharedEmbedder:
    """See :class:`core.models.protocol.Embedder`."""

    def __init__(self, embedder: Embedder, memory: _Memory) -> None:
        self.name = embedder.name
        self._embedder = embedder
        self._memory = memory

    def similarities(self, query: str, texts: Sequence[str], stop: Stop) -> tuple[NDArray[np.float64], int]:
        """Cosines of exactly these texts."""
        key = ("similarities", query, tuple(texts))
        return self._memory.recall(
            key, lambda: self._embedder.similarities(query, texts, stop), lambda found: found[1], _same
        )


class _SharedReranker:
    """See :class:`core.models.protocol.Reranker`."""

    def __init__(self, reranker: Reranker, memory: _Memory) -> None:
        self.name = reranker.name
        self._reranker = reranker
        self._memory = memory

    def rerank(self, query: str, texts: Sequence[str], stop: Stop) -> tuple[NDArray[np.float64], int]:
        """Relevance of exactly these texts."""
        key = ("rerank", query, tuple(texts))
        return self._memory.recall(
            key, lambda: self._reranker.rerank(query, texts, stop), lambda found: found[1], _same
        )


def _asked(task: Task) -> Hashable:
    """What decides a reply; a reading only decides how much is run for it."""
    schema = json.dumps(task.schema, sort_keys=True)
    return task.prompt, task.max_new_tokens, schema, task.scales, task.reading is not None


def _readable(tasks: Sequence[Task]) -> list[Task]:
    return [replace(task, reading=None) if task.reading and not task.reading.state else task for task in tasks]


def _tokens(replies: list[Reply]) -> int:
    return sum(reply.prompt_tokens + reply.new_tokens for reply in replies)
