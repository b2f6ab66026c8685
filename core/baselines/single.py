"""Each single signal of SFS as a ranker, then one reply: what a signal does without the other two.

Source: the ablation of DuQUAD (§3.1): Φsem, Φppl, attention itself and Φcont, each as DuQUAD measures it and under
the run's layers and heads. Attention and contrast are read off DuQUAD's own prompt over all documents.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from core.baselines import dense
from core.baselines.reading import Scores, rank_and_read
from core.duquad.contrast import chosen_attention, contrast
from core.duquad.pipeline import resolved
from core.duquad.prompts import agent_prompt
from core.duquad.signals import query_likelihoods, read_all, rounded
from core.models.calls import CallLog
from core.models.profile import Models
from core.models.protocol import ModelError, Stop
from core.records import Request, RunRecord, Step
from core.settings.methods import ATTENTION_DIGITS
from core.settings.profiles import PROFILES


def by_semantic(request: Request, models: Models, run_id: str, stop: Stop) -> Iterator[Step]:
    """By Φsem. Raises ModelError, Cancelled."""
    return rank_and_read(request, models, run_id, stop, dense.score, "How close each document is in meaning")


def by_likelihood(request: Request, models: Models, run_id: str, stop: Stop) -> Iterator[Step]:
    """By Φppl, lowest first. Raises ModelError, Cancelled."""
    return rank_and_read(request, models, run_id, stop, likelihood, "How likely each document makes the question")


def by_attention(request: Request, models: Models, run_id: str, stop: Stop) -> Iterator[Step]:
    """By attention as it is, its bias of place included. Raises ModelError, Cancelled."""
    return rank_and_read(request, models, run_id, stop, attention, "What the question's last token looks at")


def by_contrast(request: Request, models: Models, run_id: str, stop: Stop) -> Iterator[Step]:
    """By Φcont. Raises ModelError, Cancelled."""
    return rank_and_read(request, models, run_id, stop, spikes, "Where attention stands out")


def likelihood(record: RunRecord, models: Models, log: CallLog, stop: Stop) -> Scores:
    """−Φppl of each document (N,)."""
    values, _ = query_likelihoods(models, record.question.text, record.documents, log, stop)
    return -np.array(values)


def attention(record: RunRecord, models: Models, log: CallLog, stop: Stop) -> Scores:
    """A of each document (N,)."""
    settings = resolved(record.settings, PROFILES[models.profile])
    everything = range(len(record.documents))
    prompt = agent_prompt(record.question.text, record.documents, everything, settings)
    reading = read_all(models, prompt, settings.agent_tokens, log, stop)
    try:
        return chosen_attention(rounded(reading.attention, ATTENTION_DIGITS), settings)
    except ValueError as error:
        raise ModelError(f"The settings do not fit the model: {error}.") from None


def spikes(record: RunRecord, models: Models, log: CallLog, stop: Stop) -> Scores:
    """Φcont of each document (N,)."""
    return contrast(attention(record, models, log, stop))
