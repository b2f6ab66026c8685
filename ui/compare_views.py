"""Everything that the tab Compare draws, as plain values: a comparison and a view in, HTML and figures out."""

from __future__ import annotations

from typing import NamedTuple

from core.records import CompareRecord, Document, Question
from core.settings import PROFILES, AppSettings
from core.systems import System, of_kind, why_not
from ui import compare_cards as cards
from ui.compare_figures import bump, summary
from ui.compare_numbers import golds
from ui.compare_state import CompareView
from ui.markup import escape
from ui.parts import plotted


class Drawn(NamedTuple):
    """The values of the views, in the order of the page's components."""

    systems: str
    head: str
    columns: str
    bump: str
    said: str
    document: str


def choices(profile: str, own: AppSettings) -> list[tuple[System, str]]:
    """The systems over documents, and why each cannot run here; empty where it can."""
    known = PROFILES.get(profile, PROFILES["embedded"])
    return [(system, why_not(system, known, own)) for system in of_kind("documents")]


def draw(compared: CompareRecord | None, view: CompareView, systems: list[tuple[System, str]], running: bool) -> Drawn:
    """All values of a view."""
    question, documents = asked(compared, view)
    gold = golds(compared) if compared else list(question.gold) if question else []
    said = summary(compared)
    profile = PROFILES.get(compared.models.get("profile", "")) if compared else None
    return Drawn(
        systems=cards.systems_html(systems, view.chosen),
        head=cards.head_html(question, documents, compared),
        columns=cards.columns_html(compared, view.selected, running) + cards.profile_note(profile),
        bump=plotted(bump(compared, view.selected, view.dark), said),
        said=f'<p class="wl wl-sub">{escape(said)}</p>' if compared and compared.records else "",
        document=cards.document_html(documents, gold, view.selected) if question else "",
    )


def asked(compared: CompareRecord | None, view: CompareView) -> tuple[Question | None, tuple[Document, ...]]:
    """The question and the documents of a view."""
    source = compared or view.asked
    return (source.question, source.documents) if source else (None, ())
