from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import torch
from tokenizers import Tokenizer, models, pre_tokenizers, processors
from transformers import BertConfig, BertForSequenceClassification, PreTrainedTokenizerFast

from core.models.protocol import Cancelled, ModelError
from core.models.reranker import CrossReranker, load_reranker
from tests.core.models.prompts import never

WORDS = [
    "[PAD]",
    "[UNK]",
    "[CLS]",
    "[SEP]",
    *["which", "river", "is", "it", "the", "potaro", "plunges", "over", "falls", "a", "town"],
]


def checkpoint(folder: Path, labels: int = 1) -> Path:
    """A cross-encoder of two layers with random weights."""
    torch.manual_seed(4)
    raw = Tokenizer(models.WordLevel({word: i for i, word in enumerate(WORDS)}, unk_token="[UNK]"))
    raw.pre_tokenizer = pre_tokenizers.Whitespace()
    raw.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    config = BertConfig(
        vocab_size=len(WORDS),
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=64,
        num_labels=labels,
        initializer_range=0.5,
    )
    BertForSequenceClassification(config).save_pretrained(folder)
    PreTrainedTokenizerFast(
        tokenizer_object=raw, pad_token="[PAD]", unk_token="[UNK]", cls_token="[CLS]", sep_token="[SEP]"
    ).save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def reranker(tmp_path_factory: pytest.TempPathFactory) -> CrossReranker:
    root = tmp_path_factory.mktemp("reranker")
    return load_reranker(str(checkpoint(root / "tiny")), False, root, "cpu", torch.float32)


TEXTS = ["the potaro plunges over the falls", "a town", "the river is a river " * 3, "a town"]


def test_scores_are_the_models_own_whatever_stands_beside_them(reranker: CrossReranker) -> None:
    scores, tokens = reranker.rerank("which river is it", TEXTS, never)
    assert scores.shape == (4,) and scores.dtype == np.float64
    alone = [reranker.rerank("which river is it", [text], never)[0][0] for text in TEXTS]
    assert scores == pytest.approx(alone, abs=1e-5)
    assert scores[1] == pytest.approx(scores[3], abs=1e-6) and scores[0] != pytest.approx(scores[1], abs=1e-4)
    assert tokens == sum(len(text.split()) + 4 + 3 for text in TEXTS)  # question, and three special tokens


def test_no_text_has_no_score(reranker: CrossReranker) -> None:
    scores, tokens = reranker.rerank("which river", [], never)
    assert scores.shape == (0,) and tokens == 0


def test_it_can_be_stopped(reranker: CrossReranker) -> None:
    def stop() -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        reranker.rerank("which river", TEXTS, stop)


def test_a_classifier_of_several_labels_is_refused(tmp_path: Path) -> None:
    wrong = load_reranker(str(checkpoint(tmp_path / "two", labels=2)), False, tmp_path, "cpu", torch.float32)
    with pytest.raises(ModelError, match="one"):
        wrong.rerank("which river", TEXTS, never)


def test_a_model_that_brings_code_says_how_to_allow_it(tmp_path: Path) -> None:
    folder = checkpoint(tmp_path / "coded")
    config = (folder / "config.json").read_text()
    own = {"AutoConfig": "own.Config", "AutoModelForSequenceClassification": "own.Model"}
    coded = config.replace("{", f'{{"auto_map": {json.dumps(own)},', 1).replace('"bert"', '"of-its-own"')
    (folder / "config.json").write_text(coded)
    (folder / "own.py").write_text("raise SystemExit('this code ran')\n")
    with pytest.raises(ModelError, match="W_LENS_REMOTE_CODE=yes"):
        load_reranker(str(folder), False, tmp_path, "cpu", torch.float32)
