"""The parts of the tab "Question set" that are plain HTML. Names of sets, columns, systems and files are foreign."""

from __future__ import annotations

import html
from collections.abc import Sequence

from core.evaluation.record import Columns, SetSummary
from core.evaluation.service import SetStatus
from core.systems import System
from ui.markup import empty, escape, plain, short
from ui.set_words import FORMATS, duration

_PLACES = 5  # rows that a reason names
WELCOME = (
    '<div class="wl wl-welcome"><h3>How do systems fare over a whole question set?</h3><p>Open the recorded example, '
    "or upload a set of your own and press <b>Start</b>. It runs in the background; its address brings you back.</p>"
    "</div>"
)


def act_button(what: str, value: str, words: str, kind: str = "wl-link", **more: str) -> str:
    """A button of the tab; ``words`` and the further attributes are plain text."""
    extra = "".join(f' {name.replace("_", "-")}="{html.escape(plain(text))}"' for name, text in more.items())
    return (
        f'<button type="button" class="{kind}" data-set="{html.escape(what)}" data-value="{html.escape(value)}"{extra}>'
        f"{escape(words)}</button>"
    )


def summary_html(summary: SetSummary | None, name: str) -> str:
    """What a file holds, before anything is run."""
    if summary is None:
        return ""
    about = f"{summary.pdfs:,} PDFs" if summary.pdfs else f"{summary.documents:,} documents"
    facts = (
        ("Layout", FORMATS.get(summary.format, summary.format)),
        ("Questions", f"{summary.questions:,}"),
        ("About", about),
        ("Tokens", f"{summary.tokens:,}" if summary.tokens else "–"),
        ("Evidence known", f"{summary.gold_known:,}"),
        ("Answers known", f"{summary.answers_known:,}"),
        ("Left out", f"{summary.left_out:,}"),
        ("Mended", f"{summary.mended:,}"),
    )
    cells = "".join(f"<div><dt>{what}</dt><dd>{escape(value)}</dd></div>" for what, value in facts)
    return (
        f'<div class="wl wl-card wl-set-summary"><h4><bdi>{escape(short(name, 80))}</bdi></h4>'
        f'<dl class="wl-facts">{cells}</dl>{_missing(summary)}{_dirt(summary)}</div>'
    )


def _missing(summary: SetSummary) -> str:
    if not summary.pdfs_missing:
        return ""
    names = ", ".join(short(name, 40) for name in summary.pdfs_missing[:_PLACES])
    more = "" if len(summary.pdfs_missing) <= _PLACES else f" and {len(summary.pdfs_missing) - _PLACES} more"
    return (
        f'<p class="wl-notice">PDFs that are missing: <bdi>{escape(names)}</bdi>{more}. '
        "Add them, as a zip or as files.</p>"
    )


def _dirt(summary: SetSummary) -> str:
    """Every reason with the first rows that it holds for."""
    rows = "".join(
        f'<tr><td>{"mended" if entry.kept else "left out"}</td><td class="is-number">{entry.rows:,}</td>'
        f'<td dir="auto">{escape(entry.reason)}</td><td>{escape(", ".join(entry.places[:_PLACES]))}'
        f"{' …' if entry.rows > _PLACES else ''}</td></tr>"
        for entry in summary.dirt
    )
    if not rows:
        return '<p class="wl-sub">Every row can be asked as it stands.</p>'
    head = "<tr><th>What</th><th>Rows</th><th>Why</th><th>Where</th></tr>"
    return (
        '<details open><summary>Rows that were left out or mended</summary><div class="wl-scroll">'
        f'<table class="wl-table"><thead>{head}</thead><tbody>{rows}</tbody></table></div></details>'
    )


def estimate_html(seconds: float | None, summary: SetSummary | None, limit: int | None) -> str:
    """How long the set will take."""
    if summary is None or not summary.questions:
        return ""
    if seconds is None:
        said = "How long it takes is known after the first questions: these systems have not run here for you yet."
    else:
        share = min(1.0, (limit or summary.questions) / summary.questions)
        said = f"Estimated time on this machine: about {duration(seconds * share)}, from your recent runs."
    return f'<p class="wl wl-sub">{said}</p>'


def systems_html(systems: Sequence[tuple[System, str]], chosen: Sequence[str]) -> str:
    """The systems to choose from, or the reason why one cannot run here."""
    rows = "".join(
        f'<label class="wl-system{" is-off" if why else ""}"><input type="checkbox" data-set="system" '
        f'data-value="{html.escape(one.name)}"{" checked" if one.name in chosen and not why else ""}'
        f"{' disabled' if why else ''}><span><b>{escape(one.title)}</b>"
        f"<small>{escape(why or one.cost or one.source)}</small></span></label>"
        for one, why in systems
    )
    return (
        f'<fieldset class="wl wl-choices-of-systems"><legend class="wl-sub">Systems</legend>{rows}</fieldset>'
        if rows
        else ""
    )


def list_html(shipped: dict[str, str], own: Sequence[SetStatus], current: str) -> str:
    """The example sets and one's own, as cards."""
    cards = [_card(key, name, "recorded example", current) for key, name in shipped.items()]
    cards += [_card(one.set_id, one.name, _short_status(one), current) for one in own]
    if not cards:
        return empty("No sets yet. Upload one, and start it.")
    return f'<div class="wl wl-examples">{"".join(cards)}</div>'


def _card(key: str, name: str, said: str, current: str) -> str:
    return (
        f'<button type="button" class="wl-example" data-set="open" data-value="{html.escape(key)}" '
        f'aria-current="{"true" if key == current else "false"}"><b><bdi>{escape(short(name, 70))}</bdi></b>'
        f'<span class="wl-sub">{escape(said)}</span></button>'
    )


def _short_status(one: SetStatus) -> str:
    return f"{one.state} · {one.done:,} of {one.total:,} · {one.created[:10]}"


def sample_html(columns: Columns) -> str:
    """The first rows of a table whose columns are to be named."""
    head = "".join(f"<th>{escape(short(name, 40))}</th>" for name in columns.names)
    rows = [[escape(short(row.get(name, ""), 60)) for name in columns.names] for row in columns.sample]
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    return (
        '<p class="wl wl-sub">This table has no layout that is known: say which of its columns are what.</p>'
        f'<div class="wl wl-scroll wl-set-sample" tabindex="0" role="region" aria-label="First rows"><table '
        f'class="wl-table"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'
    )
