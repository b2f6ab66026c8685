"""Tiny random-weight visual retrievers, written to disk with their processors and tokenizers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import colpali_engine.models as engine
import torch
import transformers
from peft import LoraConfig, get_peft_model
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import PreTrainedTokenizerFast

CORPUS = ["Query: Question: Which river is it? User: Describe the image.\nAssistant: x 7"] * 4
TEXT = {
    "hidden_size": 32,
    "intermediate_size": 64,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "max_position_embeddings": 4096,
    "pad_token_id": 0,
    "bos_token_id": 1,
    "eos_token_id": 2,
}
QWEN_SPECIALS = ["<|vision_start|>", "<|vision_end|>", "<|image_pad|>", "<|video_pad|>", "<|im_start|>", "<|im_end|>"]
TILE_SPECIALS = [
    *("<fake_token_around_image>", "<image>", "<end_of_utterance>", "<global-img>", "<|im_start|>"),
    *("<|begin_of_text|>", *(f"<row_{row}_col_{column}>" for row in range(1, 7) for column in range(1, 7))),
]


def tokenizer(specials: list[str], **tokens: str) -> PreTrainedTokenizerFast:
    """A byte-level BPE tokenizer whose first tokens are <pad>, <bos>, <eos>."""
    raw = Tokenizer(models.BPE())
    raw.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    raw.decoder = decoders.ByteLevel()
    first = ["<pad>", "<bos>", "<eos>", *specials]
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    raw.train_from_iterator(
        CORPUS, trainers.BpeTrainer(vocab_size=500, special_tokens=first, initial_alphabet=alphabet)
    )
    named = {"pad_token": "<pad>", "bos_token": "<bos>", "eos_token": "<eos>", **tokens}
    fast = PreTrainedTokenizerFast(tokenizer_object=raw, **named)
    fast.add_special_tokens({"additional_special_tokens": specials})
    return fast


def paligemma_config(image_token: int) -> Any:
    """A Gemma of two layers behind a SigLIP that sees 4 × 4 patches of 8 pixels."""
    vision = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 1, "num_attention_heads": 2}
    return transformers.PaliGemmaConfig(
        vision_config={**vision, "model_type": "siglip_vision_model", "image_size": 32, "patch_size": 8},
        text_config={**TEXT, "model_type": "gemma", "head_dim": 8, "vocab_size": 2048},
        image_token_index=image_token,
        projection_dim=32,
    )


def _siglip(size: int) -> Any:
    images = transformers.SiglipImageProcessor(size={"height": size, "width": size})
    images.image_seq_length = (size // 8) ** 2
    return images


def colpali_engine(folder: Path) -> Path:
    """ColPali by colpali-engine, all weights in one checkpoint."""
    torch.manual_seed(1)
    processor = engine.ColPaliProcessor(_siglip(32), tokenizer(["<image>"]))
    engine.ColPali(paligemma_config(processor.image_token_id)).save_pretrained(folder)
    processor.save_pretrained(folder)
    return folder


def colpali_adapter(folder: Path) -> Path:
    """The same as a LoRA adapter over a base, as vidore/colpali-v1.3 is published."""
    base = colpali_engine(folder / "base")
    return adapter_over(base, engine.ColPali, folder / "adapter", engine.ColPaliProcessor)


def adapter_over(base: Path, model_class: Any, folder: Path, processor_class: Any) -> Path:
    """An adapter whose weights are small, but no zeros."""
    torch.manual_seed(2)
    model = model_class.from_pretrained(base)
    config = LoraConfig(r=4, target_modules=r".*language_model.*q_proj|custom_text_proj", init_lora_weights=False)
    wrapped = get_peft_model(model, config)
    for name, values in wrapped.named_parameters():
        if "lora_" in name:
            values.data *= 0.3
    wrapped.save_pretrained(folder)
    processor_class.from_pretrained(base).save_pretrained(folder)
    return folder


def colpali_native(folder: Path) -> Path:
    """ColPali by transformers."""
    torch.manual_seed(3)
    processor = transformers.ColPaliProcessor(_siglip(32), tokenizer(["<image>"]))
    config = transformers.ColPaliConfig(vlm_config=paligemma_config(processor.image_token_id), embedding_dim=16)
    transformers.ColPaliForRetrieval(config).save_pretrained(folder)
    processor.save_pretrained(folder)
    return folder


def _qwen2_parts(kind: str) -> tuple[Any, Any, Any]:
    """Configuration, image processor and tokenizer of a tiny Qwen2-VL: 14 pixels a patch, 28 a token."""
    words = tokenizer(["<|endoftext|>", *QWEN_SPECIALS], pad_token="<|endoftext|>")
    ids = {name: words.convert_tokens_to_ids(f"<|{token}|>") for name, token in _QWEN_IDS.items()}
    text = {**TEXT, "vocab_size": 512, "rope_parameters": {"rope_type": "default", "mrope_section": [1, 1, 2]}}
    vision: dict[str, Any] = {"depth": 1, "num_heads": 2, "patch_size": 14, "spatial_merge_size": 2}
    if kind == "qwen2_vl":
        config = transformers.Qwen2VLConfig(
            text_config=text, vision_config={**vision, "embed_dim": 32, "hidden_size": 32, "mlp_ratio": 2}, **ids
        )
    else:
        sizes = {"hidden_size": 32, "out_hidden_size": 32, "intermediate_size": 64, "fullatt_block_indexes": [0]}
        config = transformers.Qwen2_5_VLConfig(text_config=text, vision_config={**vision, **sizes}, **ids)
    images = transformers.Qwen2VLImageProcessor(size={"shortest_edge": 56 * 56, "longest_edge": 4000 * 28 * 28})
    return config, images, words


_QWEN_IDS = {
    "image_token_id": "image_pad",
    "video_token_id": "video_pad",
    "vision_start_token_id": "vision_start",
    "vision_end_token_id": "vision_end",
}


def _colqwen_engine(folder: Path, kind: str, model_class: Any, processor_class: Any) -> Path:
    torch.manual_seed(4)
    config, images, words = _qwen2_parts(kind)
    model_class(config).save_pretrained(folder)
    processor_class(images, words, transformers.Qwen2VLVideoProcessor()).save_pretrained(folder)
    return folder


def colqwen2_engine(folder: Path) -> Path:
    """ColQwen2 by colpali-engine."""
    return _colqwen_engine(folder, "qwen2_vl", engine.ColQwen2, engine.ColQwen2Processor)


def colqwen2_5_engine(folder: Path) -> Path:
    """ColQwen2.5 by colpali-engine."""
    return _colqwen_engine(folder, "qwen2_5_vl", engine.ColQwen2_5, engine.ColQwen2_5_Processor)


def colqwen2_native(folder: Path) -> Path:
    """ColQwen2 by transformers."""
    torch.manual_seed(5)
    vlm, images, words = _qwen2_parts("qwen2_vl")
    config = transformers.ColQwen2Config(vlm_config=vlm, embedding_dim=16)
    transformers.ColQwen2ForRetrieval(config).save_pretrained(folder)
    transformers.ColQwen2Processor(images, words).save_pretrained(folder)
    return folder


def _tiles() -> Any:
    """Tiles of 32 pixels; the longest side of a page has four of them."""
    return transformers.Idefics3ImageProcessor(size={"longest_edge": 128}, max_image_size={"longest_edge": 32})


TILE_VISION = {
    **{"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 1, "num_attention_heads": 2},
    **{"image_size": 32, "patch_size": 8},
}


def colidefics3_engine(folder: Path) -> Path:
    """ColIdefics3 (ColSmol) by colpali-engine: 2 × 2 vectors a tile."""
    torch.manual_seed(6)
    processor = engine.ColIdefics3Processor(_tiles(), tokenizer(TILE_SPECIALS), image_seq_len=4)
    config = transformers.Idefics3Config(
        vision_config=TILE_VISION,
        text_config={**TEXT, "model_type": "llama", "vocab_size": 640},
        image_token_id=processor.image_token_id,
        scale_factor=2,
        pad_token_id=0,
    )
    engine.ColIdefics3(config).save_pretrained(folder)
    processor.save_pretrained(folder)
    return folder


def _modernvbert_config(image_token: int) -> Any:
    text = {key: value for key, value in TEXT.items() if key != "num_key_value_heads"}
    return transformers.ModernVBertConfig(
        vision_config={**TILE_VISION, "model_type": "siglip_vision_model"},
        text_config={**text, "model_type": "modernbert", "vocab_size": 640, "cls_token_id": 1, "sep_token_id": 2},
        image_token_id=image_token,
        pixel_shuffle_factor=2,
    )


def colmodernvbert_engine(folder: Path) -> Path:
    """ColModernVBert by colpali-engine."""
    torch.manual_seed(7)
    processor = engine.ColModernVBertProcessor(_tiles(), tokenizer(TILE_SPECIALS), image_seq_len=4)
    engine.ColModernVBert(_modernvbert_config(processor.image_token_id)).save_pretrained(folder)
    processor.save_pretrained(folder)
    return folder


def colmodernvbert_native(folder: Path) -> Path:
    """ColModernVBert by transformers."""
    torch.manual_seed(8)
    processor = transformers.ColModernVBertProcessor(_tiles(), tokenizer(TILE_SPECIALS), image_seq_len=4)
    vlm = _modernvbert_config(processor.image_token_id)
    config = transformers.ColModernVBertConfig(vlm_config=vlm, embedding_dim=16)
    transformers.ColModernVBertForRetrieval(config).save_pretrained(folder)
    processor.save_pretrained(folder)
    return folder


KINDS = {
    "colpali": colpali_engine,
    "colpali-adapter": colpali_adapter,
    "colpali-native": colpali_native,
    "colqwen2": colqwen2_engine,
    "colqwen2.5": colqwen2_5_engine,
    "colqwen2-native": colqwen2_native,
    "colidefics3": colidefics3_engine,
    "colmodernvbert": colmodernvbert_engine,
    "colmodernvbert-native": colmodernvbert_native,
}
