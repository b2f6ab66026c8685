"""Everything that the tab draws of a record, as plain values: a record and a view in, HTML and figures out."""

from __future__ import annotations

from typing import NamedTuple

from core.page_record import PageLayout
from core.records import RunRecord
from ui import cards, figures
from ui.derived import Derived, derive
from ui.figures_base import message
from ui.figures_pages import page_scores, summary_pages
from ui.markup import escape
from ui.pages_strip import strip_html
from ui.pages_view import bar_html, layout_of, page_html
from ui.parts import plotted
from ui.read_cards import WELCOME, answer_html, counts_html, difficulty_html, head_html, source_html, views_html
from ui.read_state import ReadView, back_of, own_back
from ui.read_tables import candidates_html, citations_html, clues_html

_RISK = "Screening can be wrong, and a page that it drops is lost to the decision: it can be put back here."


class Drawn(NamedTuple):
    """The values of the views, in the order of the tab's components."""

    source: str
    head: str
    answer: str
    strip: str
    bar: str
    page: str
    citations: str
    clues: str
    difficulty: str
    candidates: str
    again: str
    scores: str
    scores_said: str
    views: str
    curve: str
    curve_said: str
    ranking: str
    calls: str


def draw(record: RunRecord | None, view: ReadView, layout: PageLayout | None = None, pictured: bool = False) -> Drawn:
    """All views of a record.

    Args:
        record: the run, as far as it has come; None where nothing is open.
        view: what is selected.
        layout: what stands on the open page, where the record itself does not say.
        pictured: whether the open page has a picture.
    """
    if record is None:
        return _nothing(view.dark)
    known = layout_of(record, view.page) if view.page is not None else None
    derived = derive(record)
    return Drawn(
        source=source_html(record),
        head=head_html(record),
        answer=answer_html(record) + cards.warnings_html(record),
        strip=strip_html(record, view),
        bar=bar_html(record, view),
        page=page_html(record, view, known or layout, pictured),
        citations=citations_html(record, view),
        clues=clues_html(record, view),
        difficulty=difficulty_html(record),
        candidates=candidates_html(record, view),
        again=again_html(record, view),
        views=views_html(record, derived),
        calls=cards.calls_html(record) + counts_html(record),
        **_figures(record, derived, view),
    )


def _figures(record: RunRecord, derived: Derived | None, view: ReadView) -> dict[str, str]:
    """The three figures, and what the first two say in a sentence."""
    document = next((i for i, found in enumerate(record.documents) if found.page == view.page is not None), None)
    scored, said = summary_pages(record), figures.summary_curve(record, derived)
    ranked = figures.summary_ranking(record, derived)
    return {
        "scores": plotted(page_scores(record, view.page, view.dark), scored),
        "scores_said": _said(scored),
        "curve": plotted(figures.curve(record, derived, document, view.dark), said),
        "curve_said": _said(said) if derived else "",
        "ranking": plotted(figures.ranking(record, derived, document, view.dark), ranked),
    }


def _said(text: str) -> str:
    return f'<p class="wl wl-sub">{escape(text)}</p>'


def _nothing(dark: bool) -> Drawn:
    said = "Nothing has been run yet."
    blank = plotted(message(said, dark), said)
    empty = Drawn(*[""] * len(Drawn._fields))
    return empty._replace(source=source_html(None), head=WELCOME, scores=blank, curve=blank, ranking=blank)


def again_html(record: RunRecord, view: ReadView) -> str:
    """What the next decision would have that this one did not."""
    back = back_of(view, record)
    if set(back) == set(own_back(record)):
        return _said(_RISK) if record.final else ""
    numbers = ", ".join(str(page + 1) for page in back)
    kept = f"Kept by hand: page{'s' if len(back) > 1 else ''} {numbers}." if back else "No page is kept by hand."
    same = "Pages and clues stay as they are; only the decision is made again."
    return f'<p class="wl wl-sub" role="status">{kept} {same}</p>'
