"""What the lab says in words about one sweep: numbers first, pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from core.duquad.bias import Numbers
from core.settings.methods import HeadPairs
from ui.lab_numbers import Sweep

BEST = 10  # heads that are chosen at once; as many as the selections published for small models
_EDGE = 1.3  # times the middle from which on an end counts as bright
_SPIKE = 1.3  # times its bias from which on gold counts as bright


@dataclass(frozen=True)
class Facts:
    """Shares are in per cent."""

    n: int
    """Documents."""
    read: int
    """Places of gold that were read."""
    k: int
    first: float
    """Bias of the first place."""
    last: float
    middle: float
    """Mean bias of the places between them."""
    lowest: int
    """Place with the lowest bias, from 1."""
    gold: float
    """Mean share of gold."""
    without: float
    """Mean share of the same places while gold stands elsewhere."""
    right: tuple[int, ...]
    """Places at which the answer is right, from 1."""
    answered: int
    """Places at which it is known whether the answer is right."""
    share_right: float
    """Mean share of gold where the answer is right; NaN where it never is."""
    share_wrong: float

    @property
    def edges(self) -> bool:
        """Whether both ends together are bright."""
        return (self.first + self.last) / 2 > _EDGE * self.middle

    @property
    def diagonal(self) -> bool:
        """Whether gold is bright wherever it stands."""
        return self.gold > _SPIKE * self.without


def facts(sweep: Sweep, numbers: Numbers) -> Facts:
    """The facts of a sweep that has read at least one place."""
    at, rows = list(sweep.places), list(range(len(sweep.places)))
    own = 100 * numbers.share[rows, at]  # (P,)
    bias = 100 * numbers.bias
    known = [i for i, row in enumerate(sweep.rows) if row.right is not None]
    right = [i for i in known if sweep.rows[i].right]
    return Facts(
        n=sweep.count,
        read=len(at),
        k=sweep.record.settings.k,
        first=float(bias[0]),
        last=float(bias[-1]),
        middle=float(bias[1:-1].mean()) if sweep.count > 2 else float(bias.mean()),
        lowest=int(bias.argmin()) + 1,
        gold=float(own.mean()),
        without=float(bias[at].mean()),
        right=tuple(at[i] + 1 for i in right),
        answered=len(known),
        share_right=_mean(own[right]),
        share_wrong=_mean(own[[i for i in known if i not in right]]),
    )


def _mean(values: np.ndarray) -> float:
    return float(values.mean()) if len(values) else float("nan")


def found(numbers: Numbers, signal: str, k: int) -> int:
    """At how many places a signal puts gold among the first ``k``."""
    return sum(rank <= k for rank in numbers.ranks[signal])


def by_chance(sweep: Sweep) -> float:
    """At how many places a signal that knows nothing puts gold among the first k, on average."""
    return len(sweep.places) * min(1.0, sweep.record.settings.k / sweep.count)


def missed(sweep: Sweep, numbers: Numbers, signal: str, k: int) -> list[int]:
    """The places, from 1, at which a signal does not put gold among the first ``k``."""
    return [place + 1 for place, rank in zip(sweep.places, numbers.ranks[signal], strict=True) if rank > k]


def thirds(sweep: Sweep) -> dict[str, range]:
    """Early, middle and late layers, as even as they come."""
    cuts = [round(sweep.layers * part / 3) for part in range(4)]
    return dict(zip(("early", "middle", "late"), map(range, cuts, cuts[1:]), strict=True))


def whole(sweep: Sweep, layers: Iterable[int]) -> HeadPairs:
    """All heads of these layers."""
    return tuple((layer, head) for layer in layers for head in range(sweep.heads))


def places(numbers: Iterable[int]) -> str:
    """Places as text, with runs drawn together: ``1–3, 7``."""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    parts = [f"{run[0]}–{run[-1]}" if len(run) > 2 else ", ".join(map(str, run)) for run in runs]
    return ", ".join(parts) or "none"
