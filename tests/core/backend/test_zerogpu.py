"""The ZeroGPU back end over a stand-in that forks and pickles as the real package does."""

from __future__ import annotations

import importlib
import os
import signal
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.backend.protocol import RunFailed
from core.ingest.page_store import PageStore
from core.ingest.pdf import take_in
from core.models.profile import Models
from core.models.scripted import scripted_models
from core.records import Document, PdfRef, Question, Request, RunRecord
from core.runs import RunStore
from core.settings.methods import PdfSettings, RunSettings
from tests.browser.conftest import ROOT
from tests.core.backend import spaces_standin

REQUEST = Request(
    question=Question(text="Which river is the longest in Oran?", answers=("Sil",)),
    documents=tuple(
        Document(id=str(i), title=f"T{i}", text=text)
        for i, text in enumerate(
            ["The Sil is the longest river in Oran.", "Oran has a port.", "Rivers run to the sea."]
        )
    ),
)


def quick_models(profile: str, cache: Path) -> Models:
    return replace(scripted_models(), cache=cache)


def slow_models(profile: str, cache: Path) -> Models:
    return scripted_models(delay=5.0)


def fatal_models(profile: str, cache: Path) -> Models:
    models = scripted_models()

    def die(*arguments: object) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    models.backbone.read = die  # type: ignore[method-assign,assignment]
    return models


@pytest.fixture
def zerogpu(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.setitem(sys.modules, "spaces", spaces_standin)  # type: ignore[arg-type]
    monkeypatch.delitem(sys.modules, "core.backend.zerogpu", raising=False)
    spaces_standin.asked.clear()
    yield importlib.import_module("core.backend.zerogpu")
    monkeypatch.delitem(sys.modules, "core.backend.zerogpu", raising=False)


def started(zerogpu: Any, tmp_path: Path, models: str) -> Any:
    return zerogpu.ZeroGpuBackend(RunStore(tmp_path / "runs"), "embedded", tmp_path, f"{__name__}:{models}")


def ended(backend: Any, run_id: str, seconds: float = 20) -> Any:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        events = backend.events(run_id)
        if events and events[-1].final:
            return events[-1]
        time.sleep(0.02)
    raise AssertionError(f"the run did not end: {events}")


def test_a_run_is_carried_out_in_a_fork_and_its_record_comes_back(zerogpu: Any, tmp_path: Path) -> None:
    backend = started(zerogpu, tmp_path, "quick_models")
    run_id = backend.submit(REQUEST)
    assert ended(backend, run_id).kind == "done"
    record = backend.result(run_id)
    assert isinstance(record, RunRecord) and record.final
    assert zerogpu._models.backbone.calls == []  # what happens in the fork stays there
    stages = [event.stage for event in backend.events(run_id) if event.stage]
    assert stages[0] == "attention" and "judge" in stages
    backend.close()


def test_the_time_asked_for_grows_with_the_work(zerogpu: Any, tmp_path: Path) -> None:
    backend = started(zerogpu, tmp_path, "quick_models")
    long = REQUEST.model_copy(
        update={"documents": (*REQUEST.documents[:2], Document(id="l", title="", text="word " * 40000))}
    )
    marked = Question(text=long.question.text, gold=(0,))
    for request in (REQUEST, long, long.model_copy(update={"system": "sweep", "question": marked})):
        assert ended(backend, backend.submit(request)).kind == "done"
    short_seconds, long_seconds, sweep_seconds = spaces_standin.asked
    assert short_seconds < long_seconds < sweep_seconds <= zerogpu.ZERO_GPU_SECONDS.most
    backend.close()


def test_a_cancel_reaches_into_the_fork(zerogpu: Any, tmp_path: Path) -> None:
    backend = started(zerogpu, tmp_path, "slow_models")
    run_id = backend.submit(REQUEST)
    while backend.status().state != "busy":
        time.sleep(0.01)
    backend.cancel(run_id)
    assert ended(backend, run_id, seconds=4).kind == "cancelled"
    backend.close()


def test_a_fork_that_dies_is_said_and_the_next_run_is_taken(zerogpu: Any, tmp_path: Path) -> None:
    backend = started(zerogpu, tmp_path, "fatal_models")
    for _ in range(2):
        run_id = backend.submit(REQUEST)
        end = ended(backend, run_id)
        assert end.kind == "error" and "ZeroGPU" in end.message and "aborted" in end.message
        with pytest.raises(RunFailed, match="try fewer or shorter"):
            backend.result(run_id)
    backend.close()


def test_a_refused_gpu_is_a_message(zerogpu: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Refused(Exception):
        message = "You have exceeded your GPU quota (60s requested vs. 3s left)."

    def refused(runs: str, run_id: str) -> Iterator[dict[str, Any]]:
        raise Refused
        yield {}

    monkeypatch.setitem(zerogpu.STAGES, "documents", refused)
    backend = started(zerogpu, tmp_path, "quick_models")
    end = ended(backend, backend.submit(REQUEST))
    assert end.kind == "error" and "3s left" in end.message and "recorded runs" in end.message
    backend.close()


def test_a_pdfs_pages_are_read_before_a_gpu_is_asked_for(zerogpu: Any, tmp_path: Path) -> None:
    store = PageStore(tmp_path)
    source = take_in(ROOT / "assets/pdfs/port-of-lindrum.pdf", "port.pdf", store)
    backend = started(zerogpu, tmp_path, "quick_models")
    asked = Request(
        system="sleuth",
        question=Question(text="In which quarter did the port handle the most containers?"),
        pdf=PdfRef(sha256=source.sha256, name="port.pdf"),
        settings=RunSettings(pdf=PdfSettings(top_k=2)),
    )
    run_id = backend.submit(asked)
    assert ended(backend, run_id, seconds=60).kind == "done"
    record = backend.result(run_id)
    assert record.source.pages == 12 and len(record.layouts) == 2
    assert spaces_standin.asked == [zerogpu.pdf_seconds(str(backend._store.root), run_id)]
    first = backend.events(run_id)
    assert next(event.message for event in first if event.message.startswith("Reading page")) == "Reading page 5 of 12"
    backend.close()
