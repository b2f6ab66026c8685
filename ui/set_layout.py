"""The components of the tab "Question set", laid out; no behaviour."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import gradio as gr

from core.settings.limits import LIMITS
from ui.parts import address_courier, bridge, courier, figure, heading, kept, markup

EXPORTS = {"csv": "Numbers (CSV)", "json": "Analysis (JSON)", "report": "Report of the set (HTML)"}
"""What can be saved, and what its button says."""
_COLUMNS = (
    ("question", "Question", False),
    ("answers", "Answers", True),
    ("documents", "Documents, a column each or lists", True),
    ("gold", "Places of gold documents", False),
    ("pdf", "Name of the PDF", False),
    ("pages", "Evidence pages", False),
    ("id", "Id", False),
    ("groups", "Groups for the analyses", True),
)
MAPPED = tuple(name for name, _, _ in _COLUMNS)
"""The fields of a mapping, in the order of their components."""


@dataclass(frozen=True)
class SetLayout:
    """All components of the tab that a callback reads or writes."""

    drawn: dict[str, gr.HTML]
    """What is drawn, by the names of ``ui.set_views.Drawn``."""
    file: gr.File
    pdfs: gr.File
    mapping: gr.Column
    columns: list[gr.Dropdown]
    """In the order of ``MAPPED``."""
    gold_from: gr.Radio
    pages_from: gr.Radio
    use: gr.Button
    limit: gr.Number
    start: gr.Button
    notice: gr.HTML
    exports: dict[str, gr.Button]
    bridge: gr.HTML
    address: gr.HTML
    download: gr.HTML
    timer: gr.Timer


def layout() -> SetLayout:
    """Lays the tab out: the sets, a form for one's own, then what came out."""
    drawn: dict[str, gr.HTML] = {"listed": kept("set", "list")}
    with gr.Accordion("Run a set of your own", open=False, elem_id="wl-set-new"):
        form = _form(drawn)
    notice = markup(elem_id="wl-set-notice")
    with gr.Column(elem_id="wl-set-results", min_width=0):
        exports = _results(drawn)
    return SetLayout(
        drawn=drawn,
        **form,
        notice=notice,
        exports=exports,
        bridge=bridge(["act", "errors", "theme", "opened"], "set"),
        address=address_courier("set.address"),
        download=courier("download"),
        timer=gr.Timer(2, active=False),
    )


def _form(drawn: dict[str, gr.HTML]) -> dict[str, Any]:
    """Files, what they hold, columns where they must be named, systems and Start."""
    mb = LIMITS.file_bytes // 2**20
    with gr.Row(elem_id="wl-set-form"):
        with gr.Column(min_width=260):
            file = gr.File(
                label=f"Question file: JSON lines, JSON, parquet, CSV, Excel, gz, or a zip with its PDFs (to {mb} MB)",
                height=130,
                elem_id="wl-set-file",
            )
            pdfs = gr.File(
                label="PDFs that the questions are about, as files or one zip (optional)",
                file_count="multiple",
                height=130,
                elem_id="wl-set-pdfs",
            )
        with gr.Column(min_width=260):
            drawn["summary"] = markup(elem_id="wl-set-summary")
            with gr.Column(visible=False, elem_id="wl-set-mapping", min_width=0) as mapping:
                named = _mapping(drawn)
        with gr.Column(min_width=240):
            drawn["systems"] = kept("set", "systems")
            limit = gr.Number(
                None, label="Only the first questions (empty: all)", precision=0, minimum=1, elem_id="wl-set-limit"
            )
            drawn["estimate"] = markup(elem_id="wl-set-estimate")
            start = gr.Button("Start", variant="primary", elem_id="wl-set-start", interactive=False)
    return {"file": file, "pdfs": pdfs, "mapping": mapping, "limit": limit, "start": start, **named}


def _mapping(drawn: dict[str, gr.HTML]) -> dict[str, Any]:
    drawn["sample"] = markup(elem_id="wl-set-sample")
    columns = [
        gr.Dropdown([], label=label, multiselect=many, value=[] if many else None, elem_id=f"wl-set-column-{name}")
        for name, label, many in _COLUMNS
    ]
    counts = [("from 0", 0), ("from 1", 1)]
    with gr.Row():
        gold_from = gr.Radio(counts, value=0, label="Gold places count", min_width=110)
        pages_from = gr.Radio(counts, value=1, label="Pages count", min_width=110)
    use = gr.Button("Use these columns", size="sm", elem_id="wl-set-use")
    return {"columns": columns, "gold_from": gold_from, "pages_from": pages_from, "use": use}


def _results(drawn: dict[str, gr.HTML]) -> dict[str, gr.Button]:
    drawn["head"] = kept("set", "head")
    heading("Systems and metrics", "Every system on every metric, with intervals.")
    drawn["matrix"] = markup(elem_id="wl-set-matrix")
    heading("Analyses", "From recorded answers and signals alone: no model runs.", "set-figure")
    drawn["chooser"] = kept("set", "chooser")
    with gr.Row(elem_id="wl-set-analysis"):
        with gr.Column(min_width=300, scale=3):
            drawn["figure"] = figure("set-figure", "set")
        with gr.Column(min_width=300, scale=2):
            drawn["analysis"] = markup(elem_id="wl-set-table")
    with gr.Row(elem_id="wl-set-exports"):
        return {
            what: gr.Button(name, size="sm", min_width=120, elem_id=f"wl-set-export-{what}")
            for what, name in EXPORTS.items()
        }
