"""MoLoRAG: a walk on a graph of pages, along which a model rates each page, then one reply over the best.

Source: MoLoRAG (Wu et al., arXiv 2509.07666). (1) Pages are linked with their 5 nearest by the cosine of their mean
vectors, from 0.8 on, none in a document of up to 3 pages; (2) retrieval scores are scaled to [0, 1] in the document;
(3) from the 3 best pages on, for up to 4 hops, every page reached is rated from 1 to 5 by a model, (v - 1) / 4, and the
best 3 of a hop are walked from; (4) pages whose 0.4 · semantic + 0.6 · logical score is 0.3 or more are kept, and the K
best are read with the plain prompt. Visited pages + 1 calls.

Our choices: one reader rates and answers; the wording of the rating; a reply without a number from 1 to 5 counts as 3
and a page that cannot be read as 1, both as in its code; where no page reaches the bar, the K best of retrieval are
read as in Base, with a warning (its code would read none); retrieval is the project's own, which on a text profile is
late interaction fused with BM25. A model that is too small to speak a rating (a 135M model writes the same one for
every page) does not write it: the rating is the mean of 1 to 5 under the probabilities of its first token.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from core.baselines import pdf_prompts as prompts
from core.baselines.pdf_page_graph import kept, links, logical, scaled, walk
from core.baselines.pdf_reading import answer, as_parts, asked, by_rank, candidates, going_on, opened, weigh
from core.models.page_protocol import PageTask, PageView
from core.models.page_vector_cache import PageVectorCache
from core.models.profile import Models
from core.models.protocol import PromptTooLong, Stop
from core.records import Request, Step
from core.settings.pages import PAGES_DECODED_TOGETHER, PDF_PEERS
from core.sleuth.state import Run

_NUMBER = re.compile(r"(?<!\d)[1-5](?!\d)")
_UNSAID, _UNREAD = 3.0, 1.0


def run(request: Request, models: Models, run_id: str, stop: Stop) -> Iterator[Step]:
    """Runs one request. Raises InputError, ModelError, Cancelled."""
    under_way, views = yield from opened(request, models, run_id, stop)
    yield going_on(under_way, "graph", 0.0, "Walking from page to page")
    pages = under_way.record.pages or ()
    semantic = scaled([page.score for page in pages])
    ranked = sorted((page for page in pages if page.rank is not None), key=lambda page: page.rank or 0)
    first = [page.page for page in ranked[: PDF_PEERS.beam]] or [view.layout.page for view in by_rank(under_way)]
    ratings: dict[int, float] = {}

    def rate(numbers: list[int]) -> list[float]:
        found = _rated(under_way, [views[number] for number in numbers])
        ratings.update(zip(numbers, found, strict=True))
        return [logical(rating) for rating in found]

    visited = walk(semantic, first, links(_means(under_way, views)), rate)
    best = kept(visited, under_way.pdf.top_k)
    if not best:
        under_way.warn("No page reached MoLoRAG's bar: the best of retrieval are read in their place.")
        best = [view.layout.page for view in by_rank(under_way)]
    candidates(under_way, [views[number] for number in {*visited, *best}])
    under_way.change(
        page.model_copy(update={"rationale": _why(semantic[page.page], ratings[page.page], visited[page.page])})
        for page in under_way.candidates
        if page.page in visited
    )
    under_way.counted["visited"] = len(visited)
    chosen = [views[number] for number in best]
    yield from answer(under_way, chosen, prompts.plain(under_way.question), PDF_PEERS.answer_tokens)


def _means(run: Run, views: Sequence[PageView]) -> NDArray[np.float64]:
    """The mean of each page's vectors: (P, dim); NaN for a page without any. Retrieval has encoded them all."""
    encoder = run.models.page_encoder()
    rows = []
    with run.log.call("graph", encoder.name, "embed") as usage:
        usage.sequences = 0
        for item in PageVectorCache(run.models.cache, encoder).encoded(views, run.stop):
            usage.prompt_tokens += item.tokens
            usage.sequences += not item.cached
            vectors = item.vectors.vectors.astype(np.float64)  # (n, dim)
            rows.append(vectors.mean(axis=0) if len(vectors) else np.full(vectors.shape[1], np.nan))
    return np.array(rows)


def _rated(run: Run, views: Sequence[PageView]) -> list[float]:
    """Each page's rating, 1 to 5."""
    found: list[float] = []
    for begin in range(0, len(views), PAGES_DECODED_TOGETHER):
        tasks = [_task(run, view) for view in views[begin : begin + PAGES_DECODED_TOGETHER]]
        try:
            found += _ratings(run, tasks)
        except PromptTooLong:
            found += [_one(run, task) for task in tasks]
    return found


def _one(run: Run, task: PageTask) -> float:
    try:
        return _ratings(run, [task])[0]
    except PromptTooLong:
        return _UNREAD


def _task(run: Run, view: PageView) -> PageTask:
    return PageTask((*as_parts([view]), prompts.rating(run.question)), PDF_PEERS.rating_tokens)


def _ratings(run: Run, tasks: Sequence[PageTask]) -> list[float]:
    if run.pdf.agents == "signals":
        scale = [(digit, f" {digit}") for digit in prompts.RATING_SCALE]
        return [float(weigh(run, "rating", task, scale) @ np.arange(1, 6)) for task in tasks]
    return [read_rating(reply.text) for reply in asked(run, "rating", tasks)]


def read_rating(text: str) -> float:
    """The first number from 1 to 5 in a reply; 3 where there is none."""
    found = _NUMBER.search(text)
    return float(found[0]) if found else _UNSAID


def _why(semantic: float, rating: float, score: float) -> str:
    return (
        f"Rated {rating:.1f} of 5; similarity {semantic:.2f} of 1; together {score:.2f} (kept from {PDF_PEERS.keep})."
    )
