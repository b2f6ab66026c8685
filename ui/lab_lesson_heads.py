"""The second half of the guided path: the other signals, layers, heads, and what stays. See ``lab_lesson``."""

from __future__ import annotations

from core.duquad.bias import SIGNALS, Grid
from ui.lab_facts import BEST, by_chance, found, thirds
from ui.lab_lesson import Scene, count, percent
from ui.lab_numbers import Sweep

MEASURED = (
    "Measured over 20 such questions with gold at five places each, contrast puts gold among the first six in 66 % "
    "with all heads, and in 75 % with the ten best of 20 other questions. A set that was grown head by head on those "
    "reached 87 % there and 70 % here: choosing finds heads that read evidence, and choosing harder learns its own "
    "questions."
)
"""What choosing heads can do and cannot: NQ-pool-20, the embedded model; the bench row ``head_set_recall_6``."""

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
    counts = ", ".join(f"{signal} <b>{found(s.numbers, signal, s.facts.k)}</b>" for signal in SIGNALS)
    return (
        "Likelihood and semantic read each document alone, so their rows are the same at every place. Gold is among "
        f"the first {s.facts.k} at so many of {s.facts.read} places: {counts}. By chance it would be "
        f"<b>{by_chance(s.sweep):.0f}</b>."
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
    means, (layer, head) = layer_numbers(s.sweep), s.sweep.first_head
    parts = "; ".join(
        f"{name} layers ({part[0]}–{part[-1]}) <b>{means[name]:.1f}</b>" for name, part in thirds(s.sweep).items()
    )
    return (
        f"One head alone finds gold at this many of {s.facts.read} places, on average: {parts}. One that guesses would "
        f"find it at <b>{by_chance(s.sweep):.0f}</b>. The best one, head {head} of layer {layer}, finds it at "
        f"<b>{s.sweep.found[layer, head]:.0f}</b>, all heads averaged at {count(s, 'contrast')}."
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


def _tested(s: Scene, signal: str) -> tuple[int, int, int]:
    """Places found by all heads and by the chosen ones on the test places, and how many those are."""
    before, after = s.numbers.ranks[signal], s.sweep.numbers(s.sweep.trained(BEST)).ranks[signal]
    tested = range(1, len(before), 2)
    return sum(before[i] <= s.facts.k for i in tested), sum(after[i] <= s.facts.k for i in tested), len(tested)


def result_heads(s: Scene) -> str:
    """All heads against the chosen ones, on places that were not used to choose."""
    before, after, tested = _tested(s, "contrast")
    raw, calibrated, _ = _tested(s, "calibrated")
    return (
        f"On the {tested} places that were not used to choose, contrast finds gold at <b>{before}</b> with all heads "
        f"and at <b>{after}</b> with the chosen {BEST}; calibrated attention at <b>{raw}</b> and <b>{calibrated}</b>. "
        "This is one question: heads that find this gold may miss another, and a choice is only worth what it does on "
        f"questions that it has not seen. {MEASURED}"
    )


def right_heads(s: Scene) -> int:
    """More, as many, or fewer."""
    before, after, _ = _tested(s, "contrast")
    return 0 if after > before else 1 if after == before else 2


# ---- 9: what stays


def tell_end(s: Scene) -> str:
    """What stays of it all."""
    f, chosen = s.facts, found(s.sweep.numbers(s.sweep.trained(BEST)), "calibrated", s.facts.k)
    return (
        f"With nothing but its place changed, gold drew between {percent(100 * _diagonal(s).min())} and "
        f"{percent(100 * _diagonal(s).max())} of the attention"
        + (f", and the answer was right at <b>{len(f.right)} of {f.answered}</b> places" if f.answered else "")
        + f". Bias hides evidence, and so does averaging over heads that look for nothing: calibrated attention finds "
        f"gold among the first {f.k} at {count(s, 'calibrated')} places with all heads, and at <b>{chosen} of {f.read}"
        f"</b> with the {BEST} chosen ones.</p><p>A way out: SFS puts gold first at <b>{found(s.numbers, 'SFS', 1)} of "
        f"{f.read}</b> places. Sorting the documents by it before they are read brings gold to the front there, "
        "wherever it stood; the tab Inspect does that with any question."
    )


def _diagonal(s: Scene) -> Grid:
    return s.numbers.share[range(len(s.sweep.places)), list(s.sweep.places)]
