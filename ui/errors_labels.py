"""The form of a label and what reviewers said before, as plain values."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import NamedTuple

from pydantic import ValidationError

from core.evaluation.labels import LabelStore
from core.evaluation.labels_record import Agreement, Answer, Label, LabelError, SavedLabel, one_line
from ui.markup import empty, escape, short
from ui.set_words import stage_title


class Form(NamedTuple):
    """What stands in the form, in the order of its components."""

    about: str
    """Which answer it is about; travels with what is typed, so that a label never lands on a neighbour."""
    verdict: str | None
    failure: str
    corrected: str
    note: str


def about(answer: Answer | None, key: str) -> str:
    """An answer of a set as one text."""
    return json.dumps([key, *answer]) if answer else ""


def told(text: str) -> tuple[str, Answer] | None:
    """Set and answer of ``about``; None of what makes no sense."""
    try:
        found = json.loads(text)
    except ValueError:
        return None
    if isinstance(found, list) and len(found) == 3 and all(isinstance(part, str) for part in found):
        return found[0], (found[1], found[2])
    return None


def form_of(key: str, answer: Answer | None, history: Sequence[SavedLabel], reviewer: str) -> Form:
    """The form with this reviewer's own newest label in it, or empty."""
    name = one_line(reviewer)
    own = next((label for label in reversed(history) if label.reviewer == name), None)
    if own is None:
        return Form(about(answer, key), None, "", "", "")
    return Form(about(answer, key), own.verdict, own.failure, own.corrected, own.note)


def saved(store: LabelStore, answer: Answer, reviewer: str, form: Form) -> SavedLabel:
    """Keeps what the form says; a failure type that is new becomes one of the set's own.

    Raises:
        LabelError: something is missing or too long, or it cannot be kept; the message says what to do.
    """
    if not str(one_line(reviewer)):
        raise LabelError("Say who you are first: labels are kept by the reviewer's name.")
    if not form.verdict:
        raise LabelError("Choose a verdict: right, partly right, wrong or cannot say.")
    fields = {"verdict": form.verdict, "failure": form.failure, "corrected": form.corrected, "note": form.note}
    try:
        label = Label.model_validate({"question": answer[0], "system": answer[1], "reviewer": reviewer, **fields})
    except ValidationError as error:
        first = error.errors()[0]
        raise LabelError(f"{'.'.join(map(str, first['loc']))}: {first['msg']}. Nothing was saved.") from None
    if label.failure and label.failure not in store.failure_types():
        store.add_failure_type(label.failure)
    return store.save(label)


def history_html(labels: Sequence[SavedLabel]) -> str:
    """All that was ever said of an answer, newest first."""
    if not labels:
        return '<p class="wl wl-sub">Nobody has labelled this answer yet.</p>'
    items = "".join(_said(label) for label in reversed(labels))
    return f'<div class="wl"><h5>Said so far</h5><ol class="wl-history">{items}</ol></div>'


def _said(label: SavedLabel) -> str:
    parts = [f"<b>{escape(label.verdict)}</b>"]
    parts += [escape(stage_title(label.failure))] if label.failure else []
    parts += [f"should be <bdi>{escape(short(label.corrected, 200))}</bdi>"] if label.corrected else []
    note = f'<p dir="auto">{escape(label.note)}</p>' if label.note else ""
    when = escape(label.saved[:16].replace("T", " "))
    return (
        f'<li><span>{" · ".join(parts)}</span> <span class="wl-sub"><bdi>{escape(short(label.reviewer, 40))}</bdi>, '
        f"{when} UTC</span>{note}</li>"
    )


def agreement_html(pairs: Sequence[Agreement], labelled: int) -> str:
    """How far every two reviewers agree."""
    if not labelled:
        return empty("No labels yet. They are saved as they are given.")
    if not pairs:
        count = "1 answer is" if labelled == 1 else f"{labelled:,} answers are"
        return (
            f'<p class="wl wl-sub">{count} labelled. Agreement is shown once two reviewers have '
            "labelled a common answer.</p>"
        )
    rows = "".join(
        f"<tr><td><bdi>{escape(short(pair.first, 30))}</bdi> and <bdi>{escape(short(pair.second, 30))}</bdi></td>"
        f'<td class="is-number">{pair.answers:,}</td><td class="is-number">{100 * pair.same_verdict:.0f} %</td>'
        f'<td class="is-number">{_kappa(pair.kappa_verdict)}</td>'
        f'<td class="is-number">{_kappa(pair.kappa_failure)}</td></tr>'
        for pair in pairs
    )
    head = "".join(
        f'<th class="is-number">{name}</th>' for name in ("Answers", "Same verdict", "κ verdict", "κ failure")
    )
    return (
        f'<div class="wl wl-scroll"><table class="wl-table"><thead><tr><th>Reviewers</th>{head}</tr></thead><tbody>'
        f'{rows}</tbody></table></div><p class="wl wl-sub">κ is Cohen\'s kappa: 1 is full agreement, 0 what chance '
        "would give; none where both gave one and the same throughout.</p>"
    )


def _kappa(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"
