"""From a task with page pictures to what a vision model is fed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import torch
from PIL import Image

from core.models.page_protocol import PageTask, PageView
from core.models.protocol import ModelError
from core.page_text import as_text, shortened
from core.settings.pages import READER_PAGE_TOKENS, READER_PIXELS

_SPECIAL = re.compile(r"[<\[|].*[>\]|]", re.DOTALL)
_JOINER = "\u2060"  # put into words that a tokenizer would read as its own marks


@dataclass(frozen=True)
class PagePrompt:
    """A prompt as token ids, and the pictures that stand in it."""

    ids: tuple[int, ...]
    pictures: dict[str, torch.Tensor]
    """What the processor made of the pictures, by the model's own argument names; empty without pictures."""
    names: tuple[str, ...]
    """One per picture, in order; equal names are equal pictures."""
    last_picture: int
    """Index of the last token that stands for a picture; -1 without pictures."""

    @property
    def pages(self) -> int:
        """How many pictures there are."""
        return len(self.names)


class PagePrompts:
    """Prepares prompts with a model's processor and chat template."""

    def __init__(self, processor: Any) -> None:
        """Takes a loaded processor.

        Raises:
            ModelError: it has no chat template, or does not say which token stands for a picture.
        """
        self._processor = processor
        self._token = getattr(processor, "image_token_id", None)
        if self._token is None or not (processor.chat_template or processor.tokenizer.chat_template):
            raise ModelError("This model's processor has no chat template with pictures, so pages cannot be shown.")
        own = [word for word in processor.tokenizer.get_added_vocab() if _SPECIAL.fullmatch(word)]
        self._marks = re.compile("|".join(map(re.escape, sorted(own, key=len, reverse=True))) or r"(?!)")
        self.opening = self._rendered([{"role": "user", "content": [{"type": "text", "text": "x"}]}]).partition("x")[2]

    def prepared(self, task: PageTask) -> PagePrompt:
        """The task's token ids and pictures.

        Text keeps its own marks as text: what a page or a clue spells like a special token is broken up. A page
        without a picture is shown by its text.
        """
        content: list[dict[str, Any]] = []
        images: list[Image.Image] = []
        names: list[str] = []
        for part in task.parts:
            if isinstance(part, PageView) and part.picture is not None:
                images.append(_opened(part))
                names.append(f"{part.picture}:{part.layout.page}")
                content.append({"type": "image"})
            else:
                text = self._written(part) if isinstance(part, PageView) else part
                content.append({"type": "text", "text": self._harmless(text)})
        text = self._messages(task.system, content) + task.opener
        made = self._processor(text=[text], images=[images] if images else None, return_tensors="pt")
        ids = tuple(made.pop("input_ids")[0].tolist())
        pictures = {name: value for name, value in made.items() if name != "attention_mask"} if images else {}
        last = max((i for i, token in enumerate(ids) if token == self._token), default=-1)
        return PagePrompt(ids, pictures, tuple(names), last)

    def _messages(self, system: str, content: list[dict[str, Any]]) -> str:
        told = {"type": "text", "text": self._harmless(system)}
        user = {"role": "user", "content": content}
        if not system:
            return self._rendered([user])
        try:
            return self._rendered([{"role": "system", "content": [told]}, user])
        except Exception:  # templates raise what they like when they know no system role
            return self._rendered([{"role": "user", "content": [{**told, "text": f"{told['text']}\n\n"}, *content]}])

    def _rendered(self, messages: list[dict[str, Any]]) -> str:
        return str(self._processor.apply_chat_template(messages, tokenize=False, add_generation_prompt=True))

    def _written(self, view: PageView) -> str:
        text = shortened(
            as_text(view.layout), READER_PAGE_TOKENS, lambda text: len(self._processor.tokenizer(text).input_ids)
        )
        return text or "(there is no picture and no text of this page)"

    def _harmless(self, text: str) -> str:
        return self._marks.sub(lambda found: found[0][0] + _JOINER + found[0][1:], text)


def _opened(view: PageView) -> Image.Image:
    """The page's picture in RGB, no larger than a reader is shown. Raises ModelError."""
    try:
        with Image.open(view.picture) as file:  # type: ignore[arg-type]
            image = file.convert("RGB")
    except (OSError, ValueError) as error:
        raise ModelError(f"The picture of page {view.layout.page + 1} cannot be opened: {error}") from None
    scale = (READER_PIXELS / (image.width * image.height)) ** 0.5
    if scale < 1:
        image = image.resize((max(1, int(image.width * scale)), max(1, int(image.height * scale))))
    return image
