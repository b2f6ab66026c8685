"""The components of the tab, laid out; no behaviour."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import gradio as gr

from core.settings.app import AppSettings
from core.settings.limits import LIMITS
from core.settings.methods import PdfSettings
from ui.inspect_run import privacy_html
from ui.parts import bridge, courier, figure, heading, markup
from ui.read_export import EXPORTS
from ui.read_inputs import cards_html
from ui.samples import Samples

_PRIVACY = (
    '<p class="wl wl-sub wl-privacy">An uploaded PDF and pictures of its pages are kept on this server as well; '
    "who has the file, or the link to a run over it, can see its pages. A password is used once and not kept.</p>"
)


@dataclass(frozen=True)
class Read:
    """All components of the tab that a callback reads or writes."""

    file: gr.File
    password: gr.Textbox
    unlock: gr.Button
    record: gr.File
    notice: gr.HTML
    question: gr.Textbox
    run: gr.Button
    cancel: gr.Button
    progress: gr.HTML
    controls: list[gr.components.Component]
    """In the order of ``ui.read_inputs.row_of``."""
    drawn: dict[str, gr.HTML]
    """What is drawn, by the names of ``ui.read_views.Drawn``."""
    again: gr.Button
    exports: dict[str, gr.Button]
    bridge: gr.HTML
    picture: gr.HTML
    thumbs: gr.HTML
    address: gr.HTML
    download: gr.HTML
    timer: gr.Timer


def layout(samples: Samples, settings: AppSettings) -> Read:
    """Lays the tab out: sources on top; what is asked on the left, what was found in the middle, the page beside it."""
    sources = _sources(samples)
    notice = markup(elem_id="wl-read-notice")
    drawn: dict[str, gr.HTML] = {}
    with gr.Row(elem_id="wl-read"):
        with gr.Column(elem_id="wl-read-input", min_width=0):
            asked = _asked(drawn)
        with gr.Column(elem_id="wl-read-band", min_width=0):
            _put(drawn, "head", "answer", "strip")
        with gr.Column(elem_id="wl-read-results", min_width=0):
            again, exports = _results(drawn)
        with gr.Column(elem_id="wl-read-reader", min_width=0):
            _put(drawn, "bar")
            drawn["page"] = gr.HTML(
                elem_id="wl-read-page", apply_default_css=False, js_on_load="wlens.read.page(element, watch)"
            )
    markup(privacy_html(settings) + _PRIVACY)
    return Read(**sources, notice=notice, **asked, drawn=drawn, again=again, exports=exports, **_unseen())


def _sources(samples: Samples) -> dict[str, Any]:
    """Example cards, an upload, an exported record."""
    with gr.Tabs(elem_id="wl-read-sources"):
        with gr.Tab("Examples"):
            markup(cards_html(samples))
        with gr.Tab("Your PDF"), gr.Row():
            with gr.Column(scale=2, min_width=280):
                file = gr.File(label=f"A PDF of at most {LIMITS.file_bytes // 2**20} MB", height=130)
            with gr.Column(scale=1, min_width=220):
                password = gr.Textbox(
                    label="Password",
                    info="This PDF is encrypted. The password opens it once and is not kept.",
                    type="password",
                    visible=False,
                    max_length=200,
                    elem_id="wl-read-password",
                )
                unlock = gr.Button("Open it", visible=False, size="sm", elem_id="wl-read-unlock")
        with gr.Tab("Record"):
            record = gr.File(label="A run record over a PDF that this page exported (.json)", height=130)
    return {"file": file, "password": password, "unlock": unlock, "record": record}


def _asked(drawn: dict[str, gr.HTML]) -> dict[str, Any]:
    """The PDF, the question, Run, and what the run may vary."""
    _put(drawn, "source")
    question = gr.Textbox(label="Question", lines=2, max_lines=5, max_length=LIMITS.question_chars)
    with gr.Row(elem_id="wl-read-go"):
        run = gr.Button("Run", variant="primary", elem_id="wl-read-run")
        cancel = gr.Button("Cancel", visible=False, elem_id="wl-read-cancel")
    progress = markup(elem_id="wl-read-progress")
    with gr.Accordion("How it is read: top K, agents, OCR", open=False, elem_id="wl-read-controls"):
        controls = _controls()
    return {"question": question, "run": run, "cancel": cancel, "progress": progress, "controls": controls}


def _controls() -> list[gr.components.Component]:
    own = PdfSettings()
    ways = [("where there is no text", "auto"), ("never", "off"), ("on every page", "all")]
    top_k = gr.Slider(1, 20, own.top_k, step=1, label="Top K pages")
    neighbours = gr.Slider(0, 2, own.neighbours, step=1, label="Neighbours of each")
    ocr = gr.Dropdown(ways, value=own.ocr, label="Read by OCR", filterable=False)
    clue = gr.Checkbox(own.clue, label="Clue Discovery (C)")
    screening = gr.Checkbox(own.screening, label="Page Screening (P)")
    difficulty = gr.Checkbox(own.difficulty, label="Difficulty Assessment (D)")
    duquad = gr.Checkbox(own.duquad, label="DuQUAD's view of the same pages")
    return [top_k, neighbours, ocr, clue, screening, difficulty, duquad]


def _results(drawn: dict[str, gr.HTML]) -> tuple[gr.Button, dict[str, gr.Button]]:
    """What can be checked first, then the stages, then the other view of the same pages."""
    heading("Citations", "What the answer rests on. Choose a row: its place lights up on the page.")
    _put(drawn, "citations")
    heading("Clues", "What Clue Discovery found on the candidate pages, also on those that were dropped.")
    _put(drawn, "clues")
    heading("Candidate pages", "What Page Screening made of each, and why.")
    _put(drawn, "candidates", "again")
    again = gr.Button("Decide again", size="sm", elem_id="wl-read-again")
    heading("Difficulty", "How hard the question was taken to be, and what follows from it.")
    _put(drawn, "difficulty")
    heading("All pages by score", "How well each page matches the question; the best are read.", "read-scores")
    drawn["scores"] = _figure("scores", "page")
    _put(drawn, "scores_said")
    heading("DuQUAD's view", "Attention of the question over the candidate pages in page order.", "read-curve")
    _put(drawn, "views")
    drawn["curve"] = _figure("curve", "document")
    _put(drawn, "curve_said")
    heading("Ranking", "The same pages by SFS: three signals, weighted and stacked; best first.", "read-ranking")
    drawn["ranking"] = _figure("ranking", "document")
    heading("Model calls", "What each stage cost.")
    _put(drawn, "calls")
    heading("Export", "The record opens again in this tab, with no model.")
    with gr.Row(elem_id="wl-read-exports"):
        exports = {
            what: gr.Button(name, size="sm", min_width=120, elem_id=f"wl-read-export-{what}")
            for what, name in EXPORTS.items()
        }
    return again, exports


def _put(drawn: dict[str, gr.HTML], *names: str) -> None:
    """Places for HTML with buttons, whose focus outlives a new value."""
    for name in names:
        drawn[name] = gr.HTML(
            elem_id=f"wl-read-{name.replace('_', '-')}",
            apply_default_css=False,
            js_on_load=f"wlens.read.part(element, watch, '{name}')",
        )


def _figure(name: str, what: str) -> gr.HTML:
    """A figure whose marks stand for pages, or for the documents that candidate pages are."""
    return figure(f"read-{name}", "read", what)


def _unseen() -> dict[str, Any]:
    """What has no place on the page."""
    return {
        "bridge": bridge(["act", "thumbs", "theme", "opened"], "read"),
        "picture": courier("read.keepPicture"),
        "thumbs": courier("read.keepThumbs"),
        "address": courier("read.address"),
        "download": courier("download"),
        "timer": gr.Timer(0.5, active=False),
    }
