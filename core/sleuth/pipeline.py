"""SLEUTH end to end: ingest → retrieval → page agents → difficulty → decision → citations, as a generator of steps."""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator, Sequence
from typing import Protocol

from core.duquad.pipeline import start
from core.ingest.lines import InputError
from core.ingest.page_store import PageStore
from core.ingest.pdf import read_pages
from core.models.protocol import Models, PageView, Stop
from core.page_text import page_name
from core.records import (
    Citation,
    Difficulty,
    Document,
    Final,
    Page,
    PageLayout,
    PdfRef,
    Request,
    RunRecord,
    Step,
)
from core.settings import PROFILES, RunSettings
from core.sleuth import duquad_view, signals, spoken
from core.sleuth.citations import checked_rows, from_clues
from core.sleuth.decision import Decision
from core.sleuth.prompts import NO_ANSWER
from core.sleuth.retrieval import Retrieval
from core.sleuth.state import Run

_READ, _FOUND, _JUDGED, _DECIDED = 0.4, 0.5, 0.8, 0.9  # shares of a run that are done when a stage ends
_OF_DECISION = "Decision: "  # warnings that begin so are about a decision, which a later one does not inherit
_STEPS = 50  # most steps of one stage: a file of 500 pages says every tenth


class Agents(Protocol):
    """The agents of one kind: those that speak, and those that are read off signals."""

    def page_agents(self, run: Run) -> Iterator[float]:
        """Clues and labels of the candidate pages; yields the share that is done."""
        ...

    def difficulty(self, run: Run) -> Difficulty:
        """How hard the question is, given the evidence."""
        ...

    def decide(self, run: Run) -> tuple[Decision, str]:
        """The answer with its citations, and the raw reply."""
        ...


def run(request: Request, models: Models, run_id: str, stop: Stop) -> Iterator[Step]:
    """Runs one request about a PDF. Each step names the stage that goes on; the record grows with them.

    With ``request.resume`` the pages, labels and clues of that run are taken over, its pages of
    ``settings.pdf.put_back`` are kept as well, and only difficulty, decision and citations are made again.

    Raises:
        InputError: there is no PDF in the request, it is not here any more, or nothing on it can be read.
        ModelError: a model cannot do its part.
        Cancelled: ``stop`` said so.
    """
    if request.pdf is None:
        raise InputError("There is no PDF yet: choose one.")
    store = PageStore(models.cache)
    under_way = Run(start(request, resolved(request.settings, models), models, run_id), models, stop)
    if request.resume is None:
        yield from _pages_and_clues(under_way, request.pdf, store)
    else:
        _take_over(under_way, request.resume, store)
    _put_back(under_way)
    yield from _decision(under_way)
    if under_way.pdf.duquad and under_way.record.signals is None and under_way.record.documents:
        yield _step(under_way, "signals", _DECIDED, "How the backbone sees the same pages")
        duquad_view.measure(under_way)
    yield Step(stage="done", fraction=1.0, record=under_way.grow())


def run_cp(request: Request, models: Models, run_id: str, stop: Stop) -> Iterator[Step]:
    """The variant C+P of Table 3: no difficulty agent. Raises as ``run`` does."""
    yield from run(_switched(request, difficulty=False), models, run_id, stop)


def run_c(request: Request, models: Models, run_id: str, stop: Stop) -> Iterator[Step]:
    """The variant C of Table 3: evidence text alone. Raises as ``run`` does."""
    yield from run(_switched(request, difficulty=False, screening=False), models, run_id, stop)


def _switched(request: Request, **switches: bool) -> Request:
    pdf = request.settings.pdf.model_copy(update=switches)
    return request.model_copy(update={"settings": request.settings.model_copy(update={"pdf": pdf})})


def resolved(settings: RunSettings, models: Models) -> RunSettings:
    """The settings with the profile's own kind of page agents where none was chosen."""
    agents = settings.pdf.agents or PROFILES[models.profile].page_agents
    return settings.model_copy(update={"pdf": settings.pdf.model_copy(update={"agents": agents})})


def _step(run: Run, stage: str, fraction: float, message: str) -> Step:
    return Step(stage=stage, fraction=round(fraction, 4), message=message, record=run.grow())


def _agents(run: Run) -> Agents:
    return signals if run.pdf.agents == "signals" else spoken


def _pages_and_clues(run: Run, pdf: PdfRef, store: PageStore) -> Iterator[Step]:
    layouts = yield from _ingest(run, pdf, store)
    yield _step(run, "retrieval", _READ, f"Looking for the {run.pdf.top_k} best of {len(layouts)} pages")
    yield from _retrieve(run, layouts, pdf.sha256, store)
    count = len(run.candidates)
    if run.pdf.agents == "spoken":
        run.grow(models={**run.record.models, "reader": run.models.reader().name})
    if run.pdf.clue or run.pdf.screening:
        for share in _agents(run).page_agents(run):
            message = f"Reading page {round(share * count) + 1} of {count} candidates"
            yield _step(run, "pages", _FOUND + (_JUDGED - _FOUND) * share, message)
    else:
        run.change([page.model_copy(update={"kept": True, "kept_by": "switch"}) for page in run.candidates])
    run.counted["candidate_pages"] = count


_RETRIEVED = ("score", "rank", "candidate", "neighbour")
_TAKEN_OVER = ["source", "pages", "layouts", "documents", "similarity", "clues", "signals", "ranking", "question"]


def _ingest(run: Run, pdf: PdfRef, store: PageStore) -> Generator[Step, None, list[PageLayout]]:
    """Reads every page; returns the layouts."""
    source = store.source(pdf.sha256)
    if source is None:
        raise InputError("This PDF is not here any more: choose the file again.")
    source = source.model_copy(update={"name": pdf.name or source.name})
    run.grow(source=source)
    layouts: list[PageLayout] = []
    every = math.ceil(source.pages / _STEPS)
    yield _step(run, "ingest", 0.0, f"Reading {source.pages} pages")
    for layout in read_pages(pdf.sha256, store, run.pdf, run.stop):
        layouts.append(layout)
        if len(layouts) % every == 0:
            message = f"Read page {len(layouts)} of {source.pages}"
            yield Step(stage="ingest", fraction=round(_READ * len(layouts) / source.pages, 4), message=message)
    run.grow(pages=tuple(Page(page=one.page, printed=one.printed, read_by=one.read_by) for one in layouts))
    broken = [str(layout.page + 1) for layout in layouts if layout.error]
    if broken:
        run.warn(f"Pages that could not be read: {', '.join(broken[:20])}. The others were.")
    return layouts


def _retrieve(run: Run, layouts: Sequence[PageLayout], sha: str, store: PageStore) -> Iterator[Step]:
    """Scores all pages and makes the candidates the run's documents."""
    encoder = run.models.page_encoder()
    views = [PageView(layout, store.picture(sha, layout.page)) for layout in layouts]
    retrieval = Retrieval(run.question, encoder, run.models.cache, run.log)
    every = math.ceil(len(views) / _STEPS)
    for done in retrieval.score(views, run.stop):
        if done % every == 0:
            fraction = round(_READ + (_FOUND - _READ) * done / len(views), 4)
            yield Step(stage="retrieval", fraction=fraction, message=f"Searched page {done} of {len(views)}")
    found = retrieval.found(run.pdf, run.stop)
    run.counted["pages_encoded"] = found.encoded
    run.warn(*found.warnings)
    scored = {page.page: page for page in found.pages}
    merged = tuple(
        page.model_copy(update={name: getattr(scored[page.page], name) for name in _RETRIEVED})
        for page in run.record.pages or ()
    )
    run.views = {page.page: views[page.page] for page in merged if page.candidate}
    gold = set(run.record.question.gold_pages)
    documents = tuple(_document(view.layout, gold) for view in run.views.values())
    marked = tuple(i for i, document in enumerate(documents) if document.gold)
    run.grow(
        pages=merged,
        similarity=found.similarity,
        layouts=tuple(run.layouts.values()),
        documents=documents,
        question=run.record.question.model_copy(update={"gold": marked}),
        models={**run.record.models, "page_encoder": encoder.name},
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


def _take_over(run: Run, before: RunRecord, store: PageStore) -> None:
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
        warnings=tuple(text for text in before.warnings if not text.startswith(_OF_DECISION)),
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


def _put_back(run: Run) -> None:
    """Keeps the pages that a person put back."""
    candidates = {page.page: page for page in run.candidates}
    for number in run.pdf.put_back:
        page = candidates.get(number)
        if page is None:
            run.warn(f"{_OF_DECISION}page {number + 1} was no candidate, so it cannot be put back.")
        elif not page.kept:
            run.change([page.model_copy(update={"kept": True, "kept_by": "hand"})])


def _decision(run: Run) -> Iterator[Step]:
    """Difficulty, Core Decision, citations."""
    if not run.candidates:
        run.warn(f"{_OF_DECISION}no page of this document could be searched, so there was nothing to decide from.")
        run.grow(final=Final(answer=NO_ANSWER, no_answer=True), citations=(), difficulty=None)
        return
    agents = _agents(run)
    if run.pdf.difficulty:
        yield _step(run, "difficulty", _JUDGED, "How hard the question is")
        run.grow(difficulty=agents.difficulty(run))
    else:
        run.grow(difficulty=None)
    kept, clues = len(run.kept), len(run.record.clues or ())
    yield _step(run, "decision", (_JUDGED + _DECIDED) / 2, f"Deciding from {kept} kept pages and {clues} clues")
    decision, raw = agents.decide(run)
    run.grow(final=Final(answer=decision.answer, raw=raw, no_answer=decision.no_answer))
    yield _step(run, "citations", _DECIDED, "Looking up what the answer cites")
    run.grow(citations=_citations(run, decision))


def _citations(run: Run, decision: Decision) -> tuple[Citation, ...]:
    """The model's own rows, each looked up; where it gave none, the clues that the answer shares words with."""
    if decision.rows:
        pages = len(run.record.pages or ())
        citations, warnings = checked_rows(decision.rows, run.layouts, pages)
        run.warn(*(f"{_OF_DECISION}{warning}" for warning in warnings))
        return citations
    found = from_clues(decision.answer, run.record.clues or (), run.layouts)
    if found and run.pdf.agents == "spoken":
        run.warn(f"{_OF_DECISION}the model cited nothing; the citations are the clues that its answer agrees with.")
    return found
