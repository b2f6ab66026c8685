"""What a method may ask of a model about pages. Plain data across the border, as in ``protocol``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from core.models.protocol import Reply, Stop
from core.page_record import PageLayout


@dataclass(frozen=True)
class PageView:
    """A page as models are shown it."""

    layout: PageLayout
    picture: Path | None = None
    """The page picture; None where none could be made."""


@dataclass(frozen=True)
class PageVectors:
    """A page for late interaction."""

    vectors: NDArray[np.float32]
    """(n, dim), each of length one."""
    words: NDArray[np.int32] | None = None
    """(n,) index into the layout's words that each vector stands for, -1 for none; text encoders."""
    windows: NDArray[np.int32] | None = None
    """(n,) window of the page that each vector was computed in; the best window counts. None: one window."""
    grid: tuple[int, int] | None = None
    """(rows, columns) of patches; visual encoders. The patches' vectors are those with ``patch`` >= 0."""
    patch: NDArray[np.int32] | None = None
    """(n,) row · columns + column of each vector, -1 for vectors that are no patch."""
    sentences: NDArray[np.float32] | None = None
    """(s, dim) one vector of length one for each sentence; None where the encoder embeds none."""


@dataclass(frozen=True)
class QueryVectors:
    """A question for late interaction."""

    vectors: NDArray[np.float32]
    """(m, dim), each of length one."""
    tokens: tuple[str, ...]
    """(m) as written; empty for special and augmentation tokens, which count in the score and are not shown."""
    whole: NDArray[np.float32] | None = None
    """(dim) one vector of length one for the question, to be compared with sentences; None as there."""


class PageEncoder(Protocol):
    """Pages and questions to sets of vectors."""

    name: str
    sees: Literal["text", "image"]
    key: str
    """Names model and settings; part of the cache's address."""

    def encode_pages(self, pages: Sequence[PageView], stop: Stop) -> tuple[list[PageVectors], int]:
        """One set of vectors a page, and the number of tokens run. The result does not depend on the batch."""
        ...

    def encode_query(self, text: str) -> QueryVectors:
        """The question's vectors."""
        ...


@dataclass(frozen=True)
class PageTask:
    """One reply of a page reader."""

    parts: tuple[str | PageView, ...]
    """The user's turn: texts and pages in order. Tasks of one call that begin with the same parts share them."""
    max_new_tokens: int
    schema: dict[str, Any] | None = None
    """JSON schema that the reply must follow; None for free text."""
    opener: str = ""
    """Words that open the model's turn."""
    system: str = ""
    """Who the model is asked to be; part of what is shared."""


class PageReader(Protocol):
    """A model that reads pages: a vision model, or a text model over the pages' regions."""

    name: str
    sees: Literal["text", "image"]
    thinks: bool
    """Whether its replies begin with thoughts; they are cut at the last ``</think>``."""

    def complete(self, tasks: Sequence[PageTask], stop: Stop) -> list[Reply]:
        """Replies decoded together; parts at the beginning that tasks share are run once.

        Raises:
            PromptTooLong: a prompt and its reply do not fit the window.
        """
        ...

    def weigh(self, task: PageTask, options: Sequence[Sequence[str]], stop: Stop) -> NDArray[np.float64]:
        """As ``Backbone.weigh``, for one task: (options,)."""
        ...
