"""The back end that the settings name, or that the hardware allows."""

from __future__ import annotations

from importlib import import_module

from core.backend.hardware import Plan, detect, plan
from core.backend.protocol import Backend
from core.runs import RunStore
from core.settings.app import AppSettings


def profile_name(app: AppSettings) -> str:
    """The profile that the settings name; for ``auto``, the one that this machine can run."""
    return planned(app).profile


def planned(app: AppSettings) -> Plan:
    """What will run on this machine, and why."""
    return plan(app, detect())


def choose(app: AppSettings, store: RunStore) -> Backend:
    """The back end, started. Raises ModelError where models must be loaded before the page is served and cannot be."""
    # By name, so that what the page imports never leads to a model (see the contracts in pyproject.toml).
    if app.backend == "fake":
        fake: Backend = import_module("core.backend.fake").FakeBackend(store)
        return fake
    chosen = planned(app)
    if chosen.backend == "zerogpu":
        zero: Backend = import_module("core.backend.zerogpu").ZeroGpuBackend(store, chosen.profile, app.cache)
        return zero
    process: Backend = import_module("core.backend.process").ProcessBackend(
        store, chosen.profile, app.cache, reason=chosen.reason
    )
    return process
