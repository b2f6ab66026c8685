"""The guided path: one idea per step, what is asked, and which figures stand beside it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from ui import lab_lesson as lesson
from ui import lab_lesson_heads as later
from ui import lab_lesson_more as more
from ui.lab_facts import BEST
from ui.lab_lesson import Scene


@dataclass(frozen=True)
class Step:
    """A step; each text is made of its scene."""

    title: str
    tell: Callable[[Scene], str]
    ask: Callable[[Scene], str]
    choices: tuple[str, ...]
    right: Callable[[Scene], int]
    """Which choice the numbers of this sweep bear out."""
    result: Callable[[Scene], str]
    before: tuple[str, ...]
    """Parts of the page that are shown with the question."""
    after: tuple[str, ...]
    """Parts that are shown with the result."""
    needs: Literal["", "length", "fix"] = ""
    """The lesson that must have been read; it is a run of its own."""


def _fixed(text: str) -> Callable[[Scene], str]:
    return lambda _: text


STEPS: tuple[Step, ...] = (
    Step(
        "Move the evidence",
        lesson.tell_move,
        _fixed("Stack all these curves, one row for each place of gold. What will you see?"),
        (
            "A bright diagonal only: the model looks where gold is",
            "Bright edges only: it looks at the first and the last",
            "Both, edges and diagonal",
        ),
        lesson.right_move,
        lesson.result_move,
        ("walk",),
        ("heat", "echo", "walk"),
    ),
    Step(
        "Does the answer follow?",
        lesson.tell_answer,
        _fixed("At how many places is the answer right?"),
        ("At all of them", "At half of them or more", "At fewer than half"),
        lesson.right_answer,
        lesson.result_answer,
        ("walk",),
        ("walk", "heat"),
    ),
    Step(
        "Bias: what a place draws",
        lesson.tell_bias,
        _fixed("Which places draw least, whatever stands there?"),
        ("The first few", "Those in the middle", "The last few"),
        lesson.right_bias,
        lesson.result_bias,
        ("walk", "heat"),
        ("biased", "heat"),
    ),
    Step(
        "Evidence: what is left",
        lesson.tell_evidence,
        lesson.ask_evidence,
        ("To the very top", "Higher, but not to the top", "No higher"),
        lesson.right_evidence,
        lesson.result_evidence,
        ("biased",),
        ("split",),
    ),
    Step(
        "Contrast: one prompt is enough",
        lesson.tell_contrast,
        _fixed("Against attention as it is, does contrast find gold at more places?"),
        ("At more", "At as many", "At fewer"),
        lesson.right_contrast,
        lesson.result_contrast,
        ("biased",),
        ("split",),
    ),
    Step(
        "Six ways to find gold",
        later.tell_signals,
        _fixed("Which of these does not change when gold moves?"),
        ("Attention", "Contrast", "Likelihood"),
        lambda _: 2,
        later.result_signals,
        ("walk",),
        ("finders",),
    ),
    Step(
        "Layers and heads",
        later.tell_layers,
        _fixed("Which layers find gold best?"),
        ("The early ones", "The middle ones", "The late ones"),
        later.right_layers,
        later.layers_said,
        ("walk",),
        ("grid", "head"),
    ),
    Step(
        "Choose heads",
        later.tell_heads,
        _fixed(f"On the places between, do the best {BEST} heads beat the average of all?"),
        ("They find gold at more places", "At as many", "At fewer"),
        later.right_heads,
        later.result_heads,
        ("grid",),
        ("echo", "finders", "grid"),
    ),
    Step(
        "Length and noise",
        more.tell_length,
        more.ask_length,
        ("It grows: gold stands out more", "It stays about the same", "It falls: gold drowns"),
        more.right_length,
        more.result_length,
        ("walk",),
        ("length",),
        "length",
    ),
    Step(
        "Fix it",
        more.tell_fix,
        more.ask_fix,
        ("First, wherever it stood before", "Among the first few", "Further back"),
        more.right_fix,
        more.result_fix,
        ("walk",),
        ("fix",),
        "fix",
    ),
    Step("What stays", later.tell_end, _fixed(""), (), lambda _: -1, _fixed(""), ("heat", "echo"), ("heat", "echo")),
)
