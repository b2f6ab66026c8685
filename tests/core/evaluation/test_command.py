from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from core.__main__ import main
from core.evaluation.command import columns
from core.evaluation.record import Mapping
from core.evaluation.store import RESULTS_FILE, SetStore
from core.ingest.lines import InputError
from tests.core.evaluation.small_sets import litm_file, row

LOADERS = "tests.core.backend.loaders"


def evaluate(*arguments: str | Path, loader: str = "plain") -> int:
    return main(["evaluate", *map(str, arguments)], loader=f"{LOADERS}:{loader}")


def test_a_summary_first_and_a_table_at_the_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, out = litm_file(tmp_path, 3), tmp_path / "out"
    source.write_text(source.read_text() + "{broken\n")
    assert evaluate(source, "--out", out) == 0
    shown = capsys.readouterr()
    assert "lost_in_the_middle: 3 questions, 9 documents" in shown.out
    assert "left out (line 4): not JSON" in shown.out and "mended (line 1, line 2, line 3)" in shown.out
    assert "Estimated time for duquad, vanilla: known after the first questions." in shown.out
    assert "[6 of 6] 6 of 6 right" in shown.err
    table = shown.out[shown.out.index("system ") :].splitlines()
    assert table[1].split()[:4] == ["duquad", "3", "0", "100.0%"] and table[2].split()[4] == "1.0"
    assert str(out / RESULTS_FILE) in shown.out


def test_the_same_command_goes_on_and_knows_how_long_it_takes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, out = litm_file(tmp_path, 3), tmp_path / "out"
    assert evaluate(source, "--out", out, "--systems", "vanilla", "--limit", 1) == 0
    assert evaluate(source, "--out", out, "--systems", "vanilla") == 0
    shown = capsys.readouterr()
    assert "Estimated time for vanilla: 0 s." in shown.out and "[1 of 3]" in shown.err
    assert [row.id for row in SetStore(out).rows()] == ["row-1", "row-2", "row-3"]


def test_errors_give_another_exit_code_and_may_be_asked_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "set.jsonl"
    source.write_text(json.dumps({"doc_id": "a.pdf", "question": "q?", "answer": "x", "evidence_pages": "[1]"}) + "\n")
    assert evaluate(source, "--out", tmp_path / "out", "--systems", "vanilla") == 1
    shown = capsys.readouterr()
    assert "Missing PDFs: a.pdf" in shown.out and "1 errors" in shown.err
    assert evaluate(source, "--out", tmp_path / "out", "--systems", "vanilla", "--retry-errors") == 1


def test_a_table_with_named_columns(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "set.csv"
    source.write_text("frage,antwort,quelle\nWho wrote Faust?,Goethe,Faust was written by Goethe.\n")
    assert evaluate(source, "--out", tmp_path / "out", "--systems", "vanilla") == 2
    assert "Use --columns" in capsys.readouterr().err
    named = "question=frage,answers=antwort,documents=quelle"
    assert evaluate(source, "--out", tmp_path / "out", "--systems", "vanilla", "--columns", named) == 0
    (only,) = SetStore(tmp_path / "out").rows()
    assert only.right and only.answer == "Goethe"


def test_columns_in_words() -> None:
    assert columns("") is None
    assert columns("question=a,answers=b+c,gold_from=1") == Mapping(question="a", answers=("b", "c"), gold_from=1)
    for wrong in ("answers=a", "question=", "question=a,nothing=b", "question=a,gold_from=x"):
        with pytest.raises(InputError, match="--columns"):
            columns(wrong)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--systems", "nothing"], "Name systems"),
        (["--systems", "duquad,duquad"], "each once"),
        (["--workers", "2"], "--workers is for"),
        (["--pdfs", "/nowhere"], "no file"),
    ],
)
def test_bad_arguments(tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], said: str) -> None:
    assert evaluate(litm_file(tmp_path, 1), "--out", tmp_path / "out", *arguments) == 2
    assert said in capsys.readouterr().err


def test_bad_files_and_failing_models(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert evaluate(tmp_path / "nothing", "--out", tmp_path / "out") == 2
    assert "There is no file" in capsys.readouterr().err
    assert evaluate(litm_file(tmp_path, 1), "--out", tmp_path / "out", loader="no_weights") == 1
    assert "Run `make app` once more" in capsys.readouterr().err
    for wrong in ("0", "x"):
        with pytest.raises(SystemExit):
            evaluate(litm_file(tmp_path, 1), "--out", tmp_path / "out", "--limit", wrong)


def test_foreign_text_does_not_steer_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "set.jsonl"
    odd = row(0) | {"answers": ["\x1b[31m!"], "question": "Who\x1b]0;x\x07?"}
    source.write_text(json.dumps(odd) + "\n" + json.dumps(odd | {"ctxs": [{"title": "\x1b[2J"}]}) + "\n")
    assert evaluate(source, "--out", tmp_path / "out", "--systems", "vanilla") == 0
    shown = capsys.readouterr()
    assert not [char for char in shown.out + shown.err if not char.isprintable() and char != "\n"]


def test_ctrl_c_keeps_what_is_done(tmp_path: Path) -> None:
    source = litm_file(tmp_path, 3)
    script = f"import sys; from core.__main__ import main; sys.exit(main(sys.argv[1:], '{LOADERS}:sleepy'))"
    arguments = ["evaluate", str(source), "--out", str(tmp_path / "out"), "--systems", "vanilla"]
    asked = subprocess.Popen(
        [sys.executable, "-c", script, *arguments], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True
    )
    assert asked.stderr
    while "[0 of 3]" not in asked.stderr.readline():
        pass
    os.kill(asked.pid, signal.SIGINT)
    assert asked.wait(timeout=10) == 130
    told = asked.stderr.read()
    assert "the same command goes on" in told and told.splitlines()[-1] == "Stopped."
