"""The lab's rows of buttons. What is clicked carries ``data-lab``; saved head sets are filled in by ``lab.js``."""

from __future__ import annotations

import html

from core.duquad.bias import Numbers
from ui.head_sets import spelled
from ui.lab_facts import BEST, found, thirds, whole
from ui.lab_lessons import MEASURES
from ui.lab_numbers import Sweep
from ui.lab_state import LabView
from ui.markup import escape

_LIVE = {"length": "Read these prompts", "fix": "Ask in four ways"}


def button(what: str, value: str, text: str, *, pressed: bool | None = None, off: bool = False, kind: str = "") -> str:
    """A button that the page reports as ``what`` with ``value``; ``text`` is plain."""
    state = "" if pressed is None else f' aria-pressed="{"true" if pressed else "false"}"'
    return (
        f'<button type="button" class="wl-lab-button {kind}" data-lab="{what}" data-value="{html.escape(value)}"{state}'
        f"{' disabled' if off else ''}>{html.escape(text)}</button>"
    )


def live_button(part: str) -> str:
    """Starts the run that a lesson needs."""
    return button("live", part, f"{_LIVE[part]} yourself")


def map_html(view: LabView) -> str:
    """What the map shows."""
    return (
        '<div class="wl wl-lab-bar" role="group" aria-label="What the map shows">'
        f"{button('map', 'share', 'As it is', pressed=view.map == 'share')}"
        f"{button('map', 'evidence', 'Minus the bias', pressed=view.map == 'evidence')}</div>"
    )


def measure_html(view: LabView) -> str:
    """What the prompts of other lengths are judged by, and a run of one's own."""
    rows = "".join(button("measure", what, text, pressed=view.measure == what) for what, text in MEASURES.items())
    return f'<div class="wl wl-lab-bar" role="group" aria-label="What is shown">{rows}{live_button("length")}</div>'


def ways_html() -> str:
    """A run of one's own."""
    return f'<div class="wl wl-lab-bar">{live_button("fix")}</div>'


def lens_html(view: LabView, sweep: Sweep | None) -> str:
    """What the lower panel shows, and the control."""
    if sweep is None:
        return ""
    control = button("control", "toggle", "Text with no content", pressed=view.control) if sweep.record.dummy else ""
    return (
        '<div class="wl wl-lab-bar" role="group" aria-label="What the lower panel shows">'
        f"{button('lens', 'calibrate', 'Calibrate: minus the bias', pressed=view.lens == 'calibrate')}"
        f"{button('lens', 'contrast', 'Contrast: minus the neighbours', pressed=view.lens == 'contrast')}"
        f"{control}</div>"
    )


def heads_html(view: LabView, sweep: Sweep | None) -> str:
    """Which heads count, and which head's curve is shown."""
    if sweep is None or len(sweep.places) < 2:
        return ""
    sets = {"all": ((), "All heads"), "best": (sweep.best(BEST), f"Best {BEST}")}
    sets |= {name: (whole(sweep, part), f"{name.capitalize()} layers") for name, part in thirds(sweep).items()}
    rows = "".join(button("heads", what, text, pressed=view.heads == heads) for what, (heads, text) in sets.items())
    return (
        f'<div class="wl wl-lab-bar" role="group" aria-label="Heads that count">{rows}</div>'
        f"{_focus_html(view, sweep) if view.focus else ''}{_saved_html(view, sweep)}"
    )


def _saved_html(view: LabView, sweep: Sweep) -> str:
    """The sets that this browser keeps, and the way to keep the one that counts."""
    keep = (
        '<label class="wl-lab-keep">Save these heads as <input type="text" maxlength="60" data-heads-name></label>'
        '<button type="button" class="wl-lab-button" data-heads="keep">Save</button>'
        if view.heads
        else ""
    )
    return (
        f'<div class="wl wl-lab-bar wl-lab-saved" role="group" aria-label="Saved head sets" data-saved="lab" '
        f'data-chosen="{spelled(view.heads)}" data-model="{escape(sweep.record.models.get("backbone", ""))}">{keep}'
        '<span class="wl-lab-sets"></span></div>'
    )


def _focus_html(view: LabView, sweep: Sweep) -> str:
    layer, head = view.focus or (0, 0)
    inside = (layer, head) in view.heads
    turns = (
        ("layer-1", "Layer −", layer == 0),
        ("layer+1", "Layer +", layer == sweep.layers - 1),
        ("head-1", "Head −", head == 0),
        ("head+1", "Head +", head == sweep.heads - 1),
    )
    steps = "".join(button("turn", to, text, off=off) for to, text, off in turns)
    put = button("heads", "toggle", "Leave this head out" if inside else "Let this head count", pressed=inside)
    name = f"<b>Layer {layer}, head {head}</b>"
    return f'<div class="wl wl-lab-bar" role="group" aria-label="One head">{name}{steps}{put}</div>'


def chosen_html(view: LabView, sweep: Sweep, all_heads: Numbers) -> str:
    """What the choice of heads changes, in a sentence; nothing while all heads count."""
    if not view.heads or len(sweep.places) < 2:
        return ""
    k, chosen = sweep.record.settings.k, sweep.numbers(view.heads)
    parts = [
        f"{signal} {found(all_heads, signal, k)} → <b>{found(chosen, signal, k)}</b>"
        for signal in ("attention", "contrast", "SFS")
    ]
    count = len(view.heads)
    return (
        f'<p class="wl wl-alert is-info" role="status"><span>Only <b>{count} head{"s" if count > 1 else ""}</b> of '
        f"{sweep.layers * sweep.heads} count in all figures. Places at which gold is found, with all heads → with "
        f"these: {', '.join(parts)}.</span>{button('heads', 'all', 'All heads again')}</p>"
    )
