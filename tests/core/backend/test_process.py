"""The back end with a real worker process: it is killed, it hangs, it cannot load."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

import core.backend.process
from core.backend.choose import choose
from core.backend.process import ProcessBackend
from core.backend.protocol import BackendError, RunFailed
from core.runs import RunStore
from core.settings.app import AppSettings
from core.settings.limits import CANCEL_SECONDS
from tests.core.backend.loaders import request
from tests.core.backend.waiting import end_of, running, until

LOADERS = "tests.core.backend.loaders"
Start = Callable[[str], ProcessBackend]


@pytest.fixture
def start(store: RunStore, tmp_path: Path) -> Iterator[Start]:
    """Starts a back end with one of the loaders; closed after the test."""
    started: list[ProcessBackend] = []

    def one(loader: str = "scripted") -> ProcessBackend:
        started.append(ProcessBackend(store, "embedded", tmp_path / "cache", f"{LOADERS}:{loader}"))
        return started[-1]

    yield one
    for backend in started:
        backend.close()


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ProcessBackend]:
    """One back end for the tests that leave it as they found it."""
    folder = tmp_path_factory.mktemp("shared")
    backend = ProcessBackend(RunStore(folder / "runs"), "embedded", folder / "cache", f"{LOADERS}:no_torch")
    yield backend
    backend.close()


def _ready(backend: ProcessBackend) -> None:
    until(lambda: backend.status().state == "ready", what="a ready worker")


def _worker_pid(backend: ProcessBackend) -> int:
    run_id = backend.submit(request())
    end_of(backend, run_id)
    result = backend.result(run_id)
    assert result and result.final
    return int(result.final.answer.removeprefix("pid "))


def test_runs_are_carried_out_elsewhere_one_after_another(shared: ProcessBackend) -> None:
    first, second = shared.submit(request()), shared.submit(request("duquad"))
    assert end_of(shared, first).kind == end_of(shared, second).kind == "done"
    assert _worker_pid(shared) not in (os.getpid(), 0)
    events = shared.events(first)
    assert [event.seq for event in events] == list(range(1, len(events) + 1))


def test_the_status_says_device_and_models(shared: ProcessBackend) -> None:
    _ready(shared)
    status = shared.status()
    assert status.message == "Ready: scripted and scripted-embedder (no torch, none)."
    assert status.profile == "embedded" and status.waiting == 0


def test_a_worker_that_looks_stops_by_itself_and_lives_on(shared: ProcessBackend) -> None:
    pid = _worker_pid(shared)
    run_id = shared.submit(request("test-slow"))
    running(shared, run_id)
    assert shared.status().state == "busy"
    shared.cancel(run_id)
    assert end_of(shared, run_id, CANCEL_SECONDS).kind == "cancelled"
    assert _worker_pid(shared) == pid


def test_a_run_cancelled_in_the_moment_it_starts(shared: ProcessBackend) -> None:
    _ready(shared)
    for _ in range(5):
        run_id = shared.submit(request("test-slow"))
        shared.cancel(run_id)
        assert end_of(shared, run_id, CANCEL_SECONDS).kind == "cancelled"


def test_errors_of_the_pipeline_leave_the_worker_alive(shared: ProcessBackend) -> None:
    pid = _worker_pid(shared)
    for system in ("test-broken", "test-too-long", "test-memory"):
        assert end_of(shared, shared.submit(request(system))).kind == "error"
    assert _worker_pid(shared) == pid


def test_a_worker_that_does_not_look_is_ended_in_time(start: Start) -> None:
    backend = start("scripted")
    run_id = backend.submit(request("test-deaf"))
    running(backend, run_id)
    after = backend.submit(request())
    backend.cancel(run_id)
    assert end_of(backend, run_id, CANCEL_SECONDS).kind == "cancelled"
    assert end_of(backend, after).kind == "done"


def test_a_killed_worker_is_told_within_three_seconds_and_the_queue_goes_on(start: Start) -> None:
    backend = start("scripted")
    pid = _worker_pid(backend)
    run_id = backend.submit(request("test-deaf"))
    running(backend, run_id)
    waiting = [backend.submit(request()), backend.submit(request())]
    os.kill(pid, signal.SIGKILL)
    end = end_of(backend, run_id, seconds=3)
    assert end.kind == "error"
    assert "SIGKILL" in end.message and "memory" in end.message and "next run works" in end.message
    assert [end_of(backend, other).kind for other in waiting] == ["done", "done"]
    assert _worker_pid(backend) != pid


def test_a_worker_that_is_killed_again_and_again_starts_more_slowly(start: Start) -> None:
    backend = start("scripted")
    for _ in range(2):
        assert end_of(backend, backend.submit(request("test-killed"))).kind == "error"
    assert backend.status().state == "restarting" and "SIGKILL" in backend.status().message
    assert end_of(backend, backend.submit(request())).kind == "done"
    assert backend.status().state == "ready"


def test_a_worker_that_is_killed_while_idle_starts_again(start: Start) -> None:
    backend = start("scripted")
    pid = _worker_pid(backend)
    os.kill(pid, signal.SIGTERM)
    until(lambda: backend.status().state == "restarting")
    assert "SIGTERM" in backend.status().message
    assert _worker_pid(backend) != pid


@pytest.mark.parametrize(
    ("loader", "said"),
    [
        ("no_weights", "Run `make app` once more"),
        ("no_hub", "could not be loaded: OSError: We couldn't connect to the hub"),
        ("missing", "AttributeError"),
    ],
)
def test_models_that_cannot_be_loaded(start: Start, loader: str, said: str) -> None:
    backend = start(loader)
    assert backend.status().state == "starting"
    run_id = backend.submit(request())
    end = end_of(backend, run_id)
    assert end.kind == "error" and said in end.message
    assert backend.status().state == "failed" and said in backend.status().message
    with pytest.raises(BackendError, match=r"could not be loaded|make app"):
        backend.submit(request())
    with pytest.raises(RunFailed):
        backend.result(run_id)
    backend.cancel(run_id)


def test_a_worker_that_always_dies_while_loading_is_given_up(start: Start) -> None:
    backend = start("dies")
    run_id = backend.submit(request())
    end = end_of(backend, run_id)
    assert end.kind == "error" and "ended 3 times" in end.message and "code 3" in end.message
    assert backend.status().state == "failed"


def test_a_worker_that_dies_while_loading_is_tried_again(start: Start) -> None:
    backend = start("dies_once")
    run_id = backend.submit(request())
    assert end_of(backend, run_id).kind == "done"


def test_a_run_can_be_cancelled_while_the_models_load(start: Start) -> None:
    backend = start("scripted")
    run_id = backend.submit(request())
    assert "models" in backend.events(run_id)[0].message
    backend.cancel(run_id)
    assert backend.events(run_id)[-1].kind == "cancelled"


def test_closing_ends_the_worker_and_what_it_does(start: Start) -> None:
    backend = start("scripted")
    pid = _worker_pid(backend)
    run_id = backend.submit(request("test-deaf"))
    running(backend, run_id)
    backend.close()
    backend.close()
    assert not psutil.pid_exists(pid)
    end = end_of(backend, run_id, seconds=1)
    assert end.kind == "error" and "closed" in end.message


def test_the_worker_dies_with_the_app_and_prints_nothing(store: RunStore, tmp_path: Path) -> None:
    script = (
        "import sys, time; from pathlib import Path; from core.runs import RunStore;"
        "from core.backend.process import ProcessBackend; from tests.core.backend.loaders import request;"
        "from tests.core.backend.waiting import end_of;"
        f"backend = ProcessBackend(RunStore(Path({str(store.root)!r})), 'embedded', Path({str(tmp_path)!r}),"
        f" '{LOADERS}:scripted'); run = backend.submit(request()); end_of(backend, run);"
        "deaf = backend.submit(request('test-deaf'));"
        "print(backend.result(run).final.answer, 'torch' in sys.modules, flush=True); time.sleep(60)"
    )
    app = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert app.stdout and app.stderr
    _, pid, torch = app.stdout.readline().split()
    assert torch == "False"  # the parent never loads it
    app.kill()
    app.wait()
    until(lambda: not psutil.pid_exists(int(pid)), seconds=3, what="the worker's end")
    assert app.stdout.read() == ""
    assert app.stderr.read() == "a library prints this to standard output\n"


def test_a_run_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    backend = ProcessBackend(RunStore(tmp_path / "file" / "runs"), "embedded", tmp_path, f"{LOADERS}:scripted")
    with pytest.raises(BackendError, match="W_LENS_RUNS") as caught:
        backend.submit(request())
    assert str(tmp_path / "file" / "runs") in str(caught.value)
    assert backend.status().waiting == 0
    backend.close()


def test_choose_takes_what_the_settings_say(store: RunStore, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = choose(AppSettings(backend="fake"), store)
    assert fake.status().state == "ready" and "Scripted" in fake.status().message
    fake.close()
    monkeypatch.setattr(core.backend.process, "ProcessBackend", lambda store, *chosen, reason: (*chosen, reason[:7]))
    for backend, profile, chosen in (("auto", "auto", "embedded"), ("process", "small", "small")):
        app = AppSettings(backend=backend, profile=profile, cache=Path("cache"))
        assert choose(app, store) == (chosen, Path("cache"), "Profile")


def test_what_the_page_imports_leads_to_no_model() -> None:
    script = (
        "import sys; import core.backend.choose, core.backend.fake, core.backend.process, core.systems;"
        "print([name for name in ('torch', 'transformers', 'gradio') if name in sys.modules])"
    )
    told = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "[]"
