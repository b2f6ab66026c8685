"""Everything that the page draws of a record, as plain values: a record and a few choices in, HTML and figures out."""

from __future__ import annotations

from typing import NamedTuple

from core.records import RunRecord
from core.settings.methods import RunSettings
from ui import cards, figures
from ui.derived import Derived, derive
from ui.document_view import document_html
from ui.figures_base import message
from ui.inspect_draft import Draft
from ui.inspect_list import list_html
from ui.inspect_whatif import Values
from ui.markup import escape, short
from ui.parts import plotted


class Drawn(NamedTuple):
    """The values of the views, in the order of the page's components."""

    listed: str
    head: str
    answer: str
    curve: str
    said: str
    ranking: str
    agents: str
    pool: str
    pool_cards: str
    calls: str
    document: str
    note: str


_WELCOME = (
    '<div class="wl wl-welcome"><h3>Which documents did the model look at?</h3>'
    "<p>Choose an example above to open a recorded run at once, or bring your own question and documents "
    "and press <b>Run</b>.</p></div>"
)


_READY = (
    '<p class="wl wl-empty wl-ready">These documents are ready. Put them in the order that you want to test, '
    "then press <b>Run</b>.</p>"
)


def explain(values: Values, record: RunRecord | None) -> tuple[RunSettings | None, str]:
    """The what-if settings, or None with the reason in words why the values cannot be used."""
    base = record.settings if record else RunSettings()
    try:
        settings = values.settings(base)
        if record and record.signals:
            derive(record, settings)
    except ValueError as error:
        return None, str(error)
    return settings, ""


def draw(record: RunRecord | None, draft: Draft, values: Values, selected: int | None, dark: bool) -> Drawn:
    """All views of a record under the what-if values; values that cannot be used leave the run's own in place."""
    settings, wrong = explain(values, record)
    if record is None:
        return _nothing(draft, dark, wrong)
    derived = derive(record, settings)
    chosen = selected if selected is not None and 0 <= selected < len(record.documents) else None
    said = figures.summary_curve(record, derived)
    return Drawn(
        listed=list_html(draft, derived, chosen),
        head=_head(record),
        answer=cards.answer_html(record) if record.run_id else _READY,
        curve=plotted(figures.curve(record, derived, chosen, dark), said),
        said=(f'<p class="wl wl-sub">{escape(said)}</p>' if derived else "") + cards.warnings_html(record),
        ranking=plotted(figures.ranking(record, derived, chosen, dark), figures.summary_ranking(record, derived)),
        agents=cards.agents_html(record, chosen),
        pool=plotted(figures.pool(record, derived, chosen, dark), figures.summary_pool(record, derived)),
        pool_cards=cards.pool_html(record, derived, chosen),
        calls=cards.calls_html(record),
        document=_document(record, derived, chosen),
        note=note_html(record, derived, settings, wrong),
    )


def _nothing(draft: Draft, dark: bool, wrong: str) -> Drawn:
    said = "Nothing has been run yet."
    blank = plotted(message(said, dark), said)
    return Drawn(
        listed=list_html(draft, None, None),
        head=_WELCOME,
        answer="",
        curve=blank,
        said="",
        ranking=blank,
        agents="",
        pool=blank,
        pool_cards="",
        calls="",
        document="",
        note=_wrong(wrong) if wrong else "",
    )


def _head(record: RunRecord) -> str:
    """The question, and what made this record."""
    made = [record.models.get("backbone", ""), record.models.get("device", ""), record.created[:10]]
    facts = " · ".join(escape(short(part, 60)) for part in made if part)
    docs = len(record.documents)
    what = f"{docs} document{'s' if docs != 1 else ''}"
    facts = facts or ("being run" if record.run_id else "not run yet")
    return (
        f'<div class="wl wl-head"><h2 dir="auto">{escape(record.question.text) or "No question"}</h2>'
        f'<p class="wl-sub">{what} · {facts}</p></div>'
    )


def _document(record: RunRecord, derived: Derived | None, selected: int | None) -> str:
    """The selected document between its two neighbours."""
    last = len(record.documents) - 1
    ways = (
        ("previous", "←", "Previous document", selected is not None and selected <= 0),
        ("next", "→", "Next document", selected is not None and selected >= last),
        ("none", "✕", "Close the document", selected is None),
    )
    buttons = "".join(
        f'<button type="button" data-go="{to}" aria-label="{said}" title="{said}" {"disabled" if off else ""}>{sign}'
        f"</button>"
        for to, sign, said, off in ways
    )
    state = " is-open" if selected is not None else ""
    return (
        f'<div class="wl-reader{state}"><nav class="wl-tools" aria-label="Documents">{buttons}</nav>'
        f"{document_html(record, derived, selected)}</div>"
    )


def _wrong(message: str) -> str:
    return f'<p class="wl wl-alert is-error" role="alert">{escape(message[:1].upper() + message[1:])}</p>'


def note_html(record: RunRecord, derived: Derived | None, settings: RunSettings | None, wrong: str) -> str:
    """What the what-if controls did: what is wrong with them, or how they differ from the run's own settings."""
    if wrong:
        return _wrong(f"{wrong}. The figures keep the run's own settings.".replace("..", "."))
    if derived is None or settings == record.settings:
        return '<p class="wl wl-sub">These are the run\'s own settings. Move one: no model runs.</p>'
    if derived.stale:
        return (
            '<p class="wl wl-alert" role="status">With these settings the Local Agent would read other documents, '
            "so the replies, the pool and the answer still belong to the run's own settings.</p>"
        )
    return '<p class="wl wl-sub" role="status">Re-fused, re-ranked and re-gated from the recorded signals.</p>'
