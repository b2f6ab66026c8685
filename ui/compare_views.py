"""Everything that the tab Compare draws, as plain values: a comparison and a view in, HTML and figures out."""

from __future__ import annotations

from typing import NamedTuple

from core.records import CompareRecord, Document, Question
from core.settings.app import AppSettings
from core.settings.profiles import PROFILES
from core.systems import System, of_kind, why_not
from ui import compare_cards as cards
from ui.compare_figures import bump, summary
from ui.compare_numbers import count, document_of, golds
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


def choices(profile: str, own: AppSettings, pdf: bool) -> list[tuple[System, str]]:
    """The systems over documents, or over PDFs, and why each cannot run here; empty where it can."""
    known = PROFILES.get(profile, PROFILES["embedded"])
    return [(system, why_not(system, known, own)) for system in of_kind("pdf" if pdf else "documents")]


def draw(compared: CompareRecord | None, view: CompareView, systems: list[tuple[System, str]], running: bool) -> Drawn:
    """All values of a view."""
    question, documents = asked(compared, view)
    said = summary(compared)
    profile = PROFILES.get(compared.models.get("profile", "")) if compared else None
    pdf = view.asked.pdf.name if view.asked and view.asked.pdf else ""
    return Drawn(
        systems=cards.systems_html(systems, view.chosen),
        head=cards.head_html(question, documents, compared, pdf or "a PDF"),
        columns=cards.columns_html(compared, view.selected, running) + cards.profile_note(profile),
        bump=plotted(bump(compared, view.selected, view.dark), said),
        said=f'<p class="wl wl-sub">{escape(said)}</p>' if compared and compared.records else "",
        document=_document(compared, view) if question and (documents or compared) else "",
    )


def _document(compared: CompareRecord | None, view: CompareView) -> str:
    """The selected document, or page of a PDF."""
    at, documents = view.selected, asked(compared, view)[1]
    if compared and not documents:
        found = None if at is None else document_of(compared, at)
        return cards.document_html(found, at, at in golds(compared), "page")
    if at is None or not at < len(documents):
        return cards.document_html(None, None, False, "document")
    question = asked(compared, view)[0]
    gold = documents[at].gold is True or (question is not None and at in question.gold)
    return cards.document_html(documents[at], at, gold, "document")


def units(compared: CompareRecord | None, view: CompareView) -> int:
    """How many documents, or pages, can be selected."""
    documents = asked(compared, view)[1]
    return count(compared) if compared else len(documents)


def asked(compared: CompareRecord | None, view: CompareView) -> tuple[Question | None, tuple[Document, ...]]:
    """The question and the documents of a view; no documents where it is about a PDF."""
    source = compared or view.asked
    return (source.question, source.documents) if source else (None, ())
