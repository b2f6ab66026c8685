"""What the guided path says about length and noise, and about four ways to ask. See ``lab_lesson``."""

from __future__ import annotations

from core.records import SweepRecord
from core.sweep_record import Noise, Way
from ui.lab_facts import places
from ui.lab_lesson import Scene
from ui.lab_lessons import WAYS, Group, brought_back, gold_at, groups, of_way, right_of
from ui.lab_lessons import noises as noises_of

_SAME = 0.1  # change of a mean, as a share of it, that counts as none

# ---- 9: length and noise


def tell_length(s: Scene) -> str:
    """What changes and what stays."""
    return (
        "Now gold stays in the middle, and the prompt grows. The others, the <b>distractors</b>, are of three kinds: "
        "<b>hard</b> ones belong to the same question, <b>random</b> ones to other questions, and <b>duplicated</b> "
        "means one hard document again and again. Each prompt is read in several shuffled orders. An <b>even share</b> "
        "is what each document would get if all got the same."
    )


def ask_length(s: Scene) -> str:
    """What becomes of gold's attention."""
    ends = _ends(s.lessons.length)
    if ends is None:
        return ""
    return (
        f"From {ends[0].length} to {ends[1].length} documents of the same question: what becomes of gold's attention, "
        "measured in even shares?"
    )


def right_length(s: Scene) -> int:
    """It grows, stays, or falls."""
    ends = _ends(s.lessons.length)
    if ends is None:
        return -1
    change = ends[1].mean / ends[0].mean - 1 if ends[0].mean else 0.0
    return 1 if abs(change) <= _SAME else 0 if change > 0 else 2


def result_length(s: Scene) -> str:
    """Both ends of each kind, in numbers."""
    record = s.lessons.length
    if record is None:
        return ""
    said = "".join(_kind(record, noise) for noise in noises_of(record))
    right, known = right_of(record)
    answers = f" Over all kinds and lengths the answer is right in <b>{right} of {known}</b> prompts." if known else ""
    return (
        f"In even shares, lowest to highest over the orders in brackets: {said.removesuffix('; ')}.{answers} The bar "
        "behind each group of points is the spread: where it is wide, one order alone would have told another story."
    )


def _ends(record: SweepRecord | None) -> tuple[Group, Group] | None:
    """Shortest and longest prompt of the first kind that was read."""
    kinds = noises_of(record) if record else ()
    found = groups(record, kinds[0], "share") if record and kinds else ()
    return (found[0], found[-1]) if len(found) > 1 else None


def _kind(record: SweepRecord, noise: Noise) -> str:
    found = groups(record, noise, "share")
    parts = [
        f"<b>{group.mean:.1f}</b> ({group.low:.1f}–{group.high:.1f}) among {group.length}"
        for group in (found[:1] if len(found) == 1 else (found[0], found[-1]))
    ]
    return f"{noise} {' and '.join(parts)}; "


# ---- 10: fix it


def tell_fix(s: Scene) -> str:
    """The four ways."""
    return (
        "Can it be fixed? The same question is asked in four ways, with gold at places where the sweep was answered "
        "wrongly, if there are any: the documents <b>as given</b>; by SFS, <b>best first</b>; by SFS, best at "
        "both ends (a <b>U shape</b>), where bias helps; and through <b>DuQUAD</b>, whose Local Agent reads the best "
        "few and whose Judge sees sentences of what was kept."
    )


def ask_fix(s: Scene) -> str:
    """Where sorting puts gold."""
    return "Sorted by SFS, best first: where does gold stand then?"


def right_fix(s: Scene) -> int:
    """First everywhere, among the first few everywhere, or further back somewhere."""
    record = s.lessons.fix
    at = [gold_at(record, way) or 0 for _, way in of_way(record, "best_first")] if record else []
    if record is None or not at:
        return -1
    return 0 if max(at) == 0 else 1 if max(at) < record.settings.k else 2


def result_fix(s: Scene) -> str:
    """Answers of each way, and the stage that brought gold back."""
    record = s.lessons.fix
    if record is None:
        return ""
    counts = ", ".join(f"“{name}” <b>{_right(record, way)}</b>" for way, name in WAYS.items())
    fates: dict[str, list[int]] = {}
    for fix, way in of_way(record, "duquad"):
        fates.setdefault(brought_back(record, way), []).append(fix.place + 1)
    told = "; ".join(f"given at {places(at)}, {fate}" for fate, at in fates.items())
    return (
        f"Right answers: {counts}. Through DuQUAD, with gold {told}. Looking for evidence and answering are two "
        "different skills: a small model may have gold in front of it and still answer wrong."
    )


def _right(record: SweepRecord, way: Way) -> str:
    known = [found.right for _, found in of_way(record, way) if found.right is not None]
    return f"{sum(known)} of {len(known)}"
