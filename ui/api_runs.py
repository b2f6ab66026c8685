"""Public functions about runs that exist: reading one, stopping one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gradio as gr

from core.backend.protocol import Backend, RunFailed
from ui.inspect_run import KNOWN
from ui.visitor import visitor


def build_get_run(backend: Backend) -> Callable[[str], dict[str, Any]]:
    """The function ``get_run`` over a back end."""

    def get_run(run_id: str) -> dict[str, Any]:
        """Says how far a run is, with its record as far as it has come.

        Args:
            run_id: The run's id, as the page's address or another function names it.

        Returns:
            "state" (queued, stage, record, done, error or cancelled), "message", "fraction" (0 to 1), "seconds_left"
            where it is known, and "record": the run record, or null before there is one.
        """
        try:
            events = backend.events(run_id)
            record = backend.partial(run_id)
        except RunFailed as error:
            return {"state": "error", "message": str(error), "fraction": 1.0, "seconds_left": None, "record": None}
        except KNOWN as error:
            raise gr.Error(str(error), print_exception=False) from None
        last = events[-1] if events else None
        return {
            "state": last.kind if last else "queued",
            "message": last.message if last else "",
            "fraction": last.fraction if last else 0.0,
            "seconds_left": last.seconds_left if last else None,
            "record": record.model_dump(mode="json", by_alias=True, exclude_none=True) if record else None,
        }

    return get_run


def build_cancel(backend: Backend) -> Callable[[str], dict[str, Any]]:
    """The function ``cancel`` over a back end."""

    def cancel(run_id: str) -> dict[str, Any]:
        """Stops a run that was started by the same caller; what it had found is kept.

        Args:
            run_id: The run's id.

        Returns:
            "state" and "message" of the run's newest event; it ends as cancelled within two seconds.
        """
        try:
            backend.cancel(run_id, visitor())
            events = backend.events(run_id)
        except KNOWN as error:
            raise gr.Error(str(error), print_exception=False) from None
        return {"state": events[-1].kind, "message": events[-1].message} if events else {"state": "", "message": ""}

    return cancel
