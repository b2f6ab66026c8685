from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.evaluation.engines import Answer, Control, Job, Outcome
from core.evaluation.local_engine import LocalEngine
from core.evaluation.numbers import NUMBERS_FILE
from core.evaluation.progress import Progress
from core.evaluation.store import RESULTS_FILE, SetStore
from core.ingest.lines import InputError
from core.models.protocol import ModelError
from core.models.scripted import scripted_models
from core.records import RunRecord
from core.systems import SYSTEMS
from tests.core.backend.loaders import TEST_SYSTEMS
from tests.core.evaluation.small_sets import litm_file, row, run, timeless


def test_a_line_and_a_record_for_every_question_and_system(tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    ran = run(litm_file(tmp_path, 3), tmp_path / "out", notify=lambda p: seen.append((p.done, p.total)))
    progress = ran.go()
    rows = ran.store.rows()
    assert [(row.id, row.system) for row in rows] == [
        (f"row-{number}", system) for number in (1, 2, 3) for system in ("duquad", "vanilla")
    ]
    assert all(row.right and row.answer.startswith("Town") and not row.error for row in rows)
    assert seen == [(0, 6), (2, 6), (4, 6), (6, 6)] and progress.right == progress.marked == 6
    first = RunRecord.from_json((tmp_path / "out" / rows[0].record).read_bytes())
    assert first.run_id == "000000-duquad" and first.question.gold == (0,) and first.signals
    assert rows[0].calls == sum(call.sequences for call in first.calls if call.kind == "generate")
    assert rows[1].calls == 1 and rows[0].prompt_tokens > rows[1].prompt_tokens
    assert rows[0].meta == {"gold_position": "0"} and rows[0].place == "line 1"
    assert len((tmp_path / "out" / NUMBERS_FILE).read_text().splitlines()) == 6


def test_what_is_done_is_not_asked_again_and_systems_and_questions_may_be_added(tmp_path: Path) -> None:
    source, out = litm_file(tmp_path, 4), tmp_path / "out"
    run(source, out, systems=("vanilla",), limit=2).go()
    before = {path.name: path.stat().st_mtime_ns for path in (out / "records").iterdir()}
    assert sorted(before) == ["000000-vanilla.json", "000001-vanilla.json"]
    again = run(source, out)
    again.go()
    after = {path.name: path.stat().st_mtime_ns for path in (out / "records").iterdir()}
    assert len(after) == 8 and all(after[name] == changed for name, changed in before.items())
    assert [row.id for row in again.store.rows()] == [f"row-{n}" for n in (1, 1, 2, 2, 3, 3, 4, 4)]
    run(source, tmp_path / "whole").go()
    assert timeless(out)[RESULTS_FILE] == timeless(tmp_path / "whole")[RESULTS_FILE]


def test_killed_at_ten_random_moments_and_resumed(tmp_path: Path) -> None:
    source = litm_file(tmp_path, 60)
    script = [sys.executable, "-m", "tests.core.evaluation.killed", str(source), str(tmp_path / "killed"), "7"]
    told = subprocess.run(script, capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stderr
    assert 0 < int(told.stdout.split()[0]) < 120  # it was in the middle
    rows = SetStore(tmp_path / "killed").rows()
    assert len(rows) == len({(row.id, row.system) for row in rows}) == 120
    assert timeless(tmp_path / "killed") == timeless(tmp_path / "uninterrupted")


def test_a_failing_question_is_an_error_and_the_others_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("test-broken", "test-too-long"):
        monkeypatch.setitem(SYSTEMS, name, TEST_SYSTEMS[name])
    long = row(1) | {"ctxs": [{"text": "word " * 90_000}]}
    path = tmp_path / "set.jsonl"
    path.write_text("\n".join(map(json.dumps, (row(0), long, row(2)))))
    ran = run(path, tmp_path / "out", systems=("vanilla", "test-broken", "test-too-long"))
    progress = ran.go()
    assert progress.done == progress.total == 6 and progress.errors == 4  # the long one was left out by the reader
    errors = {row.system: row.error for row in ran.store.rows() if row.error}
    assert "inside W-Lens (RuntimeError)" in errors["test-broken"]
    assert errors["test-too-long"].startswith("Only 2 of the 3 documents fit")
    assert all(not row.record for row in ran.store.rows() if row.error)
    before = len(list((tmp_path / "out" / "records").iterdir()))
    assert run(path, tmp_path / "out", systems=("vanilla", "test-broken")).go().errors == 2  # not asked again
    SetStore(tmp_path / "out").drop_errors()
    assert [row.system for row in SetStore(tmp_path / "out").rows()] == ["vanilla", "vanilla"] and before == 2


class Shuffled:
    """Answers in an order of its own, as several processes do."""

    def run(self, jobs: Iterator[Job], control: Control) -> Iterator[Outcome]:
        every = list(LocalEngine(scripted_models()).run(jobs, control))
        yield from every[1::2] + every[0::2]

    def close(self) -> None:
        pass


def test_the_order_of_the_answers_does_not_show_in_the_results(tmp_path: Path) -> None:
    source = litm_file(tmp_path, 5)
    run(source, tmp_path / "a").go()
    run(source, tmp_path / "b", engine=Shuffled()).go()
    assert timeless(tmp_path / "a") == timeless(tmp_path / "b")


def test_stop_keeps_what_is_done_and_pause_starts_no_further_question(tmp_path: Path) -> None:
    control = Control()

    def stop_after_two(progress: Progress) -> None:
        if progress.done >= 4:
            control.stop()

    ran = run(litm_file(tmp_path, 6), tmp_path / "out", control=control, notify=stop_after_two)
    assert ran.go().done == 4 and len(ran.store.rows()) == 4
    assert run(tmp_path / "set.jsonl", tmp_path / "out").go().done == 12

    paused = Control()
    paused.pause()
    assert paused.paused
    paused.stop()
    assert not paused.wait()


def test_a_folder_of_something_else_is_refused(tmp_path: Path) -> None:
    source, out = litm_file(tmp_path, 2), tmp_path / "out"
    run(source, out).go()
    with pytest.raises(InputError, match="its profile differ"):
        run(source, out, profile="small").go()
    litm_file(tmp_path, 3)
    with pytest.raises(InputError, match="its fingerprint differ"):
        run(source, out).go()
    (out / "manifest.json").write_text("{")
    with pytest.raises(InputError, match="name another folder"):
        run(source, out).go()


def test_only_one_process_writes_at_a_time(tmp_path: Path) -> None:
    source, out = litm_file(tmp_path, 2), tmp_path / "out"
    first = run(source, out)
    with first.store.opened(first._manifest(2)), pytest.raises(InputError, match="Another process"):
        run(source, out).go()
    run(source, out).go()


def test_systems_that_do_not_fit_the_question_say_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from dataclasses import replace

    monkeypatch.setitem(SYSTEMS, "pages", replace(SYSTEMS["vanilla"], name="pages", title="Pages", kind="pdf"))
    ran = run(litm_file(tmp_path, 1), tmp_path / "out", systems=("pages",))
    ran.go()
    (only,) = ran.store.rows()
    assert only.error == "The question is about documents, on which Pages cannot work."


def test_a_model_that_cannot_be_used_at_all_ends_the_run(tmp_path: Path) -> None:
    class Dead:
        def run(self, jobs: Iterator[Job], control: Control) -> Iterator[Outcome]:
            yield Outcome(number=next(jobs).number, answers=(Answer(system="vanilla", error="no"),))
            raise ModelError("The weights are gone.")

        def close(self) -> None:
            pass

    ran = run(litm_file(tmp_path, 3), tmp_path / "out", engine=Dead(), systems=("vanilla",))
    with pytest.raises(ModelError, match="gone"):
        ran.go()
    assert len(ran.store.rows()) == 1


def test_a_set_about_pdfs(tmp_path: Path) -> None:
    from dataclasses import replace

    import pymupdf

    document = pymupdf.open()
    for text in ("A page about nothing.", "The painter Ada lived in Ulm.", "Another page."):
        document.new_page().insert_text((72, 72), text)
    document.save(tmp_path / "ada.pdf")
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.7 and no more")
    rows = [
        {"doc_id": name, "question": "Where lived the painter Ada?", "answer": "Ulm", "evidence_pages": "[2]"}
        for name in ("ada.pdf", "broken.pdf", "gone.pdf", "ada.pdf")
    ]
    (tmp_path / "set.json").write_text(json.dumps(rows))
    models = replace(scripted_models(), cache=tmp_path / "cache")
    ran = run(tmp_path, tmp_path / "out", engine=LocalEngine(models), systems=("sleuth",))
    assert ran.go().errors == 2
    first, broken, gone, last = ran.store.rows()
    assert first.right and first.answer == last.answer == "Ulm" and not first.error
    assert broken.error and "broken.pdf" not in gone.error and "'gone.pdf' is not in the folder" in gone.error
    record = RunRecord.from_json((tmp_path / "out" / first.record).read_bytes())
    assert record.source and record.source.name == "ada.pdf" and record.question.gold_pages == (1,)
    assert first.scores["accuracy"] == 1 and first.lost_at == "none"
