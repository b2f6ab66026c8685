"""A cache with room for what is still to come, so that a step writes its own tokens and copies no others."""

from __future__ import annotations

from functools import partial
from typing import Any

import torch
from transformers.cache_utils import Cache, DynamicLayer


class RoomyLayer(DynamicLayer):  # type: ignore[misc]
    """Keys and values (B, KV, S, D) as the beginning of buffers that are longer; ``DynamicLayer`` joins anew each time.

    Joining copies the whole cache for every token that is written. Every key is kept: a sliding window is then a
    matter of the mask alone, and rows of different length can be decoded together.
    """

    keys: torch.Tensor
    values: torch.Tensor

    def __init__(self, room: int) -> None:
        super().__init__()
        self._room = room
        self._buffers: tuple[torch.Tensor, ...] = ()

    def update(
        self, key_states: torch.Tensor, value_states: torch.Tensor, *args: Any, **kwargs: Any
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Writes the new keys and values (B, KV, T, D) behind the others and returns all of them."""
        if not self.is_initialized:
            self.lazy_initialization(key_states, value_states)
        start = self.get_seq_length()
        end = start + key_states.shape[-2]
        if not self._fits(start, end):
            self._room = max(self._room, end)
            self._buffers = self._grown(key_states, self.keys, start), self._grown(value_states, self.values, start)
        for buffer, new in zip(self._buffers, (key_states, value_states), strict=True):
            buffer[:, :, start:end] = new
        self.keys, self.values = (buffer[:, :, :end] for buffer in self._buffers)
        return self.keys, self.values

    def _fits(self, start: int, end: int) -> bool:
        """Whether the buffers are long enough, and still what ``keys`` and ``values`` are the beginning of."""
        if not self._buffers or self._buffers[0].shape[-2] < end:
            return False
        return not start or self.keys.data_ptr() == self._buffers[0].data_ptr()

    def _grown(self, like: torch.Tensor, before: torch.Tensor, length: int) -> torch.Tensor:
        buffer = like.new_empty(*like.shape[:2], self._room, like.shape[3])
        if length:
            buffer[:, :, :length] = before
        return buffer


class RoomyCache(Cache):  # type: ignore[misc]
    """A cache whose layers have room for ``room`` tokens, and grow where that does not do."""

    def __init__(self, room: int) -> None:
        super().__init__(layer_class_to_replicate=partial(RoomyLayer, room))
