"""What a sweep says about place and evidence: bias, calibration, and which signal finds the moved document.

Pure numpy over a sweep record. Matrices have one row per recorded place, ascending, and one column per place
of the prompt.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from core.duquad.contrast import Vector, attention_share, chosen_attention, contrast
from core.duquad.fusion import fuse
from core.records import SweepPlace, SweepRecord
from core.settings import RunSettings

Grid = NDArray[np.float64]
Calibration = Literal["subtract", "divide"]

SIGNALS = ("attention", "calibrated", "contrast", "likelihood", "semantic", "SFS")
"""What can be asked to find the moved document."""


def grids(places: Sequence[SweepPlace]) -> Grid:
    """The recorded attention as one array: (P, L, H, N); (0, 0, 0, 0) of no place."""
    if not places:
        return np.zeros((0, 0, 0, 0))
    return np.array([place.attention for place in places], dtype=np.float64)


def shares(grid: Grid, settings: RunSettings) -> Grid:
    """Share of document attention under the settings' heads: (P, N) of (P, L, H, N); rows sum to 1.

    Raises:
        ValueError: the settings name a layer or head that does not exist.
    """
    return attention_share(chosen_attention(grid, settings))


def bias(share: Grid, places: Sequence[int]) -> Vector:
    """What a place draws by itself (N,): its mean share over the rows whose moved document stands elsewhere.

    The measured form of Found in the Middle's positional bias (§2.1). A place that no other row tells about
    has its mean over all rows, so its evidence is about 0.
    """
    elsewhere = np.ones(share.shape, dtype=bool)
    elsewhere[np.arange(len(places)), list(places)] = False
    counts = elsewhere.sum(axis=0)
    means = np.where(elsewhere, share, 0).sum(axis=0) / np.maximum(counts, 1)
    return np.where(counts > 0, means, share.sum(axis=0) / max(len(share), 1))  # type: ignore[no-any-return]


def evidence(share: Grid, places: Sequence[int]) -> Grid:
    """What the documents draw beyond their places (P, N): share minus bias."""
    return calibrate(share, bias(share, places))


def calibrate(share: Grid, place_bias: Vector, how: Calibration = "subtract") -> Grid:
    """Calibrated attention (P, N): the bias subtracted (Found in the Middle §2.2) or divided by.

    Divided by nothing, a share counts as 1, the value of a document that draws what its place draws.
    """
    if how == "subtract":
        return share - place_bias
    return np.divide(share, place_bias, out=np.ones_like(share), where=place_bias > 0)


def control(record: SweepRecord, settings: RunSettings) -> Vector:
    """Share that the content-free document draws at each place (N,); NaN where it was not read."""
    drawn = np.full(len(record.documents), np.nan)
    if record.dummy:
        at = [place.place for place in record.dummy]
        drawn[at] = shares(grids(record.dummy), settings)[np.arange(len(at)), at]
    return drawn


def ranks(values: Grid, at: int) -> NDArray[np.int64]:
    """Rank of the document at one place along the last axis, from 1, largest first; of equal ones the first leads."""
    own = values[..., at, None]
    above: NDArray[np.int64] = (values > own).sum(axis=-1) + (values[..., :at] == own[..., :at]).sum(axis=-1)
    return 1 + above


def signal_ranks(
    record: SweepRecord, settings: RunSettings | None = None, how: Calibration = "subtract"
) -> dict[str, tuple[int, ...]]:
    """Signal → rank of the moved document at each recorded place, from 1; no model runs.

    Args:
        record: the sweep.
        settings: heads, weights and norms; the record's own by default.
        how: how attention is calibrated.
    """
    settings = settings or record.settings
    places = [place.place for place in record.places]
    if not places:
        return dict.fromkeys(SIGNALS, ())
    share = shares(grids(record.places), settings)
    calibrated, spikes = calibrate(share, bias(share, places), how), contrast(share)
    found: dict[str, list[int]] = {signal: [] for signal in SIGNALS}
    for row, place in enumerate(places):
        order = list(record.order(place))
        semantic, nll = np.array(record.semantic)[order], np.array(record.query_nll)[order]
        rows = (share[row], calibrated[row], spikes[row], -nll, semantic)
        for signal, values in zip(SIGNALS, rows, strict=False):
            found[signal].append(int(ranks(values, place)))
        ranking = fuse(semantic, nll, spikes[row], settings)
        found["SFS"].append(1 + [ranked.document for ranked in ranking].index(place))
    return {signal: tuple(values) for signal, values in found.items()}


def recall(found: Sequence[int] | NDArray[np.int64], k: int) -> float:
    """Share of ranks among the first k; 0 of none."""
    return float(np.mean(np.asarray(found) <= k)) if len(found) else 0.0
