"""Everything that the tab "Question set" draws, as plain values."""

from __future__ import annotations

from typing import NamedTuple

from core.evaluation.service import SetStatus
from core.settings.app import AppSettings
from core.settings.profiles import PROFILES
from core.systems import System, of_kind, why_not
from ui import set_cards as cards
from ui import set_results as results
from ui.figures_base import message
from ui.figures_set import draw as draw_figure
from ui.markup import escape
from ui.parts import plotted
from ui.set_numbers import analysed, offered, opening
from ui.set_open import OpenSet
from ui.set_state import Given, SetView


class Drawn(NamedTuple):
    """The values of the views, in the order of the page's components."""

    listed: str
    head: str
    matrix: str
    chooser: str
    figure: str
    analysis: str


class Asked(NamedTuple):
    """The same for the form of one's own set."""

    summary: str
    sample: str
    systems: str
    estimate: str


def draw(view: SetView, found: OpenSet | None, status: SetStatus | None, mine: bool, listed: str) -> Drawn:
    """A set's results so far; without one the invitation to open or start one."""
    if found is None:
        said = "No set is open."
        return Drawn(listed, cards.WELCOME, "", "", plotted(message(said, view.dark), said), "")
    titles = offered(found)
    name = view.analysis if view.analysis in titles else opening(found)
    analysis = analysed(found, name)
    figure = plotted(draw_figure(analysis, view.dark), f"{analysis.title}. {analysis.note}")
    return Drawn(
        listed=listed,
        head=results.head_html(found, status, mine),
        matrix=results.matrix_html(analysed(found, "systems")),
        chooser=results.chooser_html(titles, name),
        figure=figure,
        analysis=results.analysis_html(analysis),
    )


def ask(given: Given, systems: list[tuple[System, str]], seconds: float | None) -> Asked:
    """What a file holds, and what can be asked of it."""
    summary = given.summary
    return Asked(
        summary=cards.summary_html(summary, given.name),
        sample=cards.sample_html(given.columns) if given.columns else "",
        systems=cards.systems_html(systems, given.systems) if summary else "",
        estimate=cards.estimate_html(seconds, summary, given.limit),
    )


def choices(given: Given, profile: str, own: AppSettings) -> list[tuple[System, str]]:
    """The systems that fit what the file is about, and why each cannot run here; empty where it can."""
    known = PROFILES.get(profile, PROFILES["embedded"])
    pdf = given.summary is not None and given.summary.pdfs > 0 and not given.summary.documents
    return [(system, why_not(system, known, own)) for system in of_kind("pdf" if pdf else "documents")]


def no_set(said: str) -> str:
    """A line in place of a set that cannot be shown."""
    return f'<p class="wl wl-empty">{escape(said)}</p>'
