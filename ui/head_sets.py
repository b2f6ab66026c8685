"""Sets of single heads as text: ``12.3 14.7`` is head 3 of layer 12 and head 7 of layer 14, both from 0."""

from __future__ import annotations

import re

from core.settings.methods import HeadPairs

MOST = 256  # heads in one set
SAVED_SETS = (
    '<div class="wl wl-lab-bar wl-lab-saved" role="group" aria-label="Saved head sets" data-saved="inspect" hidden>'
    '<span class="wl-lab-sets"></span></div>'
)
"""A place for the sets that this browser keeps; a click puts one into the box above it."""
_HEAD = re.compile(r"(\d{1,3})\.(\d{1,3})")


def spelled(heads: HeadPairs) -> str:
    """A set as text."""
    return " ".join(f"{layer}.{head}" for layer, head in heads)


def heads_of(text: str) -> HeadPairs:
    """The heads that a text names, sorted, each once; the rest of it is left out."""
    return _tidy(_HEAD.findall(text))


def heads_in(text: str) -> HeadPairs:
    """The same of a text that names nothing else; blank is the empty set.

    Raises:
        ValueError: a part is no head.
    """
    parts = [part for part in re.split(r"[,;\s]+", text) if part]
    found = [_HEAD.fullmatch(part) for part in parts]
    wrong = next((part for part, match in zip(parts, found, strict=True) if match is None), None)
    if wrong is not None:
        raise ValueError(f"“{wrong[:20]}” is not a head: write layer.head, from 0, such as 12.3 14.7")
    if len(parts) > MOST:
        raise ValueError(f"{len(parts)} heads are too many; a set has at most {MOST}")
    return _tidy([(match[1], match[2]) for match in found if match])


def _tidy(pairs: list[tuple[str, str]]) -> HeadPairs:
    return tuple(sorted({(int(layer), int(head)) for layer, head in pairs}))[:MOST]
