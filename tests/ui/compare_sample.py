"""A comparison made by the real pipelines over scripted models: answers are shared words, texts are hostile."""

from __future__ import annotations

from functools import cache

from core import compare
from core.models.scripted import scripted_models
from core.records import Compared, CompareRecord, Request
from tests.core.models.prompts import never
from tests.ui.read_sample import read_sample
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


@cache
def pdf_compare_sample() -> CompareRecord:
    """Two systems over the made PDF; the second kept no page as a whole but the first candidate."""
    whole = read_sample()
    first = next(page.page for page in whole.pages or () if page.candidate)
    pages = tuple(page.model_copy(update={"kept": page.page == first}) for page in whole.pages or ())
    other = whole.model_copy(update={"system": "sleuth_c", "pages": pages})
    return CompareRecord(
        run_id="pdf-compare",
        created=whole.created,
        question=whole.question.model_copy(update={"gold_pages": (7,)}),
        documents=(),
        systems=(Compared(system="sleuth"), Compared(system="sleuth_c")),
        records=(whole, other),
        models=whole.models,
    )
