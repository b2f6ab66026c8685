"""What a method may ask of a model. Plain data across the border, so a script can stand in for a model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from core.page_record import PageLayout


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


class Reranker(Protocol):
    """A cross-encoder."""

    name: str

    def rerank(self, query: str, texts: Sequence[str], stop: Stop) -> tuple[NDArray[np.float64], int]:
        """Relevance of each text (N,), higher is better, and the number of tokens read."""
        ...


Role = Literal["page_encoder", "reader", "thinking_reader", "reranker"]


class _RoleLoader(Protocol):
    def __call__(self, role: Role) -> Any: ...


def _none(role: Role) -> Any:
    raise ModelError(f"These models have no {role.replace('_', ' ')}.")


@dataclass(frozen=True)
class Models:
    """The models of one profile, loaded; those of the page roles are loaded when they are first asked for."""

    profile: str
    backbone: Backbone
    embedder: Embedder
    facts: dict[str, str]
    """For the record: backbone, embedder, device, dtype, ..."""
    cache: Path = Path("~/.cache/w-lens")
    """Folder of the page store and of page embeddings."""
    role: _RoleLoader = field(repr=False, default=_none)
    """Loads the model of a role at its first use, and gives the same one afterwards.

    Raises:
        ModelError: there is none in this profile, or it cannot be had here; the message says which, why, what to do.
    """

    def page_encoder(self) -> PageEncoder:
        """The model of pages and questions for late interaction. Raises ModelError."""
        found: PageEncoder = self.role("page_encoder")
        return found

    def reader(self, thinking: bool = False) -> PageReader:
        """The model that reads pages. Raises ModelError."""
        found: PageReader = self.role("thinking_reader" if thinking else "reader")
        return found

    def reranker(self) -> Reranker:
        """The cross-encoder. Raises ModelError."""
        found: Reranker = self.role("reranker")
        return found
