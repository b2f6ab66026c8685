"""Every engine over the same set: the same results, whoever computes them and whoever dies meanwhile."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from core.backend.fake import FakeBackend
from core.evaluation.backend_engine import BackendEngine
from core.evaluation.engines import Control, Engine, Job, known_systems, requests
from core.evaluation.process_engine import ProcessEngine, devices, places
from core.evaluation.progress import Progress
from core.evaluation.ray_engine import RayEngine
from core.models.protocol import ModelError
from core.records import Question, Request
from core.runs import RunStore
from core.settings.methods import MOST_COMPARED
from core.systems import SYSTEMS
from tests.core.backend.loaders import request
from tests.core.backend.waiting import end_of, until
from tests.core.evaluation.loaders import KILLERS, MARK
from tests.core.evaluation.small_sets import litm_file, run, timeless

LOADER = "tests.core.evaluation.loaders:scripted"
needs_ray = pytest.mark.skipif(find_spec("ray") is None, reason="Ray is not installed: requirements-ray.txt")


@pytest.fixture
def killers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, system in KILLERS.items():
        monkeypatch.setitem(SYSTEMS, name, system)
    monkeypatch.setenv(MARK, str(tmp_path / "mark"))
    return tmp_path / "mark"


@pytest.fixture
def backend(store: RunStore) -> Iterator[FakeBackend]:
    backend = FakeBackend(store, delay=0)
    yield backend
    backend.close()


def through_backend(backend: FakeBackend, store: RunStore) -> BackendEngine:
    return BackendEngine(backend, store, "set-1")


def same_as_local(
    tmp_path: Path, engine: Engine, questions: int = 5, systems: tuple[str, ...] = ("duquad", "vanilla")
) -> None:
    source = litm_file(tmp_path, questions)
    run(source, tmp_path / "there", engine=engine, systems=systems).go()
    assert run(source, tmp_path / "here", systems=systems).go().right == questions * len(systems)
    assert timeless(tmp_path / "here") == timeless(tmp_path / "there")


def test_the_back_end_gives_the_same_results_and_keeps_no_runs(
    tmp_path: Path, backend: FakeBackend, store: RunStore
) -> None:
    same_as_local(tmp_path, through_backend(backend, store))
    assert list(store.root.iterdir()) == []


def test_several_processes_give_the_same_results(tmp_path: Path) -> None:
    same_as_local(tmp_path, ProcessEngine("embedded", tmp_path / "cache", 2, LOADER))


def test_a_process_that_dies_is_started_again(tmp_path: Path, killers: Path) -> None:
    """One that dies once costs nothing; a question that always kills is an error, and the others are answered."""
    source = litm_file(tmp_path, 4)
    engine = ProcessEngine("embedded", tmp_path / "cache", 1, LOADER)
    ran = run(source, tmp_path / "out", engine=engine, systems=("killed-once", "killed-always"))
    assert ran.go().errors == 2 and killers.exists()
    rows = ran.store.rows()
    assert [row.id for row in rows] == [f"row-{number}" for number in (1, 1, 2, 2, 3, 3, 4, 4)]
    assert [row.id for row in rows if row.error] == ["row-2", "row-2"]  # they were asked together
    assert "2 times" in rows[2].error and all(row.right for row in rows if not row.error)


@needs_ray
def test_ray_gives_the_same_results_though_an_actor_is_killed(tmp_path: Path, killers: Path) -> None:
    import ray

    root = str(Path(__file__).resolve().parents[3])
    environment = {"PYTHONPATH": root, MARK: str(killers)}
    ray.init("local", num_cpus=2, include_dashboard=False, log_to_driver=False, runtime_env={"env_vars": environment})
    try:
        same_as_local(tmp_path, RayEngine("embedded", tmp_path / "cache", 2, LOADER), 6, ("killed-once", "vanilla"))
    finally:
        ray.shutdown()
    assert killers.exists()  # one was killed, and nothing is missing, doubled or an error


@pytest.mark.parametrize("kind", ["processes", pytest.param("ray", marks=needs_ray)])
def test_models_that_cannot_be_loaded_end_the_run(tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    loader = "tests.core.backend.loaders:no_weights"
    engine: Engine = ProcessEngine("embedded", tmp_path, 1, loader)
    if kind == "ray":
        monkeypatch.setitem(sys.modules, "ray", None)
        monkeypatch.setattr("core.evaluation.ray_engine.find_spec", lambda name: None)
        engine = RayEngine("embedded", tmp_path, 1, loader)
    said = "make app" if kind == "processes" else "requirements-ray.txt"
    with pytest.raises(ModelError, match=said):
        run(litm_file(tmp_path, 2), tmp_path / "out", engine=engine).go()


def test_a_person_is_served_between_two_questions_of_a_set(
    tmp_path: Path, backend: FakeBackend, store: RunStore
) -> None:
    asked: list[str] = []

    def ask_once(progress: Progress) -> None:
        if not asked:
            asked.append(backend.submit(request("vanilla")))

    control = Control()
    ran = run(
        litm_file(tmp_path, 12),
        tmp_path / "out",
        engine=through_backend(backend, store),
        systems=("vanilla",),
        control=control,
        notify=lambda progress: ask_once(progress) if progress.done else None,
    )
    ran.go()
    served = end_of(backend, asked[0])
    assert served.kind == "done"
    later = [path for path in (tmp_path / "out" / "records").iterdir() if path.stat().st_mtime > served.time]
    assert len(later) >= 8  # it waited for the question that ran and no other, of twelve


def test_a_worker_that_dies_is_asked_again_by_the_back_end_engine(
    tmp_path: Path, store: RunStore, killers: Path
) -> None:
    from core.backend.process import ProcessBackend

    process = ProcessBackend(store, "embedded", tmp_path / "cache", LOADER)
    try:
        engine = BackendEngine(process, store, "set-1")
        ran = run(litm_file(tmp_path, 4), tmp_path / "out", engine=engine, systems=("killed-once",))
        ran.go()
        assert killers.exists() and [row.error for row in ran.store.rows()] == [""] * 4
    finally:
        process.close()


def test_stopping_gives_up_what_runs(tmp_path: Path, store: RunStore) -> None:
    backend = FakeBackend(store, delay=0.2)
    control = Control()
    try:
        ran = run(
            litm_file(tmp_path, 5),
            tmp_path / "out",
            engine=BackendEngine(backend, store, "set-1"),
            systems=("vanilla",),
            control=control,
            notify=lambda progress: control.stop() if progress.done else None,
        )
        assert ran.go().done == 1
        until(lambda: backend.status().state == "ready" and backend.status().waiting == 0)
    finally:
        backend.close()


def test_more_systems_than_one_comparison_takes_are_asked_in_turns() -> None:
    names = tuple(f"s{number}" for number in range(MOST_COMPARED + 1))
    asked = requests(Job(number=0, systems=names, request=Request(question=Question(text="q"))))
    assert [name for one in asked for name in (one.systems or (one.system,))] == list(names)


def test_one_process_a_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    assert places(0, []) == [None] and places(3, []) == [None] * 3
    assert places(0, ["0", "1"]) == ["0", "1"] and places(3, ["4", "7"]) == ["4", "7", "4"]
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "2,5")
    assert devices() == ["2", "5"]
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    assert devices() == []
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES")
    told = subprocess.CompletedProcess([], 0, stdout="GPU 0: A (UUID: x)\n  MIG 1g\nGPU 1: B (UUID: y)\n")
    monkeypatch.setattr(subprocess, "run", lambda *arguments, **options: told)
    assert devices() == ["0", "1"]


def test_only_systems_that_answer_are_known() -> None:
    known_systems(["duquad", "vanilla"])
    for wrong in ([], ["nothing"], ["sweep"], ["duquad", "duquad"]):
        with pytest.raises(ValueError, match="duquad"):
            known_systems(wrong)
