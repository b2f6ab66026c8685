"""The components of the lab, laid out; no behaviour."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import gradio as gr

from core.settings.app import AppSettings
from core.settings.limits import LIMITS
from ui.inspect_inputs import FORMAT_HINT, TEMPLATE
from ui.inspect_run import privacy_html
from ui.lab_own import ALL, COUNTS
from ui.lab_views import PARTS
from ui.parts import bridge, courier, figure, heading, kept, markup

_GOLD_HINT = "Of no use where a document is marked as gold."
_HEADINGS = {
    "walk": ("Move the evidence", "Attention of the question on each document, with gold at one place."),
    "heat": ("All places at once", "A row for each place of gold, a column for each place in the prompt."),
    "echo": ("The same, by ten heads", "Ten heads that look for evidence, minus each place's bias."),
    "split": ("Bias and evidence apart", "The curve over what its places draw by themselves, and what is left of it."),
    "finders": ("Who finds gold where", "The rank of gold by each signal, at each place: 1 is found at once."),
    "grid": ("Layers and heads", "How many places each head finds gold at, by its own contrast. Click one."),
    "length": (
        "Length and noise",
        "Gold in the middle of more and fewer documents, of three kinds.",
    ),
    "fix": ("Four ways to ask", "What the model reads in each way, and where gold stands in it."),
    "head": ("One head", "The curve of the chosen head alone, over its own bias."),
}


@dataclass(frozen=True)
class Lab:
    """All components of the tab that a callback reads or writes."""

    drawn: dict[str, gr.components.Component]
    """What is drawn, by the names of ``ui.lab_views``."""
    columns: dict[str, gr.Column]
    """Part → the column that holds its figure."""
    bar: gr.Row
    """Play and the slider."""
    place: gr.Slider
    play: gr.Button
    run: gr.Button
    cancel: gr.Button
    choice: list[gr.components.Component]
    """What is run, in the order of ``Choice``."""
    own: list[gr.components.Component]
    """A person's question, accepted answers, documents, and the number of the gold one."""
    run_own: gr.Button
    own_box: gr.Accordion
    """What holds them."""
    progress: gr.HTML
    notice: gr.HTML
    exports: dict[str, gr.Button]
    bridge: gr.HTML
    address: gr.HTML
    download: gr.HTML
    timer: gr.Timer
    """Ticks while a run is followed."""
    beat: gr.Timer
    """Ticks while Play is on."""


def layout(settings: AppSettings) -> Lab:
    """Lays the tab out: the lesson on the left, the figures on the right."""
    notice = markup(elem_id="wl-lab-notice")
    drawn: dict[str, gr.components.Component] = {}
    with gr.Row(elem_id="wl-lab"):
        with gr.Column(elem_id="wl-lab-lesson", min_width=0):
            drawn["card"] = kept("lab", "card")
            with gr.Row(elem_id="wl-lab-go"):
                run = gr.Button("Run it yourself", size="sm", elem_id="wl-lab-run", min_width=120)
                cancel = gr.Button("Cancel", size="sm", visible=False, elem_id="wl-lab-cancel", min_width=120)
            progress = markup(elem_id="wl-lab-progress")
            choice = _choice()
            drawn["sources"] = kept("lab", "sources")
            own, run_own, own_box = _own()
            exports = _exports()
        with gr.Column(elem_id="wl-lab-figures", min_width=0):
            drawn["title"] = markup(elem_id="wl-lab-title")
            bar, play, place = _bar()
            drawn["chosen"] = kept("lab", "chosen")
            columns, parts = _parts()
    markup(privacy_html(settings))
    controls: dict[str, Any] = {"bar": bar, "play": play, "place": place, "run": run, "cancel": cancel}
    controls |= {"choice": choice, "own": own, "run_own": run_own, "own_box": own_box}
    return Lab(drawn | parts, columns, **controls, progress=progress, notice=notice, exports=exports, **_unseen())


def _choice() -> list[gr.components.Component]:
    """The controls in the order of ``Choice``."""
    with gr.Accordion("What is run", open=False, elem_id="wl-lab-choice"):
        counts = gr.Dropdown(list(COUNTS), value=ALL, label="Documents (fewer are faster)", filterable=False)
        shuffle = gr.Slider(0, 9, 0, step=1, label="Shuffle the others (0: as they are)")
        control = gr.Checkbox(True, label="Control: move a text with no content as well")
    return [counts, shuffle, control]


def _own() -> tuple[list[gr.components.Component], gr.Button, gr.Accordion]:
    with gr.Accordion("Your own documents", open=False, elem_id="wl-lab-own") as box:
        question = gr.Textbox(label="Question", lines=2, max_length=LIMITS.question_chars)
        answers = gr.Textbox(label="Accepted answers (optional), one per line", lines=2)
        documents = gr.Textbox(label="Documents", info=FORMAT_HINT, lines=7, max_lines=12, placeholder=TEMPLATE)
        gold = gr.Number(1, label="Number of the document with the answer", info=_GOLD_HINT, precision=0, minimum=1)
        run = gr.Button("Run these", size="sm", elem_id="wl-lab-run-own")
    return [question, answers, documents, gold], run, box


def _bar() -> tuple[gr.Row, gr.Button, gr.Slider]:
    with gr.Row(elem_id="wl-lab-bar", visible=False) as bar:
        play = gr.Button("▶ Play", size="sm", elem_id="wl-lab-play", min_width=92)
        place = gr.Slider(1, 2, 1, step=1, label="Place of gold", elem_id="wl-lab-place", min_width=200)
    return bar, play, place


def _parts() -> tuple[dict[str, gr.Column], dict[str, gr.components.Component]]:
    columns: dict[str, gr.Column] = {}
    drawn: dict[str, gr.components.Component] = {}
    with gr.Row(elem_id="wl-lab-parts"):
        for part in PARTS:
            with gr.Column(visible=False, min_width=0, elem_id=f"wl-lab-part-{part}") as columns[part]:
                drawn |= _part(part)
    return columns, drawn


def _unseen() -> dict[str, Any]:
    """What has no place on the page."""
    return {
        "bridge": bridge(["act", "theme", "opened"], "lab"),
        "address": courier("lab.address"),
        "download": courier("download"),
        "timer": gr.Timer(0.5, active=False),
        "beat": gr.Timer(0.7, active=False),
    }


def _part(part: str) -> dict[str, gr.components.Component]:
    """A figure under its heading, its buttons where it has some, and what it says."""
    name, said = _HEADINGS[part]
    heading(name, said, f"lab-{part}")
    found: dict[str, gr.components.Component] = {}
    if part in ("heat", "split", "grid", "length", "fix"):
        found[f"{part}_bar"] = kept("lab", f"{part}-bar")
    found[part] = figure(f"lab-{part}", "lab", "cell" if part == "grid" else "place")
    found[f"{part}_said"] = markup(elem_id=f"wl-lab-{part}-said")
    return found


def _exports() -> dict[str, gr.Button]:
    names = {"csv": "Sweep (CSV)", "json": "Sweep (JSON)", "length": "Lengths (CSV)", "fix": "Four ways (CSV)"}
    with gr.Row(elem_id="wl-lab-exports"):
        return {
            what: gr.Button(name, size="sm", min_width=110, elem_id=f"wl-lab-export-{what}")
            for what, name in names.items()
        }
