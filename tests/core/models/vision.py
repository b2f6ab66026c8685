"""Tiny random-weight vision models with processors and tokenizers, written to disk and loaded by the real code."""

from __future__ import annotations

from pathlib import Path

import torch
from PIL import Image, ImageDraw
from tokenizers import AddedToken
from transformers import (
    Idefics3Config,
    Idefics3ForConditionalGeneration,
    Idefics3ImageProcessor,
    Idefics3Processor,
    Qwen2VLImageProcessor,
    Qwen3VLConfig,
    Qwen3VLForConditionalGeneration,
    Qwen3VLProcessor,
    Qwen3VLVideoProcessor,
)

from tests.core.models.checkpoints import tokenizer

TEXT = {
    "vocab_size": 700, "hidden_size": 48, "intermediate_size": 96, "num_hidden_layers": 3, "num_attention_heads": 6,
    "num_key_value_heads": 2, "max_position_embeddings": 2048, "bos_token_id": 0, "eos_token_id": 2, "pad_token_id": 2,
}  # fmt: skip
IDEFICS_CHAT = (
    "{% for message in messages %}<|im_start|>{{ message['role'] | capitalize }}: {% for part in message['content'] %}"
    "{% if part['type'] == 'image' %}<image>{% else %}{{ part['text'] }}{% endif %}{% endfor %}<|im_end|>\n"
    "{% endfor %}{% if add_generation_prompt %}Assistant:{% endif %}"
)
QWEN_CHAT = (
    "{% for message in messages %}<|im_start|>{{ message['role'] }}\n{% for part in message['content'] %}"
    "{% if part['type'] == 'image' %}<|vision_start|><|image_pad|><|vision_end|>{% else %}{{ part['text'] }}{% endif %}"
    "{% endfor %}<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n"
)
QWEN_TOKENS = ("<|vision_start|>", "<|vision_end|>", "<|image_pad|>", "<|video_pad|>")


def idefics3(folder: Path) -> Path:
    """As SmolVLM is built: a page is cut into tiles, each with its own tokens between marks, and shown as a whole."""
    torch.manual_seed(11)
    tokens = tokenizer()
    rows = [f"<row_{row}_col_{column}>" for row in range(1, 7) for column in range(1, 7)]
    tokens.add_special_tokens(
        {"additional_special_tokens": ["<fake_token_around_image>", "<image>", "<end_of_utterance>"]}
    )
    tokens.add_tokens([AddedToken(word, special=True) for word in ("<global-img>", *rows)])
    size = {"longest_edge": 64}
    pictures = Idefics3ImageProcessor(size=size, max_image_size={"longest_edge": 32}, do_image_splitting=True)
    processor = Idefics3Processor(pictures, tokens, image_seq_len=4, chat_template=IDEFICS_CHAT)
    config = Idefics3Config(
        text_config={"model_type": "llama", **TEXT},
        vision_config={
            "hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 2, "num_attention_heads": 2,
            "image_size": 32, "patch_size": 8,
        },
        scale_factor=2, image_token_id=tokens.convert_tokens_to_ids("<image>"), pad_token_id=2,
    )  # fmt: skip
    return _saved(Idefics3ForConditionalGeneration(config), processor, folder)


def qwen3_vl(folder: Path, thinking: bool = False) -> Path:
    """M-RoPE and deep-stacked features; the Thinking template opens the thought."""
    torch.manual_seed(12)
    tokens = tokenizer(merges_breaks=True)
    tokens.add_special_tokens({"additional_special_tokens": list(QWEN_TOKENS)})
    tokens.add_tokens([AddedToken("<think>"), AddedToken("</think>")])
    chat = QWEN_CHAT + ("<think>\n{% endif %}" if thinking else "{% endif %}")
    area = {"shortest_edge": 32 * 32, "longest_edge": 32 * 32 * 40}
    pictures = Qwen2VLImageProcessor(size=area, patch_size=8, merge_size=2, temporal_patch_size=2)
    videos = Qwen3VLVideoProcessor(size=area, patch_size=8, merge_size=2, temporal_patch_size=2)
    processor = Qwen3VLProcessor(pictures, tokens, videos, chat_template=chat)
    named = dict(zip(("vision_start_token_id", "vision_end_token_id", "image_token_id", "video_token_id"),
                     tokens.convert_tokens_to_ids(list(QWEN_TOKENS)), strict=True))  # fmt: skip
    config = Qwen3VLConfig(
        text_config={
            **TEXT, "head_dim": 8,
            "rope_parameters": {"rope_type": "default", "rope_theta": 10000.0, "mrope_section": [2, 1, 1],
                                "mrope_interleaved": True},
        },
        vision_config={
            "depth": 3, "hidden_size": 32, "intermediate_size": 48, "num_heads": 2, "patch_size": 8,
            "out_hidden_size": 48, "num_position_embeddings": 64, "deepstack_visual_indexes": [0, 1],
        },
        tie_word_embeddings=False, **named,
    )  # fmt: skip
    return _saved(Qwen3VLForConditionalGeneration(config), processor, folder)


def _saved(model: torch.nn.Module, processor: object, folder: Path) -> Path:
    model.save_pretrained(folder)
    processor.save_pretrained(folder)
    return folder


def picture(path: Path, shade: int) -> Path:
    """A page with a bar on it."""
    image = Image.new("RGB", (80, 112), "white")
    ImageDraw.Draw(image).rectangle((10, 20, 60, 20 + shade), fill=(shade, 80, 255 - shade))
    image.save(path)
    return path
