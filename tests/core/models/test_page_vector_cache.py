from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from core.models import page_vector_cache
from core.models.page_protocol import PageVectors, PageView
from core.models.page_vector_cache import PageVectorCache
from core.models.protocol import Cancelled, Stop
from core.models.scripted_pages import ScriptedPageEncoder
from core.page_record import PageLayout, Word


def view(text: str, page: int = 0, picture: Path | None = None) -> PageView:
    words = tuple(Word(text=word, box=(0, 0, 1, 1)) for word in text.split())
    return PageView(PageLayout(page=page, width=10, height=10, pixels=(10, 10), words=words), picture)


def go() -> None:
    """Never stops."""


class SeeingEncoder(ScriptedPageEncoder):
    """Encodes a picture as the number of its bytes."""

    sees = "image"
    key = "seeing"

    def encode_pages(self, pages: Sequence[PageView], stop: Stop) -> tuple[list[PageVectors], int]:
        self._took("encode_pages", len(pages), stop)
        sizes = [len(page.picture.read_bytes()) if page.picture else 0 for page in pages]
        patch = np.array([1, 0, -1], dtype=np.int32)
        return [PageVectors(np.full((3, 4), n, np.float32), grid=(1, 2), patch=patch) for n in sizes], 3 * len(pages)


def test_a_page_is_encoded_once_wherever_it_stands(tmp_path: Path) -> None:
    encoder = ScriptedPageEncoder()
    pages = [view(f"page number {i % 20}", i) for i in range(21)]
    first = list(PageVectorCache(tmp_path, encoder).encoded(pages, go))
    # The last page repeats the first; pages go in groups of eight, so it is found on disk.
    assert [item.cached for item in first] == [False] * 20 + [True]
    assert sum(item.tokens for item in first) == 60
    again = list(PageVectorCache(tmp_path, encoder).encoded(reversed(pages), go))
    assert all(item.cached for item in again) and len([c for c in encoder.calls if c[0] == "encode_pages"]) == 20
    for one, other in zip(first, reversed(again), strict=True):
        assert one.view is other.view
        assert np.array_equal(one.vectors.vectors, other.vectors.vectors)
        assert np.array_equal(one.vectors.words, other.vectors.words)  # type: ignore[arg-type]


def test_all_parts_come_back_from_the_disk(tmp_path: Path) -> None:
    picture = tmp_path / "page.png"
    picture.write_bytes(b"1234")
    cache = PageVectorCache(tmp_path, SeeingEncoder())
    fresh, known = (next(cache.encoded([view("", picture=picture)], go)) for _ in range(2))
    assert (fresh.cached, known.cached) == (False, True)
    assert known.vectors.grid == (1, 2) and known.vectors.patch is not None and known.vectors.words is None
    assert known.vectors.patch.tolist() == [1, 0, -1] and known.vectors.vectors.tolist() == [[4.0] * 4] * 3


def test_another_picture_or_encoder_is_another_page(tmp_path: Path) -> None:
    picture, encoder = tmp_path / "page.png", SeeingEncoder()
    for content in (b"1", b"22"):
        picture.write_bytes(content)
        item = next(PageVectorCache(tmp_path, encoder).encoded([view("", picture=picture)], go))
        assert not item.cached and item.vectors.vectors[0, 0] == len(content)
    encoder.key = "another"
    assert not next(PageVectorCache(tmp_path, encoder).encoded([view("", picture=picture)], go)).cached


@pytest.mark.parametrize("damage", [b"", b"PK\x03\x04 no archive", None])
def test_a_damaged_file_is_encoded_again(tmp_path: Path, damage: bytes | None) -> None:
    encoder = ScriptedPageEncoder()
    next(PageVectorCache(tmp_path, encoder).encoded([view("a river")], go))
    (file,) = (tmp_path / "page-vectors").rglob("*.npz")
    if damage is None:  # a file of another shape
        with file.open("wb") as out:
            np.savez(out, vectors=np.zeros((3, 4)), words=np.zeros(2))
    else:
        file.write_bytes(damage)
    cache = PageVectorCache(tmp_path, encoder)
    assert not next(iter(list(cache.encoded([view("a river")], go)))).cached
    assert next(cache.encoded([view("a river")], go)).cached


def test_a_folder_that_cannot_be_written_costs_only_time(tmp_path: Path) -> None:
    (tmp_path / "page-vectors").write_text("a file where the folder should be")
    cache = PageVectorCache(tmp_path, ScriptedPageEncoder())
    for _ in range(2):
        (item,) = cache.encoded([view("a river")], go)
        assert not item.cached and len(item.vectors.vectors) == 2


def test_what_was_not_used_for_longest_is_deleted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    encoder = ScriptedPageEncoder()
    cache = PageVectorCache(tmp_path, encoder)
    list(cache.encoded([view("first")], go))
    size = sum(file.stat().st_size for file in (tmp_path / "page-vectors").rglob("*.npz"))
    monkeypatch.setattr(page_vector_cache, "PAGE_VECTORS_BYTES", 2 * size + size // 2)
    for text in ("second", "first", "third"):
        time.sleep(0.02)  # file times are no finer than some milliseconds
        list(cache.encoded([view(text)], go))
    left = [next(cache.encoded([view(text)], go)).cached for text in ("first", "third", "second")]
    assert left == [True, True, False]


def test_a_cancel_takes_effect_between_groups(tmp_path: Path) -> None:
    looks = 0

    def stop() -> None:
        nonlocal looks
        looks += 1
        if looks > 12:
            raise Cancelled

    encoder = ScriptedPageEncoder()
    with pytest.raises(Cancelled):
        list(PageVectorCache(tmp_path, encoder).encoded([view(str(i)) for i in range(40)], stop))
    assert len([call for call in encoder.calls if call[0] == "encode_pages"]) < 20
