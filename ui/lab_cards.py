"""The lab's own HTML: the card of the guided path, the head, what can be opened. See ``lab_bars`` for its buttons."""

from __future__ import annotations

import html
from collections.abc import Mapping

from core.records import SweepRecord
from ui.inspect_run import notice
from ui.lab_bars import button, live_button
from ui.lab_lesson import Scene
from ui.lab_state import FREE, LAST_STEP, LabView
from ui.lab_steps import STEPS
from ui.markup import escape, short

NO_SWEEP = (
    "<p>Here a document walks through a prompt, and you see whether the model's attention walks with it. No sweep is "
    "recorded on this page. Press <b>Run it yourself</b> to make one.</p>"
)
_WAITING = "<p>No place of this sweep has been read yet. The lesson begins with the first one.</p>"


_WELCOME = (
    '<div class="wl wl-welcome"><h3>Does a model look where the answer is, or where it always looks?</h3>'
    "<p>A sweep moves one document through all places of the prompt. Its figures will stand here.</p></div>"
)


def card_html(view: LabView, scene: Scene | None) -> str:
    """The step: where it stands, its text, its question, and the result once the question was answered."""
    if view.step == FREE:
        return _free()
    step = STEPS[view.step - 1]
    if scene is None:
        text = _WAITING if view.kind == "run" else NO_SWEEP
        return f'<div class="wl wl-card wl-lesson"><h3>Position lab</h3><div class="wl-lesson-text">{text}</div></div>'
    return (
        f'<div class="wl wl-card wl-lesson">{_dots(view)}<h3>{step.title}</h3>'
        f"{_told(view, step.tell(scene))}{_question(view, scene)}{_ways(view)}</div>"
    )


def _told(view: LabView, text: str) -> str:
    """The step's text; folded once the question was answered, so that the result is in sight."""
    if view.answered is None:
        return f'<div class="wl-lesson-text"><p>{text}</p></div>'
    return f'<details class="wl-lesson-text"><summary>What this step is about</summary><p>{text}</p></details>'


_WORDS = {
    "Prompt": "the text that the model reads: all documents, then the question",
    "Gold": "the document that holds the answer, marked ★",
    "Sweep": "gold moved through all places, everything else as it is",
    "Attention share": "of all looking back at documents before the answer, the part that one document gets",
    "Bias": "what a place draws on average while gold stands elsewhere",
    "Evidence": "attention minus bias, also called calibrated attention; in points, per cent of all attention",
    "Contrast": "twice a document's attention minus that of both neighbours",
    "Likelihood": "how well the model foresees the question when it reads one document alone",
    "Semantic": "how close question and document are in meaning",
    "SFS": "Structural Fusion Score: likelihood, semantic and contrast, weighted and added",
    "Distractor": "a document that does not hold the answer",
    "Even share": "what each document would get if all got the same attention",
    "Layer, head": "the model reads in layers, one after another; the heads of each look back on their own",
}
_TERMS = (
    "<details><summary>Terms</summary><dl>"
    + "".join(f"<dt>{term}</dt><dd>{words}</dd>" for term, words in _WORDS.items())
    + "</dl></details>"
)


def _free() -> str:
    return (
        '<div class="wl wl-card wl-lesson"><h3>Free mode</h3><div class="wl-lesson-text"><p>All figures at once. Gold '
        "moves with the slider, or with a click on any figure; what you choose stands in the page's address.</p></div>"
        f'{_TERMS}<div class="wl-lesson-ways">{button("step", "guide", "Back to the guided path")}</div></div>'
    )


def _dots(view: LabView) -> str:
    marks = "".join(
        f'<i class="{"is-now" if i == view.step else "is-done" if i < view.step else ""}"></i>'
        for i in range(1, LAST_STEP + 1)
    )
    return (
        f'<p class="wl-sub wl-dots"><span>Step {view.step} of {LAST_STEP}</span>'
        f'<span class="wl-dotline" aria-hidden="true">{marks}</span></p>'
    )


def _question(view: LabView, scene: Scene) -> str:
    step = STEPS[view.step - 1]
    if step.needs and not getattr(scene.lessons, step.needs):
        return _not_read(step.needs)
    if view.step == 2 and not scene.facts.answered:
        return '<p class="wl-sub">No accepted answer is known for this question, so right and wrong cannot be told.</p>'
    if not step.choices:
        return ""
    right, given = step.right(scene), view.answered
    choices = "".join(_choice(i, text, given, right) for i, text in enumerate(step.choices))
    result = "" if given is None else f'<div class="wl-lesson-result" role="status">{_verdict(given, right)}'
    result += "" if given is None else f"<p>{step.result(scene)}</p></div>"
    return f'<h4>{step.ask(scene)}</h4><div class="wl-choices" role="group">{choices}</div>{result}'


def _not_read(part: str) -> str:
    return (
        '<p class="wl-sub">This has not been read for this question. It is a run of its own and takes about as long as '
        f"a sweep.</p><div>{live_button(part)}</div>"
    )


def _choice(i: int, text: str, given: int | None, right: int) -> str:
    kind = "" if given is None else " is-right" if i == right else " is-wrong" if i == given else ""
    mark = "" if given is None else "✓ " if i == right else "✕ " if i == given else ""
    return (
        f'<button type="button" class="wl-choice{kind}" data-lab="answer" data-value="{i}" '
        f'aria-pressed="{"true" if i == given else "false"}">{mark}{html.escape(text)}</button>'
    )


def _verdict(given: int, right: int) -> str:
    if right not in (0, 1, 2):
        return "<p><b>None of them, in this sweep.</b></p>"
    return f"<p><b>{'That is what this sweep shows.' if given == right else 'This sweep shows otherwise.'}</b></p>"


def _ways(view: LabView) -> str:
    last = view.step == LAST_STEP
    onward = button("step", "free", "Free mode", kind="is-main") if last else ""
    onward = onward or button("step", "next", "Next →", kind="is-main" if view.open else "")
    skip = "" if last else button("step", "free", "Free mode", kind="is-quiet")
    return (
        f'<div class="wl-lesson-ways">{button("step", "back", "← Back", off=view.step == 1)}{onward}'
        f"<span></span>{skip}</div>"
    )


def going_on(run_id: str) -> str:
    """The way back to a sweep that goes on while the page shows another."""
    return notice("Your sweep goes on in the background.", "info", button("run", run_id, "Show it"))


def head_html(record: SweepRecord | None, view: LabView) -> str:
    """The question, and what made this sweep."""
    question = record.question if record else view.asked.question if view.asked else None
    if question is None:
        return _WELCOME
    facts = ["not read yet"]
    if record:
        places = f"{len(record.places)} of {len(record.documents)} places"
        made = [record.models.get("backbone", ""), record.models.get("device", ""), record.created[:10]]
        facts = [places, *("recorded" for _ in "1" if view.kind == "sweep"), *filter(None, made)]
    return (
        f'<div class="wl wl-head"><h2 dir="auto">{escape(question.text)}</h2>'
        f'<p class="wl-sub">{" · ".join(escape(short(fact, 60)) for fact in facts)}</p></div>'
    )


def sources_html(names: Mapping[str, str], view: LabView) -> str:
    """The recorded sweeps to choose from; nothing where there is no choice."""
    if not names or (len(names) == 1 and view.kind == "sweep"):
        return ""
    rows = "".join(
        button("sweep", name, title, pressed=view.kind == "sweep" and view.key == name, kind="is-row")
        for name, title in names.items()
    )
    return f'<div class="wl wl-lab-sources"><h5>Recorded sweeps</h5>{rows}</div>'
