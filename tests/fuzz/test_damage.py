"""A seeded share of the damaged files; ``python -m tests.fuzz`` tries them by the hundred."""

from __future__ import annotations

import pytest

from tests.fuzz import trial
from tests.fuzz.damage import damaged, pdf_files, question_files, records


@pytest.mark.parametrize(("done", "data"), list(damaged(question_files(), 24, seed=11)))
def test_a_damaged_question_file_is_read_or_refused_with_a_word(done: str, data: bytes) -> None:
    assert trial.questions(data).startswith(("read", "refused"))


@pytest.mark.parametrize(("done", "data"), list(damaged(pdf_files(), 4, seed=11)))
def test_a_damaged_pdf_is_read_or_refused_with_a_word(done: str, data: bytes) -> None:
    assert trial.pdf(data).startswith(("read", "refused"))


def test_damaged_records_are_opened_or_refused_with_a_word() -> None:
    ends = {trial.record(data) for _, data in damaged(records(), 40, seed=11)}
    assert ends <= {"read", "refused"} and "refused" in ends


def test_whole_files_are_read() -> None:
    assert trial.pdf(pdf_files()[2]) == "read"
    assert {trial.questions(data).split(",")[0] for data in question_files()} == {"read"}
