"""What a sweep says about place and evidence: bias, calibration, and which signal finds the moved document.

Pure numpy over a sweep record. Matrices have one row per recorded place, ascending, and one column per place
of the prompt.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from core.duquad.contrast import Vector, attention_share, chosen_attention, contrast
from core.duquad.fusion import fuse
from core.records import SweepPlace, SweepRecord
from core.settings.methods import RunSettings

Grid = NDArray[np.float64]
Calibration = Literal["subtract", "divide"]

SIGNALS = ("attention", "calibrated", "contrast", "likelihood", "semantic", "SFS")
"""What can be asked to find the moved document."""


@dataclass(frozen=True, eq=False)
class Numbers:
    """Shares of attention, their bias and their evidence; one row per recorded place of the moved document."""

    share: Grid
    """Share of attention, every row summing to 1: (P, N)."""
    bias: Vector
    """Mean share of each place while the moved document stands elsewhere: (N,)."""
    evidence: Grid
    """Share minus bias, which Found in the Middle calls calibrated attention: (P, N)."""
    contrast: Grid
    """Second local difference of the share: (P, N)."""
    ranks: dict[str, tuple[int, ...]]
    """Signal → rank of the moved document at each recorded place, from 1."""
    control: Vector | None
    """Share that a text with no content draws at each place in its stead, NaN where unread: (N,)."""


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


def sweep_numbers(
    record: SweepRecord,
    settings: RunSettings | None = None,
    how: Calibration = "subtract",
    grid: Grid | None = None,
) -> Numbers:
    """All that a sweep says under a choice of heads; no model runs.

    Args:
        record: the sweep; it has read at least one place.
        settings: heads, weights and norms; the record's own by default.
        how: how attention is calibrated.
        grid: the recorded attention as ``grids`` gives it, where it is at hand.

    Raises:
        ValueError: the settings name a layer or head that does not exist.
    """
    settings = settings or record.settings
    places = [place.place for place in record.places]
    share = shares(grids(record.places) if grid is None else grid, settings)
    place_bias, spikes = bias(share, places), contrast(share)
    return Numbers(
        share=share,
        bias=place_bias,
        evidence=calibrate(share, place_bias),
        contrast=spikes,
        ranks=_signal_ranks(record, settings, share, calibrate(share, place_bias, how), spikes),
        control=control(record, settings) if record.dummy else None,
    )


def _signal_ranks(
    record: SweepRecord, settings: RunSettings, share: Grid, calibrated: Grid, spikes: Grid
) -> dict[str, tuple[int, ...]]:
    found: dict[str, list[int]] = {signal: [] for signal in SIGNALS}
    for row, recorded in enumerate(record.places):
        order, place = list(record.order(recorded.place)), recorded.place
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
