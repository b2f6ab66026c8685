"""What a set has come to, as HTML: its head and progress, the table of systems, one analysis."""

from __future__ import annotations

from core.evaluation.analyses import Analysis
from core.evaluation.report import cell
from core.evaluation.service import SetStatus
from core.settings.evaluation import CONFIDENCE
from core.systems import SYSTEMS
from ui.markup import empty, escape, short
from ui.set_cards import act_button
from ui.set_numbers import Score, matrix
from ui.set_open import OpenSet
from ui.set_words import FORMATS, duration

_ROWS = 60  # of an analysis's table; all of them are in its file
_STATES = {
    "running": ("is-gold", "▶", "running"),
    "paused": ("is-gold", "Ⅱ", "paused"),
    "stopped": ("is-plain", "■", "stopped"),
    "interrupted": ("is-lost", "!", "interrupted"),
    "finished": ("is-kept", "✓", "finished"),
    "failed": ("is-lost", "!", "failed"),
}


def head_html(found: OpenSet, status: SetStatus | None, mine: bool) -> str:
    """What the set is, how far it is, and what may be done with it."""
    table = found.table
    facts = [
        f"{len(table.questions):,} questions",
        f"{len(table.rows):,} answers",
        *(value for _, value in found.facts),
    ]
    facts = [FORMATS.get(fact, fact) for fact in facts]
    damaged = (
        f'<p class="wl-notice">{table.damaged} damaged lines of the results were passed over.</p>'
        if table.damaged
        else ""
    )
    go = act_button("errors", "", "Go through the answers →", "wl-set-go") if table.rows else ""
    return (
        f'<div class="wl wl-head"><h2 dir="auto">{escape(short(found.name, 120))}</h2>'
        f'<p class="wl-sub">{escape(" · ".join(facts))}</p></div>{_progress(status, mine) if status else ""}{damaged}'
        f'<p class="wl wl-set-bar">{go}{_link(found)}</p>'
    )


def _link(found: OpenSet) -> str:
    if found.shipped:
        return '<span class="wl-sub">Labels of an example are this browser\'s own.</span>'
    return (
        '<span class="wl-sub">Whoever has this page\'s address may look at the set and label its answers; '
        "every label keeps its reviewer's name and its history. Only the browser that started it can stop it.</span>"
    )


def _progress(status: SetStatus, mine: bool) -> str:
    kind, sign, word = _STATES[status.state]
    percent = round(100 * status.done / max(status.total, 1))
    right = f"{status.right:,} of {status.marked:,} right" if status.marked else ""
    errors = f"{status.errors:,} errors" if status.errors else ""
    pace = f"{status.per_minute:.1f} a minute" if status.per_minute else ""
    left = f"about {duration(status.seconds_left)} left" if status.seconds_left else ""
    facts = " · ".join(filter(None, (f"{status.done:,} of {status.total:,} answers", pace, left, right, errors)))
    return (
        f'<div class="wl wl-progress wl-set-progress"><span class="wl-badge {kind}"><span aria-hidden="true">{sign}'
        f'</span> {word}</span><div class="wl-track" role="progressbar" aria-label="Progress of the set" '
        f'aria-valuemin="0" aria-valuemax="100" aria-valuenow="{percent}"><span style="width:{percent}%"></span></div>'
        f'<p><span aria-live="polite">{escape(facts)}</span><span class="wl-sub" dir="auto">{escape(status.message)}'
        f"</span></p></div>{_steer(status) if mine else ''}"
    )


def _steer(status: SetStatus) -> str:
    """The buttons that fit the state."""
    going = {"running": ("pause", "stop"), "paused": ("resume", "stop")}
    names = going.get(status.state, ("resume",) if status.done < status.total else ())
    words = {"pause": "Pause", "stop": "Stop", "resume": "Go on"}
    buttons = [act_button(name, "", words[name], "wl-set-go") for name in names]
    if status.errors and status.state not in ("running", "paused"):
        buttons.append(act_button("retry", "", "Ask again what ended in an error", "wl-set-go"))
    return f'<p class="wl wl-set-bar">{"".join(buttons)}</p>' if buttons else ""


def matrix_html(analysis: Analysis) -> str:
    """Systems against metrics: mean, interval, and how sure the difference is."""
    systems, metrics, cells = matrix(analysis)
    if not systems:
        return empty("No answer has been marked yet.")
    head = "".join(f'<th class="is-number">{escape(metric.replace("_", " "))}</th>' for metric in metrics)
    body = "".join(
        f'<tr><th scope="row">{escape(system_title(system))}</th>'
        f"{''.join(_score(cells.get((system, metric))) for metric in metrics)}</tr>"
        for system in systems
    )
    level = f"{100 * CONFIDENCE:.0f} %"
    return (
        f'<div class="wl wl-scroll" tabindex="0" role="region" aria-label="Systems and metrics"><table class="wl-table '
        f'wl-matrix"><thead><tr><th>System</th>{head}</tr></thead><tbody>{body}</tbody></table></div>'
        f'<p class="wl wl-sub">Mean in percent, below it the bootstrap interval ({level}). Stars: paired difference '
        "from the system that the others are compared with, adjusted p &lt; 0.05 *, 0.01 **, 0.001 ***. "
        f"{escape(analysis.note)}</p>"
    )


def _score(score: Score | None) -> str:
    if score is None:
        return '<td class="is-number">–</td>'
    said = f"{score.questions:,} questions"
    said += f", difference {100 * score.difference:+.1f} points" if score.difference is not None else ""
    return (
        f'<td class="is-number" title="{said}"><b>{100 * score.mean:.1f}</b>{score.stars}'
        f"<small>{100 * score.low:.0f}–{100 * score.high:.0f}</small></td>"
    )


def system_title(name: str) -> str:
    """A system's title, or the name of one that this version does not know."""
    return SYSTEMS[name].title if name in SYSTEMS else name


def chooser_html(titles: dict[str, str], current: str) -> str:
    """The analyses as buttons."""
    buttons = "".join(
        act_button("analysis", name, title, "wl-chip", aria_pressed="true" if name == current else "false")
        for name, title in titles.items()
    )
    return f'<div class="wl wl-chips" role="group" aria-label="Analyses">{buttons}</div>'


def analysis_html(analysis: Analysis) -> str:
    """The table of an analysis, its note, and why there is none."""
    if not analysis.rows:
        return empty(analysis.note)
    numeric = {
        i for i in range(len(analysis.columns)) if all(isinstance(row[i], int | float | None) for row in analysis.rows)
    }
    head = "".join(f"<th{_numeric(i in numeric)}>{escape(name)}</th>" for i, name in enumerate(analysis.columns))
    body = "".join(
        f"<tr>{''.join(f'<td{_numeric(i in numeric)}>{escape(cell(value))}</td>' for i, value in enumerate(row))}</tr>"
        for row in analysis.rows[:_ROWS]
    )
    left = len(analysis.rows) - _ROWS
    more = f" {left:,} more rows are in the file." if left > 0 else ""
    return (
        f'<p class="wl wl-sub">{escape(analysis.note)}{more}</p><div class="wl wl-scroll wl-set-rows" tabindex="0" '
        'role="region" aria-label="Numbers of this analysis"><table class="wl-table"><thead>'
        f"<tr>{head}</tr></thead>"
        f"<tbody>{body}</tbody></table></div>"
    )


def _numeric(numeric: bool) -> str:
    return ' class="is-number"' if numeric else ""
