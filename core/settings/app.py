"""What the environment says about this installation."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

from core.settings.limits import SPACE_KEEP_DAYS
from core.settings.profiles import PROFILES


def _env_path(name: str, default: Path) -> Path:
    return Path(os.environ.get(name) or default).expanduser()


@dataclass(frozen=True)
class AppSettings:
    """What the environment says about this installation. Read once, in ``app.py`` or the command line."""

    host: str = "127.0.0.1"
    port: int = 7860
    backend: str = "auto"
    """auto | process | zerogpu | fake. Auto takes ``zerogpu`` on a ZeroGPU Space, else ``process``."""
    profile: str = "auto"
    """auto | embedded | small | paper. Auto goes by the GPU: none or a tiny one, a middling one, a large one."""
    backbone: str = ""
    """Hugging Face id or local folder in place of the profile's backbone; empty keeps the profile's."""
    embedder: str = ""
    """The same for the embedder."""
    page_encoder: str = ""
    """The same for the model that finds pages."""
    reader: str = ""
    """The same for the model that reads pages."""
    thinking_reader: str = ""
    """The same for the model that decides hard questions about pages."""
    reranker: str = ""
    """The same for the cross-encoder."""
    remote_code: str = ""
    """``yes`` lets a reranker run code that comes with its weights."""
    keep_days: str = "auto"
    """Days that runs, question sets and uploads are kept; 0 for ever. Auto: 30 on a Space, for ever elsewhere."""
    runs: Path = field(default_factory=lambda: Path("runs"))
    """Folder of run records."""
    cache: Path = field(default_factory=lambda: Path("~/.cache/w-lens").expanduser())
    """Folder of converted weights."""

    @property
    def kept_seconds(self) -> float | None:
        """How long runs, question sets and uploads are kept; None for ever."""
        auto = SPACE_KEEP_DAYS if os.environ.get("SPACE_ID") else 0
        return (auto if self.keep_days == "auto" else int(self.keep_days)) * 86_400 or None

    @classmethod
    def from_env(cls) -> AppSettings:
        """Settings from ``W_LENS_*`` and the port variables that hosts set.

        Raises:
            ValueError: a variable holds something that cannot be used; the message names it.
        """
        port = os.environ.get("PORT") or os.environ.get("GRADIO_SERVER_PORT") or "7860"
        if not port.isdigit() or not 0 < int(port) < 65536:
            raise ValueError(f"PORT is {port!r}; a number from 1 to 65535 is needed")
        backend = os.environ.get("W_LENS_BACKEND", "auto")
        if backend not in ("auto", "process", "zerogpu", "fake"):
            raise ValueError(f"W_LENS_BACKEND is {backend!r}; use auto, process, zerogpu or fake")
        profile = os.environ.get("W_LENS_PROFILE", "auto")
        if profile != "auto" and profile not in PROFILES:
            raise ValueError(f"W_LENS_PROFILE is {profile!r}; use auto or one of {', '.join(PROFILES)}")
        keep_days = os.environ.get("W_LENS_KEEP_DAYS", "auto")
        if keep_days != "auto" and not keep_days.isdigit():
            raise ValueError(f"W_LENS_KEEP_DAYS is {keep_days!r}; use auto or a number of days, 0 to keep for ever")
        return cls(
            host=os.environ.get("GRADIO_SERVER_NAME", "127.0.0.1"),
            port=int(port),
            backend=backend,
            profile=profile,
            backbone=os.environ.get("W_LENS_BACKBONE", ""),
            embedder=os.environ.get("W_LENS_EMBEDDER", ""),
            page_encoder=os.environ.get("W_LENS_PAGE_ENCODER", ""),
            reader=os.environ.get("W_LENS_READER", ""),
            thinking_reader=os.environ.get("W_LENS_THINKING_READER", ""),
            reranker=os.environ.get("W_LENS_RERANKER", ""),
            remote_code=os.environ.get("W_LENS_REMOTE_CODE", ""),
            keep_days=keep_days,
            runs=_env_path("W_LENS_RUNS", Path("runs")),
            cache=_env_path("W_LENS_CACHE", Path("~/.cache/w-lens")),
        )
