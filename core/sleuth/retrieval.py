"""Which pages of a document may answer a question (SLEUTH §3.1): all pages scored, the best K kept."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from core.models.calls import CallLog
from core.models.late_interaction import closest_sentence, page_map, page_score
from core.models.lexical import bm25_scores
from core.models.page_protocol import PageEncoder, PageView
from core.models.page_vector_cache import PageVectorCache
from core.models.protocol import Stop
from core.page_record import PageMap
from core.records import Similarity
from core.settings.methods import PdfSettings
from core.settings.pages import LEXICAL_WEIGHT, RECIPROCAL_RANK_OFFSET, SENTENCE_WEIGHT, SIMILARITY_DIGITS


@dataclass(frozen=True)
class ScoredPage:
    """What retrieval says about one page."""

    page: int
    """0-based index in the document."""
    score: float | None
    """Higher is better; None for a page that could not be scored."""
    rank: int | None
    """Place by score, from 0; None with no score."""
    candidate: bool = False
    neighbour: bool = False
    """Candidate only because it stands beside a hit."""
    late_interaction: float | None = None
    """MaxSim of question and page."""
    lexical: float | None = None
    """BM25; None where pages are found by their pictures."""
    sentence: float | None = None
    """Cosine of the question with the page's closest sentence; None where the encoder embeds no sentences."""


@dataclass(frozen=True)
class Retrieved:
    """The outcome of one retrieval."""

    pages: tuple[ScoredPage, ...]
    """All pages, in the document's order."""
    candidates: tuple[int, ...]
    """Page indexes: the hits, best first, then their neighbours in the document's order."""
    similarity: Similarity
    """What each token of the question found on the candidates."""
    encoded: int
    """Pages that were encoded now; the others lay in the cache."""
    warnings: tuple[str, ...] = ()


class Retrieval:
    """Scores pages as they come. Holds one page's vectors at a time, so memory does not grow with the document."""

    def __init__(self, question: str, encoder: PageEncoder, cache: Path, log: CallLog) -> None:
        """Encodes the question. Raises ModelError."""
        self._question, self._encoder, self._log = question, encoder, log
        self._vectors = PageVectorCache(cache, encoder)
        self._query = encoder.encode_query(question)
        self._views: list[PageView] = []
        self._late: list[float] = []
        self._sentence: list[float] = []
        self._encoded = 0

    def score(self, views: Iterable[PageView], stop: Stop) -> Iterator[int]:
        """Scores more pages; yields how many are scored so far, page by page. Raises ModelError."""
        with self._log.call("pages: encode", self._encoder.name, "embed") as usage:
            usage.sequences = 0
            for item in self._vectors.encoded(views, stop):
                self._views.append(item.view)
                self._late.append(page_score(self._query, item.vectors))
                self._sentence.append(closest_sentence(self._query, item.vectors))
                self._encoded += not item.cached
                usage.sequences += not item.cached
                usage.prompt_tokens += item.tokens
                yield len(self._views)

    def found(self, settings: PdfSettings, stop: Stop) -> Retrieved:
        """Ranks the pages that were scored and keeps the best; ties go to the lower page. Raises ModelError."""
        late = np.array(self._late, dtype=np.float64)  # (P,)
        lexical, sentence = self._lexical(), self._sentences()
        others = [(lexical, LEXICAL_WEIGHT), (sentence, SENTENCE_WEIGHT)]
        lists = [(late, 1.0), *((scores, weight) for scores, weight in others if scores is not None)]
        score = late if len(lists) == 1 else reciprocal_ranks(lists)
        pages = [view.layout.page for view in self._views]
        order = sorted(np.flatnonzero(~np.isnan(score)).tolist(), key=lambda i: (-score[i], pages[i]))
        ranks = {index: rank for rank, index in enumerate(order)}
        hits = order[: settings.top_k] or sorted(range(len(pages)), key=pages.__getitem__)[: settings.top_k]
        beside = _beside(hits, pages, ranks, settings.neighbours)
        scored = [
            ScoredPage(
                page=pages[i],
                score=_number(score[i]),
                rank=ranks.get(i),
                candidate=i in hits or i in beside,
                neighbour=i in beside,
                late_interaction=_number(late[i]),
                lexical=None if lexical is None else _number(lexical[i]),
                sentence=None if sentence is None else _number(sentence[i]),
            )
            for i in sorted(range(len(pages)), key=pages.__getitem__)
        ]
        return Retrieved(
            pages=tuple(scored),
            candidates=tuple(pages[i] for i in [*hits, *beside]),
            similarity=self._similarity([self._views[i] for i in [*hits, *beside]], stop),
            encoded=self._encoded,
            warnings=self._warnings([pages[i] for i in range(len(pages)) if i not in ranks]),
        )

    def _lexical(self) -> NDArray[np.float64] | None:
        """BM25 of the pages' text, to be fused with late interaction; see ``RECIPROCAL_RANK_OFFSET``."""
        if self._encoder.sees == "image":
            return None
        return bm25_scores(self._question, [_text(view) for view in self._views], stemmed=True)

    def _sentences(self) -> NDArray[np.float64] | None:
        """Cosine of the closest sentence (P,); the lowest there is for a page that has vectors and no sentence."""
        found = np.array(self._sentence, dtype=np.float64)
        if np.isnan(found).all():
            return None
        return np.where(np.isnan(found) & ~np.isnan(self._late), -1.0, found)

    def _similarity(self, views: list[PageView], stop: Stop) -> Similarity:
        maps = []
        for item in self._vectors.encoded(views, stop):
            values = page_map(self._query, item.vectors, len(item.view.layout.words))
            if values is not None:
                kind, grid = ("words", None) if item.vectors.patch is None else ("patches", item.vectors.grid)
                rows = tuple(tuple(round(float(v), SIMILARITY_DIGITS) for v in row) for row in values)
                maps.append(PageMap(page=item.view.layout.page, kind=kind, grid=grid, values=rows))
        return Similarity(tokens=tuple(token for token in self._query.tokens if token), pages=tuple(maps))

    def _warnings(self, unscored: list[int]) -> tuple[str, ...]:
        if not unscored:
            return ()
        what = "text that could be read" if self._encoder.sees == "text" else "picture"
        if len(unscored) == len(self._views):
            return (f"No page has any {what}, so no page could be searched; the first ones were taken.",)
        return (f"Not searched, for want of any {what}: {_numbers(unscored)}.",)


def retrieve(
    question: str,
    views: Iterable[PageView],
    encoder: PageEncoder,
    settings: PdfSettings,
    cache: Path,
    log: CallLog,
    stop: Stop,
) -> Retrieved:
    """The whole retrieval in one call, for those who show no progress. Raises ModelError."""
    retrieval = Retrieval(question, encoder, cache, log)
    for _ in retrieval.score(views, stop):
        pass
    return retrieval.found(settings, stop)


def reciprocal_ranks(lists: Sequence[tuple[NDArray[np.float64], float]]) -> NDArray[np.float64]:
    """Reciprocal rank fusion (Cormack, Clarke & Büttcher, SIGIR 2009), weighted: (P,).

    A page with no score (NaN) in any list has none. Equal scores share the mean of their places, so a list that says
    nothing about some pages prefers none of them.

    Args:
        lists: (scores (P,), weight) of each.
    """
    known = ~np.any([np.isnan(scores) for scores, _ in lists], axis=0)
    fused = np.where(known, 0.0, np.nan)
    for scores, weight in lists:
        ranks = rankdata(-scores[known], method="average")  # from 1
        fused[known] += weight / (RECIPROCAL_RANK_OFFSET + ranks)
    return fused


def _beside(hits: list[int], pages: list[int], ranks: dict[int, int], reach: int) -> list[int]:
    """Places of the pages within ``reach`` of a hit that are no hits, could be scored, in the document's order."""
    near = {pages[hit] + step for hit in hits for step in range(-reach, reach + 1)}
    found = [i for i, page in enumerate(pages) if page in near and i not in hits and i in ranks]
    return sorted(found, key=pages.__getitem__)


def _text(view: PageView) -> str:
    return " ".join(word.text for word in view.layout.words)


def _number(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def _numbers(pages: list[int]) -> str:
    """Page numbers as people write them: "page 4", "pages 1, 7–9"."""
    runs: list[list[int]] = []
    for page in sorted(pages):
        if runs and page == runs[-1][-1] + 1:
            runs[-1].append(page)
        else:
            runs.append([page])
    parts = [str(run[0] + 1) if len(run) == 1 else f"{run[0] + 1}–{run[-1] + 1}" for run in runs]
    return ("page " if len(pages) == 1 else "pages ") + ", ".join(parts)
