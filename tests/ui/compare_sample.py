"""A comparison made by the real pipelines over scripted models: answers are shared words, texts are hostile."""

from __future__ import annotations

from functools import cache

from core import compare
from core.models.scripted import scripted_models
from core.records import CompareRecord, Request
from tests.core.models.prompts import never
from tests.ui.sample import sample

SYSTEMS = ("vanilla", "duquad", "dense", "main_rag", "tree_of_agents", "rrf_rerank")
"""The last has no model here, so it is the column that failed."""


@cache
def compare_sample(systems: tuple[str, ...] = SYSTEMS) -> CompareRecord:
    record = sample()
    request = Request(system="compare", question=record.question, documents=record.documents, systems=systems)
    *_, last = compare.run(request, scripted_models(), "compare-sample", never)
    assert isinstance(last.record, CompareRecord)
    return last.record
