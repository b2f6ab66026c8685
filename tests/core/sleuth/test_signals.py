"""The page agents that are read off signals, on scripted models: a page is as likely as it shares words."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.records import Page
from core.settings.pages import SIGNAL_AGENTS
from core.sleuth.passages import passages, running
from core.sleuth.prompts import NO_ANSWER
from core.sleuth.signals import EMPTY, _labelled
from tests.core.models.pages import layout
from tests.core.sleuth.case import PAGES, Case, ask

TABLE = layout(2, ("table", ["Bridge | Open since", "Golden Gate | 1937", "Bay | 1936"]))


def test_a_page_in_quotable_pieces() -> None:
    found = passages(TABLE)
    assert [(one.region, one.kind, one.content) for one in found] == [
        ("Table 1", "table", "Golden Gate | 1937"),
        ("Table 1", "table", "Bay | 1936"),
    ]
    assert found[0].scored == "Bridge Open since Golden Gate | 1937"
    text = layout(
        0, ("text", ["One line breaks here", "and ends. Another sentence stands there."]), ("text", ["4 Heads"])
    )
    assert [one.content for one in passages(text)] == [
        "One line breaks here and ends.", "Another sentence stands there.",
    ]  # fmt: skip
    bare = text.model_copy(update={"regions": ()})
    assert {one.region for one in passages(bare)} == {""} and len(passages(bare)) >= 2
    assert passages(layout(0)) == []
    many = layout(0, ("text", ["Another sentence stands here. " * 500]))
    assert len(passages(many)) == SIGNAL_AGENTS.passages


def test_labels_by_hand() -> None:
    best = 4.0 * float(np.exp(-SIGNAL_AGENTS.lift_of_related - 0.5))
    behind = best * float(np.exp(-SIGNAL_AGENTS.lead_of_related))
    nll = {0: best, 1: behind - 0.01, 2: behind + 0.01, EMPTY: 4.0}
    made = [_labelled(Page(page=page), nll, PAGES[1]) for page in (0, 1, 2)]
    assert [(page.label, page.kept, page.kept_by, page.label_kind) for page in made] == [
        ("CR", True, "label", "signals"), ("R", True, "label", "signals"), ("IR", False, "", "signals"),
    ]  # fmt: skip
    assert "with none 4.00" in made[2].rationale and "no table or figure" in made[2].rationale
    assert "no table or figure" not in _labelled(Page(page=0), nll, TABLE).rationale
    assert _labelled(Page(page=0), nll, layout(0)).label == "none"
    alone = {0: nll[0], EMPTY: 4.0}
    assert _labelled(Page(page=0), alone, PAGES[1]).label == "CR"
    weak = {0: 4.0 * float(np.exp(-SIGNAL_AGENTS.lift_of_related + 0.01)), EMPTY: 4.0}
    assert _labelled(Page(page=0), weak, PAGES[1]).label == "IR"  # no better than no page, though no rival is


def test_the_whole_way_reads_each_page_once(case: Case) -> None:
    _, record = case.run(agents="signals", duquad=True)
    assert record.settings.pdf.agents == "signals" and record.difficulty and record.difficulty.kind == "rule"
    labels = {page.page: page.label for page in record.pages or () if page.candidate}
    assert labels[1] in ("CR", "R") and record.signals and record.ranking
    assert record.counts and record.counts["page_prefills_per_page"] == 1.0
    assert [call.stage for call in record.calls].count("pages") == 3  # and no second pass for DuQUAD's view
    assert "likelihood" not in [call.stage for call in record.calls]
    best = next(clue for clue in record.clues or () if clue.page == 1)
    assert best.content == "The Golden Gate bridge did open in 1937." and best.placed == "exact" and best.boxes
    assert best.region == "Text 1" and "cosine" in best.rationale
    assert record.final and record.final.answer and not record.final.no_answer
    assert all(row.verified for row in record.citations or ())
    assert case.tasks() == []  # the reader is not asked


def test_no_likely_page_is_no_answer_and_asks_no_model(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    strict = replace(SIGNAL_AGENTS, lift_of_related=9.0)
    monkeypatch.setattr("core.sleuth.signals.SIGNAL_AGENTS", strict)
    _, record = case.run(agents="signals")
    assert record.final and record.final.no_answer and record.final.answer == NO_ANSWER and record.citations == ()
    assert "decision" not in [call.stage for call in record.calls]
    assert any("no model was asked" in text for text in record.warnings)
    _, after = case.run(request=ask(resume=record, put_back=(1,), duquad=False))
    assert after.final and not after.final.no_answer and "decision" in [call.stage for call in after.calls]
    assert after.settings.pdf.agents == "signals"


def test_an_answer_that_nothing_backs_is_replaced_by_the_closest_clue(
    case: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.models.scripted._made_up", lambda task: "in the year 1850")
    _, record = case.run(agents="signals")
    assert record.final and record.final.answer == "The Golden Gate bridge did open in 1937."
    assert record.final.raw == "in the year 1850"
    (cited,) = record.citations or ()
    assert cited.verified and cited.page == 1
    assert any("backs the model's answer (in the year 1850)" in text for text in record.warnings)


def test_running_heads_by_hand() -> None:
    head = ("text", ["Annual report of the bridge authority."])
    pages = [layout(i, head, ("text", [f"Page {i} says something else."])) for i in range(4)]
    assert running(pages) == {"Annual report of the bridge authority."}
    assert running([*pages[:2], layout(2), layout(3)]) == frozenset()  # on half of the pages
    assert running(pages[:1]) == frozenset() == running([])


def test_clues_alone(case: Case) -> None:
    _, record = case.run(agents="signals", screening=False, difficulty=False)
    assert not any(page.kept or page.label for page in record.pages or ())
    assert record.final and record.final.answer and record.counts and "page_prefills" not in record.counts


@pytest.mark.parametrize(
    ("question", "level"),
    [("When did it open?", 0), ("How many cars passed in total?", 1), ("Which bridge is the longest?", 1),
     ("Is it longer than the Bay bridge?", 1), ("What is the average height?", 1)],
)  # fmt: skip
def test_the_rule_of_difficulty(case: Case, question: str, level: int) -> None:
    request = ask(agents="signals", duquad=False)
    asked = request.question.model_copy(update={"text": question})
    _, record = case.run(request=request.model_copy(update={"question": asked}))
    assert record.difficulty and record.difficulty.level == level
    assert bool(record.difficulty.instructions) == bool(level)
