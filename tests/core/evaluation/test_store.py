from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

import core.evaluation.store
from core.evaluation.numbers import NUMBERS_FILE, Numbers
from core.evaluation.record import ResultRow
from core.evaluation.store import RESULTS_FILE, Manifest, SetStore, record_name
from core.runs import StorageError
from core.settings.methods import RunSettings

MANIFEST = Manifest(
    name="set.jsonl",
    fingerprint="f" * 64,
    format="musique",
    profile="embedded",
    systems=("duquad", "vanilla"),
    settings=RunSettings(),
    questions=3,
)


def row(id: str, system: str = "vanilla", number: int = 0, error: str = "") -> ResultRow:
    record = "" if error else record_name(number, system)
    return ResultRow(id=id, place="line 1", system=system, question="q", record=record, error=error)


def line(id: str, system: str = "vanilla") -> str:
    return Numbers(id=id, system=system, documents=0).model_dump_json(exclude_none=True) + "\n"


@pytest.fixture
def store(tmp_path: Path) -> SetStore:
    store = SetStore(tmp_path / "out")
    with store.opened(MANIFEST):
        store.write(row("a"), "{}", line("a"))
        store.write(row("b", number=1), "{}", line("b"))
    return store


def reopened(store: SetStore) -> list[str]:
    with store.opened(MANIFEST):
        return [row.id for row in store.rows()]


def test_a_torn_last_line_is_removed_and_what_follows_is_whole(store: SetStore) -> None:
    path = store.folder / RESULTS_FILE
    whole = path.read_bytes()
    for cut in (1, 10, len(whole.splitlines()[1])):
        path.write_bytes(whole[:-cut])
        assert [row.id for row in store.rows()] == ["a"]
        assert reopened(store) == ["a"]
        store.write(row("b", number=1), "{}", line("b"))
        assert path.read_bytes() == whole


def test_a_torn_line_of_numbers_is_removed(store: SetStore) -> None:
    path = store.folder / NUMBERS_FILE
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"id": "c", "sys')
    reopened(store)
    assert path.read_bytes() == whole


def test_doubled_lines_and_lines_without_their_record_are_removed(store: SetStore) -> None:
    path = store.folder / RESULTS_FILE
    path.write_bytes(path.read_bytes() * 2 + b"\x00\xff\n{}\n")
    assert reopened(store) == ["a", "b"]
    (store.folder / record_name(1, "vanilla")).unlink()
    assert reopened(store) == ["a"]


def test_a_file_that_was_being_written_is_removed(store: SetStore) -> None:
    half = store.folder / "records" / ".000002-vanilla.json.0badcafe"
    half.write_text("{")
    reopened(store)
    assert not half.exists()


def test_lines_are_put_in_the_order_of_the_set(store: SetStore) -> None:
    store.write(row("c", "duquad", 2, error="no"))
    store.write(row("a", "duquad"), "{}", line("a", "duquad"))
    store.write(row("a", "duquad"), "{}", line("a", "duquad"))
    store.arrange({"c": 0, "a": 1, "b": 2}, ("vanilla", "duquad"))
    assert [(row.id, row.system) for row in store.rows()][:3] == [("c", "duquad"), ("a", "vanilla"), ("a", "duquad")]
    numbers = (store.folder / NUMBERS_FILE).read_text().splitlines()
    assert [Numbers.model_validate_json(text).id for text in numbers] == ["a", "a", "b"]


def test_errors_are_forgotten_on_request(store: SetStore) -> None:
    store.write(row("c", error="no"))
    store.drop_errors()
    assert [row.id for row in store.rows()] == ["a", "b"]


def test_a_full_disk_is_told_and_no_half_line_is_taken_for_an_answer(
    store: SetStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, data: bytes) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(core.evaluation.store, "write_whole", full)
    with pytest.raises(StorageError, match=f"{store.folder}: No space left"):
        store.write(row("c", number=2), "{}", line("c"))
    monkeypatch.undo()
    assert [row.id for row in store.rows()] == ["a", "b"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(StorageError, match="cannot be written"), SetStore(tmp_path / "out").opened(MANIFEST):
        pass


def test_a_new_folder_has_no_manifest_and_no_rows(tmp_path: Path) -> None:
    store = SetStore(tmp_path / "new")
    assert store.manifest() is None and store.rows() == []
    with pytest.raises(StorageError, match="cannot be written"):
        (tmp_path / "file").write_text("")
        with SetStore(tmp_path / "file" / "out").opened(MANIFEST):
            pass
