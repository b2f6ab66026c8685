"""A Hugging Face causal language model: one-row attention, likelihoods, replies decoded together."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from core.models.attention_rows import query_rows, span_means, token_weights
from core.models.compression import compress
from core.models.continued import behind_cache, fits
from core.models.decoding import decode
from core.models.likelihood import mean_nll
from core.models.prompt import Layout, first_token, lay_out, raw_ids, require_room
from core.models.protocol import Compressed, Likelihoods, ModelError, Prompt, Reading, Reply, Stop, Task
from core.models.room import RoomyCache
from core.models.scaled import scaled
from core.models.structured import SchemaDecoder
from core.settings.models import CONTINUED_TOKENS


@dataclass(frozen=True)
class ReadState:
    """A prompt that the model has read: its cache and the logits after its last token."""

    cache: Any
    """Keys and values of every token, batch of one."""
    ids: tuple[int, ...]
    logits: torch.Tensor
    """(vocabulary,)"""

    @property
    def length(self) -> int:
        """How many tokens were read."""
        return len(self.ids)

    @property
    def position(self) -> int:
        """Place of the next token, as the model counts places."""
        return len(self.ids)


class CausalBackbone:
    """Wraps a loaded model and its tokenizer; see :class:`core.models.protocol.Backbone`."""

    def __init__(self, model: Any, tokenizer: Any, name: str) -> None:
        """Takes a model in evaluation mode and its fast tokenizer.

        Raises:
            ModelError: the tokenizer gives no offsets.
        """
        if not tokenizer.is_fast:
            raise ModelError(f"{name} has no fast tokenizer, so documents cannot be found in its prompt.")
        self.name = name
        self.model = model
        self.tokenizer = tokenizer
        self.window = int(getattr(model.config.get_text_config(), "max_position_embeddings", 2**31))
        self._schemas: SchemaDecoder | None = None
        self._stop: Stop = _never
        base = model.base_model
        for layer in getattr(base, "layers", getattr(base, "h", ())):
            # A prefill takes seconds; between layers is where it can be stopped.
            layer.register_forward_pre_hook(lambda *_: self._stop())

    def read(self, prompt: Prompt, stop: Stop, reserve: int = 0, after: Reading | None = None) -> Reading:
        """One prefill with the attention row of the question's last token (DuQUAD App. J).

        All tokens before it go through the fast kernel, that one token through eager attention, the rest of
        the prompt through the fast kernel again: O(L·H·T) memory, and the cache serves the reply as well.
        What the prompt shares with the one of ``after`` is taken over from its cache, which stays as it is.

        Raises:
            PromptTooLong: with ``reserve`` tokens kept for the reply it does not fit the window.
        """
        layout = lay_out(self.tokenizer, prompt)
        require_room(layout, self.window, reserve)
        if layout.question_last is None or not layout.documents:
            raise ModelError("A prompt without documents or without a question has no attention profile.")
        ids = self._tensor(layout.ids)
        q = layout.question_last
        with self._working(stop):
            cache, known = _taken_over(after.state if after else None, layout.ids[:q], len(layout.ids))
            if known < q:
                self._behind(ids[:, known:q], known, cache)
            with self._eager():
                out = self._forward(ids[:, q : q + 1], cache, output_attentions=True)
            if q + 1 < ids.shape[1]:
                out_rest = self._forward(ids[:, q + 1 :], cache)
        last = out_rest if q + 1 < ids.shape[1] else out
        rows = query_rows(out.attentions)  # (L, H, q+1)
        return Reading(
            attention=span_means(rows, layout),
            token_weights=token_weights(rows.mean(axis=(0, 1)), layout),
            prompt_tokens=len(layout.ids) - known,
            state=ReadState(cache, layout.ids, last.logits[0, -1]),
        )

    def complete(self, tasks: Sequence[Task], stop: Stop) -> list[Reply]:
        """Greedy replies, decoded together; free text ends at its first line break.

        Raises:
            PromptTooLong: a prompt and its reply do not fit the window.
        """
        with self._working(stop):
            states = [task.reading.state if task.reading else self._prefill(task) for task in tasks]
            matchers = [self._matcher(task) for task in tasks]
            limits = [task.max_new_tokens for task in tasks]
            with scaled(self, tasks, states) as starts:
                written = decode(self, starts, limits, matchers, stop)
        return [
            Reply(
                text=self.tokenizer.decode(ids, skip_special_tokens=True).strip(),
                prompt_tokens=0 if task.reading else state.length,
                new_tokens=len(ids),
            )
            for task, state, ids in zip(tasks, states, written, strict=True)
        ]

    def likelihoods(self, pairs: Sequence[tuple[str, str]], stop: Stop) -> Likelihoods:
        """Mean NLL of each target's tokens after its context; see :func:`core.models.likelihood.mean_nll`."""
        with self._working(stop):
            return mean_nll(self.model, self.tokenizer, pairs, self.window)

    def weigh(self, tasks: Sequence[Task], options: Sequence[Sequence[str]], stop: Stop) -> np.ndarray:
        """Log-probability of each option as the reply's beginning; see :class:`core.models.protocol.Backbone`."""
        firsts = [sorted({first_token(self.tokenizer, spelling) for spelling in option}) for option in options]
        with self._working(stop):
            states = [task.reading.state if task.reading else self._prefill(task) for task in tasks]
            logs = torch.stack([state.logits.float() for state in states]).log_softmax(dim=-1)  # (tasks, vocabulary)
            return torch.stack([logs[:, ids].logsumexp(dim=1) for ids in firsts], dim=1).cpu().numpy().astype(float)

    def count_tokens(self, what: Prompt | str) -> int:
        """Tokens of a prompt as it is run, or of a text by itself."""
        laid = (
            raw_ids(self.tokenizer, what, start=False) if isinstance(what, str) else lay_out(self.tokenizer, what).ids
        )
        return len(laid)

    def compress(
        self, question: str, texts: Sequence[tuple[str, str]], shares: Sequence[float], segment: int, stop: Stop
    ) -> Compressed:
        """The telling tokens of each text; see :class:`core.models.protocol.Backbone`."""
        with self._working(stop):
            return compress(self.model, self.tokenizer, question, texts, shares, segment, self.window)

    @property
    def schemas(self) -> SchemaDecoder:
        """The schema decoder, made at its first use."""
        if self._schemas is None:
            width = self.model.get_output_embeddings().weight.shape[0]
            self._schemas = SchemaDecoder(self.tokenizer, width)
        return self._schemas

    def _matcher(self, task: Task) -> Any:
        return self.schemas.matcher(task.schema) if task.schema else None

    def _prefill(self, task: Task) -> ReadState:
        layout = lay_out(self.tokenizer, task.prompt)
        require_room(layout, self.window, task.max_new_tokens)
        cache = RoomyCache(len(layout.ids))
        out = self._forward(self._tensor(layout.ids), cache)
        return ReadState(cache, layout.ids, out.logits[0, -1])

    def continued(self, layout: Layout, after: ReadState | None, stop: Stop) -> tuple[ReadState, int]:
        """A prompt read behind what it shares with one that was read before, and the number of shared tokens.

        The state of ``after`` stays as it is. At least the last token is run: its logits are needed.
        """
        with self._working(stop):
            cache, known = _taken_over(after, layout.ids[:-1], len(layout.ids))
            out = self._behind(self._tensor(layout.ids[known:]), known, cache)
        return ReadState(cache, layout.ids, out.logits[0, -1]), known

    def write(
        self, states: Sequence[ReadState], limits: Sequence[int], schemas: Sequence[dict[str, Any] | None], stop: Stop
    ) -> list[list[int]]:
        """Token ids of the replies to prompts that were read; free text may have many lines."""
        matchers = [self.schemas.matcher(schema) if schema else None for schema in schemas]
        with self._working(stop):
            return decode(self, states, limits, matchers, stop, one_line=False)

    def _behind(self, ids: torch.Tensor, known: int, cache: Any) -> Any:
        """Runs the tokens (1, T), at least one, behind the ``known`` ones of the cache; the last output."""
        if not known or self.model.device.type != "cpu":
            return self._forward(ids, cache)
        if fits(self.model):
            with behind_cache(self.model):
                return self._forward(ids, cache)
        # The kernel computes what the mask hides as well, and that grows with the part.
        *parts, last = ids.split(CONTINUED_TOKENS, dim=1)
        for part in parts:
            self._forward(part, cache)
        return self._forward(last, cache)

    def _forward(self, ids: torch.Tensor, cache: Any, **options: Any) -> Any:
        # Logits of every prompt position would need T x vocabulary floats.
        return self.model(input_ids=ids, cache=cache, use_cache=True, logits_to_keep=1, **options)

    def _tensor(self, ids: Sequence[int]) -> torch.Tensor:
        return torch.tensor([list(ids)], device=self.model.device)  # (1, T)

    @contextlib.contextmanager
    def _working(self, stop: Stop) -> Iterator[None]:
        self._stop = stop
        try:
            with torch.inference_mode():
                yield
        finally:
            self._stop = _never

    @contextlib.contextmanager
    def _eager(self) -> Iterator[None]:
        fast = self.model.config._attn_implementation
        self.model.set_attn_implementation("eager")
        try:
            yield
        finally:
            self.model.set_attn_implementation(fast)


def _taken_over(after: ReadState | None, ids: Sequence[int], room: int) -> tuple[RoomyCache, int]:
    """A cache, with room for so many, of the tokens at the beginning of ``ids`` that were read before; their number."""
    cache = RoomyCache(room)
    if after is None:
        return cache, 0
    pairs = zip(ids, after.ids, strict=False)
    known = sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], pairs))
    if known:
        for index, layer in enumerate(after.cache.layers):
            cache.update(layer.keys[:, :, :known], layer.values[:, :, :known], index)
    return cache, known


def _never() -> None:
    return None
