"""What a run of SLEUTH begins with: the pages of a PDF and the candidates among them, or those of an earlier run."""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator, Sequence

from core.ingest.lines import InputError
from core.ingest.page_store import PageStore
from core.ingest.pdf import read_pages
from core.models.page_protocol import PageView
from core.page_text import page_name
from core.records import Document, Page, PageLayout, PdfRef, RunRecord, Step
from core.sleuth.retrieval import Retrieval
from core.sleuth.state import FOUND, OF_DECISION, READ, Run

_STEPS = 50  # most steps of one stage: a file of 500 pages says every tenth
_RETRIEVED = ("score", "rank", "candidate", "neighbour")
_TAKEN_OVER = ["source", "pages", "layouts", "documents", "similarity", "clues", "signals", "ranking", "question"]


def ingest(run: Run, pdf: PdfRef, store: PageStore) -> Generator[Step, None, list[PageLayout]]:
    """Reads every page; returns the layouts."""
    source = store.source(pdf.sha256)
    if source is None:
        raise InputError("This PDF is not here any more: choose the file again.")
    source = source.model_copy(update={"name": pdf.name or source.name})
    run.grow(source=source)
    layouts: list[PageLayout] = []
    every = math.ceil(source.pages / _STEPS)
    yield run.step("ingest", 0.0, f"Reading {source.pages} pages")
    for layout in read_pages(pdf.sha256, store, run.pdf, run.stop):
        layouts.append(layout)
        if len(layouts) % every == 0:
            message = f"Read page {len(layouts)} of {source.pages}"
            yield Step(stage="ingest", fraction=round(READ * len(layouts) / source.pages, 4), message=message)
    run.grow(pages=tuple(Page(page=one.page, printed=one.printed, read_by=one.read_by) for one in layouts))
    broken = [str(layout.page + 1) for layout in layouts if layout.error]
    if broken:
        run.warn(f"Pages that could not be read: {', '.join(broken[:20])}. The others were.")
    return layouts


def search(run: Run, layouts: Sequence[PageLayout], sha: str, store: PageStore) -> Iterator[Step]:
    """Scores all pages and makes the candidates the run's documents."""
    encoder = run.models.page_encoder()
    views = [PageView(layout, store.picture(sha, layout.page)) for layout in layouts]
    retrieval = Retrieval(run.question, encoder, run.models.cache, run.log)
    every = math.ceil(len(views) / _STEPS)
    for done in retrieval.score(views, run.stop):
        if done % every == 0:
            fraction = round(READ + (FOUND - READ) * done / len(views), 4)
            yield Step(stage="retrieval", fraction=fraction, message=f"Searched page {done} of {len(views)}")
    found = retrieval.found(run.pdf, run.stop)
    run.counted["pages_encoded"] = found.encoded
    run.warn(*found.warnings)
    scored = {page.page: page for page in found.pages}
    merged = tuple(
        page.model_copy(update={name: getattr(scored[page.page], name) for name in _RETRIEVED})
        for page in run.record.pages or ()
    )
    run.grow(
        pages=merged,
        similarity=found.similarity,
        models={**run.record.models, "page_encoder": encoder.name},
    )
    as_documents(run, {page.page: views[page.page] for page in merged if page.candidate})


def as_documents(run: Run, views: dict[int, PageView]) -> None:
    """Makes pages, in page order, the run's documents."""
    run.views = views
    gold = set(run.record.question.gold_pages)
    documents = tuple(_document(view.layout, gold) for view in views.values())
    marked = tuple(i for i, document in enumerate(documents) if document.gold)
    run.grow(
        layouts=tuple(run.layouts.values()),
        documents=documents,
        question=run.record.question.model_copy(update={"gold": marked}),
    )


def _document(layout: PageLayout, gold: set[int]) -> Document:
    """A candidate page as a unit of evidence."""
    return Document(
        id=str(layout.page + 1),
        title=page_name(layout.page, layout.printed),
        text=layout.text,
        gold=layout.page in gold if gold else None,
        page=layout.page,
    )


def take_over(run: Run, before: RunRecord, store: PageStore) -> None:
    """What an earlier run found; its labels say again which pages are kept."""
    if before.source is None or before.pages is None or before.layouts is None:
        raise InputError("The earlier run had not come to the pages yet: run this one from the start.")
    if before.question.text != run.question:
        raise InputError("The earlier run answered another question: run this one from the start.")
    own = run.pdf.model_dump(include={"put_back", "difficulty", "difficulty_tokens", "decision_tokens"})
    own |= run.pdf.model_dump(include={"thinking_tokens", "duquad"})
    pdf = before.settings.pdf.model_copy(update=own)
    run.grow(
        **{name: getattr(before, name) for name in _TAKEN_OVER},
        settings=before.settings.model_copy(update={"pdf": pdf}),
        models={**before.models, **run.record.models},
        warnings=tuple(text for text in before.warnings if not text.startswith(OF_DECISION)),
    )
    run.change([_unhanded(page) for page in run.candidates])
    sha = before.source.sha256
    run.views = {layout.page: PageView(layout, store.picture(sha, layout.page)) for layout in before.layouts}
    run.counted["taken_over"] = len(run.views)


def _unhanded(page: Page) -> Page:
    """The page as its label alone leaves it."""
    if page.label in ("CR", "R"):
        return page.model_copy(update={"kept": True, "kept_by": "unread" if page.parsed == "failed" else "label"})
    return page if page.kept_by == "switch" else page.model_copy(update={"kept": False, "kept_by": ""})
