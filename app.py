"""Serves the page: reads the settings, picks the back end, builds the page, launches it."""

from __future__ import annotations

import os
import socket
import sys

os.environ.setdefault("GRADIO_ANALYTICS_ENABLED", "False")  # before Gradio is imported

if os.environ.get("SPACES_ZERO_GPU"):
    import spaces  # noqa: F401  # before anything that touches CUDA

from core.backend.choose import choose
from core.retention import Retention
from core.runs import RunStore
from core.settings.app import AppSettings
from ui.shell import build, launch_options


def main() -> int:
    """Runs until interrupted; returns the exit status."""
    try:
        settings = AppSettings.from_env()
    except ValueError as error:
        print(f"W-Lens cannot start: {error}.", file=sys.stderr)
        return 2
    if taken(settings.host, settings.port):
        print(
            f"W-Lens cannot start: port {settings.port} of {settings.host} is in use. "
            f"Choose another, for example: PORT={settings.port + 1} make app",
            file=sys.stderr,
        )
        return 1
    store = RunStore(settings.runs)
    backend = choose(settings, store)
    Retention(store, settings.cache, settings.kept_seconds).start()
    try:
        demo = build(settings, backend, store)
        demo.launch(**launch_options(settings), prevent_thread_lock=True)
        print(f"W-Lens: http://{settings.host}:{settings.port}", flush=True)
        demo.block_thread()
    except KeyboardInterrupt:
        pass
    finally:
        backend.close()
    return 0


def taken(host: str, port: int) -> bool:
    """Whether something listens on the port already, or it may not be used."""
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return True
    return False


if __name__ == "__main__":
    sys.exit(main())
