"""Where on the page a visual retriever's vectors stand."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from colpali_engine.utils.processing_utils import Idefics3SplitImageInterpretabilityMixin
from numpy.typing import NDArray


@dataclass(frozen=True)
class Grid:
    """A grid of patches over the whole page."""

    size: tuple[int, int]
    """(rows, columns)."""
    patch: NDArray[np.int32]
    """(t) row · columns + column of each token of the page, -1 for tokens that are no patch."""


def patch_grid(processor: Any, inputs: Mapping[str, torch.Tensor], size: tuple[int, int]) -> Grid | None:
    """The grid of one page's tokens; None where their number does not fit any grid that is known.

    Args:
        processor: of the model.
        inputs: what the processor made of the page alone.
        size: width and height of the page's picture in pixels.
    """
    image = (inputs["input_ids"][0] == processor.image_token_id).numpy()  # (t)
    places = np.flatnonzero(image)
    if "image_grid_thw" in inputs:
        _, height, width = inputs["image_grid_thw"][0].tolist()
        merged = processor.image_processor.merge_size
        order = np.arange(len(places)), (height // merged, width // merged)
    elif getattr(processor, "image_seq_len", None):
        order = _tiles(processor, len(places), size)
    else:
        side = math.isqrt(len(places))
        order = np.arange(len(places)), (side, side)
    numbers, (rows, columns) = order
    if not rows or len(numbers) != rows * columns:
        return None
    patch = np.full(len(image), -1, dtype=np.int32)
    patch[places[: len(numbers)]] = numbers
    return Grid((rows, columns), patch)


def _tiles(processor: Any, count: int, size: tuple[int, int]) -> tuple[NDArray[np.int_], tuple[int, int]]:
    """The number of each patch in token order, and (rows, columns), where a page is cut into tiles.

    The tokens run tile by tile; the last tile is the whole page once more, which has no place in the grid. A page
    that was not cut is that tile alone.
    """
    in_tile = int(processor.image_seq_len)
    side = math.isqrt(in_tile)
    _, down, across = processor.image_processor.get_number_of_image_patches(size[1], size[0])
    if not down:
        return np.arange(count), (side, side)
    rows, columns = down * side, across * side
    tokens = torch.arange(rows * columns)
    # The engine's own order of tiles, asked with token numbers in place of vectors.
    grid = Idefics3SplitImageInterpretabilityMixin.rearrange_image_embeddings(
        processor, tokens[:, None], torch.ones(len(tokens), dtype=torch.bool), (columns, rows)
    )  # (columns, rows, 1)
    numbers = np.empty(len(tokens), dtype=np.int_)
    numbers[grid[:, :, 0].T.flatten().numpy()] = np.arange(len(tokens))
    return numbers if count == len(tokens) + in_tile else numbers[:0], (rows, columns)
