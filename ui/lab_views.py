"""Everything that the lab draws, by the name of its component: a sweep and a view in, plain values out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ui import lab_bars as bars
from ui import lab_cards as cards
from ui import lab_words as words
from ui import lab_words_lessons as more
from ui.lab_facts import BEST, facts
from ui.lab_figures import split, walk
from ui.lab_figures_heads import finders, grid
from ui.lab_figures_lessons import fix_figure, length_figure
from ui.lab_figures_map import heat
from ui.lab_lesson import scene
from ui.lab_lessons import NONE, Lessons
from ui.lab_numbers import Sweep
from ui.lab_state import FREE, LabView
from ui.lab_steps import STEPS
from ui.parts import plotted

PARTS = ("heat", "echo", "walk", "split", "finders", "grid", "head", "length", "fix")
"""The figures, in the order of the page."""
_FIRST = 1
_ANSWERS = 2  # the step that shows whether the answers are right
_EVIDENCE = 4  # the step that asks about the place that is shown

Drawn = dict[str, Any]
"""Component → value; what is not in it stays as it is."""


def shown(view: LabView, sweep: Sweep | None) -> set[str]:
    """The parts that are on the page; ``biased`` is the curve with its bias.

    ``echo``, the map of the chosen heads, is not needed where that of all heads has its diagonal.
    """
    if sweep is None:
        return set()
    if view.step == FREE:
        return set(PARTS) - {"echo"}
    step = STEPS[view.step - 1]
    parts = set(step.after if view.open or not step.choices else step.before)
    return parts - {"echo"} if view.step == _FIRST and facts(sweep, sweep.numbers()).diagonal else parts


def draw(sweep: Sweep | None, view: LabView, names: Mapping[str, str], lessons: Lessons = NONE) -> Drawn:
    """All values of a view; ``names`` are the recorded sweeps to choose from."""
    parts = shown(view, sweep)
    drawn: Drawn = {
        "card": cards.card_html(view, scene(sweep, view.place, lessons) if sweep else None),
        "title": cards.head_html(sweep.record if sweep else None, view),
        "sources": cards.sources_html(names, view),
        "chosen": bars.chosen_html(view, sweep, sweep.numbers()) if sweep else "",
        "parts": parts,
    }
    return drawn | (figures(sweep, view, parts, lessons) if sweep else {})


def moved(sweep: Sweep, view: LabView) -> Drawn:
    """What changes when gold moves: the figures that show its place, and the card that speaks of it."""
    drawn = figures(sweep, view, shown(view, sweep) - {"grid", "length", "fix"})
    return drawn | ({"card": cards.card_html(view, scene(sweep, view.place))} if view.step == _EVIDENCE else {})


def figures(sweep: Sweep, view: LabView, parts: set[str], lessons: Lessons = NONE) -> Drawn:
    """The figures that are on the page, each with what it says."""
    makers = {
        "walk": lambda: _walk(sweep, view, False),
        "biased": lambda: _walk(sweep, view, True),
        "heat": lambda: _heat(sweep, view),
        "echo": lambda: _echo(sweep, view),
        "split": lambda: _split(sweep, view),
        "finders": lambda: _finders(sweep, view),
        "grid": lambda: _grid(sweep, view),
        "head": lambda: _head(sweep, view),
        "length": lambda: _length(view, lessons),
        "fix": lambda: _fix(view, lessons),
    }
    drawn: Drawn = {}
    for part in parts:
        drawn |= makers[part]()
    return drawn


def _walk(sweep: Sweep, view: LabView, bias: bool) -> Drawn:
    numbers = sweep.numbers(view.heads)
    said = words.said_walk(sweep, numbers, view.place)
    figure = walk(sweep, numbers, view.place, view.dark, bias, bias and view.control)
    table = words.table_walk(sweep, numbers, view.place, bias)
    return {"walk": plotted(figure, said), "walk_said": words.caption(said, table, "This curve")}


def _heat(sweep: Sweep, view: LabView) -> Drawn:
    answers = view.step in (FREE, *range(_ANSWERS + 1, len(STEPS) + 1)) or (view.step == _ANSWERS and view.open)
    numbers = sweep.numbers(view.heads)
    calibrated = view.map == "evidence" and view.step == FREE
    said = words.said_heat(sweep, numbers, answers)
    figure = heat(sweep, numbers, view.place, view.dark, answers, calibrated)
    return {
        "heat": plotted(figure, said),
        "heat_bar": bars.map_html(view) if view.step == FREE else "",
        "heat_said": words.caption(said, words.table_heat(sweep, numbers, answers, calibrated), "This map"),
    }


def _echo(sweep: Sweep, view: LabView) -> Drawn:
    numbers = sweep.numbers(sweep.trained(BEST))
    said = words.said_echo(sweep, numbers)
    figure = heat(sweep, numbers, view.place, view.dark, False, True)
    table = words.table_heat(sweep, numbers, False, True)
    return {"echo": plotted(figure, said), "echo_said": words.caption(said, table, "This map")}


def _split(sweep: Sweep, view: LabView) -> Drawn:
    numbers = sweep.numbers(view.heads)
    said = words.said_split(sweep, numbers, view.place, view.lens)
    figure = split(sweep, numbers, view.place, view.lens, view.dark, view.control)
    table = words.table_walk(sweep, numbers, view.place, True)
    return {
        "split": plotted(figure, said),
        "split_bar": bars.lens_html(view, sweep),
        "split_said": words.caption(said, table, "These curves"),
    }


def _finders(sweep: Sweep, view: LabView) -> Drawn:
    numbers = sweep.numbers(view.heads)
    said = words.said_finders(sweep, numbers)
    figure = finders(sweep, numbers, view.place, view.dark)
    return {
        "finders": plotted(figure, said),
        "finders_said": words.caption(said, words.table_finders(sweep, numbers), "These ranks"),
    }


def _grid(sweep: Sweep, view: LabView) -> Drawn:
    said = words.said_grid(sweep)
    figure = grid(sweep, view.heads, view.focus, view.dark)
    return {
        "grid": plotted(figure, said),
        "grid_bar": bars.heads_html(view, sweep),
        "grid_said": words.caption(said, words.table_grid(sweep), "This grid"),
    }


def _head(sweep: Sweep, view: LabView) -> Drawn:
    layer, head = view.focus or sweep.first_head
    numbers = sweep.numbers(((layer, head),))
    said = words.said_walk(sweep, numbers, view.place)
    said = f"Layer {layer}, head {head} alone. {said}"
    figure = walk(sweep, numbers, view.place, view.dark, bias=True)
    table = words.table_walk(sweep, numbers, view.place, True)
    return {"head": plotted(figure, said), "head_said": words.caption(said, table, "This curve")}


def _length(view: LabView, lessons: Lessons) -> Drawn:
    said = more.said_length(lessons.length, view.measure)
    table = more.table_length(lessons.length)
    return {
        "length": plotted(length_figure(lessons.length, view.measure, view.dark), said),
        "length_bar": bars.measure_html(view),
        "length_said": words.caption(said, table, "These prompts"),
    }


def _fix(view: LabView, lessons: Lessons) -> Drawn:
    said = more.said_fix(lessons.fix)
    return {
        "fix": plotted(fix_figure(lessons.fix, view.dark), said),
        "fix_bar": bars.ways_html(),
        "fix_said": words.caption(said, more.table_fix(lessons.fix), "These ways"),
    }
