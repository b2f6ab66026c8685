from __future__ import annotations

import numpy as np
import pytest
import torch
from colpali_engine.models import ColPaliProcessor as EngineProcessor
from transformers import ColPaliProcessor as NativeProcessor

from core.models.late_interaction import page_map, page_score, scores
from core.models.page_protocol import PageVectors, QueryVectors

QUERY = QueryVectors(np.array([[1, 0], [0, 1]], dtype=np.float32), ("which", "river"))


def page(rows: list[list[float]], **parts: object) -> PageVectors:
    arrays = {k: np.array(v, dtype=np.int32) if k != "grid" else v for k, v in parts.items()}
    return PageVectors(np.array(rows, dtype=np.float32).reshape(len(rows), 2), **arrays)  # type: ignore[arg-type]


def unit(rng: np.random.Generator, n: int, dim: int = 16) -> np.ndarray:
    rows = rng.standard_normal((n, dim)).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def test_the_score_is_the_sum_of_the_best_products() -> None:
    # Best for (1, 0): 0.6. Best for (0, 1): 0.8.
    assert page_score(QUERY, page([[0.6, 0.8], [0.5, -0.3], [0.0, 0.1]])) == pytest.approx(1.4)


def test_the_best_window_counts_and_windows_do_not_help_each_other() -> None:
    # Window 0 finds 0.9 + 0.1, window 1 finds 0.2 + 0.7; the page without windows would have 0.9 + 0.7.
    rows = [[0.9, 0.1], [0.3, 0.0], [0.2, 0.7]]
    assert page_score(QUERY, page(rows, windows=[0, 0, 1])) == pytest.approx(1.0)
    assert page_score(QUERY, page(rows)) == pytest.approx(1.6)


def test_a_page_or_question_without_vectors_has_no_score() -> None:
    empty = QueryVectors(np.zeros((0, 2), dtype=np.float32), ())
    assert np.isnan(scores(QUERY, [page([]), page([[1, 0]])])).tolist() == [True, False]
    assert np.isnan(page_score(empty, page([[1, 0]])))
    assert scores(QUERY, []).shape == (0,)


def test_vectors_of_another_length_are_refused() -> None:
    with pytest.raises(ValueError, match="mismatch"):
        page_score(QueryVectors(np.ones((1, 3), dtype=np.float32), ("a",)), page([[1, 0]]))


def test_scores_are_those_of_both_libraries() -> None:
    rng = np.random.default_rng(7)
    query, pages = unit(rng, 9), [unit(rng, n) for n in (1, 30, 17, 64)]
    own = scores(QueryVectors(query, ("",) * 9), [PageVectors(rows) for rows in pages])
    ask, passages = [torch.from_numpy(query)], [torch.from_numpy(rows) for rows in pages]
    engine = EngineProcessor.score_multi_vector(ask, passages, device="cpu")[0].numpy()
    native = NativeProcessor.score_retrieval(None, ask, passages)[0].numpy()
    # The page with one vector has negative products, where the libraries' padding adds a zero; it is left out here.
    assert np.abs(own[1:] - engine[1:]).max() < 1e-5
    assert np.abs(own[1:] - native[1:]).max() < 1e-5


def test_padding_adds_no_zero_where_all_products_are_negative() -> None:
    short, long = page([[-0.6, -0.8]]), page([[-0.8, -0.6], [-1.0, 0.0], [-0.6, -0.8]])
    assert scores(QUERY, [short, long]) == pytest.approx([-1.4, -0.6])
    ask, passages = [torch.from_numpy(QUERY.vectors)], [torch.from_numpy(p.vectors) for p in (short, long)]
    padded = EngineProcessor.score_multi_vector(ask, passages, device="cpu")[0].tolist()
    alone = EngineProcessor.score_multi_vector(ask, passages[:1], device="cpu")[0].tolist()
    # The engine's score of the short page depends on its neighbour: two zero rows beat its negative products.
    assert padded == pytest.approx([0.0, -0.6]) and alone == pytest.approx([-1.4])


def test_a_map_has_the_best_product_of_each_shown_token_at_each_word() -> None:
    query = QueryVectors(np.array([[1, 0], [1, 1], [0, 1]], dtype=np.float32), ("which", "", "river"))
    rows = [[0.1, 0.2], [0.5, 0.3], [-0.4, -0.6], [9, 9]]
    found = page_map(query, page(rows, words=[0, 0, 2, -1]), places=4)
    assert found is not None and found.shape == (2, 4)
    assert found[0] == pytest.approx([0.5, 0, -0.4, 0]) and found[1] == pytest.approx([0.3, 0, -0.6, 0])


def test_a_map_of_patches_is_row_by_row() -> None:
    # A grid of 2 rows and 3 columns; only the patch in row 1, column 0 is lit. The last vector is no patch.
    rows = [[0.0, 0.0]] * 3 + [[1.0, 0.0]] + [[0.0, 0.0]] * 2 + [[5.0, 5.0]]
    found = page_map(QUERY, page(rows, grid=(2, 3), patch=[0, 1, 2, 3, 4, 5, -1]), places=0)
    assert found is not None and found.shape == (2, 6)
    assert found[0].reshape(2, 3).tolist() == [[0, 0, 0], [1, 0, 0]]


def test_where_places_are_not_known_there_is_no_map() -> None:
    assert page_map(QUERY, page([[1, 0]]), places=3) is None
    assert page_map(QUERY, page([[1, 0]], patch=[0]), places=3) is None
