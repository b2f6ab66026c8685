"""Late interaction (MaxSim): exact scores of pages for a question, and where on a page each token found its best.

Score of a page = sum over the query's vectors of the largest dot product with one of the page's vectors (ColBERT,
Khattab & Zaharia 2020, §3.3; ColPali, Faysse et al. 2025, §4.1). A page that was encoded in windows scores as its best
window. Pages keep their own length: nothing is padded, so no zero vector can win where all products are negative.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController

from core.models.page_protocol import PageVectors, QueryVectors

# One page's product is small: its threads would wait for each other longer than they work, and on a busy machine
# many times as long (1,000 pages, two cores shared with other work: 0.3 s with one thread, 2.5 to 9.6 s with two).
_BLAS = ThreadpoolController().select(user_api="blas")


def scores(query: QueryVectors, pages: Iterable[PageVectors]) -> NDArray[np.float64]:
    """The score of each page: (P,); NaN for a page or a question without vectors.

    Raises:
        ValueError: a page's vectors have not the query's length.
    """
    with _BLAS.limit(limits=1):
        return np.array([_score(query, page) for page in pages], dtype=np.float64)


def page_score(query: QueryVectors, page: PageVectors) -> float:
    """The score of one page; see ``scores``."""
    return float(scores(query, [page])[0])


def closest_sentence(query: QueryVectors, page: PageVectors) -> float:
    """Cosine of the whole question with the page's closest sentence; NaN where either was not embedded."""
    if query.whole is None or page.sentences is None or not len(page.sentences):
        return float("nan")
    return float((page.sentences @ query.whole).max())


def _score(query: QueryVectors, page: PageVectors) -> float:
    if not len(page.vectors) or not len(query.vectors):
        return float("nan")
    products = query.vectors @ page.vectors.T  # (m, n); one page fits the processor's cache
    if page.windows is None:
        return float(products.max(axis=1).sum(dtype=np.float64))
    starts = np.flatnonzero(np.diff(page.windows, prepend=-1))  # (W,) where each window begins
    best = np.maximum.reduceat(products, starts, axis=1)  # (m, W)
    return float(best.sum(axis=0, dtype=np.float64).max())


def page_map(query: QueryVectors, page: PageVectors, places: int) -> NDArray[np.float32] | None:
    """What each shown query token found at each place of a page: (tokens shown, places); 0 where there is no vector.

    A place is a word of the layout or a patch of the grid; the largest product of its vectors counts. None where it
    is not known for which places the vectors stand.

    Args:
        query: vectors whose token is empty are left out.
        page: its ``words`` or ``patch`` name the place of each vector.
        places: how many words the layout has; a grid of patches brings its own number.
    """
    where = page.patch if page.patch is not None else page.words
    if page.patch is not None:
        if page.grid is None:
            return None
        places = page.grid[0] * page.grid[1]
    if where is None:
        return None
    shown = [index for index, token in enumerate(query.tokens) if token]
    placed = np.flatnonzero((where >= 0) & (where < places))
    found = np.full((places, len(shown)), -np.inf, dtype=np.float32)  # (places, tokens)
    np.maximum.at(found, where[placed], page.vectors[placed] @ query.vectors[shown].T)
    return np.where(np.isfinite(found), found, 0).T.astype(np.float32)
