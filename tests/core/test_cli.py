from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from core.__main__ import main
from core.records import CompareRecord, RunRecord, SweepRecord
from core.runs import RunStore
from core.settings.profiles import PROFILES
from core.systems import SYSTEMS

LOADERS = "tests.core.backend.loaders"
TEXT = "# Goethe\nFaust was written by Goethe in 1808.\n\n# Weimar\nWeimar is a town.\n"


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    path = tmp_path / "documents.txt"
    path.write_text(TEXT)
    return path


def ask(*more: str, loader: str = "plain") -> int:
    return main(["ask", "--question", "Who wrote Faust?", *more], loader=f"{LOADERS}:{loader}")


def test_systems_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["systems"]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in shown] == list(SYSTEMS)
    assert all(system.source in line for line, system in zip(shown, SYSTEMS.values(), strict=True))


def test_an_answer_its_way_and_its_record(documents: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "run.json"
    assert ask("--documents", str(documents), "--answer", "1808", "--out", str(out)) == 0
    shown = capsys.readouterr()
    assert "Answer: 1808\nIt contains an accepted answer." in shown.out
    assert "Ranking by SFS:\n  1. Document 1: Goethe" in shown.out
    assert "Pool:" in shown.out and "DocScore" in shown.out
    assert "[0%] Reading 2 documents" in shown.err and "[100%] Done in" in shown.err
    record = RunRecord.from_json(out.read_text())
    assert record.question.answers == ("1808",) and record.system == "duquad"
    store = RunStore(Path(os.environ["W_LENS_RUNS"]))
    assert store.result(record.run_id) == record
    assert store.events(record.run_id)[-1].kind == "done"


def test_another_system_and_run_folder(documents: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert ask("--documents", str(documents), "--system", "vanilla", "--runs", str(tmp_path / "mine")) == 0
    shown = capsys.readouterr().out
    assert "Answer: " in shown and "Ranking" not in shown and "Pool" not in shown
    assert len(RunStore(tmp_path / "mine").recent("")) == 1


def test_broken_lines_are_named_and_the_rest_is_used(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "documents.jsonl"
    path.write_text('{"title": "A", "text": "Faust by Goethe.", "gold": true}\n{"title": \n{"text": "Weimar."}\n')
    assert ask("--documents", str(path), "--system", "vanilla") == 0
    assert f"{path}: Line 2: not JSON" in capsys.readouterr().err
    (run,) = RunStore(Path(os.environ["W_LENS_RUNS"])).recent("")
    assert run.summary.documents == 2


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "no usable document"),
        (b'{"text": \n', "Line 1: not JSON"),
        (b"caf\xe9", "not UTF-8"),
        (b"%PDF-1.7", "a PDF"),
        (b"x\n\n" * 201, "201 documents; at most 200"),
        (None, "There is no file"),
    ],
)
def test_bad_documents(tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes | None, said: str) -> None:
    path = tmp_path / "documents"
    if content is not None:
        path.write_bytes(content)
    assert ask("--documents", str(path)) == 2
    shown = capsys.readouterr()
    assert said in shown.err and "Cannot start: " in shown.err and shown.out == ""


def test_bad_arguments(documents: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert main(["ask", "--question", " ", "--documents", str(documents)]) == 2
    assert "no question" in capsys.readouterr().err
    assert ask("--documents", str(documents), "--out", "/nowhere/run.json") == 2
    assert "/nowhere" in capsys.readouterr().err
    for wrong in (["nothing"], [], ["ask"], ["ask", "--question", "q", "--documents", "d", "--system", "x"]):
        with pytest.raises(SystemExit) as left:
            main(wrong)
        assert left.value.code == 2
    monkeypatch.setenv("W_LENS_PROFILE", "large")
    assert ask("--documents", str(documents)) == 2
    assert "W_LENS_PROFILE is 'large'" in capsys.readouterr().err


def test_what_goes_wrong_later(documents: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert ask("--documents", str(documents), loader="no_weights") == 1
    assert "Run `make app` once more" in capsys.readouterr().err
    (run,) = RunStore(Path(os.environ["W_LENS_RUNS"])).recent("")
    assert run.state == "error"
    assert ask("--documents", str(documents), "--runs", str(documents)) == 1
    assert "cannot be used" in capsys.readouterr().err
    assert ask("--documents", str(documents), "--out", str(tmp_path)) == 1


def test_the_profile_is_passed_on(documents: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in PROFILES:
        assert ask("--documents", str(documents), "--profile", name, "--system", "vanilla", loader="named") == 0
        assert f"profile {name}" in capsys.readouterr().err


def test_control_characters_do_not_reach_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "documents"
    path.write_text(json.dumps({"title": "A\x1b[31m\u202e\nB", "text": "Faust\x1b]0;x\x07 by Goethe"}))
    assert ask("--documents", str(path)) == 0
    shown = capsys.readouterr()
    assert not [char for char in shown.out + shown.err if not char.isprintable() and char != "\n"]


def test_ctrl_c_stops_and_leaves_a_cancelled_run(documents: Path, tmp_path: Path) -> None:
    script = f"import sys; from core.__main__ import main; sys.exit(main(sys.argv[1:], '{LOADERS}:sleepy'))"
    arguments = ["ask", "--question", "Who wrote Faust?", "--documents", str(documents), "--runs", str(tmp_path / "r")]
    asked = subprocess.Popen([sys.executable, "-c", script, *arguments], stderr=subprocess.PIPE, text=True)
    assert asked.stderr
    while "Reading" not in asked.stderr.readline():
        pass
    asked.send_signal(signal.SIGINT)
    assert asked.wait(timeout=5) == 130
    assert asked.stderr.read().splitlines()[-1] == "Stopped."
    (run,) = RunStore(tmp_path / "r").recent("")
    assert run.state == "cancelled"


def test_help_does_not_wait_for_torch() -> None:
    script = "import sys; from core.__main__ import main\ntry: main(['--help'])\nfinally: print('torch' in sys.modules)"
    told = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert "ask" in told.stdout and told.stdout.splitlines()[-1] == "False"


def test_samples_are_recorded_runs_and_sweeps(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "examples").mkdir()
    for slug in ("first-tour-de-france", "hudsons-ship"):
        source = Path("assets/examples") / f"{slug}.json"
        (tmp_path / "examples" / source.name).write_text(source.read_text())
    samples = ["samples", "--assets", str(tmp_path)]
    assert main([*samples, "--only", "runs"], loader=f"{LOADERS}:plain") == 0
    assert not (tmp_path / "sweeps").exists()
    assert main(samples, loader=f"{LOADERS}:plain") == 0
    assert "sweep  first-tour-de-france: right at 1, 2, 3" in capsys.readouterr().out
    assert {path.name for path in (tmp_path / "runs").iterdir()} == {"first-tour-de-france.json", "hudsons-ship.json"}
    (recorded,) = (tmp_path / "sweeps").iterdir()
    sweep = SweepRecord.from_json(recorded.read_bytes())
    assert sweep.run_id == "sample-first-tour-de-france" and len(sweep.places) == len(sweep.dummy) == 20
    length, fix = (
        SweepRecord.from_json((tmp_path / folder / recorded.name).read_bytes()) for folder in ("lengths", "fixes")
    )
    assert {row.noise for row in length.lengths or ()} == {"hard", "random", "duplicated"}
    assert [len(found.ways) for found in fix.fixes or ()] == [4, 4, 4]
    (compared,) = (tmp_path / "compare").iterdir()
    record = CompareRecord.from_json(compared.read_bytes())
    assert compared.name == "hudsons-ship.json" and len(record.records) == len(record.systems) == 6
    assert main([*samples, "--example", "none"], loader=f"{LOADERS}:plain") == 2
