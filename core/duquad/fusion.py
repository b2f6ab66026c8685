"""Structural Fusion Score: three signals standardised, softmaxed, weighted (DuQUAD §3.1). Pure numpy."""

from __future__ import annotations

import numpy as np

from core.duquad.contrast import Vector, chosen_attention, contrast
from core.records import Parts, Ranked, Signals
from core.settings.methods import Norm, RunSettings


def softmax(values: Vector) -> Vector:
    """Softmax (N,), stable for large values."""
    if len(values) == 0:
        return np.zeros(0)
    powers = np.exp(values - values.max())
    return powers / powers.sum()  # type: ignore[no-any-return]


def standardize(values: Vector, norm: Norm) -> Vector:
    """One signal over the N documents on a common scale.

    ``zscore``: mean 0 and population deviation 1. ``minmax``: 0 to 1. ``none``: as it is. A signal with
    no spread carries no information: all zero (``zscore``, ``minmax``).
    """
    values = np.asarray(values, dtype=np.float64)
    if norm == "none" or len(values) == 0:
        return values
    spread = values.std() if norm == "zscore" else np.ptp(values)
    # Equal numbers can differ in the last bits after averaging; that is no spread.
    if not spread > 1e-9 * np.abs(values).max():
        return np.zeros_like(values)
    base = values.mean() if norm == "zscore" else values.min()
    scaled: Vector = (values - base) / spread
    return scaled


def fuse(semantic: Vector, query_nll: Vector, phi_contrast: Vector, settings: RunSettings) -> tuple[Ranked, ...]:
    """The ranking by SFS, best first; ties by lower index.

    SFS_i = α·softmax(Φsem)_i + β·softmax(−Φppl)_i + γ·softmax(Φcont)_i (DuQUAD §3.1.4), each signal
    standardised first. With ``fuse="softmax_of_sum"`` the softmax comes after the weighted sum; the parts
    are then each signal's share of the score, in proportion to how far it lifts the document above the
    lowest one.
    """
    weights = np.array([settings.alpha, settings.beta, settings.gamma])
    signals = [standardize(signal, settings.norm) for signal in (semantic, -np.asarray(query_nll), phi_contrast)]
    if settings.fuse == "sum_of_softmax":
        parts = weights[:, None] * np.stack([softmax(signal) for signal in signals])  # (3, N)
        scores = parts.sum(axis=0)  # (N,)
    else:
        scores = softmax(weights @ np.stack(signals))  # (N,)
        parts = scores * _lift_shares(weights, signals)  # (3, N)
    # Rounding keeps the last bits of a sum from deciding a tie.
    order = np.lexsort((np.arange(len(scores)), -np.round(scores, 12)))
    return tuple(
        Ranked(
            document=int(i),
            score=float(scores[i]),
            parts=Parts(semantic=float(parts[0, i]), inference=float(parts[1, i]), contrast=float(parts[2, i])),
        )
        for i in order
    )


def _lift_shares(weights: Vector, signals: list[Vector]) -> Vector:
    lifts = np.stack([w * (signal - signal.min(initial=np.inf)) for w, signal in zip(weights, signals, strict=True)])
    totals = lifts.sum(axis=0)
    return np.where(totals > 0, lifts / np.where(totals > 0, totals, 1), 1 / 3)


def rank(signals: Signals, settings: RunSettings) -> tuple[Ranked, ...]:
    """The SFS ranking of recorded signals under other settings: no model runs.

    Raises:
        ValueError: the settings name a layer or head that the recorded model does not have.
    """
    attention = chosen_attention(signals.attention, settings)
    return fuse(np.array(signals.semantic), np.array(signals.query_nll), contrast(attention), settings)
