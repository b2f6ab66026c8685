"""What a method may ask of a model. Plain data across the border, so a script can stand in for a model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray


class ModelError(RuntimeError):
    """A model cannot be loaded or used. The message is for the person: what, why, what to do."""


class PromptTooLong(ModelError):
    """The prompt does not fit the model's window; the message says how many documents do."""


class Cancelled(Exception):
    """The person asked the run to stop."""


Stop = Callable[[], None]
"""Called between small steps of work; raises Cancelled when the run is to stop."""


@dataclass(frozen=True)
class Piece:
    """A stretch of the user's turn. The turn is the pieces' texts joined with nothing between them."""

    text: str
    document: int | None = None
    """Index of the document that this stretch is (title and text, without the separator)."""
    body: int = 0
    """Where the document's text begins inside this stretch, after number and title."""
    question: bool = False
    """Whether this stretch is the question's text."""


@dataclass(frozen=True)
class Prompt:
    """One user turn and the words that open the model's turn."""

    pieces: tuple[Piece, ...]
    opener: str = ""

    @property
    def content(self) -> str:
        """The user's turn as one text."""
        return "".join(piece.text for piece in self.pieces)


@dataclass(frozen=True)
class Reading:
    """A prompt that was read once, with what its last question token looked at."""

    attention: NDArray[np.float32]
    """Mean over each document's tokens: (L, H, N)."""
    token_weights: tuple[tuple[tuple[int, int, float], ...], ...]
    """Per document: (start, end, weight) of each token that lies in its text; offsets in that text."""
    prompt_tokens: int
    """Tokens that were run; what was taken over from an earlier reading is not counted."""
    state: Any = field(repr=False, default=None)
    """The model's own (KV cache), to complete from; opaque."""


@dataclass(frozen=True)
class Task:
    """One reply to be written."""

    prompt: Prompt
    max_new_tokens: int
    schema: dict[str, Any] | None = None
    """JSON schema that the reply must follow; None for one line of free text."""
    reading: Reading | None = None
    """Where the prompt was read already: the reply continues from it."""


@dataclass(frozen=True)
class Reply:
    """A reply as the model wrote it, without the opener."""

    text: str
    prompt_tokens: int
    """Tokens that were read for this reply; 0 for a prompt that was read before."""
    new_tokens: int


@dataclass(frozen=True)
class Likelihoods:
    """Mean negative log-likelihoods in nats per target token."""

    values: NDArray[np.float64]
    tokens: int
    """Tokens read, contexts and targets together, without padding."""


class Backbone(Protocol):
    """A causal language model."""

    name: str

    def read(self, prompt: Prompt, stop: Stop, reserve: int = 0, after: Reading | None = None) -> Reading:
        """One prefill; the attention of the last question token over the documents comes with it.

        Tokens at the beginning that the prompt shares with the one read in ``after`` are not run again.

        Raises:
            PromptTooLong: with ``reserve`` tokens kept for a reply it does not fit the window.
        """
        ...

    def complete(self, tasks: Sequence[Task], stop: Stop) -> list[Reply]:
        """Greedy replies, decoded together; free text ends at the first line break."""
        ...

    def likelihoods(self, pairs: Sequence[tuple[str, str]], stop: Stop) -> Likelihoods:
        """For each (context, target): mean NLL of the target's tokens after the context; raw text."""
        ...


class Embedder(Protocol):
    """Texts to vectors."""

    name: str

    def similarities(self, query: str, texts: Sequence[str], stop: Stop) -> tuple[NDArray[np.float64], int]:
        """Cosine of the query with each text (N,), and the number of tokens read."""
        ...


@dataclass(frozen=True)
class Models:
    """The models of one profile, loaded."""

    profile: str
    backbone: Backbone
    embedder: Embedder
    facts: dict[str, str]
    """For the record: backbone, embedder, device, dtype, ..."""
