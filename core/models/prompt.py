"""From a prompt to token ids, with the exact place of every document and of the question."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import Any

from core.models.protocol import ModelError, Piece, Prompt, PromptTooLong
from core.settings.methods import SYSTEM_TEXT

_MARK = "\ue000W-LENS\ue000"  # stands for the user's turn while the chat template is rendered


@dataclass(frozen=True)
class TokenSpan:
    """Tokens [start, end) of a prompt."""

    start: int
    end: int


@dataclass(frozen=True)
class Layout:
    """A prompt as token ids, and where its pieces stand."""

    ids: tuple[int, ...]
    documents: tuple[TokenSpan, ...]
    """One per document, in the documents' order."""
    question_last: int | None
    """Index of the question's last token; None in a prompt without one."""
    tokens: tuple[tuple[tuple[int, int, int], ...], ...]
    """Per document: (token index, start, end) of each token in its text; offsets in that text."""


def lay_out(tokenizer: Any, prompt: Prompt) -> Layout:
    """Token ids and spans of a prompt, by one tokenisation of the whole user turn.

    The chat template is rendered around the turn where the tokenizer has one. Inside the turn nothing is
    read as a special token, so a document that spells ``<|im_end|>`` stays text.

    Raises:
        ModelError: the tokenizer gives no usable offsets.
    """
    head, tail = _frame(tokenizer, prompt.opener, prompt.system or SYSTEM_TEXT)
    content = prompt.content
    encoded = tokenizer(
        content, add_special_tokens=False, split_special_tokens=True, return_offsets_mapping=True, verbose=False
    )
    offsets = [(start, stop, _last(content, start, stop)) for start, stop in encoded["offset_mapping"]]
    spans: dict[int, TokenSpan] = {}
    tokens: dict[int, tuple[tuple[int, int, int], ...]] = {}
    question_last = None
    place = 0
    for piece in prompt.pieces:
        begin, end = place, place + len(piece.text)
        place = end
        if piece.document is None and not piece.question:
            continue
        span = _span(offsets, begin, end)
        _check(tokenizer, encoded["input_ids"][span.start : span.end], piece)
        if piece.question:
            question_last = len(head) + span.end - 1
        if piece.document is not None:
            spans[piece.document] = TokenSpan(len(head) + span.start, len(head) + span.end)
            tokens[piece.document] = _body_tokens(offsets, span, (begin + piece.body, end), len(head))
    return Layout(
        ids=(*head, *encoded["input_ids"], *tail),
        documents=tuple(spans[i] for i in sorted(spans)),
        question_last=question_last,
        tokens=tuple(tokens[i] for i in sorted(tokens)),
    )


def require_room(layout: Layout, window: int, reserve: int) -> None:
    """Refuses a layout that leaves no room for a reply.

    Raises:
        PromptTooLong: it says how many of the documents fit, or which one is too long by itself.
    """
    room = window - reserve
    if len(layout.ids) <= room:
        return
    sizes = [span.end - span.start for span in layout.documents]
    left = room - (len(layout.ids) - sum(sizes))
    start = (
        f"The prompt has {len(layout.ids):,} tokens, but the model reads {window:,} at most ({reserve:,} kept free)."
    )
    if not sizes:
        raise PromptTooLong(f"{start} Shorten the question.")
    longest = max(range(len(sizes)), key=sizes.__getitem__)
    if sizes[longest] > left:
        raise PromptTooLong(
            f"{start} Document {longest + 1} alone has {sizes[longest]:,} tokens. Shorten it or split it up."
        )
    fit, used = 0, 0
    while fit < len(sizes) and used + sizes[fit] <= left:
        used += sizes[fit]
        fit += 1
    error = PromptTooLong(
        f"{start} The first {fit} of the {len(sizes)} documents fit. Remove some, or take a model with a longer window."
    )
    error.fits = fit
    raise error


def raw_ids(tokenizer: Any, text: str, start: bool) -> list[int]:
    """Token ids of raw text, specials read as text; ``start`` puts the tokenizer's own first tokens before it."""
    ids: list[int] = tokenizer(text, add_special_tokens=False, split_special_tokens=True, verbose=False)["input_ids"]
    return [*_first_tokens(tokenizer), *ids] if start else ids


def _first_tokens(tokenizer: Any) -> list[int]:
    ids = list(tokenizer("")["input_ids"])  # BOS for tokenizers that add one; some add EOS too
    return ids[:1] if ids and ids[0] == tokenizer.bos_token_id else []


def _frame(tokenizer: Any, opener: str, system_text: str) -> tuple[list[int], list[int]]:
    """Token ids before and after the user's turn."""
    if not tokenizer.chat_template:
        after = f"\n{opener}" if opener else "\n"
        return _first_tokens(tokenizer), raw_ids(tokenizer, after, start=False)
    rendered = _render(tokenizer, system_text)
    if rendered.count(_MARK) != 1:
        raise ModelError("The model's chat template does not keep the user's text in one place.")
    before, after = rendered.split(_MARK)
    # The template writes its own first tokens, so none are added.
    plain = {"add_special_tokens": False, "verbose": False}
    return tokenizer(before, **plain)["input_ids"], tokenizer(after + opener, **plain)["input_ids"]


def _render(tokenizer: Any, system_text: str) -> str:
    user = {"role": "user", "content": _MARK}
    options = {"tokenize": False, "add_generation_prompt": True}
    try:
        # A fixed system text: some templates (Qwen2.5) put in one of their own where none is given.
        system = {"role": "system", "content": system_text}
        return str(tokenizer.apply_chat_template([system, user], **options))
    except Exception:  # templates raise what they like when they know no system role
        return str(tokenizer.apply_chat_template([user], **options))


_Offsets = list[tuple[int, int, int]]
"""Per token: start and end in the user's turn, and the end of what it says, white space behind it left out."""


def _last(content: str, start: int, stop: int) -> int:
    said = len(content[start:stop].rstrip())
    return start + said if said else stop


def _span(offsets: _Offsets, begin: int, end: int) -> TokenSpan:
    """Tokens whose last visible character lies in [begin, end).

    So a leading space belongs to the word after it, and a full stop that is one token with the line break
    behind it (as Llama 3 and Qwen have it) to the sentence before.
    """
    inside = [i for i, (start, stop, last) in enumerate(offsets) if stop > start and begin < last <= end]
    if not inside:
        raise ModelError("The tokenizer gave no token for a document or the question; is the text blank?")
    return TokenSpan(inside[0], inside[-1] + 1)


def _body_tokens(
    offsets: _Offsets, span: TokenSpan, body: tuple[int, int], shift: int
) -> tuple[tuple[int, int, int], ...]:
    begin, end = body
    found = []
    for i in range(span.start, span.end):
        start, stop, last = offsets[i]
        if last > begin:
            found.append((shift + i, max(start - begin, 0), min(stop, end) - begin))
    return tuple(found)


def _check(tokenizer: Any, ids: list[int], piece: Piece) -> None:
    """The span decodes to the piece's text; white space and compatibility forms may differ."""
    if tokenizer.unk_token_id in ids:
        return  # a character that the tokenizer does not know cannot be decoded
    said = tokenizer.decode(ids, skip_special_tokens=False, clean_up_tokenization_spaces=False)
    if _bare(said) != _bare(piece.text):
        raise ModelError(
            "The tokenizer's offsets do not match its own text, so attention cannot be assigned to documents. "
            "Take a model with a fast tokenizer (tokenizers 0.20 or newer)."
        )


def _bare(text: str) -> str:
    return "".join(unicodedata.normalize("NFKC", text).split())


def first_token(tokenizer: Any, spelling: str) -> int:
    """The token that a reply begins with when it begins with this text. Raises ModelError for an empty one."""
    ids = tokenizer(spelling, add_special_tokens=False)["input_ids"]
    if not ids:
        raise ModelError("An option to weigh has no token.")
    return int(ids[0])
