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

    fits: int | None = None
    """How many of the documents fit, the first ones first; None where that is not known."""


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
    system: str = ""
    """Who the model is asked to be; empty takes the project's own text."""

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
    scales: tuple[float, ...] = ()
    """Per document of the prompt: what attention on its tokens is multiplied by in the last half of the layers while
    the reply is written. The documents' total stays as it is. Empty leaves attention alone."""


@dataclass(frozen=True)
class Reply:
    """A reply as the model wrote it, without the opener."""

    text: str
    prompt_tokens: int
    """Tokens that were read for this reply; 0 for a prompt that was read before."""
    new_tokens: int
    page_prefills: int = 0
    """Pages that were run for this reply; a page that an earlier task of the same call had run is not counted."""
    thought: str = ""
    """What a model that thinks wrote before its reply; the reply is empty where the thought did not end."""


@dataclass(frozen=True)
class Likelihoods:
    """Mean negative log-likelihoods in nats per target token."""

    values: NDArray[np.float64]
    tokens: int
    """Tokens read, contexts and targets together, without padding."""


@dataclass(frozen=True)
class Compressed:
    """Texts of which only the telling tokens were kept."""

    spans: tuple[tuple[tuple[int, int], ...], ...]
    """Per text: [start, end) of each kept token, in order."""
    tokens: tuple[int, ...]
    """Per text: how many tokens it had."""
    read: int
    """Tokens that were run, with and without the question together."""


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

    def weigh(self, tasks: Sequence[Task], options: Sequence[Sequence[str]], stop: Stop) -> NDArray[np.float64]:
        """Log-probability that the reply begins with each option: (tasks, options), one pass and no decoding.

        An option is its spellings ("Yes", " Yes", "yes"): the probabilities of their first tokens are summed, each
        token once. Only differences between options of one task mean anything.
        """
        ...

    def count_tokens(self, what: Prompt | str) -> int:
        """Tokens of a prompt as it is run, template included, or of a text by itself."""
        ...

    def compress(
        self, question: str, texts: Sequence[tuple[str, str]], shares: Sequence[float], segment: int, stop: Stop
    ) -> Compressed:
        """The tokens of each (head, text) that the question makes least surprising; heads are kept whole.

        In segments of ``segment`` tokens: a token's score is its loss without the question minus its loss with it
        (LongLLMLingua §4.1.2), and the top ``shares`` of each segment, rounded up,
        is kept. Only what was kept stands before the next segment.

        Raises:
            PromptTooLong: what is kept does not fit the window.
        """
        ...


class Embedder(Protocol):
    """Texts to vectors."""

    name: str

    def similarities(self, query: str, texts: Sequence[str], stop: Stop) -> tuple[NDArray[np.float64], int]:
        """Cosine of the query with each text (N,), and the number of tokens read."""
        ...


class Reranker(Protocol):
    """A cross-encoder."""

    name: str

    def rerank(self, query: str, texts: Sequence[str], stop: Stop) -> tuple[NDArray[np.float64], int]:
        """Relevance of each text (N,), higher is better, and the number of tokens read."""
        ...
