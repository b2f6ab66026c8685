"""The what-if controls: their values to settings and back. The values are plain, so tests need no page."""

from __future__ import annotations

import re
from dataclasses import astuple, dataclass
from typing import Any, Literal, cast

from pydantic import ValidationError

from core.settings.methods import Fuse, HeadSet, LayerSet, Norm, RunSettings
from ui.head_sets import heads_in, spelled

LayerMode = Literal["all", "last_half", "last", "one", "list"]
HeadMode = Literal["mean", "max", "list"]

_NUMBERS = re.compile(r"(\d{1,4})(?:\s*[-–]\s*(\d{1,4}))?")
_MANY = 4096  # numbers in a list; more than any model has heads or layers


@dataclass(frozen=True)
class Values:
    """What the controls hold, in the order in which they stand on the page."""

    alpha: float
    beta: float
    gamma: float
    k: float
    tau: float
    norm: Norm
    fuse: Fuse
    layers: LayerMode
    layer: float
    """The one layer, where ``layers`` is "one"; layers and heads count from 0, as models do."""
    layer_list: str
    """Layers, where ``layers`` is "list": numbers and ranges."""
    heads: HeadMode
    head_list: str
    """Heads, where ``heads`` is "list"."""
    head_set: str = ""
    """Single heads as ``layer.head``, in place of ``layers`` and ``heads``; blank leaves it to those two."""

    def settings(self, base: RunSettings) -> RunSettings:
        """The settings of ``base`` with these values in their place.

        Raises:
            ValueError: a value cannot be used; the message says which and why.
        """
        moved = {
            "alpha": self.alpha,
            "beta": self.beta,
            "gamma": self.gamma,
            "k": self.k,
            "tau": self.tau,
            "norm": self.norm,
            "fuse": self.fuse,
            "layers": self._layers(),
            "heads": self._heads(),
            "head_set": heads_in(self.head_set or ""),
        }
        try:
            return RunSettings.model_validate(base.model_dump() | moved)
        except ValidationError as error:
            first = error.errors()[0]
            raise ValueError(f"{'.'.join(map(str, first['loc']))}: {first['msg']}") from None

    def _layers(self) -> LayerSet:
        if self.layers == "one":
            return (int(self.layer),)
        return numbers("layer", self.layer_list) if self.layers == "list" else self.layers

    def _heads(self) -> HeadSet:
        return numbers("head", self.head_list) if self.heads == "list" else self.heads

    def row(self) -> tuple[Any, ...]:
        """The values as the page's components take them."""
        return astuple(self)


def values_of(settings: RunSettings) -> Values:
    """What the controls hold for these settings."""
    layers: LayerMode = "list"
    if isinstance(settings.layers, str):
        layers = settings.layers
    elif len(settings.layers) == 1:
        layers = "one"
    listed = settings.layers if not isinstance(settings.layers, str) else ()
    heads = settings.heads if not isinstance(settings.heads, str) else ()
    return Values(
        alpha=settings.alpha,
        beta=settings.beta,
        gamma=settings.gamma,
        k=settings.k,
        tau=settings.tau,
        norm=settings.norm,
        fuse=settings.fuse,
        layers=layers,
        layer=listed[0] if listed else 0,
        layer_list=_spelled(listed),
        heads=cast(HeadMode, settings.heads) if isinstance(settings.heads, str) else "list",
        head_list=_spelled(heads),
        head_set=spelled(settings.head_set),
    )


def numbers(name: str, text: str) -> tuple[int, ...]:
    """The indexes in a list such as ``0, 4-7``.

    Raises:
        ValueError: nothing, or something else than numbers, is in it.
    """
    found: list[int] = []
    for part in filter(None, re.split(r"[,;\s]+", re.sub(r"\s*[-–]\s*", "-", text.strip()))):
        match = _NUMBERS.fullmatch(part)
        first, last = (int(match[1]), int(match[2] or match[1])) if match else (1, 0)
        if first > last or len(found) + last - first > _MANY:
            raise ValueError(f"“{part[:20]}” is not a {name}: write numbers and ranges, such as 0, 4-7")
        found += range(first, last + 1)
    if not found:
        raise ValueError(f"no {name} is listed: write numbers and ranges, such as 0, 4-7")
    return tuple(sorted(set(found)))


def _spelled(indexes: tuple[int, ...]) -> str:
    return ", ".join(str(index) for index in indexes)
