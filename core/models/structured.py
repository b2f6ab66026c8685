"""Replies that follow a schema, constrained while they are decoded."""

from __future__ import annotations

import json
from typing import Any

import torch
import xgrammar


class SchemaDecoder:
    """Compiles reply schemas for one tokenizer and masks logits while a reply is decoded."""

    def __init__(self, tokenizer: Any, vocab_size: int) -> None:
        """``vocab_size`` is the width of the model's logits, which may exceed the tokenizer's."""
        info = xgrammar.TokenizerInfo.from_huggingface(tokenizer, vocab_size=vocab_size)
        self._compiler = xgrammar.GrammarCompiler(info)
        self._vocab_size = vocab_size

    def matcher(self, schema: dict[str, Any]) -> xgrammar.GrammarMatcher:
        """A fresh matcher for one reply.

        White space is off: with it a small model fills its budget with line breaks inside an array.
        """
        compiled = self._compiler.compile_json_schema(json.dumps(schema), any_whitespace=False)
        return xgrammar.GrammarMatcher(compiled)

    def mask(self, matcher: xgrammar.GrammarMatcher, logits: torch.Tensor) -> None:
        """Sets the logits (vocabulary,) of every token that the schema forbids to -inf, in place."""
        bitmask = xgrammar.allocate_token_bitmask(1, self._vocab_size)
        matcher.fill_next_token_bitmask(bitmask)
        xgrammar.apply_token_bitmask_inplace(logits, bitmask.to(logits.device)[0])
