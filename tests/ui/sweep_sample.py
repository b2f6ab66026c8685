"""A synthetic sweep of twenty documents, some of them hostile; no model runs."""

from __future__ import annotations

import numpy as np

from core.records import Document, SweepPlace, SweepRecord
from core.settings.methods import RunSettings
from core.sweep_record import Noise, SweepFix, SweepLength, SweepWay
from tests.ui.sample import SCRIPT, sample

LAYERS, HEADS = 6, 4
SEEING = (2, 3)
"""Layers whose heads follow the evidence; the others follow the place alone."""


def sweep_sample(n: int = 20, places: int | None = None, dummy: bool = True) -> SweepRecord:
    """Gold moved through the first ``places`` places (all by default) of ``n`` documents: two high ends, a spike."""
    record = sample(n)
    assert record.signals
    gold = record.question.gold[0]
    read = range(n if places is None else places)
    return SweepRecord(
        run_id="sample-sweep",
        created="2026-01-05T10:00:00Z",
        question=record.question,
        documents=record.documents,
        gold=gold,
        models={"profile": "embedded", "backbone": "SmolLM2-135M-Instruct", "device": "cpu"},
        settings=RunSettings(),
        places=tuple(_place(n, place, spike=1.0) for place in read),
        semantic=record.signals.semantic,
        query_nll=record.signals.query_nll,
        query_nll_empty=4.4,
        dummy=tuple(_place(n, place, spike=0.0, answer=False) for place in read) if dummy else (),
        warnings=(f"Repaired {SCRIPT}",),
    )


def length_sample(lengths: tuple[int, ...] = (5, 10, 20, 30)) -> SweepRecord:
    """Gold among more and fewer documents, three orders each; hard ones stop at the record's own twenty."""
    sweep = sweep_sample()
    foreign = tuple(Document(id=f"f{i}", title=f"Foreign {SCRIPT}", text=f"Foreign {i}.") for i in range(29))
    cells = tuple(
        _length(noise, seed, n, sweep.gold)
        for noise in ("hard", "random", "duplicated")
        for seed in (1, 2, 3)
        for n in lengths
        if noise != "hard" or n <= 20
    )
    return sweep.model_copy(
        update={
            "system": "length",
            "documents": sweep.documents + foreign,
            "places": (),
            "dummy": (),
            "semantic": (*sweep.semantic, *(0.1,) * 29),
            "query_nll": (*sweep.query_nll, *(4.0,) * 29),
            "lengths": cells,
        }
    )


def _length(noise: Noise, seed: int, n: int, gold: int) -> SweepLength:
    own = [i for i in range(20) if i != gold]
    others = {"hard": own, "random": list(range(20, 49)), "duplicated": [own[seed]] * 29}[noise][: n - 1]
    middle, rng = (n - 1) // 2, np.random.default_rng(1000 * n + 10 * seed + len(noise))
    attention = rng.uniform(1, 2, n)
    attention[middle] += {"hard": 1.0, "random": 4.0, "duplicated": 6.0}[noise] * 10 / n
    right = noise == "duplicated" or n < 10
    return SweepLength(
        noise=noise,
        seed=seed,
        order=(*others[:middle], gold, *others[middle:]),
        attention=tuple(attention.round(4).tolist()),
        answer="Gayla Peevey" if right else f"Brenda {SCRIPT}",
        right=right,
    )


def fix_sample() -> SweepRecord:
    """Four ways at three places; sorted, gold comes first."""
    sweep = sweep_sample()
    ranked = (sweep.gold, *(i for i in range(20) if i != sweep.gold))
    orders = {"best_first": ranked, "u_shape": (*ranked[::2], *reversed(ranked[1::2]))}
    fixes = []
    for place in (0, 10, 19):
        plain = orders | {"vanilla": sweep.order(place)}
        ways = [
            SweepWay(way=way, order=plain[way], answer=f"Brenda {SCRIPT}", right=way != "vanilla", share=0.1)
            for way in ("vanilla", "best_first", "u_shape")
        ]
        path = (f"place {place + 1} of 20", "attention rank 9", "SFS rank 1", "quoted")
        told = {"attention_rank": 9, "sfs_rank": 1, "quoted": True, "path": path}
        ways.append(SweepWay(way="duquad", order=ranked[:6], answer="Gayla Peevey", right=True, **told))
        fixes.append(SweepFix(place=place, ways=tuple(ways)))
    return sweep.model_copy(update={"system": "fix", "places": (), "dummy": (), "fixes": tuple(fixes)})


def _place(n: int, place: int, spike: float, answer: bool = True) -> SweepPlace:
    rng = np.random.default_rng(100 + place)
    at = np.arange(n)
    valley = 3 + 9 * np.exp(-at / 1.6) + 7 * np.exp(-(n - 1 - at) / 1.3)
    grid = 1e-4 * valley * rng.lognormal(0, 0.12, (LAYERS, HEADS, n))
    for layer in SEEING:
        grid[layer, :, place] *= 1 + spike * (3.2 + 0.3 * layer)
    right = place < 3 or place > n - 4 or place % 5 == 0
    return SweepPlace(
        place=place,
        attention=tuple(tuple(tuple(float(f"{v:.4g}") for v in head) for head in layer) for layer in grid),
        answer=("Gayla Peevey" if right else f"Brenda Lee {SCRIPT}") if answer else "",
        right=right if answer else None,
    )
