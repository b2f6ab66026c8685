"""Reads pages by their pictures, with any vision model that transformers loads as image-text-to-text."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
import torch
from numpy.typing import NDArray
from transformers import AutoModelForImageTextToText, AutoProcessor, DynamicCache

from core.models.decoding import decode
from core.models.loading import loading, short_name
from core.models.memory import give_back
from core.models.page_prompt import PagePrompt, PagePrompts
from core.models.page_protocol import PageTask
from core.models.prompt import first_token
from core.models.protocol import ModelError, PromptTooLong, Reply, Stop
from core.models.structured import SchemaDecoder
from core.models.weights import locate

_END_OF_THOUGHT = "</think>"


@dataclass(frozen=True)
class PageState:
    """A prompt with pictures that was read: its cache and the logits after its last token."""

    cache: Any
    prompt: PagePrompt
    logits: torch.Tensor
    """(vocabulary,)"""
    shift: int
    """What is added to a token's number for its place: a picture may take fewer places than tokens (M-RoPE)."""

    @property
    def length(self) -> int:
        """How many tokens were read."""
        return len(self.prompt.ids)

    @property
    def position(self) -> int:
        """Place of the next token, as the model counts places."""
        return self.length + self.shift


class ImagePageReader:
    """Wraps a loaded vision model and its processor; see :class:`core.models.page_protocol.PageReader`."""

    sees: Literal["text", "image"] = "image"

    def __init__(self, model: Any, processor: Any, name: str) -> None:
        """Takes a model in evaluation mode and its processor."""
        self.name = name
        self.model = model
        self.tokenizer = processor.tokenizer
        self.window = int(getattr(model.config.get_text_config(), "max_position_embeddings", 2**31))
        self._prompts = PagePrompts(processor)
        # Some templates open the thought themselves, others leave it to the model.
        self.thinks = self._prompts.opening.rstrip().endswith("<think>") or "thinking" in name.lower()
        self._schemas: SchemaDecoder | None = None
        self._stop: Stop = _never
        for layer in getattr(model.get_decoder(), "layers", ()):
            layer.register_forward_pre_hook(lambda *_: self._stop())

    @property
    def schemas(self) -> SchemaDecoder:
        """The schema decoder, made at its first use."""
        if self._schemas is None:
            self._schemas = SchemaDecoder(self.tokenizer, self.model.get_output_embeddings().weight.shape[0])
        return self._schemas

    def complete(self, tasks: Sequence[PageTask], stop: Stop) -> list[Reply]:
        """Replies decoded together; pictures that tasks share at their beginning are encoded once.

        Where memory runs out, the tasks are done in two halves, once.

        Raises:
            PromptTooLong: a prompt and its reply do not fit the window.
            ModelError: memory is too short for half of them as well.
        """
        try:
            return self._completed(tasks, stop)
        except torch.OutOfMemoryError:
            pass  # outside the handler, whose traceback holds the tensors
        give_back()
        middle = _middle(tasks)
        try:
            return [*self._completed(tasks[:middle], stop), *(self._completed(tasks[middle:], stop) if middle else [])]
        except torch.OutOfMemoryError:
            raise ModelError(f"There is not enough memory for {self.name} and its pages. Take fewer pages.") from None

    def weigh(self, task: PageTask, options: Sequence[Sequence[str]], stop: Stop) -> NDArray[np.float64]:
        """Log-probability of each option as the reply's beginning: (options,). Raises PromptTooLong."""
        with self._working(stop):
            state, _ = self._read(self._prompt(task), [])
            logs = state.logits.float().log_softmax(dim=-1)  # (vocabulary,)
        firsts = [sorted({first_token(self.tokenizer, spelling) for spelling in option}) for option in options]
        return np.array([float(logs[ids].logsumexp(dim=0)) for ids in firsts], dtype=np.float64)

    def _completed(self, tasks: Sequence[PageTask], stop: Stop) -> list[Reply]:
        if not tasks:
            return []
        states: list[PageState] = []
        known: list[int] = []
        with self._working(stop):
            for task in tasks:
                state, shared = self._read(self._prompt(task), states)
                states.append(state)
                known.append(shared)
            matchers = [self.schemas.matcher(task.schema) if task.schema else None for task in tasks]
            limits = [task.max_new_tokens for task in tasks]
            written = decode(self, states, limits, matchers, stop, one_line=False)
        return [self._reply(ids, state, shared) for ids, state, shared in zip(written, states, known, strict=True)]

    def _reply(self, ids: list[int], state: PageState, shared: int) -> Reply:
        # The end of a thought may be a special token, which must not be lost.
        said = self.tokenizer.decode(ids, skip_special_tokens=not self.thinks)
        thought, ended, text = said.rpartition(_END_OF_THOUGHT) if self.thinks else ("", _END_OF_THOUGHT, said)
        if not ended:
            thought, text = text, ""
        pages = 0 if shared else state.prompt.pages
        return Reply(text.strip(), state.length - shared, len(ids), pages, thought.strip())

    def _prompt(self, task: PageTask) -> PagePrompt:
        prompt = self._prompts.prepared(task)
        room = self.window - task.max_new_tokens
        if len(prompt.ids) > room:
            raise PromptTooLong(
                f"The prompt has {len(prompt.ids):,} tokens with its {prompt.pages} pages, but {self.name} reads "
                f"{self.window:,} at most ({task.max_new_tokens:,} kept free). Take fewer pages."
            )
        return prompt

    def _read(self, prompt: PagePrompt, states: Sequence[PageState]) -> tuple[PageState, int]:
        """The prompt read, behind what it shares with one of the states; and the number of shared tokens."""
        before, known = _closest(prompt, states)
        ids = torch.tensor([prompt.ids[known:]], device=self.model.device)  # (1, T)
        cache = DynamicCache()
        if before is None:
            self._forget()
            out = self._forward(ids, cache, **self._pictures(prompt))
            return PageState(cache, prompt, out.logits[0, -1], self._shift()), 0
        for index, layer in enumerate(before.cache.layers):
            cache.update(layer.keys[:, :, :known], layer.values[:, :, :known], index)
        places = torch.arange(known, len(prompt.ids), device=self.model.device)[None] + before.shift  # (1, T)
        out = self._forward(ids, cache, position_ids=places)
        return PageState(cache, prompt, out.logits[0, -1], before.shift), known

    def _pictures(self, prompt: PagePrompt) -> dict[str, Any]:
        model = self.model
        return {
            name: value.to(model.device, model.dtype if value.is_floating_point() else None)
            for name, value in prompt.pictures.items()
        }

    def _forward(self, ids: torch.Tensor, cache: Any, **more: Any) -> Any:
        return self.model(input_ids=ids, cache=cache, use_cache=True, logits_to_keep=1, **more)

    def _forget(self) -> None:
        # A model with M-RoPE keeps the shift of the prompt before; a prompt without pictures would inherit it.
        if hasattr(self.model.model, "rope_deltas"):
            self.model.model.rope_deltas = None

    def _shift(self) -> int:
        deltas = getattr(self.model.model, "rope_deltas", None)
        return 0 if deltas is None else int(deltas.reshape(-1)[0])

    @contextlib.contextmanager
    def _working(self, stop: Stop) -> Iterator[None]:
        self._stop = stop
        try:
            with torch.inference_mode():
                yield
        finally:
            self._stop = _never


def load_image_reader(source: str, cache: Path, device: str, dtype: torch.dtype) -> ImagePageReader:
    """A vision model by hub id or folder.

    Raises:
        ModelError: it is no vision model, it cannot be had here, or its files lack weights.
    """
    place = locate(source, cache)
    processor = loading(source, lambda: AutoProcessor.from_pretrained(place))
    options = {"dtype": dtype, "attn_implementation": "sdpa", "output_loading_info": True}
    model, info = loading(source, lambda: AutoModelForImageTextToText.from_pretrained(place, **options))
    if info["missing_keys"] or info["mismatched_keys"]:
        lacking = sorted(map(str, [*info["missing_keys"], *info["mismatched_keys"]]))
        raise ModelError(
            f"The files of {source} lack weights ({lacking[0]} and {len(lacking) - 1} more): get it again."
        )
    return ImagePageReader(loading(source, lambda: model.to(device).eval()), processor, short_name(source, place))


def _closest(prompt: PagePrompt, states: Sequence[PageState]) -> tuple[PageState | None, int]:
    """The state that shares the longest beginning with all pictures in it, and the length; None where none does."""
    best: PageState | None = None
    known = 0
    for state in states:
        if state.prompt.names != prompt.names:
            continue
        pairs = zip(prompt.ids[:-1], state.prompt.ids, strict=False)
        shared = sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], pairs))
        if shared > max(known, prompt.last_picture):
            best, known = state, shared
    return best, known


def _middle(tasks: Sequence[PageTask]) -> int:
    """Where to halve, so that tasks over one page stay together if they can."""
    borders = [i for i in range(1, len(tasks)) if tasks[i].parts[:2] != tasks[i - 1].parts[:2]]
    return min(borders, key=lambda i: abs(2 * i - len(tasks)), default=len(tasks) // 2)


def _never() -> None:
    return None
