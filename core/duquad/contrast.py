"""Attention of the last question token over documents: selection, trend, contrast. Pure numpy."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.settings.methods import HeadPairs, HeadSet, LayerSet, RunSettings

Vector = NDArray[np.float64]


def chosen_layers(layers: LayerSet, count: int) -> list[int]:
    """The 0-based layers that a layer set names, of ``count``.

    Raises:
        ValueError: a listed layer does not exist, or the list is empty.
    """
    if layers == "all":
        return list(range(count))
    if layers == "last_half":
        return list(range(count // 2, count))
    if layers == "last":
        return [count - 1]
    return _listed("layer", layers, count)


def _listed(name: str, wanted: Sequence[int], count: int) -> list[int]:
    if not wanted:
        raise ValueError(f"no {name} is chosen; choose at least one of 0 to {count - 1}")
    outside = [index for index in wanted if not 0 <= index < count]
    if outside:
        raise ValueError(f"{name} {outside[0]} does not exist; the model has {name}s 0 to {count - 1}")
    return sorted(set(wanted))


def document_attention(
    attention: Sequence[Sequence[Sequence[float]]] | NDArray[np.floating],
    layers: LayerSet = "all",
    heads: HeadSet = "mean",
) -> Vector:
    """A: attention per document (..., N), over the chosen layers and heads of a (..., L, H, N) array.

    DuQUAD App. J (mean over the document's tokens, final query token); the choice of layers and heads is
    not public. ``heads="max"`` takes each layer's strongest head per document.

    Raises:
        ValueError: a listed layer or head does not exist.
    """
    grid = np.asarray(attention, dtype=np.float64)  # (..., L, H, N)
    grid = grid[..., chosen_layers(layers, grid.shape[-3]), :, :]  # (..., l, H, N)
    if heads == "max":
        return grid.max(axis=-2).mean(axis=-2)  # type: ignore[no-any-return]
    if heads != "mean":
        grid = grid[..., _listed("head", heads, grid.shape[-2]), :]  # (..., l, h, N)
    return grid.mean(axis=(-3, -2))  # type: ignore[no-any-return]


def head_attention(attention: NDArray[np.floating], pairs: HeadPairs) -> Vector:
    """A (..., N), mean over single heads (layer, head) of a (..., L, H, N) array.

    Raises:
        ValueError: a pair does not exist, or there is none.
    """
    grid = np.asarray(attention, dtype=np.float64)
    layers, heads = grid.shape[-3:-1]
    if not pairs:
        raise ValueError("no head is chosen; choose at least one")
    outside = [pair for pair in pairs if not (0 <= pair[0] < layers and 0 <= pair[1] < heads)]
    if outside:
        raise ValueError(
            f"head {outside[0][1]} of layer {outside[0][0]} does not exist; "
            f"the model has layers 0 to {layers - 1} with heads 0 to {heads - 1}"
        )
    at_layers, at_heads = zip(*dict.fromkeys(pairs), strict=True)
    return grid[..., at_layers, at_heads, :].mean(axis=-2)  # type: ignore[no-any-return]


def chosen_attention(
    attention: Sequence[Sequence[Sequence[float]]] | NDArray[np.floating], settings: RunSettings
) -> Vector:
    """A (..., N) under a run's settings: its head set where it names one, else its layers and heads.

    Raises:
        ValueError: the settings name a layer or head that does not exist.
    """
    if settings.head_set:
        return head_attention(np.asarray(attention), settings.head_set)
    return document_attention(attention, settings.layers, settings.heads)


def attention_share(attention: Vector) -> Vector:
    """A (..., N) scaled to sum to 1 over the documents; all zero stays zero."""
    attention = np.asarray(attention, dtype=np.float64)
    total = attention.sum(axis=-1, keepdims=True)
    share: Vector = np.divide(attention, total, out=np.zeros_like(attention), where=total > 0)
    return share


def contrast(attention: Vector) -> Vector:
    """Φcont (..., N): second local difference of A, signed so that a spike is positive.

    DuQUAD §3.1.3: 2·A_i − A_{i−1} − A_{i+1} inside; App. I: a one-sided first difference at the ends,
    with no padding and no reflection. One document has no neighbour: 0.
    """
    attention = np.asarray(attention, dtype=np.float64)
    result = np.zeros_like(attention)
    if attention.shape[-1] < 2:
        return result
    result[..., 1:-1] = 2 * attention[..., 1:-1] - attention[..., :-2] - attention[..., 2:]
    result[..., 0] = attention[..., 0] - attention[..., 1]
    result[..., -1] = attention[..., -1] - attention[..., -2]
    return result


def trend(attention: Vector) -> Vector:
    """The smooth positional trend under the curve (N,): what the place alone would draw.

    A running median of five places removes single spikes, then a (1, 2, 1)/4 mean smooths the steps. The
    window shrinks towards the ends, which keep their own value: the rise at the ends is the trend. Never
    above the curve's own maximum or below its minimum. For the eye only; no score uses it. Our choice.
    """
    n = len(attention)
    if n < 3:
        return np.array(attention, dtype=np.float64)
    reach = [min(2, i, n - 1 - i) for i in range(n)]
    median = np.array([np.median(attention[i - r : i + r + 1]) for i, r in enumerate(reach)])
    smooth = median.copy()
    smooth[1:-1] = (median[:-2] + 2 * median[1:-1] + median[2:]) / 4
    return smooth
