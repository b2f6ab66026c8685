"""The components of the tab Compare, laid out; no behaviour."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import gradio as gr

from core.settings.app import AppSettings
from core.settings.limits import LIMITS
from ui.compare_cards import examples_html
from ui.compare_export import EXPORTS
from ui.compare_state import Comparisons
from ui.inspect_inputs import FORMAT_HINT, TEMPLATE
from ui.inspect_run import privacy_html
from ui.parts import bridge, courier, figure, heading, kept, markup


@dataclass(frozen=True)
class Compare:
    """All components of the tab that a callback reads or writes."""

    drawn: dict[str, gr.HTML]
    """What is drawn, by the names of ``ui.compare_views.Drawn``."""
    question: gr.Textbox
    answers: gr.Textbox
    documents: gr.Textbox
    use: gr.Button
    file: gr.File
    search: gr.Textbox
    rows: gr.HTML
    record: gr.File
    run: gr.Button
    cancel: gr.Button
    progress: gr.HTML
    notice: gr.HTML
    exports: dict[str, gr.Button]
    bridge: gr.HTML
    address: gr.HTML
    download: gr.HTML
    timer: gr.Timer


def layout(comparisons: Comparisons, settings: AppSettings) -> Compare:
    """Lays the tab out: where the question comes from, then the systems beside what they did."""
    found = _sources(comparisons)
    notice = markup(elem_id="wl-compare-notice")
    drawn: dict[str, gr.HTML] = {}
    with gr.Row(elem_id="wl-compare"):
        with gr.Column(elem_id="wl-compare-choice", min_width=0):
            with gr.Row(elem_id="wl-compare-go"):
                run = gr.Button("Compare", variant="primary", elem_id="wl-compare-run")
                cancel = gr.Button("Cancel", visible=False, elem_id="wl-compare-cancel")
            progress = markup(elem_id="wl-compare-progress")
            drawn["systems"] = kept("compare", "systems")
        with gr.Column(elem_id="wl-compare-results", min_width=0):
            exports = _results(drawn)
    markup(privacy_html(settings))
    return Compare(
        drawn=drawn,
        **found,
        run=run,
        cancel=cancel,
        progress=progress,
        notice=notice,
        exports=exports,
        **_unseen(),
    )


def _sources(comparisons: Comparisons) -> dict[str, Any]:
    """Example cards, a form to paste into, a question file, an exported record: as in Inspect."""
    samples, recorded = (
        comparisons.library.samples,
        [slug for slug in comparisons.slugs() if comparisons.recorded(slug)],
    )
    with gr.Tabs(elem_id="wl-compare-sources"):
        with gr.Tab("Examples"):
            markup(examples_html(samples.examples.values(), samples.readings.values(), recorded))
        with gr.Tab("Paste"), gr.Row():
            with gr.Column(scale=1, min_width=280):
                question = gr.Textbox(label="Question", lines=2, max_length=LIMITS.question_chars)
                answers = gr.Textbox(label="Accepted answers (optional), one per line", lines=2)
                use = gr.Button("Use these documents", elem_id="wl-compare-use")
            with gr.Column(scale=2, min_width=280):
                documents = gr.Textbox(label="Documents", info=FORMAT_HINT, lines=9, max_lines=16, placeholder=TEMPLATE)
        with gr.Tab("Question file"), gr.Row():
            with gr.Column(scale=1, min_width=280):
                file = gr.File(label="JSON lines with question, answers and ctxs (.jsonl or .jsonl.gz)", height=130)
                search = gr.Textbox(label="Find a row", placeholder="number, or words of the question", visible=False)
            with gr.Column(scale=2, min_width=280):
                rows = kept("compare", "rows")
        with gr.Tab("Record"):
            record = gr.File(label="A comparison, or a run whose documents are to be compared (.json)", height=130)
    names: dict[str, Any] = {"question": question, "answers": answers, "documents": documents, "use": use}
    return names | {"file": file, "search": search, "rows": rows, "record": record}


def _results(drawn: dict[str, gr.HTML]) -> dict[str, gr.Button]:
    drawn["head"] = markup(elem_id="wl-compare-head")
    drawn["columns"] = kept("compare", "columns")
    heading(
        "Ranks across systems",
        "A line for each document, or candidate page, best on top. Systems that rank nothing show the given order.",
        "compare-bump",
    )
    drawn["bump"] = figure("compare-bump", "compare")
    drawn["said"] = markup(elem_id="wl-compare-said")
    heading("Document", "The one that is selected, here and in the chart.")
    drawn["document"] = markup(elem_id="wl-compare-document")
    heading("Export", "The comparison opens again in this tab, with no model.")
    with gr.Row(elem_id="wl-compare-exports"):
        return {
            what: gr.Button(name, size="sm", min_width=120, elem_id=f"wl-compare-export-{what}")
            for what, name in EXPORTS.items()
        }


def _unseen() -> dict[str, Any]:
    """What has no place on the page."""
    return {
        "bridge": bridge(["act", "row", "theme", "opened"], "compare"),
        "address": courier("compare.address"),
        "download": courier("download"),
        "timer": gr.Timer(0.5, active=False),
    }
