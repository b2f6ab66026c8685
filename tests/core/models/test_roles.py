from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest
import torch

from core.models import roles
from core.models.backbone import CausalBackbone
from core.models.page_image_reader import ImagePageReader
from core.models.page_text_reader import TextPageReader
from core.models.protocol import ModelError
from core.models.roles import Loaded, Roles
from core.settings.app import AppSettings
from core.settings.profiles import PROFILES
from tests.core.models import vision


def made(backbone: CausalBackbone, profile: str = "embedded", **own: str) -> Roles:
    settings = dataclasses.replace(AppSettings(), **own)
    return Roles(Loaded(PROFILES[profile], settings, "cpu", torch.float32, backbone, embedder=None))  # type: ignore[arg-type]


def test_the_embedded_reader_is_the_backbone_and_both_readers_are_one(tiny: CausalBackbone) -> None:
    found = made(tiny)
    reader = found("reader")
    assert isinstance(reader, TextPageReader) and reader.backbone is tiny
    assert found("thinking_reader") is reader and found("reader") is reader


def test_a_reader_that_cannot_be_had_says_which_and_what_to_do(tiny: CausalBackbone, tmp_path: Path) -> None:
    found = made(tiny, reader=str(tmp_path / "nothing"))
    with pytest.raises(ModelError, match=r"nothing could not be loaded .*W_LENS_PROFILE=embedded"):
        found("reader")


@pytest.mark.parametrize(("free", "held"), [(10**12, True), (0, False)])
def test_where_both_readers_do_not_fit_they_take_turns(
    tiny: CausalBackbone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, free: int, held: bool
) -> None:
    one, two = vision.qwen3_vl(tmp_path / "one"), vision.qwen3_vl(tmp_path / "two", thinking=True)
    found = made(tiny, reader=str(one), thinking_reader=str(two))
    first = found("reader")
    monkeypatch.setattr(roles, "free_bytes", lambda device: free)
    second = found("thinking_reader")
    assert isinstance(first, ImagePageReader) and isinstance(second, ImagePageReader)
    assert (first.thinks, second.thinks) == (False, True)
    assert (found("reader") is first) is held
    assert (found("thinking_reader") is second) is held
