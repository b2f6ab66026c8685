"""How long a question of a set takes here, from what ran before."""

from __future__ import annotations

from collections import defaultdict
from contextlib import suppress
from statistics import mean

from core.evaluation.record import ResultRow, SetSummary
from core.records import RecordError, RunRecord
from core.runs import NoSuchRun, RunStore, StorageError
from core.settings.evaluation import CHARS_PER_TOKEN

_RECENT = 30  # runs that are looked at


def from_rows(rows: list[ResultRow]) -> dict[str, float]:
    """Mean seconds an answer by system, of the answers of this very set."""
    seconds: dict[str, list[float]] = defaultdict(list)
    for row in rows:
        if not row.error:
            seconds[row.system].append(row.seconds)
    return {system: mean(values) for system, values in seconds.items()}


def from_runs(store: RunStore, summary: SetSummary, visitor: str = "") -> dict[str, float]:
    """Seconds a question by system, from the visitor's recent runs over documents, in proportion to their length."""
    tokens = summary.tokens / max(1, summary.questions)
    paces: dict[str, list[float]] = defaultdict(list)
    for recent in store.recent(visitor, _RECENT) if summary.documents else ():
        with suppress(NoSuchRun, StorageError, RecordError):
            record = store.result(recent.summary.run_id)
            if isinstance(record, RunRecord) and record.documents and record.source is None:
                chars = sum(len(document.title) + len(document.text) for document in record.documents)
                seconds = sum(call.seconds for call in record.calls)
                paces[record.system].append(seconds / max(1, chars) * CHARS_PER_TOKEN)
    return {system: mean(values) * tokens for system, values in paces.items()}
