"""What one visitor looks at in the lab: small, frozen, and written in the page's address."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from core.records import Request
from core.settings.methods import HeadPairs
from ui.head_sets import heads_of, spelled
from ui.lab_figures import Lens
from ui.lab_lessons import MEASURES, Measure

FREE = 0
"""The step of the free mode."""
LAST_STEP = 11


@dataclass(frozen=True, eq=False)
class LabView:
    """``eq=False``: Gradio compares states by hash, and identity is the cheap one."""

    kind: Literal["none", "sweep", "run"] = "none"
    """Where the sweep comes from: recorded with the page, or a run of this server."""
    key: str = ""
    """The recorded sweep's name or the run's id."""
    asked: Request | None = None
    """What a run was asked, so that it can be shown before its first place is read."""
    place: int = 0
    """Place of gold that the figures show, 0-based."""
    step: int = 1
    """Step of the guided path, from 1; ``FREE`` shows everything."""
    answers: tuple[tuple[int, int], ...] = ()
    """Steps whose question was answered, with the choice."""
    lens: Lens = "calibrate"
    """What the lower panel of bias and evidence shows."""
    map: Literal["share", "evidence"] = "share"
    """What the map of all places shows in free mode."""
    control: bool = False
    """Whether the curve of a text with no content is drawn."""
    heads: HeadPairs = ()
    """Heads whose attention counts; empty means all."""
    focus: tuple[int, int] | None = None
    """Layer and head whose own curve is shown."""
    measure: Measure = "share"
    """What the prompts of other lengths are judged by."""
    length: str = ""
    """Id of a run of this server that read other lengths; empty for the one recorded with the sweep."""
    fix: str = ""
    """The same of one that asked in four ways."""
    dark: bool = False

    @property
    def answered(self) -> int | None:
        """The choice that was made in this step, if one was."""
        return dict(self.answers).get(self.step)

    @property
    def open(self) -> bool:
        """Whether the result of this step may be seen."""
        return self.step == FREE or self.answered is not None

    @property
    def address(self) -> dict[str, str]:
        """What stands in the page's address."""
        found = {} if self.kind == "none" else {str(self.kind): self.key}
        found |= {"step": "free" if self.step == FREE else str(self.step), "place": str(self.place + 1)}
        if self.answered is not None:
            found["answer"] = str(self.answered + 1)
        if self.lens != "calibrate":
            found["lens"] = self.lens
        if self.map != "share":
            found["map"] = self.map
        if self.control:
            found["control"] = "yes"
        if self.heads:
            found["heads"] = spelled(self.heads)
        if self.measure != "share":
            found["measure"] = self.measure
        for name, run_id in (("length", self.length), ("fix", self.fix)):
            if run_id:
                found[name] = run_id
        return found

    def reply(self, choice: int) -> LabView:
        """This step's question answered."""
        return replace(self, answers=(*(pair for pair in self.answers if pair[0] != self.step), (self.step, choice)))


def read_address(query: Mapping[str, str], dark: bool) -> LabView:
    """The view that an address asks for, its source aside; what makes no sense is left out."""
    asked, place, answer = query.get("step", ""), query.get("place", ""), query.get("answer", "")
    step = FREE if asked == "free" else min(max(int(asked), 1), LAST_STEP) if _number(asked) else 1
    return LabView(
        step=step,
        answers=((step, int(answer) - 1),) if step and _number(answer) and int(answer) else (),
        place=int(place) - 1 if _number(place) and int(place) else 0,
        lens="contrast" if query.get("lens") == "contrast" else "calibrate",
        map="evidence" if query.get("map") == "evidence" else "share",
        control=query.get("control") == "yes",
        heads=heads_of(query.get("heads", "")),
        measure=next((measure for measure in MEASURES if measure == query.get("measure")), "share"),
        dark=dark,
    )


def _number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < 4
