"""One document among others: which stand around it, and who finds it there. Pure."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence

import numpy as np

from core.duquad.bias import ranks
from core.duquad.contrast import attention_share, contrast
from core.duquad.fusion import fuse
from core.records import Document, Request, SweepRecord
from core.settings.methods import FIX_PLACES
from core.sweep_record import Noise, SweepLength

SIGNALS = ("attention", "contrast", "likelihood", "semantic", "SFS")
"""What can be asked to find the moved document in one prompt; calibrating would need the other places."""


def among(request: Request, foreign: Iterable[Document]) -> Request:
    """The request as one of the system ``length``: documents of other questions after its own.

    As many as its longest prompt takes; a text that is among its own is left out, so that gold stands there once.
    """
    own = {document.text for document in request.documents}
    others = {document.text: document for document in foreign if document.text not in own}
    most = max(request.sweep.lengths, default=1) - 1
    documents = (*request.documents, *(_unmarked(document) for document in list(others.values())[:most]))
    sweep = request.sweep.model_copy(update={"own": len(request.documents)})
    return request.model_copy(update={"system": "length", "documents": documents, "sweep": sweep})


def _unmarked(document: Document) -> Document:
    """Gold of another question is no gold here."""
    return document.model_copy(update={"gold": None})


def arranged(
    moved: int, own: int, semantic: Sequence[float], noise: Noise, seed: int, length: int
) -> tuple[int, ...] | None:
    """The documents of one prompt, the moved one in the middle; None where there are too few of this kind.

    Args:
        moved: index of the moved document, one of the first ``own``.
        own: how many documents belong to the question; those after them belong to others.
        semantic: cosine of question and document, [document].
        noise: hard takes the question's own, random those of others, duplicated one of the question's own again and
            again: the closest in meaning for seed 1, the next one for seed 2, and so on.
        seed: of the order; shorter prompts hold a part of what longer ones do.
        length: how many documents, the moved one among them.
    """
    pool = range(own, len(semantic)) if noise == "random" else range(own)
    others = [index for index in pool if index != moved]
    if noise == "duplicated" and others:
        closest = sorted(others, key=lambda index: (-semantic[index], index))
        others = [closest[(seed - 1) % len(closest)]] * (length - 1)
    random.Random(seed).shuffle(others)
    if len(others) < length - 1:
        return None
    middle = (length - 1) // 2
    return (*others[:middle], moved, *others[middle : length - 1])


def spread(count: int) -> tuple[int, ...]:
    """First, middle and last of so many places, each once."""
    ends = [round(part * (count - 1) / (FIX_PLACES - 1)) for part in range(FIX_PLACES)]
    return tuple(sorted(set(ends)))


def telling(record: SweepRecord, place: int) -> tuple[int, ...]:
    """The places at which the four ways are asked: a chosen one, and the first and the last with a wrong answer.

    Where no answer was wrong, the first and the last of all.
    """
    wrong = [found.place for found in record.places if found.right is False]
    ends = (wrong[0], wrong[-1]) if wrong else (0, len(record.documents) - 1)
    return tuple(sorted({place, *ends}))


def length_ranks(record: SweepRecord, cell: SweepLength) -> dict[str, int]:
    """Signal → rank of the moved document in one prompt, from 1; of equal ones the first in the prompt leads."""
    order, at = list(cell.order), cell.order.index(record.gold)
    attention = np.array(cell.attention)
    semantic, nll = np.array(record.semantic)[order], np.array(record.query_nll)[order]
    spikes = contrast(attention)
    rows = (attention, spikes, -nll, semantic)
    found = {signal: int(ranks(values, at)) for signal, values in zip(SIGNALS, rows, strict=False)}
    ranking = [ranked.document for ranked in fuse(semantic, nll, spikes, record.settings)]
    return found | {"SFS": 1 + ranking.index(at)}


def gold_share(record: SweepRecord, cell: SweepLength) -> float:
    """Share of document attention that the moved document draws in one prompt."""
    return float(attention_share(np.array(cell.attention))[cell.order.index(record.gold)])
