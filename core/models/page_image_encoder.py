"""Pages by their pictures: ColPali and its family, for late interaction (Faysse et al. 2025, §4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Literal

import numpy as np
import torch
from numpy.typing import NDArray
from PIL import Image

from core.models.loading import fingerprint
from core.models.page_grids import Grid, patch_grid
from core.models.page_protocol import PageVectors, PageView, QueryVectors
from core.models.protocol import ModelError, Stop
from core.settings.pages import MAX_PAGE_ASPECT, PICTURES_TOGETHER

_PROBES = ("x", "7")


@dataclass(frozen=True)
class _Prepared:
    """A page as its processor made it."""

    index: int
    inputs: dict[str, torch.Tensor]
    """Of one page: each begins with a dimension of one."""
    grid: Grid | None


class ImagePageEncoder:
    """A visual retriever: one vector for each patch of the page and each word of its prompt.

    Both libraries' models are used in the same way; they differ in whether they return the vectors or hold them.
    """

    sees: Literal["text", "image"] = "image"

    def __init__(self, model: Any, processor: Any, name: str) -> None:
        """Takes a loaded retriever and its processor."""
        self.name = name
        self._model, self._processor = model, processor
        self.key = f"image-{fingerprint(model)}-{str(model.dtype).removeprefix('torch.')}"

    def encode_pages(self, pages: Sequence[PageView], stop: Stop) -> tuple[list[PageVectors], int]:
        """One set of vectors a page, and the number of tokens run.

        Pages of one length are run together, so nothing is padded and a page's vectors do not depend on the others.
        A page without a picture, or with one that cannot be read, has no vectors.

        Raises:
            ModelError: one page alone does not fit the memory.
        """
        found = [PageVectors(np.zeros((0, 0), dtype=np.float32)) for _ in pages]
        prepared = [item for index, page in enumerate(pages) if (item := self._prepare(index, page))]
        for _, alike in groupby(sorted(prepared, key=_shapes), key=_shapes):
            group = list(alike)
            for begin in range(0, len(group), PICTURES_TOGETHER):
                stop()
                batch = group[begin : begin + PICTURES_TOGETHER]
                for item, vectors in zip(batch, self._run([item.inputs for item in batch]), strict=True):
                    found[item.index] = _page_vectors(vectors, item.grid)
        return found, sum(item.inputs["input_ids"].shape[1] for item in prepared)

    def encode_query(self, text: str) -> QueryVectors:
        """The question's vectors: its own tokens are shown, those of prefix and augmentation only count."""
        inputs = self._query(text)
        ids = inputs["input_ids"][0].tolist()
        begin, end = self._own_tokens(ids)
        special = set(self._processor.tokenizer.all_special_ids)
        tokens = [
            self._processor.tokenizer.decode([token]).strip() if begin <= place < end and token not in special else ""
            for place, token in enumerate(ids)
        ]
        return QueryVectors(self._run([inputs])[0], tuple(tokens))

    def _prepare(self, index: int, page: PageView) -> _Prepared | None:
        picture = _opened(page)
        if picture is None:
            return None
        inputs = dict(self._processor.process_images(images=[picture]))
        inputs.pop("labels", None)  # of no use but in training
        return _Prepared(index, inputs, patch_grid(self._processor, inputs, picture.size))

    def _query(self, text: str) -> dict[str, torch.Tensor]:
        # colpali-engine calls its first argument "texts", transformers calls it "text".
        inputs = self._processor.process_queries([self._plain(text)])
        return {name: value for name, value in inputs.items() if name != "labels"}

    def _plain(self, text: str) -> str:
        """The text with nothing in it that the tokenizer would take for a special token, such as a picture's."""
        text = text.encode("utf-8", "replace").decode("utf-8")
        for token in (*self._processor.tokenizer.all_special_tokens, self._processor.image_token):
            text = text.replace(token, f"{token[0]} {token[1:]}")
        return text

    def _own_tokens(self, ids: list[int]) -> tuple[int, int]:
        """Where the question's own tokens begin and end: what other questions share with it at the ends is not."""
        others = [self._query(probe)["input_ids"][0].tolist() for probe in _PROBES]
        begin = min(_shared(ids, other) for other in others)
        behind = min(_shared(ids[::-1], other[::-1]) for other in others)
        return begin, len(ids) - behind

    def _run(self, inputs: Sequence[dict[str, torch.Tensor]]) -> list[NDArray[np.float32]]:
        """Unit vectors of each page or question: (t, dim) each. Halves the batch where memory is short."""
        try:
            return list(self._forward(inputs))
        except torch.cuda.OutOfMemoryError as error:
            torch.cuda.empty_cache()
            if len(inputs) == 1:
                raise ModelError(
                    f"There is not enough GPU memory for one page with {self.name}. Use a smaller model "
                    "(W_LENS_PAGE_ENCODER) or the embedded profile."
                ) from error
        half = len(inputs) // 2
        return [*self._run(inputs[:half]), *self._run(inputs[half:])]

    def _forward(self, inputs: Sequence[dict[str, torch.Tensor]]) -> NDArray[np.float32]:
        device = self._model.device
        batch = {name: torch.cat([one[name] for one in inputs]).to(device) for name in inputs[0]}
        with torch.inference_mode():
            output = self._model(**batch)
            vectors = output if isinstance(output, torch.Tensor) else output.embeddings  # (B, T, dim)
            # Normalised again in float32: bfloat16 leaves lengths that differ by some thousandths.
            unit: NDArray[np.float32] = torch.nn.functional.normalize(vectors.float(), dim=-1).cpu().numpy()
        return unit


def _page_vectors(vectors: NDArray[np.float32], grid: Grid | None) -> PageVectors:
    if grid is None:
        return PageVectors(vectors)
    return PageVectors(vectors, grid=grid.size, patch=grid.patch)


def _shapes(item: _Prepared) -> str:
    return str({name: tuple(value.shape) for name, value in item.inputs.items()})


def _opened(page: PageView) -> Image.Image | None:
    """The page's picture in RGB; None where there is none, it cannot be read, or it is a mere line."""
    if page.picture is None:
        return None
    try:
        with Image.open(page.picture) as picture:
            if max(picture.size) > MAX_PAGE_ASPECT * min(picture.size):
                return None
            return picture.convert("RGB")
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return None


def _shared(ids: list[int], other: list[int]) -> int:
    """How many tokens at the beginning are the same."""
    pairs = zip(ids, other, strict=False)
    return next((place for place, (one, two) in enumerate(pairs) if one != two), min(len(ids), len(other)))
