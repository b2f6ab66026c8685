"""What every command shares: a request carried out with progress, and foreign text for a terminal."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable

from core.backend.choose import profile_name
from core.backend.jobs import run_job
from core.backend.queued import CANCELLED
from core.backend.worker import resolve
from core.ingest.lines import InputError
from core.models.profile import Models
from core.models.protocol import ModelError
from core.records import Event, Request, RunRecord
from core.runs import RunStore
from core.settings.app import AppSettings


def app_settings() -> AppSettings:
    """What the environment says. Raises InputError."""
    try:
        return AppSettings.from_env()
    except ValueError as error:
        raise InputError(str(error)) from None


def carried_out(
    options: argparse.Namespace, app: AppSettings, request: Request, show: Callable[[RunRecord], None]
) -> bool:
    """Runs a request, shows its record and writes it to ``options.out``; returns whether it ended well.

    Raises:
        InputError: the folder of ``options.out`` does not exist.
        ModelError: the models cannot be loaded.
    """
    if options.out and not options.out.absolute().parent.is_dir():
        raise InputError(f"The folder of --out, {options.out.absolute().parent}, does not exist.")
    store = RunStore(options.runs or app.runs)
    run_id = store.create(request)
    profile = options.profile if options.profile not in (None, "auto") else profile_name(app)
    tell(f"Loading the models of the profile {profile} …")
    try:
        models: Models = resolve(options.loader)(profile, app.cache)
        end = run_job(store, run_id, request, models, lambda: None, notify=_progress)
    except KeyboardInterrupt:
        store.append(run_id, CANCELLED)
        raise
    except ModelError as error:
        store.append(run_id, Event(kind="error", message=str(error)))
        raise
    record = store.result(run_id)
    if end.kind != "done" or not isinstance(record, RunRecord):
        return False
    show(record)
    print(f"\nRun record: {store.root / run_id / 'result.json'}")
    if options.out:
        options.out.write_text(record.to_json(), encoding="utf-8")
        print(f"Copied to: {options.out}")
    return True


def one_line(text: str, most: int) -> str:
    """Foreign text for a terminal: no control characters, which could move the cursor or worse."""
    line = " ".join("".join(char if char.isprintable() else " " for char in text).split())
    return line if len(line) <= most else line[: most - 1] + "…"


def tell(message: str) -> None:
    """A line for the person, beside the command's own output."""
    print(one_line(message, 2000), file=sys.stderr, flush=True)


def _progress(event: Event) -> None:
    left = f" (about {event.seconds_left:.0f} s left)" if event.seconds_left else ""
    tell(f"[{event.fraction:.0%}] {event.message or event.stage}{left}")
