from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.models.prompt import lay_out, raw_ids, require_room
from core.models.protocol import ModelError, Piece, Prompt, PromptTooLong
from tests.core.models.checkpoints import tokenizer
from tests.core.models.prompts import TEXTS, prompt

TOKENIZERS = {
    "chat": tokenizer(),
    "no chat": tokenizer(chat=False),
    "adds bos": tokenizer(chat=False, adds_bos=True),
    "chat and bos": tokenizer(chat=True, adds_bos=True),
    "merges breaks": tokenizer(chat=False, merges_breaks=True),
}


@pytest.mark.parametrize("kind", TOKENIZERS)
def test_every_document_and_the_question_decode_to_their_text(kind: str) -> None:
    tok = TOKENIZERS[kind]
    laid = lay_out(tok, prompt())
    assert len(laid.documents) == len(TEXTS)
    for i, (span, text) in enumerate(zip(laid.documents, TEXTS, strict=True)):
        assert tok.decode(laid.ids[span.start : span.end]).strip() == f"Document [{i + 1}](Title: T{i}) {text}".strip()
    assert laid.question_last is not None
    assert tok.decode(laid.ids[: laid.question_last + 1]).endswith("Question: which river is it")


def test_a_full_stop_that_is_one_token_with_the_line_break_behind_it_belongs_to_its_text() -> None:
    tok = TOKENIZERS["merges breaks"]
    texts = ["One.", "Two?\n", "Three!"]
    laid = lay_out(tok, prompt(texts, question="One or two?"))
    assert tok.decode(laid.ids[laid.documents[0].end - 1]) == ".\n"
    assert tok.decode(laid.ids[laid.question_last or 0]) == "?\n"
    for tokens, text in zip(laid.tokens, texts, strict=True):
        assert text.rstrip() == "".join(text[start:end] for _, start, end in tokens).rstrip()


def test_spans_are_in_order_and_leave_the_separators_out() -> None:
    laid = lay_out(TOKENIZERS["chat"], prompt(["one", "two"]))
    first, second = laid.documents
    assert first.end < second.start <= second.end < (laid.question_last or 0)
    assert TOKENIZERS["chat"].decode(laid.ids[first.end : second.start]) == "\n"


@pytest.mark.parametrize("kind", TOKENIZERS)
def test_template_tokens_in_a_document_stay_text(kind: str) -> None:
    tok = TOKENIZERS[kind]
    laid = lay_out(tok, prompt())
    for span in laid.documents:
        assert not set(laid.ids[span.start : span.end]) & set(tok.all_special_ids)
    roles = [i for i in laid.ids if i == tok.convert_tokens_to_ids("<|im_start|>")]
    assert len(roles) == (3 if "chat" in kind.split()[0] and kind != "no chat" else 0)  # system, user, assistant


@pytest.mark.parametrize(("kind", "count"), [("chat", 0), ("no chat", 0), ("adds bos", 1), ("chat and bos", 0)])
def test_no_first_token_is_doubled(kind: str, count: int) -> None:
    laid = lay_out(TOKENIZERS[kind], prompt())
    assert laid.ids.count(0) == count
    assert raw_ids(TOKENIZERS[kind], "river", start=True).count(0) == (1 if "bos" in kind else 0)


def test_body_tokens_carry_offsets_of_the_documents_own_text() -> None:
    laid = lay_out(TOKENIZERS["chat"], prompt())
    for tokens, text in zip(laid.tokens, TEXTS, strict=True):
        assert tokens[0][1] == 0
        assert max(end for _, _, end in tokens) == len(text)
        assert all(0 <= start < end <= len(text) for _, start, end in tokens)


def test_the_opener_stands_last_in_the_models_turn() -> None:
    tok = TOKENIZERS["chat"]
    laid = lay_out(tok, Prompt(prompt().pieces, opener="The answer is"))
    assert tok.decode(laid.ids).endswith("<|im_start|>assistant\nThe answer is")


def test_a_prompt_that_is_too_long_says_how_many_documents_fit() -> None:
    laid = lay_out(TOKENIZERS["chat"], prompt(["river " * 20] * 10))
    size = laid.documents[1].end - laid.documents[1].start
    rest = len(laid.ids) - sum(span.end - span.start for span in laid.documents)
    with pytest.raises(PromptTooLong, match=r"first 3 of the 10 documents fit"):
        require_room(laid, window=rest + 3 * size + 10 + 5, reserve=10)
    require_room(laid, window=len(laid.ids) + 10, reserve=10)


def test_one_document_that_is_too_long_is_named() -> None:
    laid = lay_out(TOKENIZERS["chat"], prompt(["a", "river " * 3000, "b"]))
    with pytest.raises(PromptTooLong, match="Document 2 alone"):
        require_room(laid, window=2048, reserve=10)


def test_a_blank_question_is_refused() -> None:
    with pytest.raises(ModelError, match="blank"):
        lay_out(TOKENIZERS["chat"], Prompt((Piece("hello "), Piece("", question=True))))


@settings(max_examples=150, deadline=None)
@given(st.lists(st.text(max_size=60), min_size=1, max_size=4), st.sampled_from(sorted(TOKENIZERS)))
def test_any_text_keeps_its_place_and_its_tokens(texts: list[str], kind: str) -> None:
    clean = [text.encode("utf-8", "ignore").decode() for text in texts]
    tok = TOKENIZERS[kind]
    laid = lay_out(tok, prompt(clean))
    assert len(laid.documents) == len(clean)
    for span in laid.documents:
        assert 0 < span.start < span.end <= len(laid.ids)
        assert not set(laid.ids[span.start : span.end]) & set(tok.all_special_ids)
