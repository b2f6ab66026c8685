"""FiM reorder: the documents with most calibrated attention at both ends of the prompt, then one reply.

Source: Found in the Middle (Hsieh et al., 2024) as DuQUAD runs it: "position-aware U-shaped reordering" (App. A).
The paper's own edit of attention is ``fim_attn``. The reader sees the question on both sides, as it was measured.
"""

from __future__ import annotations

from collections.abc import Iterator

from core.baselines.fim import both_sides, calibrated, u_order
from core.baselines.reading import in_order, ranking, read
from core.duquad.pipeline import start
from core.models.calls import CallLog
from core.models.profile import Models
from core.models.protocol import Stop
from core.records import Request, Step
from core.settings.profiles import PROFILES


def run(request: Request, models: Models, run_id: str, stop: Stop) -> Iterator[Step]:
    """Runs one request. Raises ModelError, Cancelled."""
    record, log = start(request, request.settings, models, run_id), CallLog()
    yield Step(stage="calibration", fraction=0.0, message="Measuring what each place draws by itself")
    found = calibrated(record, models, log, stop)
    record = record.model_copy(update={"ranking": ranking(found.relevance), "calls": tuple(log.calls)})
    shown = u_order(in_order(found.relevance)[: record.settings.read_top])
    prompt = both_sides(record, record.documents, shown, PROFILES[models.profile].answer_opener)
    yield from read(record, models, log, stop, shown, prompt, fraction=0.8)
