"""Asking the back end for a run and following it: requests, progress, what went wrong. Pure but for the back end."""

from __future__ import annotations

import html
import time

from core.backend.protocol import Backend, BackendError, BackendStatus
from core.ingest.questions import InputError, checked
from core.records import Event, RecordError, Request
from core.runs import StorageError
from core.settings.app import AppSettings
from core.settings.profiles import PROFILES
from ui.markup import escape
from ui.visitor import visitor

KNOWN = (InputError, BackendError, RecordError, StorageError)
"""Errors whose message was written for the person."""


def submit(backend: Backend, request: Request) -> str:
    """Checks the request, hands it over in the visitor's name and returns the run's id.

    Raises:
        InputError, BackendError.
    """
    return backend.submit(checked(request), visitor())


def cancel(backend: Backend, run_id: str) -> None:
    """Stops a run of the visitor's own. Raises BackendError."""
    backend.cancel(run_id, visitor())


def notice(error: Exception | str, kind: str = "error", extra: str = "") -> str:
    """A line across the page; ``extra`` is HTML of our own."""
    role = "alert" if kind == "error" else "status"
    text = escape(str(error)).replace("\n", "<br>")
    return f'<div class="wl wl-alert is-{kind}" role="{role}"><p>{text}</p>{extra}</div>'


def still_running(run_id: str) -> str:
    """The way back to a run that goes on while the page shows something else."""
    button = f'<button type="button" class="wl-link" data-run="{html.escape(run_id)}">Show it</button>'
    return notice("Your run goes on in the background.", "info", button)


def progress_html(event: Event | None) -> str:
    """How far a run is: a bar, the stage, the time left. Empty when nothing runs."""
    if event is None or event.final:
        return ""
    percent = round(100 * min(max(event.fraction, 0.0), 1.0))
    left = _left(event)
    what = event.message or event.stage or "Waiting for the worker"
    return (
        f'<div class="wl wl-progress"><div class="wl-track" role="progressbar" aria-label="Progress of the run" '
        f'aria-valuemin="0" aria-valuemax="100" aria-valuenow="{percent}"><span style="width:{percent}%"></span></div>'
        f'<p><span aria-live="polite">{escape(what)}</span><span class="wl-sub">{percent} %'
        f"{' · ' + left if left else ''}</span></p></div>"
    )


def _left(event: Event) -> str:
    """The time left by the clock, since an event is told only once."""
    if event.seconds_left is None:
        return ""
    seconds = event.seconds_left - (max(0.0, time.time() - event.time) if event.time else 0.0)
    if seconds < 2:
        return "a few seconds left"
    return f"about {seconds:.0f} s left" if seconds < 90 else f"about {seconds / 60:.0f} min left"


def ended(event: Event) -> str:
    """What the page says when a run is over."""
    if event.kind == "error":
        return notice(event.message or "The run failed, and did not say why. Run it again.")
    if event.kind == "cancelled":
        return notice(event.message or "The run was cancelled. What it had found stays on the page.", "info")
    return ""


_WORDS = {
    "starting": "models loading",
    "ready": "ready",
    "busy": "working",
    "restarting": "restarting",
    "failed": "not available",
}
_KINDS = {"spoken": "DocScore spoken by the model", "likelihood": "DocScore from likelihoods"}


def status_html(status: BackendStatus) -> str:
    """The back end in a few words: state and profile; a hint has the rest, and what went wrong is written out."""
    profile = PROFILES.get(status.profile)
    parts = [f"profile {status.profile}"] if status.profile else []
    parts += [f"{status.waiting} waiting"] if status.waiting else []
    said = escape(status.message)
    hint = " · ".join(filter(None, (_KINDS[profile.docscore] if profile else "", status.message)))
    return (
        f'<div class="wl wl-status is-{status.state}" role="status" title="{html.escape(hint)}">'
        '<span class="wl-dot" aria-hidden="true"></span>'
        f"<b>{_WORDS[status.state]}</b><span>{escape(' · '.join(parts))}</span>"
        f'<span class="wl-status-said">{said}</span></div>'
    )


def privacy_html(settings: AppSettings) -> str:
    """What is kept, where, how long, and who can see it."""
    kept = settings.kept_seconds
    until = f"for {kept / 86_400:.0f} days" if kept else "until someone deletes them"
    return (
        f'<p class="wl wl-sub wl-privacy">Runs are kept in <code>{escape(str(settings.runs))}</code> on this server '
        f"{until}. Nobody can list them; whoever has the link to a run can look at it, and only the browser that "
        "started it can stop it. Uploaded files are deleted within two hours.</p>"
    )
