from __future__ import annotations

import pytest

from core.evaluation.loss import is_lucky, lost_at
from core.records import Document, Question
from core.system_record import Excerpt, Judged
from tests.core.evaluation.handmade import agents, entry, pdf_question, pdf_run, question, ranking, run, signals

BEST = ranking(1, 3, 0, 2)


def duquad(of, local=(1,), other=(1,), shown=(1, 3), pool=None, answer="Lassell"):
    """A run through all stages, with gold 1 quoted unless told otherwise."""
    pool = (entry(1, 0.9, True), entry(3, 0.1, False)) if pool is None else pool
    return run(
        of,
        answer,
        signals=signals(),
        ranking=BEST,
        agents=agents(local, other, shown),
        pool=pool,
    )


def test_every_stage_of_documents_in_order() -> None:
    asked = question()
    assert lost_at(asked, duquad(asked), True) == "none"
    assert lost_at(asked, duquad(asked, local=(0,), other=(0,), shown=(0, 3)), False) == "below_k"
    assert lost_at(asked, duquad(asked, local=(3,), other=(0,)), False) == "not_selected"
    assert lost_at(asked, duquad(asked, pool=(entry(3, 0.9, True), entry(1, 0.2, False))), False) == "pruned"
    other_sentence = (entry(1, 0.9, True, quote="It is cold."),)
    assert lost_at(asked, duquad(asked, pool=other_sentence), False) == "not_quoted"
    assert lost_at(asked, duquad(asked, answer="Herschel"), False) == "judged_wrong"
    assert lost_at(asked, duquad(asked, answer="Lassel"), False) == "metric"


def test_the_global_agent_can_bring_back_what_is_below_k() -> None:
    asked = question()
    assert lost_at(asked, duquad(asked, local=(3,), other=(1,), shown=(3, 0)), False) != "below_k"


def test_gold_that_is_not_in_the_input() -> None:
    nowhere = question(gold=())  # every document is marked as not gold
    assert lost_at(nowhere, duquad(nowhere), False) == "not_in_input"
    unmarked = nowhere.model_copy(
        update={"documents": tuple(item.model_copy(update={"gold": None}) for item in nowhere.documents)}
    )
    assert lost_at(unmarked, duquad(unmarked), False) == "unknown"
    asked = question()
    without = asked.documents[:1] + asked.documents[2:]
    shorter = run(asked, documents=without, question=Question(text="?", answers=("Lassell",)))
    assert lost_at(asked, shorter, False) == "not_in_input"


def test_gold_is_found_again_where_a_run_has_fewer_documents() -> None:
    asked = question()
    part = run(asked, documents=asked.documents[1:], question=asked.question.model_copy(update={"gold": (0,)}))
    assert lost_at(asked, part, True) == "none"


def test_of_two_gold_documents_the_first_loss_counts() -> None:
    both = question(gold=(1, 3))
    kept = duquad(both, local=(1, 3), other=(1,), pool=(entry(1, 0.9, True), entry(3, 0.8, True)))
    assert lost_at(both, kept, True) == "none"
    one_pruned = duquad(both, local=(1, 3), other=(1,), pool=(entry(1, 0.9, True), entry(3, 0.1, False)))
    assert lost_at(both, one_pruned, False) == "pruned"
    # One was pruned, the other not even chosen: the earlier stage is told.
    both = question(gold=(0, 1))
    lost_both = duquad(both, local=(1,), other=(3,), pool=(entry(1, 0.1, False), entry(3, 0.9, True)))
    assert lost_at(both, lost_both, False) == "below_k"


def test_a_link_of_the_chain_without_the_answer_needs_no_quote_of_it() -> None:
    chain = question(gold=(0, 1))  # document 0 does not hold the answer
    pool = (entry(0, 0.9, True), entry(1, 0.8, True))
    assert lost_at(chain, duquad(chain, local=(0, 1), other=(), pool=pool), True) == "none"
    closed = question(answers=("no",))  # "no" is an answer that stands in no text
    assert lost_at(closed, duquad(closed, answer="yes"), False) == "judged_wrong"


def test_one_prompt_systems_lose_only_what_they_do_not_show() -> None:
    asked = question()
    assert lost_at(asked, run(asked, "Herschel", "vanilla"), False) == "judged_wrong"
    assert lost_at(asked, run(asked, "Herschel", "bm25", ranking=BEST, shown=(1, 3)), False) == "judged_wrong"
    cut = run(asked, "Herschel", "bm25", ranking=ranking(3, 0, 1, 2), shown=(3, 0))
    assert lost_at(asked, cut, False) == "below_k"
    judged = tuple(Judged(document=i, answer="x", score=0.0, kept=i != 1) for i in range(4))
    assert lost_at(asked, run(asked, "Herschel", "main_rag", judged=judged, shown=(0, 2, 3)), False) == "pruned"
    squeezed = (Excerpt(document=1, text="Triton cold"), Excerpt(document=3, text="beer"))
    compressed = run(asked, "Herschel", "longllmlingua", shown=(1, 3), excerpts=squeezed)
    assert lost_at(asked, compressed, False) == "not_quoted"


def test_every_stage_of_pages_in_order() -> None:
    asked = pdf_question()
    assert lost_at(asked, pdf_run(asked, (0, 2), (2,), (2,), (2,)), True) == "none"
    assert lost_at(asked, pdf_run(asked, (0, 1), (1,), (1,), (1,)), False) == "not_retrieved"
    assert lost_at(asked, pdf_run(asked, (0, 2), (0,), (0,), (0,)), False) == "labelled_irrelevant"
    assert lost_at(asked, pdf_run(asked, (0, 2), (2,), (0,), (2,), "Herschel"), False) == "no_clue"
    assert lost_at(asked, pdf_run(asked, (0, 2), (2,), (2,), (2,), "Herschel"), False) == "decided_wrong"
    assert lost_at(asked, pdf_run(asked, (0, 2), (2,), (2,), (0,)), True) == "cited_wrong"
    assert lost_at(asked, pdf_run(asked, (0, 2), (2,), (2,), (2,), "Lassel"), False) == "metric"


def test_a_page_arrives_as_itself_or_through_its_clues() -> None:
    asked = pdf_question()
    assert lost_at(asked, pdf_run(asked, (0, 2), (0,), (2,), (2,), "Herschel"), False) == "decided_wrong"
    assert lost_at(asked, pdf_run(asked, (0, 2), (2,), (0,), (2,)), True) == "none"
    no_clue_stage = pdf_run(asked, (0, 2), (2,), None, None, "Herschel")
    assert lost_at(asked, no_clue_stage, False) == "decided_wrong"
    assert lost_at(asked, pdf_run(asked, (0, 2), (0,), None, None, "Herschel"), False) == "labelled_irrelevant"


def test_a_page_that_was_looked_at_and_not_read_never_came_before_the_reader() -> None:
    asked = pdf_question()
    walked = pdf_run(asked, (0, 2), (0,), None, None, "Herschel")
    pages = tuple(page.model_copy(update={"label": None}) for page in walked.pages or ())
    assert lost_at(asked, walked.model_copy(update={"pages": pages, "shown": ()}), False) == "not_retrieved"


def test_of_two_gold_pages_the_first_loss_counts_and_one_citation_is_enough() -> None:
    asked = pdf_question(gold=(2, 4))
    assert lost_at(asked, pdf_run(asked, (0, 2), (2,), (2,), (2,)), False) == "not_retrieved"
    assert lost_at(asked, pdf_run(asked, (2, 4), (2, 4), (2, 4), (4,)), True) == "none"


def test_gold_pages_past_the_end_are_no_pages() -> None:
    asked = pdf_question(gold=(317,))
    assert lost_at(asked, pdf_run(asked, (0,), (0,), (0,), (0,)), False) == "unknown"


@pytest.mark.parametrize(("right", "stage"), [(True, "none"), (False, "judged_wrong")])
def test_a_question_without_an_answer_has_nothing_to_lose(right: bool, stage: str) -> None:
    asked = question(gold=(), answers=(), answerable="no")
    assert lost_at(asked, run(asked, "No answers found!"), right) == stage
    pages = pdf_question(gold=(), answers=(), answerable="no")
    expected = "none" if right else "decided_wrong"
    assert lost_at(pages, pdf_run(pages, (0,), (0,), (0,), (0,)), right) == expected


def test_right_without_gold_evidence_is_lucky() -> None:
    assert is_lucky("pruned", True) and is_lucky("not_retrieved", True)
    assert not is_lucky("pruned", False) and not is_lucky("pruned", None)
    for stage in ("none", "unknown", "cited_wrong", "metric", "judged_wrong"):
        assert not is_lucky(stage, True)


def test_an_empty_document_is_nothing_to_quote() -> None:
    asked = question(gold=(1,))
    blank = asked.documents[1].model_copy(update={"text": " "})
    documents = (asked.documents[0], blank, *asked.documents[2:])
    assert all(isinstance(item, Document) for item in documents)
    ran = run(asked, documents=documents, agents=agents((1,), (), (1, 3)), pool=(entry(1, 0.9, True, quote=""),))
    assert lost_at(asked, ran, True) == "none"
