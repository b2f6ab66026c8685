"""The components of the tab "Errors", laid out; no behaviour."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import gradio as gr

from core.evaluation.labels_record import VERDICTS
from core.settings.evaluation import LABEL_ANSWER_CHARS, LABEL_NOTE_CHARS, REVIEWER_CHARS
from ui.parts import address_courier, bridge, courier, figure, heading, kept, markup

EXPORTS = {"csv": "CSV", "jsonl": "JSON lines", "parquet": "Parquet", "report": "Report (HTML)"}
"""What can be saved of the questions that are shown, and what its button says."""
_FIGURES = ("first", "second", "third")


@dataclass(frozen=True)
class ErrorsLayout:
    """All components of the tab that a callback reads or writes."""

    drawn: dict[str, gr.HTML]
    """What is drawn, by the names of ``ui.errors_views.Drawn``."""
    search: gr.Textbox
    reviewer: gr.Textbox
    next: gr.Button
    twice: gr.Checkbox
    form: list[gr.components.Component]
    """In the order of ``ui.errors_labels.Form``."""
    save: gr.Button
    notice: gr.HTML
    exports: dict[str, gr.Button]
    bridge: gr.HTML
    address: gr.HTML
    picture: gr.HTML
    download: gr.HTML


def layout() -> ErrorsLayout:
    """Lays the tab out: the table with its filters on the left, one answer in full on the right."""
    drawn: dict[str, gr.HTML] = {}
    with gr.Row(elem_id="wl-errors"):
        with gr.Column(elem_id="wl-errors-master", min_width=0):
            drawn["chooser"] = kept("errors", "chooser")
            drawn["flow"] = kept("errors", "flow")
            search = gr.Textbox(
                label="Search questions and answers", max_length=500, elem_id="wl-errors-search", max_lines=1
            )
            drawn["filters"] = kept("errors", "filters")
            drawn["pager"] = kept("errors", "pager")
            drawn["table"] = kept("errors", "table")
            exports = _exports()
            heading("Agreement between reviewers", "Over answers that both labelled.")
            drawn["agreement"] = markup(elem_id="wl-errors-agreement")
        with gr.Column(elem_id="wl-errors-panel", min_width=0):
            panel = _panel(drawn)
    return ErrorsLayout(drawn=drawn, search=search, exports=exports, **panel, **_unseen())


def _exports() -> dict[str, gr.Button]:
    markup('<p class="wl wl-sub">Save exactly the questions that are shown, in this order, with their labels:</p>')
    with gr.Row(elem_id="wl-errors-exports"):
        return {
            what: gr.Button(name, size="sm", min_width=90, elem_id=f"wl-errors-export-{what}")
            for what, name in EXPORTS.items()
        }


def _panel(drawn: dict[str, gr.HTML]) -> dict[str, Any]:
    notice = markup(elem_id="wl-errors-notice")
    drawn["head"] = kept("errors", "head")
    with gr.Accordion("Label", open=True, elem_id="wl-errors-label"):
        label = _form(drawn)
    drawn["beside"] = kept("errors", "beside")
    drawn["answer"] = kept("errors", "answer")
    for name, also in zip(_FIGURES, ("reader", "parts", "rest"), strict=True):
        drawn[f"{name}_head"] = kept("errors", f"{name}-head")
        drawn[name] = figure(f"errors-{name}", "errors", name)
        drawn[also] = kept("errors", also)
    return {"notice": notice, **label}


def _form(drawn: dict[str, gr.HTML]) -> dict[str, Any]:
    """The fixed form of a label; saved as soon as a verdict is chosen, and at every later change."""
    with gr.Row(elem_id="wl-errors-who"):
        reviewer = gr.Textbox(
            label="Reviewer",
            placeholder="your name",
            max_length=REVIEWER_CHARS,
            elem_id="wl-errors-reviewer",
            max_lines=1,
        )
        following = gr.Button("Next unlabelled wrong answer", size="sm", elem_id="wl-errors-next")
        twice = gr.Checkbox(False, label="Two reviewers an answer", elem_id="wl-errors-twice")
    about = gr.Textbox(visible="hidden", elem_id="wl-errors-about", label="about")
    verdict = gr.Radio(list(VERDICTS), label="Verdict: is the answer right?", elem_id="wl-errors-verdict")
    with gr.Row(elem_id="wl-errors-what"):
        failure = gr.Dropdown(
            [""],
            value="",
            label="What went wrong (or a type of your own)",
            allow_custom_value=True,
            elem_id="wl-errors-failure",
            min_width=200,
        )
        corrected = gr.Textbox(
            label="Corrected answer",
            max_length=LABEL_ANSWER_CHARS,
            elem_id="wl-errors-corrected",
            min_width=200,
            max_lines=3,
        )
    with gr.Row():
        note = gr.Textbox(label="Note", max_length=LABEL_NOTE_CHARS, lines=1, max_lines=8, elem_id="wl-errors-note")
        save = gr.Button("Save", size="sm", variant="primary", min_width=80, elem_id="wl-errors-save")
    drawn["history"] = markup(elem_id="wl-errors-history")
    return {
        "reviewer": reviewer,
        "next": following,
        "twice": twice,
        "form": [about, verdict, failure, corrected, note],
        "save": save,
    }


def _unseen() -> dict[str, Any]:
    """What has no place on the page."""
    return {
        "bridge": bridge(["act", "theme", "opened"], "errors"),
        "address": address_courier("errors.address"),
        "picture": address_courier("errors.keepPicture"),
        "download": courier("errors.download"),
    }
