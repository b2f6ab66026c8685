"""A model made of word overlap: no weights, the same interface, the same reply every time."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from itertools import takewhile
from typing import Any

import numpy as np

from core.models.profile import Models, Role
from core.models.protocol import Compressed, Likelihoods, ModelError, Prompt, Reading, Reply, Stop, Task
from core.models.scripted_calls import Calls, Scripted
from core.models.scripted_pages import ScriptedPageEncoder
from core.models.scripted_reader import ScriptedPageReader
from core.settings.app import AppSettings
from core.text import sentences, words

LAYERS, HEADS = 4, 3
_WORD = re.compile(r"\S+")
_SPACED_WORD = re.compile(r"\s*\S+")
_NAME = re.compile(r"\b(?:[A-Z][\w'-]*|\d[\d,.]*\d|\d)(?: (?:[A-Z][\w'-]*|\d+))*")
_GIVEN = re.compile(r"answered: *(\S.*)")
_COMMON = words("what who when where which why how is was are were did does do in of to on by for and or")


class ScriptedBackbone(Scripted):
    """A backbone whose documents are as relevant as the words they share with the question.

    Args:
        replies: exact replies, taken one per task; when they are used up, replies are made from overlap.
        delay: seconds per call.
        calls: a list to record calls in, to share with other models.
    """

    name = "scripted"

    def __init__(self, replies: Sequence[str] = (), delay: float = 0.0, calls: Calls | None = None) -> None:
        super().__init__(calls, delay)
        self._replies = list(replies)

    def read(self, prompt: Prompt, stop: Stop, reserve: int = 0, after: Reading | None = None) -> Reading:
        """Attention with high ends and a spike where question and document share words."""
        self._took("read", prompt, stop)
        question = _question(prompt)
        texts = {piece.document: piece.text[piece.body :] for piece in prompt.pieces if piece.document is not None}
        bodies = [texts[document] for document in sorted(texts)]
        shares = np.array([overlap(question, body) for body in bodies], dtype=np.float64)  # (N,)
        places = np.linspace(-1, 1, len(bodies)) if len(bodies) > 1 else np.ones(len(bodies))
        layers = np.arange(1, LAYERS + 1)[:, None, None]  # (L, 1, 1)
        heads = np.arange(1, HEADS + 1)[None, :, None]  # (1, H, 1)
        ends = (0.2 + places**2 * (1 + 0.5 * (places > 0))) / heads  # later documents draw more
        attention = 1e-4 * (ends + shares**2 * layers)  # (L, H, N)
        weights = tuple(
            _token_weights(question, body, mean) for body, mean in zip(bodies, attention.mean(axis=(0, 1)), strict=True)
        )
        shared = _shared(prompt.content, after.state.content) if after else 0
        tokens = _count(prompt.content) - shared
        return Reading(attention.astype(np.float32), weights, prompt_tokens=tokens, state=prompt)

    def complete(self, tasks: Sequence[Task], stop: Stop) -> list[Reply]:
        """The scripted replies, then replies made from the best-overlapping document."""
        self._took("complete", tuple(tasks), stop)
        return [self._reply(task) for task in tasks]

    def likelihoods(self, pairs: Sequence[tuple[str, str]], stop: Stop) -> Likelihoods:
        """The more of the target's words the context holds, the lower."""
        self._took("likelihoods", tuple(pairs), stop)
        values = [4.0 - 2.5 * overlap(target, context) for context, target in pairs]
        return Likelihoods(np.array(values, dtype=np.float64), sum(_count(a) + _count(b) for a, b in pairs))

    def weigh(self, tasks: Sequence[Task], options: Sequence[Sequence[str]], stop: Stop) -> np.ndarray:
        """The first option is as likely as the prompt's best document overlaps; the others share the rest."""
        self._took("weigh", (tuple(tasks), tuple(map(tuple, options))), stop)
        first = np.array([min(max(_best_overlap(task), 0.01), 0.99) for task in tasks], dtype=np.float64)
        rest = (1 - first) / max(len(options) - 1, 1)
        return np.log(np.stack([first, *[rest] * (len(options) - 1)], axis=1))  # (tasks, options)

    def count_tokens(self, what: Prompt | str) -> int:
        """Words."""
        return _count(what if isinstance(what, str) else what.content)

    def compress(
        self, question: str, texts: Sequence[tuple[str, str]], shares: Sequence[float], segment: int, stop: Stop
    ) -> Compressed:
        """Keeps the question's words first, then the earlier ones; a token is a word, and there is one segment."""
        self._took("compress", (question, tuple(texts), tuple(shares), segment), stop)
        spans = [_telling(question, text, share) for (_, text), share in zip(texts, shares, strict=True)]
        read = 2 * sum(_count(head) + _count(text) for head, text in texts) + _count(question)
        return Compressed(tuple(spans), tuple(_count(text) for _, text in texts), read)

    def _reply(self, task: Task) -> Reply:
        text = self._replies.pop(0) if self._replies else _made_up(task)
        return Reply(text, 0 if task.reading else _count(task.prompt.content), min(_count(text), task.max_new_tokens))


class ScriptedEmbedder(Scripted):
    """Cosines from shared words."""

    name = "scripted-embedder"

    def __init__(self, delay: float = 0.0, calls: Calls | None = None) -> None:
        super().__init__(calls, delay)

    def similarities(self, query: str, texts: Sequence[str], stop: Stop) -> tuple[np.ndarray, int]:
        """The share of the query's words in each text (N,), between 0.05 and 0.85."""
        self._took("similarities", (query, tuple(texts)), stop)
        values = np.array([0.05 + 0.8 * overlap(query, text) for text in texts], dtype=np.float64)
        return values, sum(map(_count, (query, *texts)))


def scripted_models(replies: Sequence[str] = (), delay: float = 0.0) -> Models:
    """Models of the profile ``embedded`` with no weights; they share one list of calls."""
    calls: Calls = []
    reader = ScriptedPageReader(_made_up, delay=delay, calls=calls)
    roles: dict[Role, Any] = {
        "page_encoder": ScriptedPageEncoder(delay, calls),
        "reader": reader,
        "thinking_reader": reader,
    }

    def given(role: Role) -> Any:
        if role not in roles:
            raise ModelError(f"The scripted models have no {role.replace('_', ' ')}.")
        return roles[role]

    return Models(
        profile="embedded",
        backbone=ScriptedBackbone(replies, delay, calls),
        embedder=ScriptedEmbedder(delay, calls),
        facts={
            "profile": "embedded",
            "backbone": ScriptedBackbone.name,
            "embedder": ScriptedEmbedder.name,
            "device": "none",
            "dtype": "none",
        },
        cache=AppSettings.from_env().cache,
        role=given,
    )


def overlap(question: str, text: str) -> float:
    """The share of the question's telling words that the text holds, 0 to 1."""
    asked = words(question) - _COMMON
    return len(asked & words(text)) / len(asked) if asked else 0.0


def _count(text: str) -> int:
    return len(_WORD.findall(text))


def _telling(question: str, text: str, share: float) -> tuple[tuple[int, int], ...]:
    found = list(_SPACED_WORD.finditer(text))
    best = sorted(found, key=lambda match: (overlap(question, match.group()) == 0, match.start()))
    kept = sorted(match.span() for match in best[: math.ceil(share * len(found) - 1e-9)])
    return tuple(kept)


def _shared(text: str, other: str) -> int:
    """How many words at the beginning are the same."""
    pairs = zip(text.split(), other.split(), strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _question(prompt: Prompt) -> str:
    return " ".join(piece.text for piece in prompt.pieces if piece.question) or prompt.content


def _token_weights(question: str, body: str, mean: float) -> tuple[tuple[int, int, float], ...]:
    asked = words(question) - _COMMON
    found = list(_WORD.finditer(body))
    raw = np.array([3.0 if words(match.group()) & asked else 1.0 for match in found])
    raw = raw / raw.mean() * mean if found else raw
    return tuple((match.start(), match.end(), float(weight)) for match, weight in zip(found, raw, strict=True))


def _best_overlap(task: Task) -> float:
    question = _question(task.prompt)
    texts = [piece.text for piece in task.prompt.pieces if piece.document is not None] or [task.prompt.content]
    return max(overlap(question, text) for text in texts)


def _made_up(task: Task) -> str:
    question = _question(task.prompt)
    shares = {p.document: overlap(question, p.text) for p in task.prompt.pieces if p.document is not None}
    order = sorted(shares, key=lambda document: (-shares[document], document))
    texts = {p.document: p.text[p.body :] for p in task.prompt.pieces if p.document is not None}
    best = texts[order[0]] if order else task.prompt.content
    answer, sentence = _answer(question, best)
    if not order and (given := _GIVEN.findall(best)):
        answer = given[-1]  # a judge agrees with the last answer that it is shown
    if task.schema is None:
        return answer
    share = shares[order[0]] if order else overlap(question, best)
    filled = _fill(task.schema, _Facts(answer, sentence, [document + 1 for document in order], share), "")
    return json.dumps(filled, ensure_ascii=False, separators=(",", ":"))


def _answer(question: str, text: str) -> tuple[str, str]:
    """A name or number that the best sentence has and the question has not, and that sentence."""
    pieces = [text[span.start : span.end] for span in sentences(text)] or [text]
    best = max(pieces, key=lambda piece: overlap(question, piece))
    names = [name for name in _NAME.findall(best) if words(name) and not words(name) <= words(question)]
    return (names[-1] if names else " ".join(best.split()[:4])) or "unknown", best


class _Facts:
    def __init__(self, answer: str, sentence: str, numbers: list[int], share: float) -> None:
        self.answer, self.sentence, self.numbers, self.share = answer, sentence, numbers, share


def _fill(schema: dict[str, Any], facts: _Facts, name: str) -> Any:
    """A value that follows the schema: enum, const, object, array, string, number, boolean, null."""
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return _chosen(schema["enum"], facts)[0]
    if "anyOf" in schema:
        return _fill(schema["anyOf"][0], facts, name)
    kind = schema.get("type", "string")
    if kind == "object":
        return {key: _fill(part, facts, key) for key, part in schema.get("properties", {}).items()}
    if kind == "array":
        return _filled_list(schema, facts, name)
    if kind in ("number", "integer"):
        value = min(max(facts.share, schema.get("minimum", 0)), schema.get("maximum", 1))
        return round(value) if kind == "integer" else round(value, 2)
    if kind == "string":
        text = facts.answer if "reason" not in name else f"It says: {facts.sentence}"
        return text[: schema.get("maxLength", len(text))]
    return facts.share >= 0.5 if kind == "boolean" else None


def _filled_list(schema: dict[str, Any], facts: _Facts, name: str) -> list[Any]:
    items = schema.get("items", {})
    count = max(schema.get("minItems", 0), min(2, schema.get("maxItems", 2)))
    if "enum" in items:
        return _chosen(items["enum"], facts)[:count]
    return [_fill(items, facts, name) for _ in range(count)]


def _chosen(values: list[Any], facts: _Facts) -> list[Any]:
    """The allowed values, the numbers of the best documents first."""
    ranks = {str(number): rank for rank, number in enumerate(facts.numbers)}
    return sorted(values, key=lambda value: ranks.get(str(value), len(ranks)))
