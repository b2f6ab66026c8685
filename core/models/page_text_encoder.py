"""Pages by their text: the token vectors of a sentence embedder, for late interaction, and its sentences' vectors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import torch
from numpy.typing import NDArray

from core.models.embedder import embed, embed_query, tokens_run
from core.models.loading import fingerprint
from core.models.page_protocol import PageVectors, PageView, QueryVectors
from core.models.protocol import Stop
from core.settings.models import WINDOW_BATCH_TOKENS
from core.settings.pages import PAGE_WINDOW_OVERLAP, PAGE_WINDOW_TOKENS
from core.text import sentences


@dataclass(frozen=True)
class _Window:
    """A stretch of a page that is run on its own."""

    page: int
    """Place in the call's list of pages."""
    ids: list[int]
    """Token ids, special tokens included: (t)."""
    shown: NDArray[np.bool_]
    """(t) whether a token stands for text."""
    words: NDArray[np.int32]
    """(t) index of the page's word, -1 for none."""


class TextPageEncoder:
    """Late interaction over the page's words (ColBERT's scoring, Khattab & Zaharia 2020, §3.3).

    The embedder was not trained for it; its token vectors carry enough all the same, and need no other weights.
    What it was trained for, one vector a sentence, comes with them.
    """

    sees: Literal["text", "image"] = "text"

    def __init__(self, model: Any, name: str) -> None:
        """Takes a loaded ``SentenceTransformer`` whose tokenizer knows where each token stands."""
        self.name = f"{name} (token vectors)"
        self._embedder, self._model, self._tokenizer = model, model[0].auto_model, model.tokenizer
        self._window = min(PAGE_WINDOW_TOKENS, int(model.max_seq_length or PAGE_WINDOW_TOKENS))
        self._overlap = min(PAGE_WINDOW_OVERLAP, self._window // 4)
        self.key = f"text-{fingerprint(self._model)}-w{self._window}-o{self._overlap}"

    def encode_pages(self, pages: Sequence[PageView], stop: Stop) -> tuple[list[PageVectors], int]:
        """One set of vectors a page, and the number of tokens run.

        A page with no text has no vectors. Windows of all pages are run together, sorted by length.
        """
        windows = [window for index, page in enumerate(pages) for window in self._windows(index, page)]
        found: dict[int, NDArray[np.float32]] = {}
        for batch in _batches(windows):
            stop()
            for index, vectors in zip(batch, self._run([windows[i].ids for i in batch]), strict=True):
                found[index] = vectors[windows[index].shown]  # (t, dim) -> (n, dim)
        by_page: list[list[int]] = [[] for _ in pages]
        for index, window in enumerate(windows):
            by_page[window.page].append(index)
        parts = [_sentences(page) for page in pages]
        flat = [sentence for part in parts for sentence in part]
        ends = np.cumsum([len(part) for part in parts])
        embedded = np.split(embed(self._embedder, flat, stop).astype(np.float32), ends)[:-1]
        pages_vectors = [
            self._joined([(windows[i], found[i]) for i in indexes], sentences)
            for indexes, sentences in zip(by_page, embedded, strict=True)
        ]
        return pages_vectors, sum(len(window.ids) for window in windows) + tokens_run(self._embedder, flat)

    def encode_query(self, text: str) -> QueryVectors:
        """The question's vectors, one a token; special tokens are left out. At most one window is read."""
        coded = self._tokenizer(
            _clean(text),
            truncation=True,
            max_length=self._window,
            return_offsets_mapping=True,
            return_special_tokens_mask=True,
        )
        shown = ~np.array(coded["special_tokens_mask"], dtype=bool)  # (t)
        vectors = self._run([coded["input_ids"]])[0][shown]  # (m, dim)
        spans = [span for span, keep in zip(coded["offset_mapping"], shown, strict=True) if keep]
        tokens = tuple(text[start:end].strip() for start, end in spans)
        return QueryVectors(vectors, tokens, embed_query(self._embedder, _clean(text)).astype(np.float32))

    def _windows(self, index: int, page: PageView) -> list[_Window]:
        words = [_clean(word.text) for word in page.layout.words]
        if not any(words):
            return []
        ends = np.cumsum([len(word) + 1 for word in words])  # where the next word begins
        coded = self._tokenizer(
            " ".join(words),
            truncation=True,
            max_length=self._window,
            stride=self._overlap,
            return_overflowing_tokens=True,
            return_offsets_mapping=True,
            return_special_tokens_mask=True,
        )
        found = []
        for ids, spans, special in zip(
            coded["input_ids"], coded["offset_mapping"], coded["special_tokens_mask"], strict=True
        ):
            shown = ~np.array(special, dtype=bool)
            # The last character of a token, since some tokenizers count the space before it in.
            last = np.array([end - 1 for _, end in spans])
            found.append(_Window(index, ids, shown, np.searchsorted(ends, last, side="right").astype(np.int32)))
        return [window for window in found if window.shown.any()]

    def _run(self, ids: Sequence[list[int]]) -> list[NDArray[np.float32]]:
        """Unit vectors of each row's tokens: (t, dim) each; a decoder's tokenizer makes none of an empty text."""
        if not any(ids):
            return [np.zeros((0, self._model.config.hidden_size), dtype=np.float32) for _ in ids]
        longest, pad = max(map(len, ids)), self._tokenizer.pad_token_id or 0
        tokens = torch.tensor([row + [pad] * (longest - len(row)) for row in ids])  # (B, T)
        mask = torch.tensor([[1] * len(row) + [0] * (longest - len(row)) for row in ids])  # (B, T)
        device = self._model.device
        with torch.inference_mode():
            hidden = self._model(input_ids=tokens.to(device), attention_mask=mask.to(device)).last_hidden_state
            unit = torch.nn.functional.normalize(hidden.float(), dim=-1).cpu().numpy()  # (B, T, dim)
        return [unit[row, : len(ids[row])] for row in range(len(ids))]

    def _joined(
        self, windows: Sequence[tuple[_Window, NDArray[np.float32]]], sentences: NDArray[np.float32]
    ) -> PageVectors:
        if not windows:
            return PageVectors(np.zeros((0, self._model.config.hidden_size), dtype=np.float32))
        return PageVectors(
            vectors=np.concatenate([vectors for _, vectors in windows]),
            words=np.concatenate([window.words[window.shown] for window, _ in windows]),
            windows=np.repeat(np.arange(len(windows), dtype=np.int32), [len(vectors) for _, vectors in windows]),
            sentences=sentences,
        )


def _batches(windows: Sequence[_Window]) -> list[list[int]]:
    """Indexes of windows that are run together: of like length, up to a number of padded tokens."""
    batches: list[list[int]] = []
    longest = 0
    for index in sorted(range(len(windows)), key=lambda i: -len(windows[i].ids)):
        if not batches or (len(batches[-1]) + 1) * longest > WINDOW_BATCH_TOKENS:
            batches.append([])
            longest = len(windows[index].ids)
        batches[-1].append(index)
    return batches


def _sentences(page: PageView) -> list[str]:
    text = " ".join(_clean(word.text) for word in page.layout.words)
    return [text[span.start : span.end] for span in sentences(text)]


def _clean(text: str) -> str:
    """The text with half surrogate pairs replaced, which tokenizers refuse; its length stays."""
    return text.encode("utf-8", "replace").decode("utf-8")
