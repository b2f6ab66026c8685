from __future__ import annotations

import json
from pathlib import Path

import pymupdf
import pytest

from core.__main__ import main
from core.records import RunRecord

LOADER = "tests.core.backend.loaders:plain"
QUESTION = "When did the Golden Gate bridge open?"


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("W_LENS_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def pdf(tmp_path: Path) -> Path:
    return write(tmp_path / "bridges.pdf")


def write(path: Path, **options: object) -> Path:
    with pymupdf.open() as document:
        for text in ("Bridges of the west coast.", "The Golden Gate bridge opened in 1937.", "Ferries sail at noon."):
            document.new_page().insert_text((72, 72), text)
        document.save(path, **options)
    return path


def read(pdf: Path, *more: str) -> int:
    return main(["read", "--pdf", str(pdf), "--question", QUESTION, *more], loader=LOADER)


def test_an_answer_what_it_cites_and_the_record(pdf: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "run.json"
    assert read(pdf, "--answer", "1937", "--gold-page", "2", "--top-k", "2", "--out", str(out)) == 0
    shown = capsys.readouterr()
    assert "Answer: 1937\nIt contains an accepted answer." in shown.out
    assert "found      Page 2: “The Golden Gate bridge opened in 1937.”" in shown.out
    assert "Page 2 [gold]: completely relevant, kept" in shown.out
    assert "Read page 3 of 3" in shown.err and "[100%] Done" in shown.err
    record = RunRecord.from_json(out.read_bytes())
    assert record.system == "sleuth" and record.source and record.source.name == "bridges.pdf"
    assert record.question.gold_pages == (1,) and record.settings.pdf.top_k == 2


def test_a_variant_of_the_papers_table(pdf: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert read(pdf, "--system", "sleuth_c") == 0
    shown = capsys.readouterr().out
    assert "not screened, dropped" in shown and "Difficulty" not in shown


def test_an_encrypted_file_wants_its_password(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    locked = write(tmp_path / "locked.pdf", encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw="gull", owner_pw="tern")
    assert read(locked) == 2
    assert "password" in capsys.readouterr().err
    assert read(locked, "--password", "gull") == 0


def test_bad_input(pdf: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = tmp_path / "notes.pdf"
    text.write_text("no PDF")
    for arguments, said in (
        ((text,), "PDF"),
        ((tmp_path / "nothing.pdf",), "No such file"),
        ((pdf, "--gold-page", "4"), "The gold page 4 does not exist; the PDF has 3."),
        ((pdf, "--top-k", "99"), "settings"),
        ((pdf, "--out", "/nowhere/run.json"), "/nowhere"),
    ):
        assert read(*map(str, arguments)) == 2  # type: ignore[arg-type]
        assert said in capsys.readouterr().err
    assert main(["read", "--pdf", str(pdf), "--question", " "], loader=LOADER) == 2
    assert "no question" in capsys.readouterr().err


def test_examples_are_recorded(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "pdfs"
    folder.mkdir()
    write(folder / "bridges.pdf")
    asked = {"question": QUESTION, "answers": ["1937"], "gold": [1]}
    listed = [{"name": "bridges.pdf", "title": "Bridges", "questions": [asked, asked]}]
    (folder / "examples.json").write_text(json.dumps(listed))
    samples = ["samples", "--assets", str(tmp_path), "--only", "pdfs"]
    assert main([*samples, "--example", "bridges-2"], loader=LOADER) == 0
    assert [path.name for path in (tmp_path / "pdf_runs").iterdir()] == ["bridges-2.json"]
    assert main(samples, loader=LOADER) == 0
    assert "right  bridges-1: 1937 (gold pages found 1, kept 1 of 1)" in capsys.readouterr().out
    record = RunRecord.from_json((tmp_path / "pdf_runs" / "bridges-1.json").read_bytes())
    assert record.run_id == "sample-bridges-1"
