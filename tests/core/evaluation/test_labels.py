from __future__ import annotations

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from core.evaluation.labels import LABELS_FILE, LabelStore, wrong_answers
from core.evaluation.labels_record import Label, LabelError
from core.evaluation.table import open_table
from core.settings.evaluation import FAILURE_TYPES, OWN_FAILURE_TYPES
from tests.core.evaluation.handmade import row, write

QUEUE = [("q0", "duquad"), ("q1", "duquad"), ("q2", "duquad")]


@pytest.fixture
def store(tmp_path: Path) -> LabelStore:
    return LabelStore(tmp_path)


def label(number: int = 0, reviewer: str = "Ada", verdict: str = "wrong", **fields: str) -> Label:
    base = {"question": f"q{number}", "system": "duquad", "reviewer": reviewer, "verdict": verdict}
    return Label.model_validate({**base, **fields})


def test_a_label_is_kept_and_a_correction_keeps_both(store: LabelStore) -> None:
    first = store.save(label(failure="made up", corrected="Lassell", note="line 1\nline 2"))
    second = store.save(label(verdict="right"))
    assert store.history(("q0", "duquad")) == (first, second)
    assert store.current() == {("q0", "duquad"): (second,)}
    assert (first.note, first.corrected, second.number) == ("line 1\nline 2", "Lassell", first.number + 1)
    assert LabelStore(store.path.parent).history(("q0", "duquad")) == (first, second)  # read again from disk


def test_saving_the_same_twice_keeps_it_once(store: LabelStore) -> None:
    assert store.save(label()) == store.save(label())
    assert len(store.history(("q0", "duquad"))) == 1
    store.save(label(verdict="right"))
    store.save(label())  # back to what it was is a change
    assert len(store.history(("q0", "duquad"))) == 3


def test_history_cannot_be_changed(store: LabelStore) -> None:
    store.save(label())
    with sqlite3.connect(store.path) as file:
        for statement in ("UPDATE labels SET verdict = 'right'", "DELETE FROM labels"):
            with pytest.raises(sqlite3.DatabaseError, match="labels stay"):
                file.execute(statement)


def test_before_the_first_label_nothing_is_written(store: LabelStore) -> None:
    assert store.current() == {} and store.history(("q0", "duquad")) == () and store.agreement() == ()
    assert set(FAILURE_TYPES) < set(store.failure_types()) and "pruned" in store.failure_types()
    assert not store.path.exists()


@pytest.mark.parametrize(
    "fields",
    [
        {"reviewer": " \n"},
        {"reviewer": "x" * 81},
        {"verdict": "perhaps"},
        {"note": "x" * 4001},
        {"corrected": "x" * 1001},
        {"failure": "x" * 81},
        {"question": ""},
    ],
)
def test_the_form_bounds_what_it_takes(fields: dict[str, str]) -> None:
    with pytest.raises(ValueError):
        label(**fields)


def test_foreign_text_is_kept_as_text(store: LabelStore) -> None:
    hostile = "'); DROP TABLE labels;-- <img onerror=x>"
    saved = store.save(label(reviewer=" Ada\x00\x1b\nLovelace ", note=hostile))
    assert saved.reviewer == "Ada Lovelace" and store.history(("q0", "duquad"))[0].note == hostile


def test_two_reviewers_never_hold_the_same_row(store: LabelStore) -> None:
    assert store.take("Ada", QUEUE) == QUEUE[0] and store.take("Bob", QUEUE) == QUEUE[1]
    assert store.take("Ada", QUEUE) == QUEUE[0]  # a reload gives the same row
    assert store.take("Cleo", QUEUE) == QUEUE[2] and store.take("Dan", QUEUE) is None
    store.save(label(0))
    assert store.take("Ada", QUEUE) is None  # the others still hold theirs
    store.give_back("Bob")
    assert store.take("Ada", QUEUE) == QUEUE[1]


def test_a_lease_that_ran_out_goes_to_the_next_and_no_label_is_lost(store: LabelStore) -> None:
    assert store.take("Ada", QUEUE[:1], lease=-1) == QUEUE[0]
    assert store.take("Bob", QUEUE[:1]) == QUEUE[0]
    store.save(label(0, "Ada"))
    store.save(label(0, "Bob", "right"))
    assert [saved.reviewer for saved in store.current()[QUEUE[0]]] == ["Ada", "Bob"]


def test_a_second_opinion_is_somebody_elses(store: LabelStore) -> None:
    store.save(label(0, "Ada"))
    assert store.take("Ada", QUEUE[:1], opinions=2) is None
    assert store.take("Bob", QUEUE[:1], opinions=2) == QUEUE[0]
    assert store.take("Cleo", QUEUE[:1], opinions=2) is None  # Ada's label and Bob's lease are two
    store.save(label(0, "Bob"))
    assert store.take("Cleo", QUEUE[:1], opinions=2) is None


def test_the_queue_needs_a_name(store: LabelStore) -> None:
    with pytest.raises(LabelError, match="who you are"):
        store.take("  ", QUEUE)


def test_two_processes_label_every_row_once(tmp_path: Path) -> None:
    """Both begin at the same moment on a file that does not exist yet."""
    count = 40
    command = [sys.executable, "-m", "tests.core.evaluation.labelling", str(tmp_path)]
    reviewers = [
        subprocess.Popen([*command, name, str(count)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for name in ("Ada", "Bob")
    ]
    for process in reviewers:
        assert process.stdout and process.stdout.readline() == "ready\n"
    for process in reviewers:
        assert process.stdin
        process.stdin.write("\n")
        process.stdin.flush()
    done = [process.communicate(timeout=60)[0].split() for process in reviewers]
    assert all(process.returncode == 0 for process in reviewers)
    everything = [f"q{i}" for i in range(count)]
    assert sorted(done[0] + done[1]) == sorted(everything)
    current = LabelStore(tmp_path).current()
    assert sorted(answer[0] for answer in current) == sorted(everything)
    assert all(len(labels) == 1 for labels in current.values())


def test_agreement_of_reviewers_by_hand(store: LabelStore) -> None:
    for number, (ada, bob) in enumerate(
        [("wrong", "wrong"), ("right", "right"), ("wrong", "right"), ("right", "right")]
    ):
        store.save(label(number, "Ada", ada))
        store.save(label(number, "Bob", bob))
    store.save(label(9, "Ada"))
    (found,) = store.agreement()
    assert (found.first, found.second, found.answers, found.same_verdict) == ("Ada", "Bob", 4, 0.75)
    # Chance: 2/4·1/4 + 2/4·3/4 = 1/2; kappa = (3/4 − 1/2) / (1/2).
    assert found.kappa_verdict == pytest.approx(0.5) and found.kappa_failure is None


def test_a_set_may_have_failure_types_of_its_own(store: LabelStore) -> None:
    before = store.failure_types()
    assert store.add_failure_type(" table misread ") == (*before, "table misread")
    assert store.add_failure_type("table misread") == store.add_failure_type(before[0]) == store.failure_types()
    for number in range(OWN_FAILURE_TYPES - 1):
        store.add_failure_type(f"type {number}")
    with pytest.raises(LabelError, match="at most"):
        store.add_failure_type("one more")
    with pytest.raises(LabelError, match="characters"):
        store.add_failure_type("")


def test_labels_for_the_filters(store: LabelStore) -> None:
    store.save(label(0, "Ada", failure="made up"))
    store.save(label(0, "Bob", "right"))
    assert store.labelled().said == {("q0", "duquad"): {"wrong", "made up", "right"}}


def test_files_that_cannot_be_used_say_so(tmp_path: Path) -> None:
    with pytest.raises(LabelError, match="Nothing was saved"):
        LabelStore(tmp_path / "nowhere").save(label())
    (tmp_path / LABELS_FILE).write_bytes(b"no database at all, " * 100)
    with pytest.raises(LabelError, match=LABELS_FILE):
        LabelStore(tmp_path).current()


def test_a_foreign_labels_file_says_so(store: LabelStore) -> None:
    store.save(label())
    with sqlite3.connect(store.path) as file:
        file.execute(
            "INSERT INTO labels (question, system, reviewer, verdict, failure, corrected, note, saved) "
            "VALUES ('q1', 'duquad', 'Eve', 'excellent', '', '', '', '2026')"
        )
    with pytest.raises(LabelError, match="not written by this version"):
        store.current()


def test_the_queue_is_made_of_wrong_answers(tmp_path: Path) -> None:
    rows = [row(0, right=True), row(1, right=False), row(1, "vanilla", right=False), row(2, right=None, error="x")]
    table = open_table(write(tmp_path / "set", rows))
    assert wrong_answers(table) == (("q1", "duquad"), ("q1", "vanilla"))
    assert wrong_answers(table, "vanilla") == (("q1", "vanilla"),)
