"""Tiny random-weight checkpoints, written to disk and loaded by the real loading code."""

from __future__ import annotations

from pathlib import Path

import torch
from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, processors, trainers
from transformers import (
    LlamaConfig,
    LlamaForCausalLM,
    MistralConfig,
    MistralForCausalLM,
    PreTrainedTokenizerFast,
    Qwen2Config,
    Qwen2ForCausalLM,
)

CORPUS = [
    "Document [1](Title: The river) The Potaro River plunges over Kaieteur Falls. Question: which river is it?",
    'Answer the question. Reply with a JSON object: {"important_docs":[1,2],"answer":"x","reasoning":"y"}',
    "The answer is yes. 0 1 2 3 4 5 6 7 8 9 a e i o u. café naïve 😀 שלום",
] * 4
CHAT = (
    "{% for message in messages %}<|im_start|>{{ message['role'] }}\n{{ message['content'] }}<|im_end|>\n"
    "{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
SIZES = {
    "vocab_size": 600,
    "hidden_size": 48,
    "intermediate_size": 96,
    "num_hidden_layers": 3,
    "num_attention_heads": 6,
    "num_key_value_heads": 2,
    "max_position_embeddings": 2048,
    "bos_token_id": 0,
    "eos_token_id": 2,
    "pad_token_id": 2,
}


# How Llama 3 and Qwen split text: punctuation and the line breaks behind it are one word, and may be one token.
PUNCTUATION_AND_BREAKS = Regex(r"[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+")


def tokenizer(chat: bool = True, adds_bos: bool = False, merges_breaks: bool = False) -> PreTrainedTokenizerFast:
    """A byte-level BPE tokenizer with ChatML specials."""
    raw = Tokenizer(models.BPE())
    raw.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    if merges_breaks:
        split = pre_tokenizers.Split(PUNCTUATION_AND_BREAKS, "isolated")
        raw.pre_tokenizer = pre_tokenizers.Sequence([split, pre_tokenizers.ByteLevel(False, use_regex=False)])
    raw.decoder = decoders.ByteLevel()
    specials = ["<s>", "<|im_start|>", "<|im_end|>"]
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    raw.train_from_iterator(
        [*CORPUS, "One.\nTwo?\nThree!\n\n"] * 2 if merges_breaks else CORPUS,
        trainers.BpeTrainer(vocab_size=560, special_tokens=specials, initial_alphabet=alphabet),
    )
    if adds_bos:
        raw.post_processor = processors.TemplateProcessing(single="<s> $A", special_tokens=[("<s>", 0)])
    fast = PreTrainedTokenizerFast(
        tokenizer_object=raw, bos_token="<s>", eos_token="<|im_end|>", pad_token="<|im_end|>"
    )
    fast.chat_template = CHAT if chat else None
    return fast


def _save(model: torch.nn.Module, folder: Path, chat: bool, adds_bos: bool, merges_breaks: bool = False) -> Path:
    model.save_pretrained(folder)
    tokenizer(chat, adds_bos, merges_breaks).save_pretrained(folder)
    return folder


def llama(folder: Path, chat: bool = True, adds_bos: bool = False) -> Path:
    """Grouped heads: six query heads over two key heads."""
    torch.manual_seed(1)
    return _save(LlamaForCausalLM(LlamaConfig(**SIZES)), folder, chat, adds_bos)


def qwen2(folder: Path) -> Path:
    """Biases in the projections, a sliding window that is switched off, line breaks that merge into punctuation."""
    torch.manual_seed(2)
    config = Qwen2Config(**SIZES, sliding_window=16, use_sliding_window=False)
    return _save(Qwen2ForCausalLM(config), folder, True, False, merges_breaks=True)


def mistral(folder: Path) -> Path:
    """A sliding window that is in use and far shorter than the prompts."""
    torch.manual_seed(3)
    return _save(MistralForCausalLM(MistralConfig(**SIZES, sliding_window=24, head_dim=8)), folder, False, True)
