"""What the guided path says, with the numbers of the sweep on the page. HTML of our own, pure.

Per step: ``tell_`` before the question, ``right_`` which choice the numbers bear out, ``result_`` after it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from core.duquad.bias import Numbers
from ui.lab_facts import BEST, Facts, facts, found, missed, places
from ui.lab_lessons import NONE, Lessons
from ui.lab_numbers import Sweep
from ui.markup import escape, short


class Scene(NamedTuple):
    """What a step tells about."""

    sweep: Sweep
    numbers: Numbers
    """Under all heads, whatever is chosen."""
    facts: Facts
    place: int
    """Place of gold that the page shows, 0-based."""
    lessons: Lessons = NONE


def scene(sweep: Sweep, place: int, lessons: Lessons = NONE) -> Scene:
    """The scene of a sweep that has read a place."""
    numbers = sweep.numbers()
    return Scene(sweep, numbers, facts(sweep, numbers), place, lessons)


def percent(value: float) -> str:
    """A share in bold."""
    return f"<b>{value:.1f}&nbsp;%</b>"


def _rank(s: Scene, signal: str) -> int:
    row = s.sweep.row_of(s.place)
    return s.numbers.ranks[signal][row if row is not None else 0]


def count(s: Scene, signal: str) -> str:
    """At how many places a signal finds gold, in bold."""
    return f"<b>{found(s.numbers, signal, s.facts.k)} of {s.facts.read}</b>"


def _gold(s: Scene) -> str:
    return f"<bdi>{escape(short(s.sweep.record.documents[s.sweep.record.gold].title or 'untitled', 60))}</bdi>"


# ---- 1: move the evidence


def tell_move(s: Scene) -> str:
    """What attention is, and what to do."""
    return (
        f"The model reads one long text, the <b>prompt</b>: {s.facts.n} documents, then the question. One of them, "
        f"“{_gold(s)}”, holds the answer: the <b>gold</b> document, marked ★. The curve shows <b>attention</b>: of all "
        "the looking back at documents before the model answers, the share that each one gets. Move gold with the "
        "slider, or press Play. All places together are a <b>sweep</b>."
    )


def result_move(s: Scene) -> str:
    """Edges and diagonal in numbers."""
    f = s.facts
    return (
        "Each row of the map is one curve, with gold one place further on; a strong colour is much attention. While "
        f"gold stands elsewhere, place 1 draws {percent(f.first)} and place {f.n} {percent(f.last)}, the places "
        f"between them {percent(f.middle)} on average. Gold draws {percent(f.gold)}, and the same places "
        f"{percent(f.without)} without it{': that is the diagonal.' if f.diagonal else f'. {_no_diagonal(s)}'}"
    )


def _no_diagonal(s: Scene) -> str:
    parts = s.sweep.layers * s.sweep.heads
    return (
        f"This is the average of all {parts} <b>heads</b>, the parts of the model that look back, and it hides what a "
        f"few of them do: {BEST} that follow gold draw the diagonal of the second map. The next steps take them apart."
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
            f"Gold draws {percent(f.share_right)} of the attention on average where the answer is right, and "
            f"{percent(f.share_wrong)} where it is wrong. "
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
        f"Bias is the pale area under the curve. It is {percent(f.first)} at place 1, {percent(f.last)} at place "
        f"{f.n} and lowest at place <b>{f.lowest}</b>. With no preference each place would draw {percent(100 / f.n)}. "
    )
    if s.numbers.control is not None:
        drawn = 100 * s.numbers.control
        said += (
            "The dotted line is the control: a text that says nothing, put in gold's stead. It still draws "
            f"{percent(float(np.nanmax(drawn)))} at its best place and {percent(float(np.nanmin(drawn)))} at its worst."
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
        "<b>evidence</b>, attention that the place does not explain, in <b>points</b>: per cent of all attention. "
        "Subtracting the bias from the curve is called <b>calibrating</b> it, after the paper “Found in the Middle”."
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
        f"Calibrated, gold is number <b>{_rank(s, 'calibrated')}</b> here (the step opens at the place where this "
        f"helps most). Over the whole sweep, attention puts gold among the first {s.facts.k} at "
        f"{count(s, 'attention')} places, calibrated attention at {count(s, 'calibrated')}. The price: to know the "
        "bias, the model had to read the other places too."
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
        f"Contrast puts gold among the first {s.facts.k} at {count(s, 'contrast')} places, calibrated attention at "
        f"{count(s, 'calibrated')}, attention as it is at {count(s, 'attention')}. "
    )
    said += f"Contrast misses gold at {places(lost)}. " if lost else ""
    return said + "It needs one prompt, where calibrating needed them all."


def right_contrast(s: Scene) -> int:
    """More places than attention, as many, or fewer."""
    contrast, raw = (found(s.numbers, signal, s.facts.k) for signal in ("contrast", "attention"))
    return 0 if contrast > raw else 1 if contrast == raw else 2
