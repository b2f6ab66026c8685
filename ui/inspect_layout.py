"""The components of the tab, laid out; no behaviour."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import gradio as gr

from core.settings.app import AppSettings
from core.settings.limits import LIMITS
from core.settings.methods import RunSettings
from ui.head_sets import SAVED_SETS
from ui.inspect_inputs import FORMAT_HINT, TEMPLATE, cards_html
from ui.inspect_run import privacy_html
from ui.inspect_whatif import values_of
from ui.parts import bridge, courier, figure, heading, markup
from ui.samples import Samples


@dataclass(frozen=True)
class Sources:
    """The strip at the top: where a question comes from."""

    question: gr.Textbox
    answers: gr.Textbox
    documents: gr.Textbox
    use: gr.Button
    file: gr.File
    search: gr.Textbox
    rows: gr.HTML
    record: gr.File


def sources(samples: Samples) -> Sources:
    """Example cards, a form to paste into, a question file, an exported record."""
    with gr.Tabs(elem_id="wl-sources"):
        with gr.Tab("Examples"):
            markup(cards_html(samples))
        with gr.Tab("Paste"), gr.Row():
            with gr.Column(scale=1, min_width=280):
                question = gr.Textbox(label="Question", lines=2, max_length=LIMITS.question_chars)
                answers = gr.Textbox(
                    label="Accepted answers (optional), one per line",
                    lines=2,
                    info="With these, the page can say whether the final answer is right.",
                )
                use = gr.Button("Use these documents", elem_id="wl-use")
            with gr.Column(scale=2, min_width=280):
                documents = gr.Textbox(label="Documents", info=FORMAT_HINT, lines=9, max_lines=16, placeholder=TEMPLATE)
        with gr.Tab("Question file"), gr.Row():
            with gr.Column(scale=1, min_width=280):
                file = gr.File(label="JSON lines with question, answers and ctxs (.jsonl or .jsonl.gz)", height=130)
                search = gr.Textbox(label="Find a row", placeholder="number, or words of the question", visible=False)
            with gr.Column(scale=2, min_width=280):
                rows = markup(elem_id="wl-file-rows")
        with gr.Tab("Record"):
            record = gr.File(label="A run record that this page exported (.json)", height=130)
    return Sources(question, answers, documents, use, file, search, rows, record)


@dataclass(frozen=True)
class Panel:
    """The left side: what the next run gets."""

    question: gr.Textbox
    run: gr.Button
    cancel: gr.Button
    progress: gr.HTML
    gold: gr.Slider
    reset_list: gr.Button
    send: gr.Button
    """Takes question and documents to the position lab."""
    listed: gr.HTML
    note: gr.HTML
    values: list[gr.components.Component]
    rerun: gr.Button
    reset_values: gr.Button


def panel() -> Panel:
    """Question, Run, and two tabs: the documents and the what-if controls."""
    with gr.Column(elem_id="wl-input", min_width=0):
        question = gr.Textbox(label="Question", lines=2, max_lines=5, max_length=LIMITS.question_chars)
        with gr.Row(elem_id="wl-go"):
            run = gr.Button("Run", variant="primary", elem_id="wl-run")
            cancel = gr.Button("Cancel", visible=False, elem_id="wl-cancel")
        progress = markup(elem_id="wl-progress")
        with gr.Tabs(elem_id="wl-panel"):
            with gr.Tab("Documents"):
                with gr.Row(elem_id="wl-order"):
                    gold = gr.Slider(1, 2, 1, step=1, label="Gold at place", visible=False, elem_id="wl-gold")
                    reset_list = gr.Button("Reset order", size="sm", elem_id="wl-reset-list")
                send = gr.Button("Sweep these in the position lab", size="sm", elem_id="wl-send")
                listed = gr.HTML(elem_id="wl-list", apply_default_css=False, js_on_load="wlens.list(element, watch)")
            with gr.Tab("What if"):
                note = markup(elem_id="wl-note")
                values = _controls()
                with gr.Row():
                    rerun = gr.Button("Re-run with these", size="sm", elem_id="wl-rerun")
                    reset_values = gr.Button("Reset to the run's own", size="sm", elem_id="wl-reset-values")
    return Panel(question, run, cancel, progress, gold, reset_list, send, listed, note, values, rerun, reset_values)


def _controls() -> list[gr.components.Component]:
    """The controls in the order of ``Values``."""
    own = values_of(RunSettings())
    narrow: dict[str, Any] = {"min_width": 110}
    with gr.Row():
        alpha = gr.Slider(0, 2, own.alpha, step=0.05, label="α semantic", **narrow)
        beta = gr.Slider(0, 2, own.beta, step=0.05, label="β inference", **narrow)
    with gr.Row():
        gamma = gr.Slider(0, 2, own.gamma, step=0.05, label="γ contrast", **narrow)
        tau = gr.Slider(0, 1, own.tau, step=0.01, label="τ DocScore", **narrow)
    k = gr.Slider(1, 20, own.k, step=1, label="k documents for the Local Agent")
    norms = [("z-score", "zscore"), ("min-max", "minmax"), ("none", "none")]
    ways = [("sum of softmaxes", "sum_of_softmax"), ("softmax of sum", "softmax_of_sum")]
    with gr.Row():
        norm = _choice("Standardise", norms, own.norm)
        fuse = _choice("Fuse", ways, own.fuse)
    sets = [("all", "all"), ("last half", "last_half"), ("last", "last"), ("one", "one"), ("a list", "list")]
    with gr.Row():
        layers = _choice("Layers", sets, own.layers)
        heads = _choice("Heads", [("mean", "mean"), ("strongest", "max"), ("a list", "list")], own.heads)
    layer = gr.Slider(0, 29, own.layer, step=1, label="Layer (from 0)", visible=False)
    layer_list = gr.Textbox(label="Layers (from 0)", placeholder="0, 4-7", visible=False, max_length=500)
    head_list = gr.Textbox(label="Heads (from 0)", placeholder="0, 4-7", visible=False, max_length=500)
    head_set = gr.Textbox(
        own.head_set,
        label="Single heads, in place of the two above",
        info="Layer and head, both from 0. The position lab finds such sets and saves them.",
        placeholder="12.3 14.7",
        max_length=2000,
        elem_id="wl-head-set",
    )
    gr.HTML(SAVED_SETS, apply_default_css=False, js_on_load="wlens.lab.sets(element)")
    return [alpha, beta, gamma, k, tau, norm, fuse, layers, layer, layer_list, heads, head_list, head_set]


def _choice(label: str, choices: list[tuple[str, str]], value: str) -> gr.Dropdown:
    return gr.Dropdown(choices, value=value, label=label, filterable=False, min_width=110)


@dataclass(frozen=True)
class Results:
    """The middle and the right side: what came out."""

    head: gr.HTML
    answer: gr.HTML
    curve: gr.HTML
    said: gr.HTML
    ranking: gr.HTML
    agents: gr.HTML
    pool: gr.HTML
    pool_cards: gr.HTML
    calls: gr.HTML
    document: gr.HTML
    exports: dict[str, gr.Button]


def results() -> Results:
    """Answer first, then the stages in the order in which they ran; the document's text beside them."""
    with gr.Column(elem_id="wl-band", min_width=0):
        head = markup(elem_id="wl-head")
        answer = markup(elem_id="wl-answer")
    with gr.Column(elem_id="wl-results", min_width=0):
        heading(
            "The W-curve",
            "Attention on each document: high ends are habit, a spike stands out.",
            "curve",
        )
        curve = figure("curve")
        said = markup(elem_id="wl-said")
        heading("Ranking", "Documents by SFS: three signals, weighted and stacked; best first.", "ranking")
        ranking = figure("ranking")
        heading("Two agents", "One reads the best few, the other reads everything; each names up to three documents.")
        agents = markup()
        heading("Pool", "The documents they named, each scored alone; those that reach τ are quoted.", "pool")
        pool = figure("pool")
        pool_cards = markup()
        heading("Model calls", "What each stage cost.")
        calls = markup()
        heading("Export", "The record opens again on this page, with no model.")
        exports = _exports()
    with gr.Column(elem_id="wl-document", min_width=0):
        document = markup(elem_id="wl-reader")
    return Results(head, answer, curve, said, ranking, agents, pool, pool_cards, calls, document, exports)


def _exports() -> dict[str, gr.Button]:
    names = {
        "record": "Record (JSON)",
        "documents": "Documents (CSV)",
        "pool": "Pool (CSV)",
        "calls": "Calls (CSV)",
    }
    with gr.Row(elem_id="wl-exports"):
        return {
            what: gr.Button(name, size="sm", min_width=120, elem_id=f"wl-export-{what}") for what, name in names.items()
        }


@dataclass(frozen=True)
class Inspect:
    """All components of the tab that a callback reads or writes."""

    sources: Sources
    notice: gr.HTML
    panel: Panel
    results: Results
    bridge: gr.HTML
    address: gr.HTML
    download: gr.HTML
    timer: gr.Timer


def layout(samples: Samples, settings: AppSettings) -> Inspect:
    """Lays the tab out."""
    found = sources(samples)
    notice = markup(elem_id="wl-notice")
    with gr.Row(elem_id="wl-main"):
        left = panel()
        right = results()
    markup(privacy_html(settings))
    return Inspect(
        sources=found,
        notice=notice,
        panel=left,
        results=right,
        bridge=bridge(["pick", "go", "edit", "example", "row", "run_link", "theme", "opened"]),
        address=courier("address"),
        download=courier("download"),
        timer=gr.Timer(0.5, active=False),
    )
