"""SLEUTH end to end: ingest → retrieval → page agents → difficulty → decision → citations, as a generator of steps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from core.duquad.pipeline import start
from core.ingest.lines import InputError
from core.ingest.page_store import PageStore
from core.models.profile import Models
from core.models.protocol import Stop
from core.records import (
    Citation,
    Difficulty,
    Final,
    PdfRef,
    Request,
    Step,
)
from core.settings.methods import RunSettings
from core.settings.profiles import PROFILES
from core.sleuth import duquad_view, signals, spoken
from core.sleuth.citations import checked_rows, from_clues
from core.sleuth.decision import Decision
from core.sleuth.gathering import ingest, search, take_over
from core.sleuth.prompts import NO_ANSWER
from core.sleuth.state import DECIDED, FOUND, JUDGED, OF_DECISION, READ, Run


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
        take_over(under_way, request.resume, store)
    _put_back(under_way)
    yield from _decision(under_way)
    if under_way.pdf.duquad and under_way.record.signals is None and under_way.record.documents:
        yield under_way.step("signals", DECIDED, "How the backbone sees the same pages")
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


def _agents(run: Run) -> Agents:
    return signals if run.pdf.agents == "signals" else spoken


def _pages_and_clues(run: Run, pdf: PdfRef, store: PageStore) -> Iterator[Step]:
    layouts = yield from ingest(run, pdf, store)
    yield run.step("retrieval", READ, f"Looking for the {run.pdf.top_k} best of {len(layouts)} pages")
    yield from search(run, layouts, pdf.sha256, store)
    count = len(run.candidates)
    if run.pdf.agents == "spoken":
        reader = run.models.reader()
        run.grow(models={**run.record.models, "reader": reader.name, "reader_sees": reader.sees})
    if run.pdf.clue or run.pdf.screening:
        for share in _agents(run).page_agents(run):
            message = f"Reading page {round(share * count) + 1} of {count} candidates"
            yield run.step("pages", FOUND + (JUDGED - FOUND) * share, message)
    else:
        run.change([page.model_copy(update={"kept": True, "kept_by": "switch"}) for page in run.candidates])
    run.counted["candidate_pages"] = count


def _put_back(run: Run) -> None:
    """Keeps the pages that a person put back."""
    candidates = {page.page: page for page in run.candidates}
    for number in run.pdf.put_back:
        page = candidates.get(number)
        if page is None:
            run.warn(f"{OF_DECISION}page {number + 1} was no candidate, so it cannot be put back.")
        elif not page.kept:
            run.change([page.model_copy(update={"kept": True, "kept_by": "hand"})])


def _decision(run: Run) -> Iterator[Step]:
    """Difficulty, Core Decision, citations."""
    if not run.candidates:
        run.warn(f"{OF_DECISION}no page of this document could be searched, so there was nothing to decide from.")
        run.grow(final=Final(answer=NO_ANSWER, no_answer=True), citations=(), difficulty=None)
        return
    agents = _agents(run)
    if run.pdf.difficulty:
        yield run.step("difficulty", JUDGED, "How hard the question is")
        run.grow(difficulty=agents.difficulty(run))
    else:
        run.grow(difficulty=None)
    kept, clues = len(run.kept), len(run.record.clues or ())
    yield run.step("decision", (JUDGED + DECIDED) / 2, f"Deciding from {kept} kept pages and {clues} clues")
    decision, raw = agents.decide(run)
    run.grow(final=Final(answer=decision.answer, raw=raw, no_answer=decision.no_answer))
    yield run.step("citations", DECIDED, "Looking up what the answer cites")
    run.grow(citations=_citations(run, decision))


def _citations(run: Run, decision: Decision) -> tuple[Citation, ...]:
    """The model's own rows, each looked up; where it gave none, the clues that the answer shares words with."""
    if decision.rows:
        pages = len(run.record.pages or ())
        citations, warnings = checked_rows(decision.rows, run.layouts, pages)
        run.warn(*(f"{OF_DECISION}{warning}" for warning in warnings))
        return citations
    found = from_clues(run.question, decision.answer, run.record.clues or (), run.layouts)
    if found:
        run.warn(f"{OF_DECISION}the model cited nothing; the citations are the clues that its answer agrees with.")
    elif decision.answer and not decision.no_answer:
        run.warn(f"{OF_DECISION}nothing is cited, and no clue agrees with the answer.")
    return found
