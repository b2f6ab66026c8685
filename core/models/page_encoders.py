"""Loads the page encoder that fits a checkpoint, told by its configuration and never by its name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import colpali_engine.models as engine
import torch
import transformers
from transformers import PreTrainedConfig

from core.models.embedder import SentenceEmbedder
from core.models.loading import loading, short_name
from core.models.page_adapters import find_adapter, merged
from core.models.page_image_encoder import ImagePageEncoder
from core.models.page_protocol import PageEncoder
from core.models.page_text_encoder import TextPageEncoder
from core.models.protocol import ModelError
from core.models.weights import locate
from core.settings.pages import PAGE_VISUAL_TOKENS
from core.settings.profiles import TOKENS_OF_EMBEDDER

# colpali-engine's classes by the architecture that a checkpoint names.
_ENGINE: dict[str, tuple[str, str]] = {
    "ColPali": ("ColPali", "ColPaliProcessor"),
    "ColQwen2": ("ColQwen2", "ColQwen2Processor"),
    "ColQwen2_5": ("ColQwen2_5", "ColQwen2_5_Processor"),
    "ColIdefics3": ("ColIdefics3", "ColIdefics3Processor"),
    "ColModernVBert": ("ColModernVBert", "ColModernVBertProcessor"),
}
# transformers' own, by model_type.
_NATIVE: dict[str, tuple[str, str]] = {
    "colpali": ("ColPaliForRetrieval", "ColPaliProcessor"),
    "colqwen2": ("ColQwen2ForRetrieval", "ColQwen2Processor"),
    "colmodernvbert": ("ColModernVBertForRetrieval", "ColModernVBertProcessor"),
}


def load_page_encoder(
    source: str, embedder: SentenceEmbedder, cache: Path, device: str, dtype: torch.dtype
) -> PageEncoder:
    """A page encoder by hub id or folder; ``TOKENS_OF_EMBEDDER`` takes the embedder that is loaded already.

    Raises:
        ModelError: it is no page encoder, its weights are incomplete, or it cannot be had here.
    """
    if source == TOKENS_OF_EMBEDDER:
        return TextPageEncoder(embedder.model, embedder.name)
    place = locate(source, cache)
    adapter = loading(source, lambda: find_adapter(place))
    base = adapter.base if adapter else place
    model_class, processor_class = loading(source, lambda: _classes(source, base))
    model = loading(source, lambda: _whole(source, base, model_class, dtype))
    if adapter:
        model = loading(source, lambda: merged(model, adapter))
    model = model.to(device).eval()
    processor = loading(source, lambda: _processor(place, processor_class))
    return ImagePageEncoder(model, processor, short_name(source, place))


def _classes(source: str, place: str) -> tuple[Any, Any]:
    """The classes of model and processor, by the configuration at ``place``. Raises ModelError."""
    config, _ = PreTrainedConfig.get_config_dict(place)
    if not isinstance(config, dict):
        raise ValueError("its config.json holds no object")
    kind = str(config.get("model_type", ""))
    if kind in _NATIVE:
        model, processor = _NATIVE[kind]
        return getattr(transformers, model), getattr(transformers, processor)
    named = [name for name in config.get("architectures") or () if name in _ENGINE]
    if not named:
        known = ", ".join([*_ENGINE, *(model for model, _ in _NATIVE.values())])
        raise ModelError(
            f"{source} is no page encoder that is known here (its configuration says {kind or 'nothing'}). "
            f"Name one of the kinds {known} in W_LENS_PAGE_ENCODER."
        )
    model, processor = _ENGINE[named[0]]
    return getattr(engine, model), getattr(engine, processor)


def _whole(source: str, place: str, model_class: Any, dtype: torch.dtype) -> Any:
    """The model with all its weights. Raises ModelError where some would have been left random."""
    model, info = model_class.from_pretrained(place, dtype=dtype, output_loading_info=True)
    lacking = sorted(map(str, [*info["missing_keys"], *(info.get("mismatched_keys") or ())]))
    if lacking:
        raise ModelError(
            f"{source} lacks weights that {model_class.__name__} needs: {', '.join(lacking[:3])} "
            f"({len(lacking)} in all). They would be random; take a complete checkpoint."
        )
    head = getattr(getattr(model, "model", None), "lm_head", None)
    if head is not None and head.weight.is_meta:
        # Files leave out what is tied to the embeddings; colpali-engine's ColPali does not tie it again.
        head.weight = model.get_input_embeddings().weight
    return model


def _processor(place: str, processor_class: Callable[..., Any]) -> Any:
    processor = processor_class.from_pretrained(place)  # type: ignore[attr-defined]
    images = processor.image_processor
    if hasattr(images, "merge_size"):  # pages of any size: a bound on their tokens
        longest = PAGE_VISUAL_TOKENS * (images.patch_size * images.merge_size) ** 2
        images.size = {**dict(images.size), "longest_edge": min(longest, images.size["longest_edge"])}
    return processor
