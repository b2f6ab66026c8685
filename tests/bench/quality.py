"""Quality on NQ-pool-20: recall of the gold document, DocScore, answers. Not the official NQ split."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from functools import cache

import numpy as np

from core.baselines import vanilla
from core.duquad import pipeline
from core.duquad.fusion import rank
from core.duquad.prompts import agent_prompt
from core.duquad.signals import assemble, query_likelihoods, semantic_relevance
from core.models.calls import CallLog
from core.records import Request, RunRecord, Signals
from core.settings.methods import RunSettings
from core.text import contains_answer
from tests.bench.material import PLACES, embedded_settings, held_out, models, never, pool20
from tests.bench.table import row

MIDDLE = 9  # the 10th place


@dataclass(frozen=True)
class Asked:
    """One question's runs with gold at the 10th place."""

    duquad: RunRecord
    vanilla: RunRecord


def _finished(steps: object) -> RunRecord:
    record = list(steps)[-1].record  # type: ignore[call-overload]
    assert isinstance(record, RunRecord)
    return record


def _signals(request: Request) -> Signals:
    question, documents, log = request.question.text, request.documents, CallLog()
    prompt = agent_prompt(question, documents, range(len(documents)), embedded_settings())
    nll, empty = query_likelihoods(models(), question, documents, log, never)
    semantic = semantic_relevance(models(), question, documents, log, never)
    return assemble(models().backbone.read(prompt, never), nll, empty, semantic, request.settings)


@cache
def asked() -> tuple[Asked, ...]:
    """DuQUAD and Vanilla on every question; about half a minute each on two cores."""
    found = []
    for number, request in enumerate(held_out(MIDDLE)):
        duquad = _finished(pipeline.run(request, models(), "bench", never))
        found.append(Asked(duquad, _finished(vanilla.run(request, models(), "bench", never))))
        _tell(f"asked {number + 1} of {len(held_out(MIDDLE))} questions")
    return tuple(found)


@cache
def measured() -> tuple[tuple[int, Signals], ...]:
    """(place of gold, signals) of all 100 questions, each at one of the five places in turn."""
    found = []
    for number in range(len(pool20(MIDDLE))):
        place = PLACES[number % len(PLACES)]
        found.append((place, _signals(pool20(place)[number])))
        _tell(f"measured {number + 1} of {len(pool20(MIDDLE))} questions")
    return tuple(found)


def _tell(message: str) -> None:
    print(f"\r{message}  ", end="", file=sys.stderr, flush=True)


def recall(at: int, **weights: float) -> float:
    """Share of the questions whose gold document is among the first ``at``."""
    settings = RunSettings.model_validate(weights)
    hits = [place in [item.document for item in rank(signals, settings)[:at]] for place, signals in measured()]
    return float(np.mean(hits))


def best_single(at: int) -> float:
    """The best recall of one signal alone."""
    names = ("alpha", "beta", "gamma")
    return max(recall(at, **{name: float(name == chosen) for name in names}) for chosen in names)


RECALL = "recall of gold by SFS, 100 NQ-pool-20 questions, gold at the five places in turn"


@row("sfs_recall_1", ">= 0.75", RECALL)
def sfs_recall_1() -> float:
    """At 1."""
    return recall(1)


@row("sfs_recall_3", ">= 0.95", RECALL)
def sfs_recall_3() -> float:
    """At 3."""
    return recall(3)


@row("sfs_recall_6", ">= 0.98", RECALL)
def sfs_recall_6() -> float:
    """At 6."""
    return recall(6)


@row("sfs_above_single_1", "> 0", "recall@1 above the best single signal's")
def sfs_above_single_1() -> float:
    """Fusion is worth something at 1."""
    return recall(1) - best_single(1)


@row("sfs_above_single_3", "> 0", "recall@3 above the best single signal's")
def sfs_above_single_3() -> float:
    """Fusion is worth something at 3."""
    return recall(3) - best_single(3)


@cache
def scores() -> tuple[np.ndarray, np.ndarray]:
    """DocScores of the gold and of the other documents in the pools."""
    gold, other = [], []
    for item in asked():
        for entry in item.duquad.pool or ():
            (gold if entry.document in item.duquad.question.gold else other).append(entry.score)
    return np.array(gold), np.array(other)


@row("docscore_auc", ">= 0.85", "AUC of DocScore (likelihoods), gold against the other pool documents")
def docscore_auc() -> float:
    """Share of (gold, other) pairs in the right order, ties half."""
    gold, other = scores()
    return float(((gold[:, None] > other).mean() + (gold[:, None] >= other).mean()) / 2)


@row("docscore_keeps_gold", ">= 0.8", "share of gold pool documents at or above tau 0.4")
def docscore_keeps_gold() -> float:
    """The gate's recall."""
    return float((scores()[0] >= RunSettings().tau).mean())


@row("docscore_drops_rest", ">= 0.5", "share of the other pool documents below tau 0.4")
def docscore_drops_rest() -> float:
    """The gate's work."""
    return float((scores()[1] < RunSettings().tau).mean())


def accuracy(records: list[RunRecord]) -> float:
    """Share of answers that contain a gold answer."""
    right = [contains_answer(r.final.answer if r.final else "", r.question.answers) for r in records]
    return float(np.mean([item for item in right if item is not None]))


@row("accuracy_vanilla", ">= 0", "accuracy of Vanilla, gold at the 10th place")
def accuracy_vanilla() -> float:
    """What the gain is measured from."""
    return accuracy([item.vanilla for item in asked()])


@row("accuracy_duquad", ">= 0", "accuracy of DuQUAD, gold at the 10th place")
def accuracy_duquad() -> float:
    """What the gain leads to."""
    return accuracy([item.duquad for item in asked()])


@row("accuracy_gain", ">= 20", "points of accuracy above Vanilla, gold at the 10th place")
def accuracy_gain() -> float:
    """DuQUAD against Vanilla on the same questions."""
    return 100 * (accuracy_duquad() - accuracy_vanilla())
