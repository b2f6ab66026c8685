"""What the systems over PDFs share with SLEUTH and with one another: pages are opened and searched, a reader answers.

Opening and retrieval are SLEUTH's own, so that the systems differ in what they do with the pages and in nothing else.
Where a method shows page images, a reader of text is shown the pages' text (our choice, said in the record's warnings).
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from core.duquad.pipeline import start
from core.ingest.lines import InputError
from core.ingest.page_store import PageStore
from core.models.page_protocol import PageTask, PageView
from core.models.profile import Models
from core.models.protocol import PromptTooLong, Reply, Stop
from core.page_text import as_text, page_name, shortened
from core.records import Final, Page, Request, Step
from core.settings.pages import READER_PAGE_TOKENS
from core.settings.profiles import PROFILES
from core.sleuth.decision import says_none
from core.sleuth.gathering import as_documents, ingest, search
from core.sleuth.pipeline import resolved
from core.sleuth.state import DECIDED, FOUND, READ, Run, used

Parts = tuple[str | PageView, ...]
T = TypeVar("T")

SEES_TEXT = "This profile's reader sees no pictures: where this method shows page images, it reads the pages' text."


def opened(
    request: Request, models: Models, run_id: str, stop: Stop, searched: bool = True
) -> Generator[Step, None, tuple[Run, list[PageView]]]:
    """The beginning of a run: every page is read and, if ``searched``, scored; returns the run and all pages.

    Raises:
        InputError: there is no PDF in the request, it is not here any more, or the run is to go on from another one.
        ModelError: a model cannot do its part.
        Cancelled: ``stop`` said so.
    """
    if request.pdf is None:
        raise InputError("There is no PDF yet: choose one.")
    if request.resume is not None:
        raise InputError("Only SLEUTH goes on from an earlier run: run this system from the start.")
    run = Run(start(request, resolved(request.settings, models), models, run_id), models, stop)
    store, sha = PageStore(models.cache), request.pdf.sha256
    layouts = yield from ingest(run, request.pdf, store)
    if searched:
        yield run.step("retrieval", READ, f"Looking for the {run.pdf.top_k} best of {len(layouts)} pages")
        yield from search(run, layouts, sha, store)
    reader = models.reader()
    run.grow(models={**run.record.models, "reader": reader.name, "reader_sees": reader.sees})
    if reader.sees == "text":
        run.warn(SEES_TEXT)
    return run, [PageView(layout, store.picture(sha, layout.page)) for layout in layouts]


def by_rank(run: Run) -> list[PageView]:
    """The candidate pages, best first; neighbours of hits stand behind the hits."""

    def place(page: Page) -> tuple[bool, bool, int, int]:
        return page.neighbour, page.rank is None, page.rank or 0, page.page

    return [run.views[page.page] for page in sorted(run.candidates, key=place)]


def candidates(run: Run, views: Sequence[PageView]) -> None:
    """Makes these pages the run's candidates, and so its documents, in page order."""
    chosen = {view.layout.page: view for view in sorted(views, key=lambda view: view.layout.page)}
    run.change(page.model_copy(update={"candidate": page.page in chosen}) for page in run.record.pages or ())
    as_documents(run, chosen)


def shown(run: Run, views: Sequence[PageView]) -> None:
    """Writes down which candidates the last reader saw, in which order."""
    numbers = [view.layout.page for view in views]
    places = {document.page: i for i, document in enumerate(run.record.documents)}
    run.change(page.model_copy(update={"kept": page.page in numbers}) for page in run.candidates)
    run.grow(shown=tuple(places[number] for number in numbers))


def as_parts(views: Sequence[PageView]) -> Parts:
    """The pages in the given order, each behind its number."""
    parts: list[str | PageView] = []
    for view in views:
        parts += [f"{page_name(view.layout.page, view.layout.printed)}:\n", view, "\n\n"]
    return tuple(parts)


def asked(run: Run, stage: str, tasks: Sequence[PageTask]) -> list[Reply]:
    """The reader's replies, decoded together, as one entry of the log. Raises PromptTooLong."""
    reader = run.models.reader()
    with run.log.call(stage, reader.name, "generate") as usage:
        replies = reader.complete(tasks, run.stop)
        run.counted["page_prefills"] += used(usage, replies)
    return replies


def fitting(
    run: Run, views: Sequence[PageView], ask: Callable[[Sequence[PageView]], T]
) -> tuple[T, Sequence[PageView]]:
    """What ``ask`` gives for the pages, or for the first ones of them that fit the reader's window; and those pages.

    Raises:
        PromptTooLong: not one page fits.
    """
    count = len(views)
    while True:
        try:
            found = ask(views[:count])
        except PromptTooLong as error:
            if count <= 1:
                raise
            count = fewer(count, error.fits)
            continue
        if count < len(views):
            told = f"it was shown {count} of {len(views)}, {names(views[:count])}."
            run.warn(*{f"Not all pages fit the reader's window: {told}"} - set(run.record.warnings))
        return found, views[:count]


def fewer(count: int, fits: int | None) -> int:
    """How many pages are tried next where ``count`` were too many, and so many fit beside the headings of all.

    Headings of pages that are left out make room: as long as one takes no more than an eighth of a page, no number
    that might fit is passed over.
    """
    return count - 1 if fits is None else max(1, min(count - 1, fits + (count - fits) // 8 + 1))


def names(views: Sequence[PageView]) -> str:
    """Pages by their numbers, in the given order."""
    return "page" + ("s " if len(views) != 1 else " ") + ", ".join(str(view.layout.page + 1) for view in views)


def answer(run: Run, views: Sequence[PageView], instruction: str, most: int, trim: bool = False) -> Iterator[Step]:
    """The last two steps of a run: one call over the pages in the given order, and the finished record.

    With ``trim`` the pages that did not fit are no candidates in the end.
    """
    count = len(views)
    yield run.step("answer", FOUND, f"Reading {count} page{'s' if count != 1 else ''} in one prompt")

    def ask(fit: Sequence[PageView]) -> Reply:
        (reply,) = asked(run, "answer", [answer_task(run, (*as_parts(fit), instruction), most)])
        return reply

    reply, read = fitting(run, views, ask)
    if trim:
        candidates(run, read)
    shown(run, read)
    yield finished(run, reply.text)


def answer_task(run: Run, parts: Parts, most: int) -> PageTask:
    """A free answer; where agents are read off signals, as long and opened as SLEUTH's decision there."""
    if run.pdf.agents == "signals":
        most = min(most, run.record.settings.judge_tokens)
    return PageTask(parts, most, opener=PROFILES[run.models.profile].answer_opener)


def finished(run: Run, text: str, raw: str | None = None) -> Step:
    """The last step of a run whose answer is a text; passes that are calls of the method count as calls."""
    said = text.strip()
    if weighed := run.counted.get("weighed"):
        run.counted["llm_calls"] = weighed + sum(one.sequences for one in run.log.calls if one.kind == "generate")
    run.grow(final=Final(answer=said, raw=text if raw is None else raw, no_answer=says_none(said)))
    return Step(stage="done", fraction=1.0, record=run.grow())


def going_on(run: Run, stage: str, share: float, message: str) -> Step:
    """A step between retrieval and answer; ``share`` of that way is done."""
    return run.step(stage, FOUND + (DECIDED - FOUND) * share, message)


def weigh(run: Run, stage: str, task: PageTask, options: Sequence[Sequence[str]]) -> NDArray[np.float64]:
    """Probabilities of the reply's beginning with each option, which sum to 1: (options,); one pass, no writing.

    Where a model is too small to speak, a call of a method is such a pass, and is counted as a call.
    """
    reader, count = run.models.reader(), run.models.backbone.count_tokens
    with run.log.call(stage, reader.name, "score") as usage:
        logs = reader.weigh(task, options, run.stop)
        texts = [part if isinstance(part, str) else as_text(part.layout) for part in task.parts]
        usage.prompt_tokens = sum(count(shortened(text, READER_PAGE_TOKENS, count)) for text in texts)
    run.counted["weighed"] += 1
    run.counted["page_prefills"] += sum(isinstance(part, PageView) for part in task.parts)
    shares = np.exp(logs - logs.max())
    return np.asarray(shares / shares.sum(), dtype=np.float64)
