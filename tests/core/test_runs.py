from __future__ import annotations

import errno
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path
from threading import Thread

import pytest

import core.files
from core.records import Event, RecordError
from core.runs import NoSuchRun, RunStore, StorageError
from core.settings.limits import LIMITS
from tests.core.backend.loaders import record, request


def test_ids_are_long_and_safe_and_never_the_same(store: RunStore) -> None:
    ids = {store.create(request()) for _ in range(20)}
    assert len(ids) == 20
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{22}", run_id) for run_id in ids)


def test_what_was_asked_is_read_back(store: RunStore) -> None:
    assert store.request(store.create(request())) == request()


@pytest.mark.parametrize(
    "run_id", ["", ".", "..", "../runs", "/etc", "a/../b", "a\\b", "a\x00", "ä", "x" * 65, "a\n", " ", "~", "nobody"]
)
def test_an_id_is_checked_before_it_is_a_path(store: RunStore, run_id: str) -> None:
    store.create(request())
    for ask in (store.events, store.request, store.partial, store.result, store.summary, store.last_event):
        with pytest.raises(NoSuchRun):
            ask(run_id)
    with pytest.raises(NoSuchRun):
        store.append(run_id, Event(kind="stage"))
    with pytest.raises(NoSuchRun):
        store.write_result(run_id, record(request(), "x"))


def test_events_are_numbered_dated_and_read_from_any_place(store: RunStore) -> None:
    run_id = store.create(request())
    assert store.events(run_id) == [] and store.last_event(run_id) is None
    before = time.time()
    written = [store.append(run_id, Event(kind="stage", stage=str(i))) for i in range(12)]
    assert [event.seq for event in written] == list(range(1, 13))
    assert before <= written[0].time <= written[-1].time <= time.time()
    assert store.events(run_id) == written
    assert store.events(run_id, after=10) == written[10:]
    assert store.last_event(run_id) == written[-1]
    assert (store.root / run_id / "events" / "000001.json").is_file()


def test_nothing_comes_after_the_end(store: RunStore) -> None:
    run_id = store.create(request())
    end = store.append(run_id, Event(kind="cancelled"))
    assert store.append(run_id, Event(kind="done")) == end
    assert store.events(run_id) == [end]


def test_writers_in_many_threads_and_processes_lose_no_event(store: RunStore) -> None:
    run_id = store.create(request())
    script = (
        "import sys; from pathlib import Path; from core.runs import RunStore; from core.records import Event;"
        "store = RunStore(Path(sys.argv[1]));"
        "[store.append(sys.argv[2], Event(kind='stage')) for _ in range(30)]"
    )
    other = subprocess.Popen([sys.executable, "-c", script, str(store.root), run_id])

    def write() -> None:
        for _ in range(15):
            store.append(run_id, Event(kind="stage"))

    threads = [Thread(target=write) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert other.wait() == 0
    assert [event.seq for event in store.events(run_id)] == list(range(1, 91))


def test_a_file_system_without_hard_links_works_too(store: RunStore, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_links(source: object, target: object) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(core.files.os, "link", no_links)
    run_id = store.create(request())
    for _ in range(3):
        store.append(run_id, Event(kind="stage"))
    assert [event.seq for event in store.events(run_id)] == [1, 2, 3]


def test_records_come_back_and_the_finished_one_wins(store: RunStore) -> None:
    run_id = store.create(request())
    assert store.partial(run_id) is None and store.result(run_id) is None
    store.write_partial(run_id, record(request(), run_id))
    assert store.partial(run_id) == record(request(), run_id) and store.result(run_id) is None
    done = record(request(), run_id, "Goethe")
    store.write_result(run_id, done)
    assert store.result(run_id) == store.partial(run_id) == done


def test_no_half_written_file_is_ever_seen_or_left(store: RunStore, monkeypatch: pytest.MonkeyPatch) -> None:
    run_id = store.create(request())
    store.write_result(run_id, record(request(), run_id, "old"))

    def broken(*names: object) -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(core.files.os, "replace", broken)
    with pytest.raises(StorageError, match="Input/output error"):
        store.write_result(run_id, record(request(), run_id, "new"))
    result = store.result(run_id)
    assert result and result.final and result.final.answer == "old"
    assert not [name for name in os.listdir(store.root / run_id) if name.startswith(".")]


def test_broken_event_files_are_passed_over(store: RunStore) -> None:
    run_id = store.create(request())
    for _ in range(4):
        store.append(run_id, Event(kind="stage"))
    events = store.root / run_id / "events"
    (events / "000002.json").write_text('{"seq": 2, "ki')
    (events / "000003.json").unlink()
    (events / "notes.txt").write_text("not an event")
    (events / "000009.json").write_bytes(b"\xff")
    assert [event.seq for event in store.events(run_id)] == [1, 4]
    last = store.last_event(run_id)
    assert last and last.seq == 4
    assert store.append(run_id, Event(kind="done")).seq == 10


def test_a_run_with_no_events_folder_is_readable(store: RunStore) -> None:
    (store.root / "sample").mkdir(parents=True)
    (store.root / "sample" / "result.json").write_text(record(request(), "sample", "x").to_json())
    assert store.events("sample") == []
    assert store.result("sample")
    assert store.summary("sample") is None


def test_records_that_cannot_be_opened_say_why(store: RunStore) -> None:
    run_id = store.create(request())
    path = store.root / run_id / "result.json"
    path.write_text("{")
    with pytest.raises(RecordError, match="not a JSON file"):
        store.result(run_id)
    path.write_text(json.dumps({"schema": "w-lens/2"}))
    with pytest.raises(RecordError, match="update"):
        store.result(run_id)
    with path.open("wb") as file:
        file.truncate(LIMITS.record_bytes + 1)
    with pytest.raises(RecordError, match="larger than 64 MiB"):
        store.result(run_id)
    (store.root / run_id / "request.json").unlink()
    with pytest.raises(RecordError, match="ask again"):
        store.request(run_id)


def test_the_newest_runs_come_first_and_broken_ones_are_left_out(store: RunStore) -> None:
    assert store.recent("") == []
    ids = []
    for number in range(5):
        run_id = store.create(request(question=f"Question {number}?"))
        store.append(run_id, Event(kind="done", message="Done."))
        os.utime(store.root / run_id / "summary.json", ns=(number, number))
        ids.append(run_id)
    (store.root / ids[3] / "summary.json").write_text("{")
    (store.root / "stray.txt").write_text("")
    (store.root / "empty").mkdir()
    lines = store.recent("", 3)
    assert [line.summary.run_id for line in lines] == [ids[4], ids[2], ids[1]]
    assert lines[0].summary.question == "Question 4?" and lines[0].summary.documents == 3
    assert lines[0].state == "done" and lines[0].message == "Done."


def test_the_newest_of_a_thousand_runs_are_listed(store: RunStore) -> None:
    run_id = store.create(request())
    store.append(run_id, Event(kind="done"))
    summary = (store.root / run_id / "summary.json").read_text()
    for number in range(1000):
        folder = store.root / f"run{number}"
        (folder / "events").mkdir(parents=True)
        (folder / "summary.json").write_text(summary.replace(run_id, folder.name))
        (folder / "events" / "000001.json").write_text('{"kind": "done", "seq": 1}')
    assert len(store.recent("", 50)) == 50


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (errno.ENOSPC, "disk is full"),
        (errno.EDQUOT, "disk is full"),
        (errno.EROFS, "read-only"),
        (errno.EACCES, "read-only or belongs to someone else"),
        (errno.EIO, "cannot be used"),
    ],
)
def test_a_folder_that_cannot_be_written_is_named_with_what_to_do(
    store: RunStore, monkeypatch: pytest.MonkeyPatch, number: int, said: str
) -> None:
    run_id = store.create(request())

    def fail(path: Path, data: bytes) -> int:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(Path, "write_bytes", fail)
    for write in (
        lambda: store.create(request()),
        lambda: store.append(run_id, Event(kind="stage")),
        lambda: store.write_partial(run_id, record(request(), run_id)),
    ):
        with pytest.raises(StorageError, match=said) as caught:
            write()
        assert str(store.root) in str(caught.value)
        assert "Free some space" in str(caught.value) or "W_LENS_RUNS" in str(caught.value)
    assert [path.name for path in store.root.iterdir()] == [run_id], "half a run is left behind"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_folder(store: RunStore) -> None:
    store.root.mkdir()
    store.root.chmod(0o500)
    with pytest.raises(StorageError, match="read-only"):
        store.create(request())
    store.root.chmod(0o700)


@pytest.mark.parametrize("root", ["/proc/w-lens", "/dev/null/runs", "/sys/w-lens"])
def test_places_where_no_folder_can_be(root: str) -> None:
    with pytest.raises(StorageError, match=root):
        RunStore(Path(root)).create(request())


def test_a_run_deleted_in_the_middle_says_so(store: RunStore) -> None:
    run_id = store.create(request())
    (store.root / run_id / "events").rmdir()
    with pytest.raises(StorageError):
        store.append(run_id, Event(kind="stage"))
    assert store.events(run_id) == []
