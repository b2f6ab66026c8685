"""Measures the three signals of SFS, raw, with the models of a run."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.duquad.contrast import chosen_attention, contrast
from core.duquad.prompts import likelihood_pair
from core.models.calls import CallLog
from core.models.profile import Models
from core.models.protocol import ModelError, Prompt, Reading, Stop
from core.records import Document, Signals, TokenWeight
from core.settings.methods import ATTENTION_DIGITS, RunSettings


def read_all(models: Models, prompt: Prompt, reserve: int, log: CallLog, stop: Stop) -> Reading:
    """The one prefill of all documents: attention now, the Global Agent's reply later."""
    with log.call("attention", models.backbone.name, "score") as usage:
        reading = models.backbone.read(prompt, stop, reserve)
        usage.prompt_tokens = reading.prompt_tokens
    return reading


def query_likelihoods(
    models: Models, question: str, documents: Sequence[Document], log: CallLog, stop: Stop
) -> tuple[tuple[float, ...], float]:
    """Φppl per document, and the same with no document in front; lower is better (DuQUAD §3.1.2)."""
    pairs = [likelihood_pair(question, document) for document in (*documents, None)]
    with log.call("likelihood", models.backbone.name, "score") as usage:
        scored = models.backbone.likelihoods(pairs, stop)
        usage.prompt_tokens, usage.sequences = scored.tokens, len(pairs)
    values = [_digits(value) for value in scored.values]
    return tuple(values[:-1]), values[-1]


def semantic_relevance(
    models: Models, question: str, documents: Sequence[Document], log: CallLog, stop: Stop
) -> tuple[float, ...]:
    """Φsem per document: cosine of the question with title and text."""
    texts = [
        f"{document.title}. {document.text}" if document.title.strip() else document.text for document in documents
    ]
    with log.call("semantic", models.embedder.name, "embed") as usage:
        cosines, usage.prompt_tokens = models.embedder.similarities(question, texts, stop)
        usage.sequences = len(texts) + 1
    return tuple(_digits(value) for value in cosines)


def assemble(
    reading: Reading,
    nll: tuple[float, ...],
    nll_empty: float,
    semantic: tuple[float, ...],
    settings: RunSettings,
) -> Signals:
    """The signals record. Values are rounded first and then used, so a record reproduces its own ranking.

    Raises:
        ModelError: the settings name a layer or head that the model does not have.
    """
    attention = rounded(reading.attention, ATTENTION_DIGITS)
    try:
        profile = chosen_attention(attention, settings)
    except ValueError as error:
        raise ModelError(f"The settings do not fit the model: {error}.") from None
    return Signals(
        attention=attention,
        contrast=tuple(_digits(value) for value in contrast(profile)),
        semantic=semantic,
        query_nll=nll,
        query_nll_empty=nll_empty,
        tokens=tuple(
            tuple(TokenWeight(start=start, end=end, weight=_digits(weight)) for start, end, weight in tokens)
            for tokens in reading.token_weights
        ),
    )


def rounded(attention: NDArray[np.floating], digits: int) -> tuple[tuple[tuple[float, ...], ...], ...]:
    """An (L, H, N) array as a record keeps it: [layer][head][document], to that many significant digits."""
    return tuple(tuple(tuple(_digits(value, digits) for value in row) for row in layer) for layer in attention.tolist())


def _digits(value: float | np.floating, digits: int = ATTENTION_DIGITS) -> float:
    return float(f"{value:.{digits}g}")
