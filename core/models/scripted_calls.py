"""What every scripted model does: it takes its time, can be cancelled, and keeps account of what it was asked."""

from __future__ import annotations

import time
from typing import Any

from core.models.protocol import Stop

_SLICE = 0.01  # seconds between two looks at ``stop``
Calls = list[tuple[str, Any]]
"""(what was asked: the name of the method; its argument), in order."""


class Scripted:
    """The base of scripted models: ``delay`` seconds per call, calls written down in ``calls``."""

    def __init__(self, calls: Calls | None, delay: float) -> None:
        self.calls: Calls = [] if calls is None else calls
        self.delay = delay

    def _took(self, what: str, argument: Any, stop: Stop) -> None:
        self.calls.append((what, argument))
        stop()
        until = time.monotonic() + self.delay
        while (left := until - time.monotonic()) > 0:
            time.sleep(min(_SLICE, left))
            stop()
