"""Every system on a real, tiny, random model: schemas, scaled attention, compression and weighing fit together."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch

from core.models.load import load_backbone
from core.models.profile import Models
from core.models.scripted import scripted_models
from core.models.shared import shared
from core.records import RunRecord
from core.systems import SYSTEMS
from tests.core.baselines.asking import request
from tests.core.models import checkpoints
from tests.core.models.prompts import never

NAMES = [name for name, system in SYSTEMS.items() if system.kind == "documents" and name != "rrf_rerank"]
SHORT = {"agent_tokens": 16, "score_tokens": 8, "judge_tokens": 4, "baselines": {"readers": 2, "helpers": 1}}
ALIKE = ("duquad", "by_contrast", "by_likelihood", "fim_reorder", "fim_attn")


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Models:
    root = tmp_path_factory.mktemp("checkpoint")
    backbone = load_backbone(str(checkpoints.llama(root / "llama")), root, "cpu", torch.float32)
    return replace(scripted_models(), backbone=backbone)


def run(name: str, models: Models) -> RunRecord:
    *_, last = SYSTEMS[name].load()(request(name, n=3, gold=1, **SHORT), models, "run", never)
    assert isinstance(last.record, RunRecord)
    return last.record


@pytest.mark.parametrize("name", NAMES)
def test_it_ends_with_an_answer_and_counts_what_it_read(name: str, models: Models) -> None:
    record = run(name, models)
    assert record.final is not None
    assert RunRecord.from_json(record.to_json()) == record
    assert all(call.prompt_tokens > 0 for call in record.calls if call.stage not in ("answer", "agents"))
    assert sum(call.prompt_tokens for call in record.calls) > 100


def test_over_models_that_remember_the_answers_are_the_same(models: Models) -> None:
    remembering, work = shared(models)
    for name in ALIKE:
        alone, beside = run(name, models), run(name, remembering)
        assert alone.final == beside.final, name
        assert alone.ranking == beside.ranking, name
    # Attention of DuQUAD's prompt, likelihoods; FiM's prompt with no dummy and with one at each of three places.
    assert work.calls >= 6
