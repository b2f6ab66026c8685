"""LongLLMLingua: the prompt is compressed by what the question makes less surprising, then one reply.

Source: Jiang et al., ACL 2024, and the package llmlingua 0.2.2 (steps and defaults), written anew: the package fails
on the caches of current transformers. (1) Documents are ranked by the loss of question and a helper sentence after
each; (2) kept in that order until the budget plus 100 tokens is used up, the one that crosses it included; (3) the
share of tokens kept falls linearly from the best document to the last; (4) in segments of 200 tokens, those whose
loss falls most with the question in front are kept, and only they stand before the next segment; (5) one reply.

Our choices: rate 0.5 (DuQUAD's is not public), of the documents' text alone; the backbone compresses as well as reads
(the paper takes a second, small model); segments end with their document; number and title of a document stay whole;
the order is the ranking's ("sort" in the package's recipe); the helper sentence's wording.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from core.baselines.reading import Scores, in_order, ranking, read, reader_prompt
from core.duquad.pipeline import start
from core.duquad.prompts import head
from core.models.calls import CallLog
from core.models.profile import Models
from core.models.protocol import Compressed, Prompt, Stop
from core.records import Excerpt, Request, RunRecord, Step
from core.settings.methods import COMPRESSION_SEGMENT, COMPRESSION_SLOPE, COMPRESSION_SPARE
from core.settings.profiles import PROFILES

HELPER = "The documents above hold what is needed to answer this question."


def run(request: Request, models: Models, run_id: str, stop: Stop) -> Iterator[Step]:
    """Runs one request. Raises ModelError, Cancelled."""
    record, log = start(request, request.settings, models, run_id), CallLog()
    yield Step(stage="rank", fraction=0.0, message="How likely each document makes the question")
    scores, lengths = _coarse(record, models, log, stop)
    record = record.model_copy(update={"ranking": ranking(scores), "calls": tuple(log.calls)})
    rate = record.settings.baselines.rate
    kept = within(in_order(scores), lengths, rate * sum(lengths) + COMPRESSION_SPARE)
    yield Step(stage="compress", fraction=0.4, message=f"Compressing {len(kept)} documents", record=record)
    share = min(rate * sum(lengths) / max(sum(lengths[i] for i in kept), 1), 1.0)
    excerpts, counts = _compressed(record, models, kept, shares(share, len(kept)), log, stop)
    record = record.model_copy(update={"excerpts": excerpts, "counts": counts, "calls": tuple(log.calls)})
    yield from read(record, models, log, stop, kept, _prompt(record, models, kept), fraction=0.9)


def within(order: Sequence[int], lengths: Sequence[int], budget: float) -> list[int]:
    """Documents in order until their tokens use the budget up; the one that crosses it is kept, and at least one."""
    kept: list[int] = []
    for document in order:
        if kept and budget <= 0:
            break
        kept.append(document)
        budget -= lengths[document]
    return kept


def shares(mean: float, count: int) -> list[float]:
    """Share of tokens kept per document, best first: from mean + 0.3 down to mean - 0.3, inside 0 to 1."""
    offsets = np.linspace(COMPRESSION_SLOPE, -COMPRESSION_SLOPE, count) if count > 1 else np.zeros(count)
    return [float(share) for share in np.clip(mean + offsets, 0, 1)]


def _coarse(record: RunRecord, models: Models, log: CallLog, stop: Stop) -> tuple[Scores, list[int]]:
    """Minus the loss of the question after each document (N,), and the documents' lengths in tokens."""
    target = f" {record.question.text} {HELPER}"
    pairs = [(f"{head(1, document)}{document.text}\n\n", target) for document in record.documents]
    with log.call("rank", models.backbone.name, "score") as usage:
        scored = models.backbone.likelihoods(pairs, stop)
        usage.prompt_tokens, usage.sequences = scored.tokens, len(pairs)
    return -scored.values, [models.backbone.count_tokens(document.text) for document in record.documents]


def _compressed(
    record: RunRecord, models: Models, kept: Sequence[int], share: Sequence[float], log: CallLog, stop: Stop
) -> tuple[tuple[Excerpt, ...], dict[str, float]]:
    texts = [(head(i + 1, record.documents[i]), record.documents[i].text) for i in kept]
    with log.call("compress", models.backbone.name, "score") as usage:
        found = models.backbone.compress(record.question.text, texts, share, COMPRESSION_SEGMENT, stop)
        usage.prompt_tokens, usage.sequences = found.read, len(texts)
    excerpts = tuple(
        Excerpt(document=i, text=pieced(text, spans))
        for i, (_, text), spans in zip(kept, texts, found.spans, strict=True)
    )
    return excerpts, {"text_tokens": float(sum(found.tokens)), "kept_tokens": float(_count(found))}


def pieced(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """The kept stretches of a text, joined with nothing between: a token carries its own leading space.

    Tokens that share a character (an emoji is several) give it once.
    """
    said, last = "", 0
    for begin, end in spans:
        said += text[max(begin, last) : end]
        last = max(last, end)
    return said


def _count(found: Compressed) -> int:
    return sum(map(len, found.spans))


def _prompt(record: RunRecord, models: Models, kept: Sequence[int]) -> Prompt:
    documents = list(record.documents)
    for excerpt in record.excerpts or ():
        documents[excerpt.document] = documents[excerpt.document].model_copy(update={"text": excerpt.text})
    shortened = record.model_copy(update={"documents": tuple(documents)})
    return reader_prompt(shortened, kept, PROFILES[models.profile].answer_opener)
