from __future__ import annotations

from collections import Counter
from pathlib import Path

import pymupdf
import pytest

from core.ingest.pdf_regions import Part, in_reading_order, joined
from core.ingest.pdf_shapes import Turn, clusters
from core.ingest.pdf_tables import aligned
from core.ingest.pdf_text import PageWord, is_garbage
from core.page_record import PageLayout
from tests.core.ingest.pdf_files import holds, read


def line(text: str, number: int, left: float = 0, top: float = 0, step: float = 10) -> list[PageWord]:
    """Words of one line, each as wide as ``step``; a soft hyphen at the end is taken off, as reading does."""
    return [
        PageWord(
            word.strip("\u00ad"),
            (left + i * step, top, left + (i + 0.9) * step, top + 8),
            0,
            number,
            word[-1] == "\u00ad",
        )
        for i, word in enumerate(text.split())
    ]


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        (["one two three", "four five six", "seven"], "one two three four five six seven"),
        (["one two three", "four", "five six seven"], "one two three four\nfive six seven"),
        (["an exam\u00ad", "ple here"], "an example here"),
        (["the exam-", "ple of an example"], "the example of an example"),
        (["a long-", "term plan"], "a long-term plan"),
        (["pages 3-", "5 and"], "pages 3- 5 and"),
    ],
)
def test_lines_run_on_and_broken_words_are_mended(lines: list[str], text: str) -> None:
    words = [word for number, said in enumerate(lines) for word in line(said, number)]
    assert joined(words, Counter(word.text.lower() for word in words)) == text


def part(name: str, left: float, top: float, right: float, bottom: float) -> Part:
    return Part("text", (left, top, right, bottom), name)


def test_columns_are_read_one_after_the_other_between_what_spans_both() -> None:
    parts = [
        part("foot", 200, 760, 210, 770),
        part("right 1", 210, 120, 400, 300),
        part("left 1", 0, 120, 190, 200),
        part("below", 0, 520, 400, 600),
        part("left 2", 0, 220, 190, 500),
        part("title", 0, 60, 400, 100),
        part("right 2", 210, 320, 400, 500),
        part("running", 0, 10, 120, 20),
    ]
    order = [one.text for one in in_reading_order(parts, 800)]
    assert order == ["running", "title", "left 1", "left 2", "right 1", "right 2", "below", "foot"]


def test_words_in_columns_are_a_table_and_columns_of_prose_are_not() -> None:
    rows = [["Kind", "2021", "2022"], ["Ferries", "12", "14"], ["Boats", "9", ""], ["Yachts", "3", "8"]]
    words = [
        PageWord(text, (100.0 * column, 12.0 * row, 100.0 * column + 30, 12.0 * row + 10), row, 0)
        for row, cells in enumerate(rows)
        for column, text in enumerate(cells)
        if text
    ]
    (table,) = aligned(words)
    assert table.text == "Kind | 2021 | 2022\nFerries | 12 | 14\nBoats | 9 | \nYachts | 3 | 8"
    assert [(cell.row, cell.column) for cell in table.cells] == [(r, c) for r in range(4) for c in range(3)]
    assert aligned(words[:6]) == []
    prose = [
        word for row in range(6) for column in range(3) for word in line("a b c d e f", row, 80 * column, 12 * row)
    ]
    assert aligned(prose) == []


def test_garbage_is_told_from_words_by_letters_and_vowels() -> None:
    def words(text: str) -> list[PageWord]:
        return [word for number, said in enumerate(text.splitlines()) for word in line(said, number)]

    english = "the quick brown foxes jumped over seven lazy dogs while wizards quietly judged strength\n" * 4
    assert not is_garbage(words(english)) and not is_garbage([])
    assert is_garbage(words("".join(chr(ord(c) + 3) if c.isalpha() else c for c in english)))
    assert is_garbage(words("\ufffd\ufffd\ufffd ok \ue001\ue002"))
    assert not is_garbage(words("1,234.5 99 % 17-B " * 30))
    assert not is_garbage(words("asn1_bit_der asn1_get_length_der asn1_write_value HTTP response " * 10))
    assert not is_garbage(words("съешь ещё этих мягких французских булок 私はガラスを食べられます " * 10))


@pytest.mark.parametrize(
    ("rotation", "expected"), [(0, (1, 2, 3, 5)), (90, (5, 1, 8, 3)), (180, (17, 5, 19, 8)), (270, (2, 7, 5, 9))]
)
def test_boxes_are_turned_with_the_page(rotation: int, expected: tuple[float, ...]) -> None:
    frame = (0.0, 0.0, 20.0, 10.0) if rotation in (0, 180) else (0.0, 0.0, 10.0, 10.0)
    assert Turn(rotation, frame)((1, 2, 3, 5)) == expected


def test_drawings_that_stand_together_are_one() -> None:
    boxes = [(10.0 * n, 10.0, 10.0 * n + 9, 60.0) for n in range(5)] + [(500.0, 500.0, 520.0, 520.0)]
    found = sorted(clusters(boxes, (0, 0, 640, 640)))
    assert found == [((0.0, 10.0, 49.0, 60.0), 5), ((500.0, 500.0, 520.0, 520.0), 1)]
    assert clusters([(1, 1, 2, 2)] * 100_000, (0, 0, 640, 640)) == [((1, 1, 2, 2), 100_000)]


def tabled() -> pymupdf.Document:
    """The same ruled table on four pages, upright in each rotation."""
    document = pymupdf.open()
    for rotation in (0, 90, 180, 270):
        plain = pymupdf.open()
        page = plain.new_page(width=300, height=300)
        for i in range(4):
            page.draw_line((40, 60 + 30 * i), (220, 60 + 30 * i))
            page.draw_line((40 + 60 * i, 60), (40 + 60 * i, 150))
        for row in range(3):
            for column in range(3):
                page.insert_text((46 + 60 * column, 80 + 30 * row), f"r{row}c{column}", fontsize=11)
        page.insert_text((40, 170), "Table 1: Rows and columns", fontsize=9)
        for i in range(6):
            page.draw_rect((40 + 30 * i, 280 - 12 * i, 60 + 30 * i, 280), fill=(0.2, 0.4, 0.6))
        shown = document.new_page(width=300, height=300)
        shown.show_pdf_page(shown.rect, plain, 0, rotate=rotation)
        shown.set_rotation(rotation)
    return document


@pytest.fixture(scope="module")
def ruled(tmp_path_factory: pytest.TempPathFactory) -> list[PageLayout]:
    return read(tabled(), tmp_path_factory.mktemp("ruled"))[2]


@pytest.mark.parametrize("page", range(4))
def test_a_ruled_table_has_rows_cells_and_a_caption_in_every_rotation(ruled: list[PageLayout], page: int) -> None:
    layout = ruled[page]
    (table,) = [region for region in layout.regions if region.kind == "table"]
    (caption,) = [region for region in layout.regions if region.kind == "caption"]
    (figure,) = [region for region in layout.regions if region.kind == "figure"]
    assert table.text.splitlines()[1] == "r1c0 | r1c1 | r1c2"
    words = {word.text: word.box for word in layout.words}
    assert len(table.cells) == 9
    for cell in table.cells:
        assert cell.text == f"r{cell.row}c{cell.column}" and holds(cell.box, words[cell.text], slack=0.02)
    assert caption.text == "Table 1: Rows and columns" and figure.box[1] > 0.6


def test_the_text_of_a_page_is_its_regions_in_order(ruled: list[PageLayout], tmp_path: Path) -> None:
    layout = ruled[0]
    assert layout.text == "\n\n".join(region.text for region in layout.regions if region.text)
    assert layout.text.index("r2c2") < layout.text.index("Table 1")
