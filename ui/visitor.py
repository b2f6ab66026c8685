"""Who is at the page: a secret that the browser made for itself, known here by its hash alone."""

from __future__ import annotations

import hashlib
import re

from gradio.context import LocalContext

COOKIE = "wlens_visitor"
"""Set by ``glue.js`` before the first event."""
_SECRET = re.compile(r"[0-9a-f]{32}")


def visitor() -> str:
    """The visitor whose event is being handled; empty outside of one, and for a caller without the cookie."""
    request = LocalContext.request.get(None)
    cookies = getattr(request, "cookies", None) or {}
    return hashed(cookies.get(COOKIE, ""))


def hashed(secret: str) -> str:
    """What is kept of a secret: enough to know it again, of no use to whoever reads the disk."""
    return hashlib.sha256(secret.encode()).hexdigest() if _SECRET.fullmatch(secret) else ""
