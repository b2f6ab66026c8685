from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest
import torch

from core.models import roles
from core.models.protocol import ModelError
from core.models.roles import Loaded, Roles
from core.settings.app import AppSettings
from core.settings.profiles import PROFILES
from tests.core.models import page_checkpoints


def loaded(profile: str = "embedded", **own: Any) -> Loaded:
    settings = dataclasses.replace(AppSettings(), **own)
    return Loaded(PROFILES[profile], settings, "cpu", torch.float32, None, None)  # type: ignore[arg-type]


def test_a_model_is_loaded_when_it_is_asked_for_and_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[object] = []
    monkeypatch.setitem(roles.LOADERS, "page_encoder", lambda _: made.append(object()) or made[-1])
    given = Roles(loaded())
    assert made == []
    assert given("page_encoder") is given("page_encoder") is made[0] and len(made) == 1


def test_after_a_failure_the_next_call_tries_again(monkeypatch: pytest.MonkeyPatch) -> None:
    tries: list[int] = []

    def load(_: Loaded) -> str:
        tries.append(1)
        if len(tries) == 1:
            raise ModelError("The hub cannot be reached.")
        return "a model"

    monkeypatch.setitem(roles.LOADERS, "page_encoder", load)
    given = Roles(loaded())
    with pytest.raises(ModelError, match="hub"):
        given("page_encoder")
    assert given("page_encoder") == "a model"


def test_a_role_that_nobody_loads_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(roles.LOADERS, "page_encoder")
    with pytest.raises(ModelError, match="embedded has no page encoder"):
        Roles(loaded())("page_encoder")


def test_the_environments_page_encoder_takes_the_profiles_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = page_checkpoints.colidefics3_engine(tmp_path / "tiny-smol")
    monkeypatch.setenv("W_LENS_PAGE_ENCODER", str(folder))
    assert AppSettings.from_env().page_encoder == str(folder)
    encoder = Roles(loaded("paper", page_encoder=str(folder), cache=tmp_path))("page_encoder")
    assert encoder.sees == "image" and encoder.name == "tiny-smol"
