"""Reads pages with a language model that sees text alone: every region of the page under its name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from core.models.backbone import CausalBackbone, ReadState
from core.models.page_protocol import PageTask, PageView
from core.models.prompt import Layout, lay_out, require_room
from core.models.protocol import Piece, Prompt, Reading, Reply, Stop, Task
from core.page_text import as_text, shortened
from core.settings.pages import READER_PAGE_TOKENS

_BLANK = "(nothing could be read on this page)"


class TextPageReader:
    """A backbone over the text of pages; see :class:`core.models.page_protocol.PageReader`."""

    sees: Literal["text", "image"] = "text"
    thinks = False

    def __init__(self, backbone: CausalBackbone) -> None:
        """Takes a loaded backbone; nothing is loaded for a second time."""
        self.backbone = backbone
        self.name = backbone.name

    def complete(self, tasks: Sequence[PageTask], stop: Stop) -> list[Reply]:
        """Replies decoded together. What a prompt shares at its beginning with one read before is not run again.

        Raises:
            PromptTooLong: a prompt and its reply do not fit the window.
        """
        layouts = [self._laid_out(task) for task in tasks]
        states: list[ReadState] = []
        fresh: list[int] = []  # tokens that each task had run for it
        pages: list[int] = []  # pages that each task had run for it
        for layout in layouts:
            state, known = self.backbone.continued(layout, _closest(layout, states), stop)
            states.append(state)
            fresh.append(len(layout.ids) - known)
            pages.append(sum(span.end > known for span in layout.documents))
        limits = [task.max_new_tokens for task in tasks]
        written = self.backbone.write(states, limits, [task.schema for task in tasks], stop)
        texts = [self.backbone.tokenizer.decode(ids, skip_special_tokens=True).strip() for ids in written]
        return [
            Reply(text, prompt_tokens, len(ids), page_prefills)
            for text, prompt_tokens, ids, page_prefills in zip(texts, fresh, written, pages, strict=True)
        ]

    def weigh(self, task: PageTask, options: Sequence[Sequence[str]], stop: Stop) -> NDArray[np.float64]:
        """Log-probability of each option as the reply's beginning: (options,). Raises PromptTooLong."""
        layout = self._laid_out(task)
        state, known = self.backbone.continued(layout, None, stop)
        nothing = np.zeros((0, 0, 0), dtype=np.float32)
        reading = Reading(nothing, (), len(layout.ids) - known, state)
        weighed = self.backbone.weigh([Task(self.prompt(task), task.max_new_tokens, reading=reading)], options, stop)
        return np.asarray(weighed[0], dtype=np.float64)

    def prompt(self, task: PageTask) -> Prompt:
        """The task with every page written out, as far as a page is read."""
        pieces: list[Piece] = []
        for part in task.parts:
            if isinstance(part, PageView):
                page = sum(piece.document is not None for piece in pieces)
                text = shortened(as_text(part.layout), READER_PAGE_TOKENS, self.backbone.count_tokens)
                pieces.append(Piece(text or _BLANK, document=page))
            else:
                pieces.append(Piece(part))
        return Prompt(tuple(pieces), task.opener, task.system)

    def _laid_out(self, task: PageTask) -> Layout:
        layout = lay_out(self.backbone.tokenizer, self.prompt(task))
        require_room(layout, self.backbone.window, task.max_new_tokens)
        return layout


def _closest(layout: Layout, states: Sequence[ReadState]) -> ReadState | None:
    """Of the prompts that were read, the one that shares the longest beginning."""
    return max(states, key=lambda state: _shared(layout.ids, state.ids), default=None)


def _shared(one: Sequence[int], other: Sequence[int]) -> int:
    pairs = zip(one, other, strict=False)
    return next((i for i, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))
