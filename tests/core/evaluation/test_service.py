from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.backend.fake import FakeBackend
from core.backend.protocol import NotYours
from core.evaluation import set_status
from core.evaluation.service import SetPlan, SetService, SetStatus, UnknownSet
from core.evaluation.store import RESULTS_FILE, SetStore
from core.ingest.lines import InputError
from core.ingest.sets.mapped import NeedsMapping
from core.records import Document
from core.runs import Owner, RunStore
from tests.core.backend.loaders import request
from tests.core.backend.waiting import end_of, until
from tests.core.evaluation.small_sets import litm_file, run, timeless

PLAN = SetPlan(name="a set", systems=("vanilla",), owner="ann")


@pytest.fixture
def backend(store: RunStore) -> Iterator[FakeBackend]:
    backend = FakeBackend(store, delay=0.02)
    yield backend
    backend.close()


@pytest.fixture
def service(backend: FakeBackend, store: RunStore, tmp_path: Path) -> Iterator[SetService]:
    service = SetService(backend, store, tmp_path / "cache")
    yield service
    service.close()


def ended(service: SetService, set_id: str) -> SetStatus:
    until(lambda: service.status(set_id).state not in ("running", "paused") and set_id not in service._active)
    return service.status(set_id)


def some_done(service: SetService, set_id: str, done: int = 1) -> None:
    until(lambda: service.status(set_id).done >= done)


def test_a_set_runs_in_the_background(service: SetService, tmp_path: Path) -> None:
    source = litm_file(tmp_path, 3)
    assert service.look(source).questions == 3
    set_id = service.start(PLAN, source)
    source.unlink()  # an upload is gone after a while
    end = ended(service, set_id)
    assert (end.state, end.done, end.total, end.right, end.marked, end.errors) == ("finished", 3, 3, 3, 3, 0)
    assert end.message == "Done: 3 answers." and end.format == "lost_in_the_middle" and end.profile == "embedded"
    assert len((service.folder(set_id) / RESULTS_FILE).read_text().splitlines()) == 3
    assert service.list("ann") == [end] and service.list("bob") == []


def test_the_results_are_those_of_the_command_line(service: SetService, tmp_path: Path) -> None:
    source = litm_file(tmp_path, 3)
    set_id = service.start(PLAN.model_copy(update={"systems": ("duquad", "vanilla"), "limit": 2}), source)
    ended(service, set_id)
    run(source, tmp_path / "here", limit=2).go()
    here, there = timeless(tmp_path / "here"), timeless(service.folder(set_id))
    assert {name: there[name] for name in here if name != "manifest.json"} == {
        name: text for name, text in here.items() if name != "manifest.json"
    }


def test_pause_resume_stop_and_resume(service: SetService, tmp_path: Path) -> None:
    set_id = service.start(PLAN, litm_file(tmp_path, 20))
    some_done(service, set_id)
    service.pause(set_id, "ann")
    assert service.status(set_id).state == "paused"
    service._backend.submit(request("vanilla"))  # whatever ran is done before this is
    until(lambda: service._backend.status().state == "ready")
    before = service.status(set_id).done
    end_of(service._backend, service._backend.submit(request("vanilla")))
    assert before <= service.status(set_id).done <= before + 2 < 20  # what was in flight, and no more
    service.resume(set_id, "ann")
    some_done(service, set_id, before + 3)
    service.stop(set_id, "ann")
    end = ended(service, set_id)
    assert end.state == "stopped" and 0 < end.done < 20
    service.resume(set_id, "ann")
    assert ended(service, set_id).state == "finished"
    rows = SetStore(service.folder(set_id)).rows()
    assert [row.id for row in rows] == [f"row-{number}" for number in range(1, 21)]
    service.resume(set_id, "ann")
    assert ended(service, set_id).done == 20


def test_only_the_owner_may_steer(service: SetService, tmp_path: Path) -> None:
    set_id = service.start(PLAN, litm_file(tmp_path, 2))
    for act in (service.pause, service.resume, service.stop):
        with pytest.raises(NotYours):
            act(set_id, "bob")
    assert ended(service, set_id).state == "finished"


def test_a_set_whose_app_was_closed_goes_on_in_the_next(
    service: SetService, backend: FakeBackend, store: RunStore, tmp_path: Path
) -> None:
    set_id = service.start(PLAN, litm_file(tmp_path, 10))
    some_done(service, set_id)
    service.close()
    done = service.status(set_id).done
    assert service.status(set_id).state == "interrupted" and 0 < done < 10
    following = SetService(backend, store, tmp_path / "cache")
    assert following.list("ann")[0].state == "interrupted"
    following.resume(set_id, "ann")
    assert ended(following, set_id).state == "finished"
    following.close()


def test_a_set_of_another_living_process_is_running_and_of_a_dead_one_interrupted(
    service: SetService, tmp_path: Path
) -> None:
    set_id = service.start(PLAN, litm_file(tmp_path, 1))
    end = ended(service, set_id).model_copy(update={"state": "running"})
    set_status.write(service._root, end, PLAN)
    path = service.folder(set_id) / "status.json"
    kept = set_status.read(service._root, set_id)
    other = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    import psutil

    owner = Owner(host=kept.process.host, pid=other.pid, started=psutil.Process(other.pid).create_time())
    path.write_text(kept.model_copy(update={"process": owner}).model_dump_json())
    assert service.status(set_id).state == "running"
    other.kill()
    other.wait()
    assert service.status(set_id).state == "interrupted"


def test_pdfs_are_kept_beside_the_questions(service: SetService, tmp_path: Path) -> None:
    import pymupdf

    document = pymupdf.open()
    document.new_page().insert_text((72, 72), "Seven plants closed.")
    document.save(tmp_path / "annual.pdf")
    source = tmp_path / "questions.json"
    source.write_text('[{"doc_id": "annual.pdf", "question": "How many?", "answer": "7", "evidence_pages": "[1, 9]"}]')
    summary = service.look(source, [tmp_path / "annual.pdf"])
    assert summary.pdfs == 1 and not summary.pdfs_missing and summary.mended == 1
    assert service.look(source).pdfs_missing == ("annual.pdf",)
    set_id = service.start(PLAN, source, [tmp_path / "annual.pdf"])
    ended(service, set_id)
    (row,) = SetStore(service.folder(set_id)).rows()
    assert row.error == "The question is about a PDF, on which Vanilla cannot work."


@pytest.mark.parametrize(("content", "said"), [("", "empty"), ("[1, 2]", "row 1: a number"), ("{}\n{}\n", "layout")])
def test_what_cannot_be_run_is_told_at_once(service: SetService, tmp_path: Path, content: str, said: str) -> None:
    source = tmp_path / "set"
    source.write_text(content)
    with pytest.raises(InputError, match=said):
        service.start(PLAN, source)
    assert service.list("ann") == []


def test_a_table_asks_for_its_columns(service: SetService, tmp_path: Path) -> None:
    source = tmp_path / "set.csv"
    source.write_text("frage,antwort\nWo?,Hier\n")
    with pytest.raises(NeedsMapping) as caught:
        service.look(source)
    assert caught.value.columns.names == ("frage", "antwort")
    with pytest.raises(InputError, match="Name systems"):
        service.start(PLAN.model_copy(update={"systems": ("nothing",)}), litm_file(tmp_path, 1))


@pytest.mark.parametrize("set_id", ["", "nobody", "../..", "a/b", "\x00", "é"])
def test_an_unknown_set_is_refused_everywhere(service: SetService, set_id: str) -> None:
    for ask in (service.status, service.folder, service.pause, service.resume, service.stop):
        with pytest.raises(UnknownSet):
            ask(set_id)


def test_a_set_that_runs_may_be_deleted(service: SetService, tmp_path: Path) -> None:
    set_id = service.start(PLAN, litm_file(tmp_path, 20))
    some_done(service, set_id)
    with pytest.raises(NotYours):
        service.delete(set_id, "bob")
    service.delete(set_id, "ann")
    until(lambda: not service._active)
    assert service.list("ann") == [] and not list(service._root.iterdir())
    with pytest.raises(UnknownSet):
        service.status(set_id)


def test_an_estimate_comes_from_the_owners_runs(service: SetService, tmp_path: Path) -> None:
    summary = service.look(litm_file(tmp_path, 4))
    assert service.estimate(summary, ("vanilla",), "ann") is None
    asked = request("vanilla")
    documents = tuple(Document(id=str(n), title="", text="word " * 20) for n in range(3))
    end_of(service._backend, service._backend.submit(asked.model_copy(update={"documents": documents}), "ann"))
    estimate = service.estimate(summary, ("vanilla",), "ann")
    assert estimate is not None and estimate > 0
    assert service.estimate(summary, ("vanilla", "duquad"), "ann") is None
    twice = summary.model_copy(update={"questions": 8, "tokens": 2 * summary.tokens})
    assert service.estimate(twice, ("vanilla",), "ann") == pytest.approx(2 * estimate)


def test_what_the_page_imports_leads_to_no_model() -> None:
    script = (
        "import sys; import core.evaluation.service;"
        "print([name for name in sys.modules if name.split('.')[0] == 'torch' or name.startswith('core.models')])"
    )
    told = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "[]"
