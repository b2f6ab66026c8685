from __future__ import annotations

import os
from pathlib import Path

import pytest

from core.ingest.page_store import PageStore
from core.records import Document, Event, PdfRef, Question, Request
from core.retention import Retention, expire, shrink
from core.runs import RunStore
from core.settings.limits import CLOCK_JUMP, PAGE_STORE_BYTES, PAGES_IN_USE

DAY = 86_400.0
NOW = 100 * DAY
REQUEST = Request(question=Question(text="Who?"), documents=(Document(id="1", title="", text="Them."),))


@pytest.fixture
def store(tmp_path: Path) -> RunStore:
    return RunStore(tmp_path / "runs")


def run(store: RunStore, days_old: float, over: bool = True) -> str:
    run_id = store.create(REQUEST)
    if over:
        store.append(run_id, Event(kind="done"))
    aged(store.root / run_id, days_old)
    return run_id


def aged(folder: Path, days_old: float) -> None:
    os.utime(folder, (NOW - days_old * DAY, NOW - days_old * DAY))


def test_what_is_too_old_goes_and_the_rest_stays(store: RunStore, tmp_path: Path) -> None:
    old, young = run(store, 31), run(store, 29)
    for root in (store.root / "sets", tmp_path / "pages"):
        for name, days in (("old", 31), ("young", 1)):
            (root / name).mkdir(parents=True)
            aged(root / name, days)
    assert sorted(expire(store, tmp_path, 30 * DAY, NOW)) == sorted([old, "old", "old"])
    assert (store.root / young / "request.json").exists()
    assert {path.name for path in (store.root / "sets").iterdir()} == {"young"}
    assert {path.name for path in (tmp_path / "pages").iterdir()} == {"young"}


def test_the_oldest_above_the_number_go(store: RunStore, tmp_path: Path) -> None:
    ids = [run(store, days) for days in (1, 3, 2)]
    assert expire(store, tmp_path, 30 * DAY, NOW, most=2) == [ids[1]]


def test_a_run_that_goes_on_stays(store: RunStore, tmp_path: Path) -> None:
    run(store, 40, over=False)
    assert expire(store, tmp_path, 30 * DAY, NOW) == []


def test_links_and_files_are_left_alone(store: RunStore, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    store.root.mkdir()
    (store.root / "link").symlink_to(outside)
    (store.root / "note.txt").write_text("")
    aged(outside, 99)
    assert expire(store, tmp_path / "none", 30 * DAY, NOW) == []
    assert outside.exists()


@pytest.mark.parametrize(("jump", "kept"), [(0.0, False), (CLOCK_JUMP + 1, True), (-CLOCK_JUMP - 1, True)])
def test_nothing_goes_after_the_clock_has_jumped(store: RunStore, tmp_path: Path, jump: float, kept: bool) -> None:
    wall, running = [NOW], [5.0]
    retention = Retention(store, tmp_path, 30 * DAY, lambda: wall[0], lambda: running[0])
    old = run(store, 40)
    running[0] += 60
    wall[0] += 60 + jump
    assert bool(retention.look()) is not kept
    assert (store.root / old).exists() is kept


def pdf(cache: Path, digit: str, hours_old: float, size: int = 100) -> str:
    sha = digit * 64
    drawn = PageStore(cache).folder(sha) / "2-144"
    drawn.mkdir(parents=True)
    (drawn / "0001.png").write_bytes(b"x" * size)
    aged(drawn.parent, hours_old / 24)
    return sha


def test_the_pdfs_unused_for_longest_go_until_the_rest_fits(store: RunStore, tmp_path: Path) -> None:
    old, older, young = pdf(tmp_path, "a", 5), pdf(tmp_path, "b", 9), pdf(tmp_path, "c", 2)
    assert shrink(store, tmp_path, NOW, most_bytes=300) == []
    assert shrink(store, tmp_path, NOW, most_bytes=200) == [older]
    assert shrink(store, tmp_path, NOW, most_bytes=199) == [old]
    assert [path.name for path in (tmp_path / "pages").iterdir()] == [young]


def test_a_pdf_that_is_used_again_is_young(store: RunStore, tmp_path: Path) -> None:
    again, other = pdf(tmp_path, "a", 9), pdf(tmp_path, "b", 5)
    PageStore(tmp_path).used(again)
    assert shrink(store, tmp_path, NOW, most_bytes=100) == [other]


def test_a_pdf_of_a_run_in_work_stays(store: RunStore, tmp_path: Path) -> None:
    read, asked, other = pdf(tmp_path, "a", 9), pdf(tmp_path, "b", 8), pdf(tmp_path, "c", 7)
    for sha, over in ((read, False), (asked, True)):
        request = Request(system="sleuth", question=Question(text="Who?"), pdf=PdfRef(sha256=sha, name="a.pdf"))
        run_id = store.create(request)
        if over:
            store.append(run_id, Event(kind="done"))
    assert shrink(store, tmp_path, NOW, most_bytes=0) == [asked, other]


@pytest.mark.parametrize(("beyond", "stays"), [(-1.0, True), (1.0, False)])
def test_a_pdf_that_was_just_used_stays(store: RunStore, tmp_path: Path, beyond: float, stays: bool) -> None:
    sha = pdf(tmp_path, "a", (PAGES_IN_USE + beyond) / 3600)
    assert shrink(store, tmp_path, NOW, most_bytes=0) == ([] if stays else [sha])


def test_where_nothing_is_too_old_the_size_is_bounded_all_the_same(
    store: RunStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sha, old = pdf(tmp_path, "a", 48), run(store, 4000)
    monkeypatch.setattr("core.retention._bytes", lambda path: PAGE_STORE_BYTES + 1)
    assert Retention(store, tmp_path, None, lambda: NOW, lambda: NOW).look() == [sha]
    assert (store.root / old).exists()
