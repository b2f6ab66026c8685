"""FiM attention: calibrated relevance moves the model's own attention while it writes its one reply.

Source: Found in the Middle (Hsieh et al., 2024, §3.2). Documents stay in the given order. With w = softmax of
relevance / 5e-5, each token of document k is attended w_k / A_k times as much, and one constant keeps the
documents' total. It works in the last half of the layers (16 of 32 there) and all heads; earlier layers made
replies unstable. Our choice: from the prompt's last token on, which predicts the reply's first.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from core.baselines.fim import Calibrated, Vector, calibrated
from core.baselines.reading import completed, finished, ranking
from core.duquad.fusion import softmax
from core.duquad.pipeline import start
from core.models.calls import CallLog
from core.models.profile import Models
from core.models.protocol import Stop, Task
from core.records import Request, Step
from core.settings.methods import FIM_TEMPERATURE


def run(request: Request, models: Models, run_id: str, stop: Stop) -> Iterator[Step]:
    """Runs one request. Raises ModelError, Cancelled."""
    record, log = start(request, request.settings, models, run_id), CallLog()
    yield Step(stage="calibration", fraction=0.0, message="Measuring what each place draws by itself")
    found = calibrated(record, models, log, stop)
    given = tuple(range(len(record.documents)))
    record = record.model_copy(update={"ranking": ranking(found.relevance), "shown": given, "calls": tuple(log.calls)})
    yield Step(stage="answer", fraction=0.9, message="Answering with moved attention", record=record)
    (reply,) = completed("answer", models, [_task(found, record.settings.judge_tokens)], log, stop)
    yield finished(record, log, reply)


def _task(found: Calibrated, tokens: int) -> Task:
    scales = tuple(float(scale) for scale in factors(found.attention, found.relevance))
    return Task(found.prompt, tokens, reading=found.reading, scales=scales)


def factors(attention: Vector, relevance: Vector) -> Vector:
    """w_k / A_k of each document (N,), with w the softmax of relevance / t (§3.2); 0 of one that drew nothing."""
    weights = softmax(relevance / FIM_TEMPERATURE)
    return np.divide(weights, attention, out=np.zeros_like(weights), where=attention > 0)
