"""SLEUTH's flow on scripted models: which calls, over which pages, and what becomes of each odd reply."""

from __future__ import annotations

import pytest

from core.backend.jobs import Pace
from core.ingest.lines import InputError
from core.models.protocol import Cancelled, ModelError
from core.records import RunRecord
from core.sleuth.disagreement import disagreements
from core.sleuth.prompts import NO_ANSWER
from tests.core.sleuth.case import QUESTION, Case, ask, clue, decided, label, level, pages_of, stop_after, text_of

FOUND = clue("The Golden Gate bridge did open in 1937.")
ROW = clue("Golden Gate | 1937", confidence="medium")
CR, R, IR = label("Completely Relevant"), label("Relevant"), label("Irrelevant")
GOOD = [FOUND, CR, ROW, R, clue(), IR, level(0), decided("1937", (2, "bridge did open in 1937"))]


def test_the_whole_way(case: Case) -> None:
    steps, record = case.run(GOOD)
    assert [page.page for page in record.pages or () if page.candidate] == [1, 2, 3]
    assert [(d.page, d.title, d.gold) for d in record.documents] == [
        (1, "Page 2 (printed ii)", True), (2, "Page 3", False), (3, "Page 4", False),
    ]  # fmt: skip
    assert record.question.gold == (0,) and record.source and record.source.name == "bridges.pdf"
    assert [(p.label, p.kept, p.kept_by) for p in (record.pages or ())[1:4]] == [
        ("CR", True, "label"), ("R", True, "label"), ("IR", False, ""),
    ]  # fmt: skip
    assert [(c.page, c.placed, c.confidence) for c in record.clues or ()] == [
        (1, "exact", "high"),
        (2, "exact", "medium"),
    ]
    assert record.difficulty and (record.difficulty.level, record.difficulty.probability) == (0, pytest.approx(0.25))
    assert record.final and (record.final.answer, record.final.no_answer) == ("1937", False)
    (cited,) = record.citations or ()
    assert (cited.page, cited.verified, cited.placed) == (1, True, "exact") and cited.boxes
    assert record.similarity and {one.page for one in record.similarity.pages} == {1, 2, 3}
    assert (
        record.models["reader"] == "scripted-reader"
        and record.models["reader_sees"] == "image"
        and record.settings.pdf.agents == "spoken"
    )
    assert record.warnings[-1].startswith("Not searched") and len(record.warnings) == 1
    assert RunRecord.from_json(record.to_json()) == record
    stages = list(dict.fromkeys(step.stage for step in steps))
    assert stages == ["ingest", "retrieval", "pages", "difficulty", "decision", "citations", "done"]
    assert [step.fraction for step in steps] == sorted(step.fraction for step in steps)
    assert any(step.message == "Read page 3 of 6" for step in steps)


def test_two_agents_a_page_that_is_read_once_and_two_calls_more(case: Case) -> None:
    _, record = case.run(GOOD)
    first, second, difficulty, decision = case.tasks()
    assert [pages_of(task) for task in first + second] == [[1], [1], [2], [2], [3], [3]]
    assert first[0].parts[:3] == first[1].parts[:3] and first[0].system == first[1].system
    assert text_of(first[0]).startswith("Page 2 (printed ii) of the document:") and QUESTION in text_of(first[0])
    assert record.counts and record.counts["page_prefills"] == record.counts["candidate_pages"] == 3
    assert record.counts["page_prefills_per_page"] == 1.0 and "asked_again" not in record.counts
    assert pages_of(difficulty[0]) == [] and "Pages kept as a whole: Page 2 (printed ii), Page 3" in text_of(
        difficulty[0]
    )
    assert pages_of(decision[0]) == [1, 2]
    said = text_of(decision[0])
    assert "Page image 1 = Page 2 (printed ii):" in said and "Page image 2 = Page 3:" in said
    assert "Evidence from 2 pages" in said and "Page 4: no relevant evidence." in said
    assert "- [text, high confidence, Text 1] The Golden Gate bridge did open in 1937. (asked)" in said
    assert "Instructions: Look at page 2." in said
    assert [call.stage for call in record.calls if call.kind == "generate"] == [
        "pages",
        "pages",
        "difficulty",
        "decision",
    ]


def test_a_clue_reply_that_cannot_be_read_is_asked_for_once_more(case: Case) -> None:
    _, record = case.run(["I see", CR, ROW, R, FOUND, clue(), IR, level(0), decided("1937")])
    assert record.counts and record.counts["asked_again"] == 1 and len(record.clues or ()) == 2
    again = case.tasks()[1]
    assert len(again) == 1 and "could not be read" in text_of(again[0]) and "'I see'" in text_of(again[0])
    assert record.counts["page_prefills"] == 4  # the page had to be read again, and that is counted


def test_after_two_unreadable_clue_replies_the_page_says_so(case: Case) -> None:
    _, record = case.run(["I see", CR, ROW, R, "nothing", clue(), IR, level(0), decided("1937")])
    page = (record.pages or ())[1]
    assert (page.clue_parsed, page.clue_raw) == ("failed", "nothing")
    assert any("Page 2 (printed ii): the clue reply could not be read, twice" in text for text in record.warnings)


def test_after_two_unreadable_labels_the_page_is_kept(case: Case) -> None:
    _, record = case.run([FOUND, "maybe", ROW, R, "who knows", clue(), IR, level(0), decided("1937")])
    page = (record.pages or ())[1]
    assert (page.label, page.kept, page.kept_by, page.parsed, page.raw) == ("R", True, "unread", "failed", "who knows")
    assert any("the page is kept" in text for text in record.warnings)


@pytest.mark.parametrize(
    "said", [label("Somewhat"), label("Relevant", chart=False), "Has Chart: No\nRelevance: Relevant"]
)
def test_a_label_outside_the_three_is_none_and_not_irrelevant(case: Case, said: str) -> None:
    _, record = case.run([FOUND, said, ROW, R, clue(), IR, level(0), decided("1937")])
    page = (record.pages or ())[1]
    assert (page.label, page.kept) == ("none", False)
    assert any(found.page == 1 for found in record.clues or ())  # its clues remain
    assert "1937" in text_of(case.tasks()[-1][0]) and pages_of(case.tasks()[-1][0]) == [2]


def test_no_page_kept_takes_the_text_alone(case: Case) -> None:
    _, record = case.run([FOUND, IR, clue(), IR, clue(), IR, level(0), decided("1937", (2, "open in 1937"))])
    (decision,) = case.tasks()[-1]
    assert pages_of(decision) == [] and "Page image" not in text_of(decision)
    assert "Evidence from 1 page:" in text_of(decision)
    assert record.final and record.final.answer == "1937"


def test_no_answer_is_an_outcome(case: Case) -> None:
    _, record = case.run([clue(), IR, clue(), IR, clue(), IR, level(0), decided(NO_ANSWER)])
    assert record.final and record.final.no_answer and record.final.answer == NO_ANSWER
    assert record.citations == () and "Evidence from 0 pages" in text_of(case.tasks()[-1][0])


def test_an_unreadable_difficulty_is_level_0(case: Case) -> None:
    _, record = case.run([*GOOD[:6], "hmm", GOOD[7]])
    assert record.difficulty and (record.difficulty.level, record.difficulty.parsed) == (0, "failed")
    assert "Instructions: Answer from the evidence alone." in text_of(case.tasks()[-1][0])


def test_a_hard_question_goes_to_the_thinking_model(case: Case) -> None:
    reply = 'So page 2.</think>In 1937.\n```json\n[{"Page": 2, "Evidence": "open in 1937", "Source": "text"}]\n```'
    _, record = case.run([*GOOD[:6], level(1, "Add up.")], thinking=[reply])
    assert record.final and record.final.answer == "In 1937." and (record.citations or ())[0].verified
    (decision,) = case.tasks()[-1]
    assert decision.schema is None and decision.max_new_tokens == 8192 and "```json" in text_of(decision)
    assert record.calls[-1].model == "scripted-thinker"


def test_a_thought_that_does_not_end_is_asked_again_without_thinking(case: Case) -> None:
    _, record = case.run([*GOOD[:6], level(1), GOOD[7]], thinking=["I think and think"])
    assert record.final and record.final.answer == "1937"
    assert record.counts and record.counts["asked_again"] == 1
    assert any("had not ended its thought after 8,192 tokens" in text for text in record.warnings)


def test_without_a_thinking_model_the_other_one_decides(case: Case) -> None:
    _, record = case.run([*GOOD[:6], level(1), GOOD[7]], thinking=ModelError("no Qwen here"))
    assert record.final and record.final.answer == "1937"
    assert any("the Instruct model decides: no Qwen here" in text for text in record.warnings)


def test_an_answer_that_cites_nothing_gets_the_clues_it_agrees_with(case: Case) -> None:
    _, record = case.run([*GOOD[:7], decided("1937")])
    assert [(row.page, row.evidence) for row in record.citations or ()] == [
        (1, "The Golden Gate bridge did open in 1937.")
    ]
    assert any("cited nothing" in text for text in record.warnings)


def test_citations_are_checked(case: Case) -> None:
    rows = [(4, "bridge did open in 1937"), (2, "opened in 1938"), (5, "x"), (99, "y")]
    _, record = case.run([*GOOD[:7], decided("1937", *rows)])
    assert [(row.page, row.verified, row.boxes) for row in record.citations or ()] == [
        (3, False, ()), (1, False, ()), (4, False, ()),
    ]  # fmt: skip
    reasons = [row.reason for row in record.citations or ()]
    assert "they stand on page 2" in reasons[0] and "not among the pages" in reasons[2]
    assert any("names page 99" in text for text in record.warnings)


def test_the_variants_of_the_papers_table(case: Case) -> None:
    _, c = case.run([FOUND, ROW, clue(), decided("1937")], screening=False, difficulty=False)
    assert c.difficulty is None and not any(page.kept or page.label for page in c.pages or ())
    assert pages_of(case.tasks()[-1][0]) == []
    _, cp = case.run([*GOOD[:6], GOOD[7]], difficulty=False)
    assert cp.difficulty is None and "Instructions" not in text_of(case.tasks()[-1][0])
    _, p = case.run([CR, R, IR, decided("1937")], clue=False, difficulty=False)
    assert p.clues is None and pages_of(case.tasks()[-1][0]) == [1, 2]
    _, base = case.run([decided("1937")], clue=False, screening=False, difficulty=False)
    assert [page.page for page in base.pages or () if page.kept_by == "switch"] == [1, 2, 3]
    assert pages_of(case.tasks()[-1][0]) == [1, 2, 3]


def test_a_reader_of_text_is_not_asked_for_charts(case: Case) -> None:
    _, record = case.run(GOOD, sees="text")
    assert "has_chart" not in str(case.tasks()[0][1].schema) and (record.pages or ())[1].label == "CR"


def test_a_page_is_put_back_and_decided_again(case: Case) -> None:
    _, before = case.run([FOUND, IR, ROW, R, clue(), IR, level(0), decided(NO_ANSWER)])
    assert before.final and before.final.no_answer
    request = ask(resume=before, put_back=(1, 5), agents="spoken", duquad=False, top_k=1)
    _, after = case.run([level(0), decided("1937", (2, "open in 1937"))], request=request)
    page = (after.pages or ())[1]
    assert (page.label, page.kept, page.kept_by) == ("IR", True, "hand")
    assert len(case.tasks()) == 2 and pages_of(case.tasks()[-1][0]) == [1, 2]
    assert after.final and after.final.answer == "1937" and (after.citations or ())[0].verified
    assert after.clues == before.clues and after.settings.pdf.top_k == 3
    assert after.settings.pdf.put_back == (1, 5)
    assert any("page 6 was no candidate" in text for text in after.warnings)
    assert RunRecord.from_json(after.to_json()) == after
    third = ask(resume=after, agents="spoken", duquad=False)
    _, last = case.run([level(0), decided(NO_ANSWER)], request=third)
    assert not (last.pages or ())[1].kept and not any("page 6" in text for text in last.warnings)


def test_runs_that_cannot_be_taken_over(case: Case) -> None:
    _, before = case.run(GOOD)
    other = before.model_copy(update={"question": before.question.model_copy(update={"text": "Why?"})})
    with pytest.raises(InputError, match="another question"):
        case.run(request=ask(resume=other))
    with pytest.raises(InputError, match="had not come to the pages"):
        case.run(request=ask(resume=before.model_copy(update={"layouts": None})))


def test_what_cannot_be_run(case: Case) -> None:
    with pytest.raises(InputError, match="no PDF yet"):
        case.run(request=ask().model_copy(update={"pdf": None}))
    unknown = ask().pdf
    assert unknown
    with pytest.raises(InputError, match="not here any more"):
        case.run(request=ask().model_copy(update={"pdf": unknown.model_copy(update={"sha256": "b" * 64})}))


@pytest.mark.parametrize("calls", [0, 3, 8, 13])
def test_a_run_stops_where_it_is_told_to(case: Case, calls: int) -> None:
    with pytest.raises(Cancelled):
        case.run(GOOD, stop=stop_after(calls))


def test_duquads_view_of_the_same_pages(case: Case) -> None:
    _, record = case.run([FOUND, CR, ROW, IR, *GOOD[4:]], duquad=True)
    assert record.signals and len(record.signals.semantic) == 3 and record.ranking
    assert record.documents[record.ranking[0].document].page == 2  # it has all words of the question
    assert disagreements(record) == ("Page 3 was screened out (label IR), yet SFS ranks it first of 3.",)
    assert [call.stage for call in record.calls][-3:] == ["attention", "likelihood", "semantic"]
    assert RunRecord.from_json(record.to_json()) == record


def test_the_other_way_round(case: Case) -> None:
    _, record = case.run(GOOD, duquad=True)
    order = [ranked.document for ranked in record.ranking or ()]
    pages = {page.page: page for page in record.pages or ()}
    last = record.documents[order[-1]].page
    assert last is not None
    turned = record.model_copy(
        update={
            "pages": tuple(
                page.model_copy(update={"label": "CR" if page.page == last else "R"}) for page in pages.values()
            )
        }
    )
    name = record.documents[order[-1]].title
    assert disagreements(turned) == (f"{name} was judged completely relevant, yet SFS ranks it last of 3.",)
    assert disagreements(record.model_copy(update={"ranking": None})) == ()


def test_seconds_left_of_a_pdf_follow_its_own_pace() -> None:
    pace = Pace()
    pace.learn(ask(), 600.0)
    assert pace.expected(ask()) is None
    assert pace.left(ask(), 0.5, 10.0) == 10.0
