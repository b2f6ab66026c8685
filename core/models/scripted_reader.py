"""A scripted reader of pages: no weights, the same interface, the same reply every time."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np

from core.models.page_protocol import PageTask, PageView
from core.models.protocol import Piece, Prompt, Reply, Stop, Task
from core.models.scripted_calls import Calls, Scripted

_QUESTION = re.compile(r"(?<=Question: )[^\n]+")


class ScriptedPageReader(Scripted):
    """Gives its replies one per task; when they are used up, ``otherwise`` makes them.

    Args:
        otherwise: makes a reply to a task over the pages' texts.
        replies: exact replies; those of a model that thinks are cut at the last ``</think>`` as real ones are.
        delay: seconds per call.
        calls: a list to record calls in, to share with other models.
        sees: whether it goes for a vision model.
        thinks: whether its replies begin with thoughts.
    """

    name = "scripted-reader"

    def __init__(
        self,
        otherwise: Callable[[Task], str],
        replies: Sequence[str] = (),
        delay: float = 0.0,
        calls: Calls | None = None,
        sees: Literal["text", "image"] = "text",
        thinks: bool = False,
    ) -> None:
        super().__init__(calls, delay)
        self.sees = sees
        self.thinks = thinks
        self._otherwise = otherwise
        self._replies = list(replies)

    def complete(self, tasks: Sequence[PageTask], stop: Stop) -> list[Reply]:
        """The replies, with the pages counted that no earlier task of the call had at the same place."""
        self._took("read_pages", tuple(tasks), stop)
        known: set[tuple[object, ...]] = set()
        replies = []
        for task in tasks:
            begun = [self._key(task, end) for end, part in enumerate(task.parts, 1) if isinstance(part, PageView)]
            replies.append(self._reply(task, sum(key not in known for key in begun)))
            known.update(begun)
        return replies

    def weigh(self, task: PageTask, options: Sequence[Sequence[str]], stop: Stop) -> np.ndarray:
        """The first option three times as likely as all others together."""
        self._took("weigh_pages", (task, tuple(map(tuple, options))), stop)
        rest = 0.25 / max(len(options) - 1, 1)
        return np.log(np.array([0.75, *[rest] * (len(options) - 1)]))

    def _reply(self, task: PageTask, page_prefills: int) -> Reply:
        said = self._replies.pop(0) if self._replies else self._otherwise(as_task(task))
        thought, ended, text = said.rpartition("</think>") if self.thinks else ("", "</think>", said)
        if not ended:
            thought, text = text, ""
        read = sum(len(piece.text.split()) for piece in as_task(task).prompt.pieces)
        return Reply(text.strip(), read, min(len(said.split()), task.max_new_tokens), page_prefills, thought)

    def _key(self, task: PageTask, end: int) -> tuple[object, ...]:
        parts = task.parts[:end]
        return (task.system, *(part.layout.page if isinstance(part, PageView) else part for part in parts))


def as_task(task: PageTask) -> Task:
    """The task over the pages' texts, with its question marked."""
    pieces: list[Piece] = []
    for part in task.parts:
        if isinstance(part, PageView):
            pieces.append(Piece(part.layout.text, document=len(pieces)))
        elif found := _QUESTION.search(part):
            pieces += [Piece(part[: found.start()]), Piece(found[0], question=True), Piece(part[found.end() :])]
        else:
            pieces.append(Piece(part))
    return Task(Prompt(tuple(pieces), task.opener, task.system), task.max_new_tokens, task.schema)
