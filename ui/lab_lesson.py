"""What the guided path says, with the numbers of the sweep on the page. HTML of our own, pure.

Per step: ``tell_`` before the question, ``right_`` which choice the numbers bear out, ``result_`` after it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from core.duquad.bias import SIGNALS, Grid
from ui.lab_facts import BEST, Facts, facts, found, missed, places, thirds
from ui.lab_numbers import Numbers, Sweep
from ui.markup import escape, short


class Scene(NamedTuple):
    """What a step tells about."""

    sweep: Sweep
    numbers: Numbers
    """Under all heads, whatever is chosen."""
    facts: Facts
    place: int
    """Place of gold that the page shows, 0-based."""


def scene(sweep: Sweep, place: int) -> Scene:
    """The scene of a sweep that has read a place."""
    numbers = sweep.numbers()
    return Scene(sweep, numbers, facts(sweep, numbers), place)


def _p(value: float) -> str:
    return f"<b>{value:.1f} %</b>"


def _rank(s: Scene, signal: str) -> int:
    row = s.sweep.row_of(s.place)
    return s.numbers.ranks[signal][row if row is not None else 0]


def _count(s: Scene, signal: str) -> str:
    return f"<b>{found(s.numbers, signal, s.facts.k)} of {s.facts.read}</b>"


def _gold(s: Scene) -> str:
    return f"<bdi>{escape(short(s.sweep.record.documents[s.sweep.record.gold].title or 'untitled', 60))}</bdi>"


# ---- 1: move the evidence


def tell_move(s: Scene) -> str:
    """What attention is, and what to do."""
    return (
        f"The model reads {s.facts.n} documents, then the question. The answer stands in one of them, “{_gold(s)}”: "
        "the <b>gold</b> document, marked ★. The curve shows <b>attention</b>: of all the looking back at documents "
        "that the model does before it answers, the share that each one gets. Move gold with the slider, or press "
        "Play, and watch the star."
    )


def result_move(s: Scene) -> str:
    """Edges and diagonal in numbers."""
    f = s.facts
    return (
        "Each row of the map is one curve, with gold one place further on; a strong colour is much attention. While "
        f"gold stands elsewhere, place 1 still draws {_p(f.first)} and place {f.n} {_p(f.last)}, the places between "
        f"them {_p(f.middle)} on average: those are the columns at the edges. Gold draws {_p(f.gold)} on average, "
        f"where the same places draw {_p(f.without)} without it: that is the diagonal."
    )


def right_move(s: Scene) -> int:
    """Diagonal, edges, both, or none of them."""
    return {(True, False): 0, (False, True): 1, (True, True): 2}.get((s.facts.diagonal, s.facts.edges), 3)


# ---- 2: answers


def tell_answer(s: Scene) -> str:
    """How the answers were made."""
    return (
        f"At each of the {s.facts.answered} places the model was also asked to answer. The documents were the same and "
        "the question was the same: only the place of gold differed. An answer counts as right when it holds an "
        "accepted answer."
    )


def result_answer(s: Scene) -> str:
    """Where the answer is right, and how much gold draws there."""
    f = s.facts
    said = f"The answer is right at <b>{len(f.right)} of {f.answered}</b> places: {places(f.right)}. "
    if f.right and len(f.right) < f.answered:
        said += (
            f"Gold draws {_p(f.share_right)} of the attention on average where the answer is right, and "
            f"{_p(f.share_wrong)} where it is wrong. "
        )
    return said + (
        "The marks stand beside the map: ✓ right, ✕ wrong. Looking at a document and using it are two things, so the "
        "marks need not follow the diagonal."
    )


def right_answer(s: Scene) -> int:
    """All, half or more, fewer."""
    share = len(s.facts.right) / max(s.facts.answered, 1)
    return 0 if share == 1 else 1 if share >= 0.5 else 2


# ---- 3: bias


def tell_bias(s: Scene) -> str:
    """What bias is."""
    return (
        "Look down one column of the map: the documents change little, but the column stays bright or pale. Averaged "
        "over the rows in which gold stands elsewhere, a column says what its place draws whatever stands there. That "
        "is the place's <b>bias</b>."
    )


def result_bias(s: Scene) -> str:
    """The bias at the ends, its lowest place, and the control."""
    f = s.facts
    said = (
        f"Bias is the pale area under the curve. It is {_p(f.first)} at place 1, {_p(f.last)} at place {f.n} and "
        f"lowest at place <b>{f.lowest}</b>. With no preference each place would draw {_p(100 / f.n)}. "
    )
    if s.numbers.control is not None:
        drawn = 100 * s.numbers.control
        said += (
            "The dotted line is the control: a text that says nothing, put in gold's stead. It still draws "
            f"{_p(float(np.nanmax(drawn)))} at its best place and {_p(float(np.nanmin(drawn)))} at its worst."
        )
    return said


def right_bias(s: Scene) -> int:
    """Whether the lowest place is early, in the middle or late."""
    low, third = s.facts.lowest, s.facts.n / 4
    return 0 if low <= third else 2 if low > s.facts.n - third else 1


# ---- 4: evidence


def tell_evidence(s: Scene) -> str:
    """What evidence and calibrating are."""
    return (
        "The curve is bias plus something: the yellow bar stands between the two at gold. That something is the "
        "<b>evidence</b>, attention that the place does not explain. Subtracting the bias from the curve is called "
        "<b>calibrating</b> it, after the paper “Found in the Middle”."
    )


def ask_evidence(s: Scene) -> str:
    """Gold's rank at the shown place, and what becomes of it."""
    return (
        f"With gold at place {s.place + 1}, gold is number {_rank(s, 'attention')} by attention. Subtract the bias: "
        "where does it come?"
    )


def result_evidence(s: Scene) -> str:
    """The rank after calibrating, here and over the sweep."""
    return (
        f"Calibrated, gold is number <b>{_rank(s, 'calibrated')}</b> at this place. Over the whole sweep, attention "
        f"puts gold among the first {s.facts.k} at {_count(s, 'attention')} places, calibrated attention at "
        f"{_count(s, 'calibrated')}. The price: to know the bias, the model had to read the other places too."
    )


def right_evidence(s: Scene) -> int:
    """To the top, higher, or no higher."""
    before, after = _rank(s, "attention"), _rank(s, "calibrated")
    return 0 if after == 1 else 1 if after < before else 2


# ---- 5: contrast


def tell_contrast(s: Scene) -> str:
    """What contrast is."""
    return (
        "<b>Contrast</b> does without other places. It takes twice a document's attention and subtracts both "
        "neighbours: a smooth slope nearly cancels, a spike stays. The first and the last document have one neighbour, "
        "so there it is attention minus that neighbour."
    )


def result_contrast(s: Scene) -> str:
    """Where contrast finds gold, against calibrating."""
    lost = missed(s.sweep, s.numbers, "contrast", s.facts.k)
    said = (
        f"Contrast puts gold among the first {s.facts.k} at {_count(s, 'contrast')} places, calibrated attention at "
        f"{_count(s, 'calibrated')}, attention as it is at {_count(s, 'attention')}. "
    )
    said += f"Contrast misses gold at {places(lost)}. " if lost else ""
    return said + "It needs one prompt, where calibrating needed them all."


def right_contrast(s: Scene) -> int:
    """More places than attention, as many, or fewer."""
    contrast, raw = (found(s.numbers, signal, s.facts.k) for signal in ("contrast", "attention"))
    return 0 if contrast > raw else 1 if contrast == raw else 2


# ---- 6: signals


def tell_signals(s: Scene) -> str:
    """What the other three signals are."""
    return (
        "Three more ways to look for gold. <b>Likelihood</b>: how well the model foresees the question when it reads "
        "one document alone. <b>Semantic</b>: how close question and document are in meaning, by a second model. "
        "<b>SFS</b> (Structural Fusion Score): likelihood, semantic and contrast, weighted and added."
    )


def result_signals(s: Scene) -> str:
    """At how many places each signal finds gold."""
    counts = "; ".join(f"{signal} {_count(s, signal)}" for signal in SIGNALS)
    return (
        f"Likelihood and semantic read each document alone, so their rows are the same at every place. Gold is among "
        f"the first {s.facts.k} at: {counts}. A number in the map is gold's rank there."
    )


# ---- 7: layers


def tell_layers(s: Scene) -> str:
    """What layers and heads are."""
    return (
        f"So far, attention was an average. The model works through the text in {s.sweep.layers} <b>layers</b>, one "
        f"after another, and in each of them {s.sweep.heads} <b>heads</b> look back on their own. Now each head is "
        "asked alone: at how many places does its contrast find gold?"
    )


def layer_numbers(sweep: Sweep) -> dict[str, float]:
    """Mean number of places at which one head of each third of the layers finds gold."""
    return {name: float(sweep.found[list(part)].mean()) for name, part in thirds(sweep).items()}


def layers_said(s: Scene) -> str:
    """The thirds in words, beside the average of all layers."""
    means = layer_numbers(s.sweep)
    parts = "; ".join(
        f"{name} layers ({part[0]}–{part[-1]}) <b>{means[name]:.1f}</b>" for name, part in thirds(s.sweep).items()
    )
    return (
        f"One head alone finds gold at this many of {s.facts.read} places, on average: {parts}. The average of all "
        f"heads together finds it at {_count(s, 'contrast')}."
    )


def right_layers(s: Scene) -> int:
    """Early, middle or late."""
    means = list(layer_numbers(s.sweep).values())
    return means.index(max(means))


# ---- 8: heads


def tell_heads(s: Scene) -> str:
    """How heads are chosen and tested."""
    return (
        f"If few heads look for evidence, the others only blur the picture. So choose {BEST} heads that together find "
        "gold best. To be fair, they are chosen on every second place and tested on the places between."
    )


def _tested(s: Scene) -> tuple[int, int, int]:
    """Places found by all heads and by the chosen ones on the test places, and how many those are."""
    before, after = s.numbers.ranks["contrast"], s.sweep.numbers(s.sweep.trained(BEST)).ranks["contrast"]
    tested = range(1, len(before), 2)
    return sum(before[i] <= s.facts.k for i in tested), sum(after[i] <= s.facts.k for i in tested), len(tested)


def result_heads(s: Scene) -> str:
    """All heads against the chosen ones, on places that were not used to choose."""
    before, after, count = _tested(s)
    return (
        f"On the {count} places that were not used to choose, contrast finds gold at <b>{before}</b> with all heads "
        f"and at <b>{after}</b> with the chosen {BEST}. This is one question: heads that find this gold may miss "
        "another, and a choice is only worth what it does on questions that it has not seen."
    )


def right_heads(s: Scene) -> int:
    """More, as many, or fewer."""
    before, after, _ = _tested(s)
    return 0 if after > before else 1 if after == before else 2


# ---- 9: what stays


def tell_end(s: Scene) -> str:
    """What stays of it all."""
    f = s.facts
    return (
        f"With nothing but its place changed, gold drew between {_p(100 * _diagonal(s).min())} and "
        f"{_p(100 * _diagonal(s).max())} of the attention"
        + (f", and the answer was right at <b>{len(f.right)} of {f.answered}</b> places" if f.answered else "")
        + f". A place's bias hides evidence; taking it away, by calibrating or by contrast, finds gold among the first "
        f"{f.k} at {_count(s, 'calibrated')} and {_count(s, 'contrast')} places. Free mode has every figure at once, "
        "for this sweep or for one of your own."
    )


def _diagonal(s: Scene) -> Grid:
    return s.numbers.share[range(len(s.sweep.places)), list(s.sweep.places)]
