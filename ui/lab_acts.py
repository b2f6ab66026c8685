"""What the lab's buttons do to a view. Pure."""

from __future__ import annotations

from dataclasses import replace

from ui.head_sets import heads_of
from ui.lab_facts import BEST, thirds, whole
from ui.lab_lessons import MEASURES
from ui.lab_numbers import Sweep
from ui.lab_state import FREE, LAST_STEP, LabView

_BIAS, _EVIDENCE, _CONTRAST, _LAYERS, _HEADS = 3, 4, 5, 7, 8  # steps that set something when they are entered


def act(view: LabView, sweep: Sweep | None, what: object, value: object) -> LabView:
    """One click: ``what`` was clicked with ``value``; what makes no sense changes nothing."""
    if sweep is None:
        return view
    match what, value:
        case "step", "next" | "back" | "free" | "guide":
            return _step(view, sweep, str(value))
        case "answer", str() if value.isascii() and value.isdecimal():
            return _answer(view, sweep, int(value))
        case "lens", "calibrate":
            return replace(view, lens="calibrate")
        case "lens", "contrast":
            return replace(view, lens="contrast")
        case "map", "share":
            return replace(view, map="share")
        case "map", "evidence":
            return replace(view, map="evidence")
        case "measure", str() if value in MEASURES:
            return replace(view, measure=value)
        case "control", _:
            return replace(view, control=not view.control)
        case "set", str():
            heads = tuple(pair for pair in heads_of(value) if pair[0] < sweep.layers and pair[1] < sweep.heads)
            return replace(view, heads=heads) if heads else view
        case "heads", str():
            return _heads(view, sweep, value)
        case "turn", str():
            return _turn(view, sweep, value)
        case "cell", [int() as layer, int() as head] if 0 <= layer < sweep.layers and 0 <= head < sweep.heads:
            return replace(view, focus=(layer, head))
        case "place", [int() as place] if 0 <= place < sweep.count:
            return replace(view, place=place)
    return view


def _step(view: LabView, sweep: Sweep, to: str) -> LabView:
    if to == "free":
        return replace(view, step=FREE, focus=view.focus or sweep.first_head)
    if to == "guide":
        return enter(replace(view, step=1), sweep)
    by = 1 if to == "next" else -1
    return enter(replace(view, step=min(max(view.step + by, 1), LAST_STEP)), sweep)


def enter(view: LabView, sweep: Sweep) -> LabView:
    """The view as a step of the guided path begins."""
    if view.step == FREE:
        return replace(view, focus=view.focus or sweep.first_head)
    view = replace(view, heads=(), control=view.step == _BIAS and bool(sweep.record.dummy))
    if view.step == _EVIDENCE:
        return replace(view, lens="calibrate", place=_helped(sweep))
    if view.step == _CONTRAST:
        return replace(view, lens="contrast")
    if view.step in (_LAYERS, _HEADS):
        view = replace(view, focus=sweep.first_head)
    return _answer(view, sweep, view.answered) if view.answered is not None else view


def _helped(sweep: Sweep) -> int:
    """The place at which calibrating lifts gold most."""
    ranks = sweep.numbers().ranks
    gains = [raw - left for raw, left in zip(ranks["attention"], ranks["calibrated"], strict=True)]
    return sweep.places[gains.index(max(gains))]


def _answer(view: LabView, sweep: Sweep, choice: int) -> LabView:
    view = view.reply(choice)
    if view.step == _HEADS:
        return replace(view, heads=sweep.trained(BEST))
    return view


def _heads(view: LabView, sweep: Sweep, value: str) -> LabView:
    parts = thirds(sweep)
    if value == "all":
        return replace(view, heads=())
    if value == "best":
        return replace(view, heads=sweep.best(BEST))
    if value in parts:
        return replace(view, heads=whole(sweep, parts[value]))
    if value == "toggle" and view.focus:
        heads = set(view.heads) ^ {view.focus}
        return replace(view, heads=tuple(sorted(heads)))
    return view


def _turn(view: LabView, sweep: Sweep, value: str) -> LabView:
    layer, head = view.focus or (0, 0)
    steps = {"layer-1": (-1, 0), "layer+1": (1, 0), "head-1": (0, -1), "head+1": (0, 1)}
    if value not in steps:
        return view
    down, across = steps[value]
    return replace(
        view, focus=(min(max(layer + down, 0), sweep.layers - 1), min(max(head + across, 0), sweep.heads - 1))
    )
