"""Greedy decoding of several replies together, each from its own read prompt."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from core.models.protocol import Stop
from core.models.room import RoomyCache


def decode(
    backbone: Any,
    states: Sequence[Any],
    limits: Sequence[int],
    matchers: Sequence[Any],
    stop: Stop,
    one_line: bool = True,
) -> list[list[int]]:
    """Token ids of each reply, without the end token.

    One step writes one token of every unfinished reply: a step's cost is mostly overhead, so replies that
    are decoded together come nearly free. A row with a matcher follows its grammar; one without ends at its
    first line break, if it is to be ``one_line``.
    """
    rows = [
        _Row(backbone, state, limit, matcher, one_line)
        for state, limit, matcher in zip(states, limits, matchers, strict=True)
    ]
    for row, state in zip(rows, states, strict=True):
        row.take(state.logits)
    cache, mask = merge(states, backbone.model, max(limits))
    while any(not row.done for row in rows):
        stop()
        ids = torch.tensor([[row.last] for row in rows], device=mask.device)  # (B, 1)
        places = torch.tensor([[row.place] for row in rows], device=mask.device)  # (B, 1)
        mask = torch.cat([mask, mask.new_ones(len(rows), 1)], dim=1)  # (B, S)
        logits = backbone.model(
            input_ids=ids, attention_mask=mask, position_ids=places, cache=cache, use_cache=True
        ).logits[:, -1]  # (B, V)
        for row, row_logits in zip(rows, logits, strict=True):
            row.take(row_logits)
    return [row.ids for row in rows]


class _Row:
    """One reply while it is written."""

    def __init__(self, backbone: Any, state: Any, limit: int, matcher: Any, one_line: bool) -> None:
        self.ids: list[int] = []
        self.done = False
        self.last = 0
        self.place = state.position - 1
        self._limit = min(limit, backbone.window - state.length)
        self._matcher = matcher
        self._one_line = one_line and matcher is None
        self._backbone = backbone
        self._ends = end_tokens(backbone)

    def take(self, logits: torch.Tensor) -> None:
        """Chooses the next token from its logits (V,)."""
        self.place += 1
        if self.done:
            return
        if self._matcher is not None:
            logits = logits.clone()
            self._backbone.schemas.mask(self._matcher, logits)
        token = int(logits.argmax())
        if token in self._ends:
            self.done = True
            return
        line_break = self._line_break(token)
        if line_break is not None:
            self.ids += [token] if line_break else []
            self.done = True
            return
        self.ids.append(token)
        self.last = token
        if self._matcher is not None:
            self._matcher.accept_token(token)
        self.done = len(self.ids) >= self._limit or (self._matcher is not None and self._matcher.is_completed())

    def _line_break(self, token: int) -> str | None:
        """What a token that ends the line says before it ends it; None of one that does not, or may not."""
        # A line break before the first word is a blank line, not the end of the answer.
        if not self._one_line or not self.ids:
            return None
        said: str = self._backbone.tokenizer.decode([token])
        return said.strip() if "\n" in said else None


def end_tokens(backbone: Any) -> frozenset[int]:
    """Tokens that end a reply: the model's own list and the tokenizer's."""
    ends = backbone.model.generation_config.eos_token_id
    listed = ends if isinstance(ends, list) else [ends]
    return frozenset(t for t in (*listed, backbone.tokenizer.eos_token_id) if t is not None)


def merge(states: Sequence[Any], model: Any, more: int) -> tuple[Any, torch.Tensor]:
    """One new cache for all rows with room for ``more`` tokens, padded on the left, and the mask (B, S) of the padding.

    Padding on the left keeps the distances inside a row, which a sliding window counts. The states' own
    caches stay as they are and can be continued again.
    """
    longest = max(state.length for state in states)
    mask = torch.zeros(len(states), longest, dtype=torch.long, device=model.device)
    for i, state in enumerate(states):
        mask[i, longest - state.length :] = 1
    merged = RoomyCache(longest + more)
    for layer, parts in enumerate(zip(*(state.cache.layers for state in states), strict=True)):
        keys = _padded([part.keys for part in parts], longest)
        values = _padded([part.values for part in parts], longest)
        merged.update(keys, values, layer)
    return merged, mask


def _padded(rows: Sequence[torch.Tensor], length: int) -> torch.Tensor:
    """Rows (1, KV, S, D) as one tensor (B, KV, length, D), zeros on the left."""
    first = rows[0]
    padded = first.new_zeros(len(rows), first.shape[1], length, first.shape[3])
    for into, row in zip(padded, rows, strict=True):
        into[:, length - row.shape[2] :] = row[0]
    return padded
