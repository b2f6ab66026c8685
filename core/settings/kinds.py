"""Words that more than one kind of setting is made of."""

from __future__ import annotations

from typing import Literal

DocScoreKind = Literal["spoken", "likelihood"]
SelectionKind = Literal["spoken", "signals"]
