from __future__ import annotations

import json

import pytest

from core.evaluation.evidence import used
from core.evaluation.numbers import Numbers, line, numbers
from core.evaluation.scoring import MAIN_METRIC, score
from core.records import Final
from core.settings.methods import RunSettings
from tests.core.evaluation.handmade import agents, entry, pdf_question, pdf_run, question, ranking, run, signals

POOL = (entry(1, 0.9, True), entry(3, 0.1, False))


def full(of, answer: str = "Lassell", **fields: object):
    """A run through all stages of DuQUAD: gold 1 in the pool, document 3 pruned."""
    base: dict[str, object] = {
        **{"signals": signals(), "ranking": ranking(1, 3, 0, 2), "pool": POOL},
        "agents": agents((1, 3), (3,), (1, 3)),
    }
    return run(of, answer, **{**base, **fields})


def test_gold_recall_at_every_stage_by_hand() -> None:
    # Gold is 1 and 3. Attention ranks 0 3 2 1, contrast 0 3 2 1, meaning 1 3 2 0, likelihood 1 3 0 2.
    asked = question(gold=(1, 3))
    marks = score(asked, full(asked), "lost_in_the_middle").scores
    expected = {
        **{"recall_attention_1": 0, "recall_attention_3": 0.5, "recall_attention_6": 1},
        **{"recall_contrast_1": 0, "recall_contrast_3": 0.5, "recall_contrast_6": 1},
        **{"recall_semantic_1": 0.5, "recall_semantic_3": 1, "recall_semantic_6": 1},
        **{"recall_likelihood_1": 0.5, "recall_likelihood_3": 1, "recall_likelihood_6": 1},
        **{"recall_sfs_1": 0.5, "recall_sfs_3": 1, "recall_sfs_6": 1},
        **{"recall_selected": 1, "recall_pool": 1, "recall_kept": 0.5, "recall_quoted": 0.5},
    }
    assert {name: mark for name, mark in marks.items() if name.startswith("recall")} == expected
    # Evidence is document 1 of gold 1 and 3: P = 1, R = 1/2.
    assert marks["support_f1"] == pytest.approx(2 / 3)


def test_kept_without_the_answer_in_its_quotes_is_not_quoted() -> None:
    asked = question()
    pool = (entry(1, 0.9, True, quote="It is cold."),)
    marks = score(asked, full(asked, pool=pool)).scores
    assert (marks["recall_kept"], marks["recall_quoted"]) == (1, 0)


def test_page_recall_at_every_stage_by_hand() -> None:
    # Five pages ranked 0 to 4; gold 1 and 4; candidates 0 to 3; page 1 kept; clues of 0 and 1; cited 1 and 2.
    asked = pdf_question(gold=(1, 4))
    marks = score(asked, pdf_run(asked, (0, 1, 2, 3), (1,), (0, 1), (1, 2)), "mmlongbench").scores
    assert marks["recall_retrieved_1"] == 0
    assert marks["recall_retrieved_3"] == marks["recall_retrieved"] == marks["recall_kept"] == 0.5
    assert marks["recall_retrieved_5"] == 1
    assert marks["recall_clue"] == marks["recall_cited"] == 0.5
    assert marks["citation_f1"] == 0.5  # one of two cited, one of two gold


def test_stages_that_a_system_does_not_have_get_no_mark() -> None:
    asked = question()
    scored = score(asked, run(asked, system="vanilla"), "lost_in_the_middle")
    assert set(scored.scores) == {"accuracy", "accuracy_word", "em", "f1"}
    assert (scored.right, scored.lost_at, scored.lucky) == (True, "none", False)


def test_a_right_answer_from_pruned_gold_is_lucky() -> None:
    asked = question()
    pool = (entry(1, 0.1, False), entry(3, 0.9, True))
    scored = score(asked, full(asked, pool=pool))
    assert (scored.right, scored.lost_at, scored.lucky) == (True, "pruned", True)


def test_without_a_known_answer_nothing_is_right_or_wrong() -> None:
    asked = question(answers=("*",))
    scored = score(asked, full(asked))
    assert scored.right is None and not scored.lucky and scored.lost_at == "none"
    assert "accuracy" not in scored.scores and scored.scores["recall_kept"] == 1


@pytest.mark.parametrize(
    ("format", "answer", "right"),
    [
        ("lost_in_the_middle", "\nLassell found it", True),  # a leading line break does not hide the answer
        ("lost_in_the_middle", "Herschel\nor Lassell", False),  # its evaluator reads one line
        ("mapped", "Herschel\nor Lassell", True),
        ("musique", "by Lassell in 1846", True),
        ("ragchecker", "by Lassell in 1846, from Liverpool", False),  # F1 = 2/7
        ("fetatab", "Lassell found", True),  # F1 = 2/3
    ],
)
def test_each_format_has_its_rule(format: str, answer: str, right: bool) -> None:
    asked = question()
    assert score(asked, run(asked, answer, "vanilla"), format).right is right


def test_hotpot_and_musique_differ_in_closed_answers() -> None:
    asked = question(answers=("yes",))
    ran = run(asked, "yes it was", "vanilla")
    assert score(asked, ran, "hotpotqa").scores["f1"] == 0
    assert score(asked, ran, "musique").scores["f1"] == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("answers", "kind", "answer", "mark"),
    [
        (("4",), "Int", "There were 4 plants.", 1),
        (("['red', 'blue']",), "List", "- blue\n- red", 1),
        (("red", "blue"), "List", "blue and red", 1),  # the same list, as items
        (("red", "blue"), "List", "red", 0),  # a part of a list is no answer
        (("Lassell", "William Lassell"), "Str", "William Lassell", 1),  # the best of several accepted ones
    ],
)
def test_mmlongbench_marks_by_type(answers: tuple[str, ...], kind: str, answer: str, mark: float) -> None:
    asked = pdf_question(answers=answers, answer_format=kind)
    scored = score(asked, pdf_run(asked, (2,), (2,), (2,), (2,), answer), "mmlongbench")
    assert scored.scores["mmlongbench"] == mark and scored.right is bool(mark)
    assert ("accuracy" in scored.scores) is (kind != "List")


def test_a_group_called_answer_format_changes_nothing_in_other_sets() -> None:
    asked = question(answer_format="List")
    assert score(asked, run(asked, "It was Lassell", "vanilla"), "mapped").right


def test_longdocurl_gives_part_marks_and_one_half_is_right() -> None:
    asked = pdf_question(answers=("['alpha', 'beta']",), answer_format="List")
    scored = score(asked, pdf_run(asked, (2,), (2,), (2,), (2,), "['alpha']"), "longdocurl")
    assert scored.scores["longdocurl"] == 0.5 and scored.right


@pytest.mark.parametrize(("answer", "right"), [("No answers found!", True), ("It was Lassell.", False)])
@pytest.mark.parametrize("format", ["mmlongbench", "musique"])
def test_unanswerable_questions_are_right_when_no_answer_is_given(format: str, answer: str, right: bool) -> None:
    asked = pdf_question(gold=(), answers=(), answerable="no", answer_format="None")
    scored = score(asked, pdf_run(asked, (2,), (2,), (2,), (2,), answer), format)
    assert scored.right is right and scored.scores["no_answer"] == right
    assert scored.scores.get("mmlongbench", float(right)) == right
    silent = pdf_run(asked, (2,), (2,), (2,), (2,)).model_copy(update={"final": Final(answer="", no_answer=True)})
    assert score(asked, silent, format).right


def test_silence_on_an_answerable_question_is_wrong() -> None:
    asked = pdf_question(answer_format="Str")
    scored = score(asked, pdf_run(asked, (2,), (2,), (2,), (2,), "No answers found!"), "mmlongbench")
    assert scored.right is False and scored.scores["mmlongbench"] == 0


def test_every_format_has_a_main_metric_that_its_marks_hold() -> None:
    for format, metric in MAIN_METRIC.items():
        asked = pdf_question(answer_format="Str")
        assert metric in score(asked, pdf_run(asked, (2,), (2,), (2,), (2,)), format).scores


def test_what_an_answer_was_made_from() -> None:
    asked = question()
    assert used(full(asked)) == (1,)
    assert used(run(asked, shown=(3, 0))) == (0, 3)
    assert used(run(asked, shown=(3, 0, 1, 2))) is None
    pages = pdf_question()
    assert used(pdf_run(pages, (0, 2), (2,), (), (2, 0))) == (0, 2)
    assert used(pdf_run(pages, (0, 2), (2,), None, None)) == (2,)


def test_numbers_hold_what_the_analyses_need_and_no_times() -> None:
    asked = question()
    ran = full(asked, agents=agents((1, 3), (3,), (1, 3), "It was Lassell", "Herschel"))
    found = numbers(asked, ran, "lost_in_the_middle")
    assert found.gold == (1,) and found.documents == 4 and found.ranking == (1, 3, 0, 2) and found.used == (1,)
    assert found.signals and found.signals.attention == (0.4, 0.1, 0.2, 0.3) and found.signals.weights == (0.5, 1, 0.5)
    assert found.pool and (found.pool.documents, found.pool.scores) == ((1, 3), (0.9, 0.1))
    assert found.views and (found.views.local, found.views.global_) == ((1, 3), (3,))
    assert (found.views.local_right, found.views.global_right, found.views.same) == (True, False, False)
    text = line(asked, ran, "lost_in_the_middle")
    assert text.count("\n") == 1 and Numbers.model_validate_json(text) == found
    assert "null" not in text and "seconds" not in text and "created" not in text


@pytest.mark.parametrize(
    ("local", "other", "same"),
    [
        ("Lassell", "lassell.", True),
        ("William Lassell", "it was William Lassell of Liverpool", True),
        ("found by Lassell", "Lassell, in 1846", True),  # both right
        ("Herschel", "Galle", False),
        ("art", "the party", False),  # not in whole words
        ("", "", True),
        ("", "Galle", False),
    ],
)
def test_when_two_agents_say_the_same(local: str, other: str, same: bool) -> None:
    asked = question()
    found = numbers(asked, full(asked, agents=agents((1,), (3,), (1, 3), local, other)))
    assert found.views and found.views.same is same


def test_numbers_of_pages() -> None:
    asked = pdf_question(gold=(2, 99))
    found = numbers(asked, pdf_run(asked, (0, 2), (2,), (2,), (2,)), "mmlongbench")
    assert (found.pages, found.gold_pages, found.ranked_pages, found.used) == (5, (2,), (0, 1, 2, 3, 4), (2,))
    assert found.signals is None and "signals" not in json.loads(line(asked, pdf_run(asked, (), (), None, None)))


def test_numbers_follow_the_heads_of_the_run() -> None:
    asked = question()
    two_heads = signals().model_copy(update={"attention": (((0.4, 0.1, 0.2, 0.3), (0.0, 1.0, 0.0, 0.0)),)})
    ran = full(asked, signals=two_heads, settings=RunSettings(k=2, head_set=((0, 1),)))
    found = numbers(asked, ran)
    assert found.signals and found.signals.attention == (0, 1, 0, 0)
    assert score(asked, ran).scores["recall_attention_1"] == 1
