"""The queue, cancelling and reading, with the back end that runs in a thread."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest

import core.runs
from core.backend.fake import FakeBackend
from core.backend.protocol import BackendError, NotYours, QueueFull, RunFailed, UnknownRun
from core.records import Document, RunRecord
from core.runs import Owner, RunStore
from core.settings.limits import LIMITS
from core.systems import SYSTEMS
from tests.core.backend.loaders import TEST_SYSTEMS, request
from tests.core.backend.waiting import end_of, running, until


@pytest.fixture
def backend(store: RunStore, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeBackend]:
    for name, system in TEST_SYSTEMS.items():
        monkeypatch.setitem(SYSTEMS, name, system)
    backend = FakeBackend(store, delay=0)
    yield backend
    backend.close()


def test_a_run_goes_from_queued_to_done(backend: FakeBackend) -> None:
    run_id = backend.submit(request())
    assert end_of(backend, run_id).kind == "done"
    events = backend.events(run_id)
    assert [event.kind for event in events] == ["queued", "stage", "record", "record", "done"]
    assert [event.seq for event in events] == [1, 2, 3, 4, 5]
    assert [event.stage for event in events[1:4]] == ["read", "answer", "done"]
    result = backend.result(run_id)
    assert result and result.final and result.run_id == run_id
    assert backend.partial(run_id) == result
    assert backend.status().state == "ready"


def test_a_run_that_ends_between_two_looks_is_not_called_deleted(
    backend: FakeBackend, store: RunStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = store.result

    def late(run_id: str) -> None:
        end_of(backend, run_id)
        monkeypatch.setattr(store, "result", real)

    monkeypatch.setattr(store, "result", late)
    run_id = backend.submit(request("test-slow"))
    assert backend.result(run_id) is None
    assert backend.result(run_id) is not None


def test_events_are_taken_up_again_where_one_left_off(backend: FakeBackend) -> None:
    run_id = backend.submit(request())
    end_of(backend, run_id)
    assert [event.seq for event in backend.events(run_id, after=3)] == [4, 5]
    assert backend.events(run_id, after=5) == []
    assert backend.events(run_id, after=99) == []


def test_first_come_first_served_and_each_is_told_its_place(backend: FakeBackend) -> None:
    first = backend.submit(request("test-slow"))
    running(backend, first)
    second, third = backend.submit(request(question="second?")), backend.submit(request(question="third?"))
    assert "place 1" in backend.events(second)[0].message
    assert "place 2" in backend.events(third)[0].message
    assert backend.status().waiting == 2 and backend.status().state == "busy"
    backend.cancel(first)
    end_of(backend, third)
    told = [event.message for event in backend.events(third) if event.kind == "queued"]
    assert "place 1" in told[1]
    assert end_of(backend, first).time <= end_of(backend, second).time <= end_of(backend, third).time


def test_a_waiting_run_that_is_cancelled_never_starts(backend: FakeBackend) -> None:
    first, second, third = (backend.submit(request(name)) for name in ("test-slow", "test-tiny", "test-tiny"))
    running(backend, first)
    backend.cancel(second)
    assert [event.kind for event in backend.events(second)][-1] == "cancelled"
    assert "place 1" in backend.events(third)[-1].message
    backend.cancel(first)
    end_of(backend, third)
    assert {event.kind for event in backend.events(second)} == {"queued", "cancelled"}
    with pytest.raises(RunFailed, match="Stopped"):
        backend.result(second)


def test_a_running_one_is_cancelled_within_two_seconds(backend: FakeBackend) -> None:
    run_id = backend.submit(request("test-slow"))
    running(backend, run_id)
    backend.cancel(run_id)
    backend.cancel(run_id)
    end = end_of(backend, run_id, seconds=2)
    assert end.kind == "cancelled"
    assert backend.partial(run_id)  # what was done is kept
    after = backend.submit(request())
    assert end_of(backend, after).kind == "done"
    backend.cancel(after)
    assert end_of(backend, after).kind == "done"


def test_a_full_queue_refuses_with_the_number_that_wait(backend: FakeBackend, monkeypatch: pytest.MonkeyPatch) -> None:
    first = backend.submit(request("test-slow"))
    running(backend, first)
    for _ in range(LIMITS.queue):
        backend.submit(request())
    with pytest.raises(QueueFull, match=f"{LIMITS.queue} requests are waiting"):
        backend.submit(request())
    backend.cancel(first)
    until(lambda: backend.status().waiting == 0)
    assert end_of(backend, backend.submit(request())).kind == "done"


def test_many_threads_may_submit_at_once(backend: FakeBackend) -> None:
    ids: list[str] = []
    threads = [Thread(target=lambda: ids.append(backend.submit(request()))) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(ids)) == 20
    assert {end_of(backend, run_id).kind for run_id in ids} == {"done"}


@pytest.mark.parametrize("run_id", ["", "nobody", "../../etc", "a/b", "a\x00b", "x" * 65, ".", "..", "é"])
def test_an_unknown_run_is_refused_everywhere(backend: FakeBackend, run_id: str) -> None:
    for ask in (backend.events, backend.partial, backend.result, backend.cancel):
        with pytest.raises(UnknownRun):
            ask(run_id)


@pytest.mark.parametrize(
    ("system", "said"),
    [
        ("test-too-long", "Only 2 of the 3 documents fit"),
        ("test-memory", "not enough memory"),
        ("test-broken", r"inside W-Lens \(RuntimeError\)"),
        ("test-empty", "RuntimeError"),
        ("nothing", "no system 'nothing'"),
    ],
)
def test_an_error_is_told_in_words_and_the_next_run_works(backend: FakeBackend, system: str, said: str) -> None:
    run_id = backend.submit(request(system))
    end = end_of(backend, run_id)
    assert end.kind == "error"
    with pytest.raises(RunFailed, match=said):
        backend.result(run_id)
    assert "Traceback" not in end.message and "inner detail" not in end.message
    assert end_of(backend, backend.submit(request())).kind == "done"


def test_the_log_has_the_traceback_and_the_run_id(backend: FakeBackend, capfd: pytest.CaptureFixture[str]) -> None:
    run_id = backend.submit(request("test-broken"))
    end_of(backend, run_id)
    log = capfd.readouterr().err
    assert run_id in log and "an inner detail" in log


def test_a_request_that_cannot_be_run_is_refused_before_it_waits(backend: FakeBackend) -> None:
    with pytest.raises(BackendError, match="no documents"):
        backend.submit(request().model_copy(update={"documents": ()}))
    with pytest.raises(BackendError, match="no question"):
        backend.submit(request(question="  "))
    assert backend.status().waiting == 0


def test_lone_surrogates_and_nuls_do_not_reach_the_disk(backend: FakeBackend) -> None:
    odd = Document(id="\ud800", title="a\x00b", text="text \udfff here")
    run_id = backend.submit(request(question="who\ud83d?").model_copy(update={"documents": (odd,)}))
    assert end_of(backend, run_id).kind == "done"
    result = backend.result(run_id)
    assert result and result.documents[0] == Document(id="\ufffd", title="a\ufffdb", text="text \ufffd here")


def test_a_disk_that_fills_up_in_the_middle_still_ends_the_run(
    backend: FakeBackend, store: RunStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_id = backend.submit(request("test-slow"))
    running(backend, run_id)
    _fill_disk(monkeypatch)
    end = end_of(backend, run_id, seconds=3)
    assert end.kind == "error" and "disk is full" in end.message and str(store.root) in end.message
    assert end.message.count("disk is full") == 1
    assert not any(event.final for event in store.events(run_id))  # known to the page, though not on disk
    assert backend.events(run_id, after=end.seq) == []
    with pytest.raises(RunFailed, match="disk is full"):
        backend.result(run_id)
    with pytest.raises(BackendError, match="disk is full"):
        backend.submit(request())
    monkeypatch.undo()


def _fill_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, data: bytes) -> bool:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(core.runs, "write_whole", full)
    monkeypatch.setattr(core.runs, "write_new", full)


def test_a_folder_deleted_in_the_middle_does_not_stop_the_back_end(backend: FakeBackend, store: RunStore) -> None:
    import shutil

    run_id = backend.submit(request("test-slow"))
    running(backend, run_id)
    shutil.rmtree(store.root / run_id)
    until(lambda: backend.status().state == "ready")
    with pytest.raises(UnknownRun):
        backend.events(run_id)
    assert end_of(backend, backend.submit(request())).kind == "done"


def test_a_damaged_or_newer_result_is_told(backend: FakeBackend, store: RunStore) -> None:
    run_id = backend.submit(request())
    end_of(backend, run_id)
    path = store.root / run_id / "result.json"
    path.write_text(path.read_text().replace("w-lens/1", "w-lens/9"))
    with pytest.raises(RunFailed, match="update"):
        backend.result(run_id)
    assert backend.partial(run_id) is None
    path.unlink()
    (store.root / run_id / "partial.json").unlink()
    with pytest.raises(RunFailed, match="deleted"):
        backend.result(run_id)


def test_a_run_whose_process_is_gone_is_ended(backend: FakeBackend, store: RunStore) -> None:
    script = (
        "import sys; from pathlib import Path; from core.runs import RunStore;"
        "from core.records import Event; from tests.core.backend.loaders import request;"
        "store = RunStore(Path(sys.argv[1])); run = store.create(request());"
        "store.append(run, Event(kind='stage')); print(run)"
    )
    told = subprocess.run([sys.executable, "-c", script, str(store.root)], capture_output=True, text=True, check=True)
    run_id = told.stdout.strip()
    assert backend.events(run_id)[-1].kind == "stage"
    assert backend.events(run_id, after=1)[-1].kind == "error"
    with pytest.raises(RunFailed, match="closed"):
        backend.result(run_id)


def test_a_run_of_another_living_process_is_left_alone(backend: FakeBackend, store: RunStore) -> None:
    run_id = store.create(request())
    assert backend.events(run_id) == [] and backend.result(run_id) is None
    parent = Owner(host=Owner.this_process().host, pid=os.getpid(), started=0)
    assert not parent.alive()
    assert parent.model_copy(update={"host": "elsewhere"}).alive()


def test_closing_twice_is_fine_and_ends_what_waits(backend: FakeBackend, store: RunStore) -> None:
    first, second = backend.submit(request("test-slow")), backend.submit(request())
    running(backend, first)
    backend.close()
    backend.close()
    assert end_of(backend, first, seconds=2).final
    assert end_of(backend, second, seconds=2).kind == "error"
    with pytest.raises(BackendError, match="closed"):
        backend.submit(request())


def test_seconds_left_come_from_earlier_runs(backend: FakeBackend) -> None:
    end_of(backend, backend.submit(request("test-slow")))
    run_id = backend.submit(request("test-slow"))
    waiting = backend.submit(request())
    assert backend.events(waiting)[0].seconds_left
    running(backend, run_id)
    first = next(event for event in backend.events(run_id) if event.stage == "slow")
    assert first.seconds_left == pytest.approx(3, abs=1.5)
    backend.cancel(run_id)


@pytest.mark.parametrize("system", ["duquad", "vanilla"])
def test_the_real_pipelines_run_on_scripted_models(backend: FakeBackend, system: str) -> None:
    run_id = backend.submit(request(system))
    end = end_of(backend, run_id)
    assert end.kind == "done", end.message
    result = backend.result(run_id)
    assert result and result.final and result.final.answer
    assert RunRecord.from_json(result.to_json()) == result
    fractions = [event.fraction for event in backend.events(run_id)]
    assert fractions == sorted(fractions)


def test_many_requests_of_one_owner_do_not_hold_up_another(backend: FakeBackend) -> None:
    first = backend.submit(request("test-slow"), owner="a set")
    running(backend, first)
    many = [backend.submit(request(), owner="a set") for _ in range(5)]
    told = backend.events(many[0])[0].message
    alone = backend.submit(request())
    assert "place 1" in backend.events(alone)[-1].message and "place 1" in told
    assert "place 2" in backend.events(many[0])[-1].message  # it was overtaken, and is told so
    backend.cancel(first, "a set")
    ends = [end_of(backend, run_id).time for run_id in (alone, *many)]
    assert ends == sorted(ends)


def test_owners_are_forgotten_with_their_runs(backend: FakeBackend) -> None:
    first, second = backend.submit(request("test-slow"), owner="a"), backend.submit(request(), owner="a")
    backend.cancel(second, "a")
    backend.cancel(first, "a")
    until(lambda: backend.status().state == "ready")
    assert not backend._owners


def test_whoever_knows_a_run_may_look_and_only_its_owner_may_stop_it(backend: FakeBackend, store: RunStore) -> None:
    run_id = backend.submit(request("test-slow"), owner="a")
    running(backend, run_id)
    for somebody in ("", "b"):
        with pytest.raises(NotYours, match="somebody else"):
            backend.cancel(run_id, somebody)
    assert backend.events(run_id) and backend.status().state == "busy"
    backend.cancel(run_id, "a")
    assert end_of(backend, run_id).kind == "cancelled"
    assert [line.summary.run_id for line in store.recent("a")] == [run_id]
    assert store.recent("b") == [] == store.recent("")


def test_one_visitor_cannot_fill_the_queue(backend: FakeBackend) -> None:
    running(backend, backend.submit(request("test-slow"), owner="a"))
    for _ in range(LIMITS.queue_each):
        backend.submit(request(), owner="a")
    with pytest.raises(QueueFull, match="of yours"):
        backend.submit(request(), owner="a")
    assert backend.submit(request(), owner="b")
