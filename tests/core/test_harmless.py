from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.harmless import cell_text, csv_text, is_hidden, plain, visible


def test_hidden_characters_are_shown_and_line_breaks_stay() -> None:
    assert visible("a\u202eb\n\tc\x00\x7f\u200b") == "a⟨U+202E⟩b\n\tc␀␡⟨U+200B⟩"
    assert plain(" a\n b\u2066c ") == "a b⟨U+2066⟩c"


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "＝", "＠", "  ="])
def test_a_spreadsheet_runs_neither_cells_nor_headers(start: str) -> None:
    (header, cell) = csv.reader(io.StringIO(csv_text([f"{start}1"], [[f"{start}1"]]), newline=""))
    assert header[0].startswith("'") and cell[0].startswith("'")


def test_numbers_stay_numbers() -> None:
    assert [cell_text(cell) for cell in (-1.5, 3, None, True, "a-b")] == ["-1.5", "3", "", "True", "a-b"]


@given(st.text())
def test_nothing_hidden_is_left(text: str) -> None:
    assert not any(map(is_hidden, plain(text)))
