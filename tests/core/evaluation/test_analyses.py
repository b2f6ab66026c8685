from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from core.duquad.fusion import fuse
from core.evaluation import analyses
from core.evaluation.analyses_record import Analysis
from core.evaluation.numbers import Numbers
from core.evaluation.table import SetTable, open_table
from core.settings.evaluation import RECALL_AT
from core.settings.methods import RunSettings
from tests.core.evaluation.handmade import row, write

CONSTANT = {"weights": (0.5, 1.0, 0.5), "norm": "zscore", "fuse": "sum_of_softmax", "k": 2}


def numbers(number: int, system: str = "duquad", **fields: object) -> Numbers:
    """Numbers of question ``number``: three documents."""
    return Numbers.model_validate({"id": f"q{number}", "system": system, "documents": 3, **fields})


def signals(attention: tuple[float, ...], semantic: tuple[float, ...] = (0.3, 0.2, 0.1), **more: object) -> Any:
    """Signals of which meaning prefers the first document, likelihood the last."""
    own = {"contrast": (0.0, 0.1, 0.0), "semantic": semantic, "query_nll": (3.0, 2.0, 1.0)}
    return {"attention": attention, **own, **CONSTANT, **more}


def rows_of(analysis: Analysis) -> list[dict[str, Any]]:
    return [dict(zip(analysis.columns, cells, strict=True)) for cells in analysis.rows]


def table(folder: Path, rows: list[Any], lines: tuple[Numbers, ...] = ()) -> SetTable:
    return open_table(write(folder / "set", rows, lines))


def test_accuracy_by_the_place_of_gold(tmp_path: Path) -> None:
    asked = [
        row(0, right=True, meta={"gold_position": "0"}),
        row(1, right=False, meta={"gold_position": "9"}),
        row(2, right=True, meta={"gold_position": "9"}),
        row(3, right=None, error="failed", meta={"gold_position": "9"}),
        row(4, right=True),
    ]
    found = analyses.by_position(table(tmp_path, asked))
    cells = [(line["place of gold"], line["share"], line["questions"]) for line in rows_of(found)]
    assert cells == [(1, 1.0, 1), (10, 0.5, 2)]
    assert found.x == "place of gold" and found.drawing == "line"


def test_a_question_with_two_values_counts_in_both(tmp_path: Path) -> None:
    asked = [row(0, right=True, meta={"source": "Table; Chart"}), row(1, right=False, meta={"source": "Table"})]
    found = rows_of(analyses.by_group(table(tmp_path, asked), "source"))
    assert [(line["source"], line["share"], line["questions"]) for line in found] == [
        ("Chart", 1, 1),
        ("Table", 0.5, 2),
    ]


def test_groups_are_what_tells_answers_apart(tmp_path: Path) -> None:
    meta = {"hops": ("2", "3"), "same": ("x", "x")}
    asked = [row(i, meta={name: values[i % 2] for name, values in meta.items()} | {"name": str(i)}) for i in range(60)]
    found = table(tmp_path, asked)
    assert analyses.groups_of(found) == ("hops",)  # one value for all, or one for each, compares nothing
    assert [item.name for item in analyses.everything(found)][-2:] == ["set_f1", "by_hops"]


def test_systems_side_by_side_with_paired_differences(tmp_path: Path) -> None:
    asked = [row(i, "vanilla", right=i < 2) for i in range(8)] + [row(i, "duquad", right=i < 6) for i in range(8)]
    found = rows_of(analyses.systems_by_metrics(table(tmp_path, asked)))
    marks = {(line["system"], line["metric"]): line for line in found}
    assert set(marks) == {(s, m) for s in ("vanilla", "duquad") for m in ("right", "accuracy")}
    ours, base = marks["duquad", "right"], marks["vanilla", "right"]
    assert (ours["mean"], base["mean"], ours["difference"], ours["questions"]) == (0.75, 0.25, 0.5, 8)
    assert ours["p"] == pytest.approx(2 / 16) and base["p"] is None  # four questions, all one way: 2·(1/2)^4
    assert ours["p adjusted"] == pytest.approx(2 / 16)  # the same twice (right, accuracy)
    assert ours["from"] < ours["difference"] < ours["to"]


def test_differences_are_over_the_questions_that_both_answered(tmp_path: Path) -> None:
    asked = [row(0, "vanilla", True), row(1, "vanilla", False), row(1, "duquad", True), row(2, "duquad", True)]
    found = analyses.compare(table(tmp_path, asked), "vanilla", "duquad")
    assert found and found.difference.questions == 1 and found.difference.mean == 1


def test_the_flow_of_losses(tmp_path: Path) -> None:
    asked = [
        row(0, right=False, lost_at="pruned"),
        row(1, right=False, lost_at="pruned"),
        row(2, right=True, lucky=True, lost_at="pruned"),
        row(3, right=True, lost_at="none"),
        row(4, right=None, error="x"),
    ]
    found = {
        (line["stage"], line["mark"]): line["answers"] for line in rows_of(analyses.loss_flow(table(tmp_path, asked)))
    }
    assert found == {("pruned", "wrong"): 2, ("pruned", "lucky"): 1, ("none", "right"): 1, ("unknown", "error"): 1}


def test_costs_against_vanilla(tmp_path: Path) -> None:
    asked = [
        row(0, "vanilla", calls=1, prompt_tokens=100, seconds=2.0),
        row(0, "duquad", calls=8, prompt_tokens=150, seconds=3.0),
        row(1, "duquad", calls=10, prompt_tokens=950, seconds=9.0),
    ]
    found = {(line["system"], line["cost"]): line for line in rows_of(analyses.costs(table(tmp_path, asked)))}
    assert found["duquad", "seconds"]["mean"] == 6.0 and found["duquad", "seconds"]["times vanilla"] == 1.5
    assert found["duquad", "calls"]["times vanilla"] == 8 and found["vanilla", "prompt tokens"]["times vanilla"] == 1
    assert found["duquad", "new tokens"]["times vanilla"] is None  # 0 against 0


def test_f1_over_answerable_questions_by_hand(tmp_path: Path) -> None:
    asked = [
        row(0, scores={"mmlongbench": 1.0}, meta={"answerable": "yes"}),
        row(1, scores={"mmlongbench": 0.5}, meta={"answerable": "yes"}),
        row(2, scores={"mmlongbench": 0.0}, meta={"answerable": "yes"}, no_answer=True),
        row(3, scores={"mmlongbench": 1.0}, meta={"answerable": "no"}, no_answer=True),
    ]
    (found,) = rows_of(analyses.set_f1(table(tmp_path, asked)))
    # Earned on answerable ones: 1.5. Recall 1.5/3, precision 1.5/2 (two gave an answer), F1 = 0.6.
    assert (found["recall"], found["precision"], found["accuracy"]) == (0.5, 0.75, 0.625)
    assert found["F1"] == pytest.approx(0.6)


def test_attention_with_and_without_gold(tmp_path: Path) -> None:
    lines = (
        numbers(0, gold=(0,), signals=signals((2.0, 1.0, 1.0))),
        numbers(1, gold=(1,), signals=signals((1.0, 2.0, 1.0))),
        numbers(2, gold=(1,), signals=signals((0.5, 0.0, 0.5))),
        numbers(3, gold=(0,), documents=2, signals={**signals((1.0, 1.0)), "contrast": (0, 0)}),  # another length
    )
    found = rows_of(analyses.attention_by_place(table(tmp_path, [row(i) for i in range(4)], lines)))
    cells = {(line["place"], line["attention"]): (line["mean share"], line["documents"]) for line in found}
    assert cells == {
        (1, "with gold"): (0.5, 1),
        (2, "with gold"): (0.25, 2),  # 0.5 and 0
        (1, "without gold"): (0.375, 2),  # 0.25 and 0.5
        (2, "without gold"): (0.25, 1),
        (3, "without gold"): (pytest.approx((0.25 + 0.25 + 0.5) / 3), 3),
    }


def test_recall_against_k_by_hand(tmp_path: Path) -> None:
    lines = (
        numbers(0, gold=(0,), signals=signals((3.0, 2.0, 1.0)), ranking=(1, 0, 2)),
        numbers(1, gold=(0, 2), signals=signals((3.0, 2.0, 1.0)), ranking=(1, 0, 2)),
        numbers(0, "bm25", gold=(0,), ranking=(2, 1, 0)),
    )
    asked = [row(0), row(1), row(0, "bm25")]
    found = rows_of(analyses.recall_against_k(table(tmp_path, asked, lines)))
    curves: dict[str, list[float]] = {}
    for line in found:
        curves.setdefault(line["ranked by"], []).append(line["recall"])
    assert curves["attention"] == [0.75, 0.75, 1]  # gold first; of the two golds one first, one last
    assert curves["likelihood"] == [0.25, 0.25, 1]
    assert curves["SFS"] == [0, 0.75, 1]
    assert curves["bm25"] == [0, 0, 1]


def test_the_weight_grid_ranks_as_the_fusion_does(tmp_path: Path) -> None:
    lines = (
        numbers(0, gold=(0,), signals=signals((1.0, 1.0, 1.0))),
        numbers(1, gold=(2,), signals=signals((1.0, 1.0, 1.0), semantic=(0.1, 0.1, 0.1))),
        numbers(2, gold=(0, 1), signals=signals((1.0, 1.0, 1.0), fuse="softmax_of_sum", norm="minmax")),
    )
    found = rows_of(analyses.weight_grid(table(tmp_path, [row(i) for i in range(3)], lines)))
    assert sum(line["this run"] for line in found) == 1 and len(found) == 5**3 - 1
    for line in found:
        for k in RECALL_AT:
            assert line[f"recall@{k}"] == pytest.approx(sum(_recall(item, line, k) for item in lines) / 3)


def _recall(line: Numbers, weights: dict[str, float], k: int) -> float:
    import numpy as np

    own = line.signals
    assert own
    names = {name: weights[name] for name in ("alpha", "beta", "gamma")}
    settings = RunSettings.model_validate({**names, "norm": own.norm, "fuse": own.fuse})
    order = fuse(np.array(own.semantic), np.array(own.query_nll), np.array(own.contrast), settings)
    return len({ranked.document for ranked in order[:k]} & set(line.gold)) / len(line.gold)


def test_the_gate_again_at_every_tau(tmp_path: Path) -> None:
    pool = {"documents": (0, 1), "tau": 0.4, "fallback": "best"}
    lines = (
        numbers(0, gold=(0,), pool={**pool, "scores": (0.9, 0.5)}),
        numbers(1, gold=(1,), pool={**pool, "scores": (0.6, 0.3)}),
        numbers(2, gold=(2,), pool={**pool, "scores": (0.1, 0.2)}),  # gold was not chosen
    )
    found = {
        line["tau"]: line for line in rows_of(analyses.tau_sweep(table(tmp_path, [row(i) for i in range(3)], lines)))
    }
    assert [tau for tau, line in found.items() if line["this run"]] == [0.4]
    at = found[0.4]
    assert at["recall of gold"] == pytest.approx(1 / 3) and at["recall of pool's gold"] == 0.5
    assert at["documents kept"] == pytest.approx((2 + 1 + 1) / 3)  # the last one by the fallback
    assert at["share below tau"] == pytest.approx(1 / 3)
    assert found[0.0]["recall of gold"] == pytest.approx(2 / 3) and found[0.0]["documents kept"] == 2
    assert found[1.0]["share below tau"] == 1 and found[1.0]["documents kept"] == 1


def test_docscore_of_gold_and_of_the_rest(tmp_path: Path) -> None:
    pool = {"documents": (0, 1, 2), "tau": 0.4, "fallback": "best", "scores": (0.95, 0.15, 1.0)}
    found = analyses.docscore_of_gold(table(tmp_path, [row(0)], (numbers(0, gold=(0,), pool=pool),)))
    counts = {(line["candidates"], round(line["DocScore from"], 1)): line["count"] for line in rows_of(found)}
    assert {key for key, count in counts.items() if count} == {("gold", 0.9), ("others", 0.1), ("others", 0.9)}
    assert "AUC, gold against the rest: 0.500" in found.note  # above one of the two others


def test_two_agents_and_the_judge(tmp_path: Path) -> None:
    def views(same: bool, local: bool, other: bool) -> dict[str, object]:
        picks = {"local": (0, 1), "global": (1, 2)}
        return {**picks, "same": same, "local_right": local, "global_right": other}

    lines = (
        numbers(0, views=views(True, True, True)),
        numbers(1, views=views(False, True, False)),
        numbers(2, views=views(False, False, True)),
        numbers(3, views=views(False, False, False)),
    )
    asked = [row(0), row(1, right=True), row(2, right=False), row(3, right=False)]
    found = {line["agents"]: line for line in rows_of(analyses.local_and_global(table(tmp_path, asked, lines)))}
    assert found["say the same"]["share"] == 0.25 and found["differ"]["questions"] == 3
    assert found["differ"]["Judge right"] == pytest.approx(1 / 3)
    split = found["differ, one is right"]
    assert (split["questions"], split["Local right"], split["Judge right"]) == (2, 0.5, 0.5)
    assert split["same evidence"] == pytest.approx(1 / 3)  # one of three documents


def test_evidence_agreement_of_systems_and_of_models(tmp_path: Path) -> None:
    lines = (
        numbers(0, used=(0, 1), ranking=(0, 1, 2)),
        numbers(0, "bm25", used=(1,), ranking=(2, 1, 0)),
        numbers(0, "vanilla"),
    )
    first = table(tmp_path, [row(0), row(0, "bm25"), row(0, "vanilla")], lines)
    (found,) = rows_of(analyses.evidence_agreement(first))
    assert (found["first"], found["second"], found["questions"]) == ("duquad", "bm25", 1)
    assert (found["evidence (Jaccard)"], found["same first place"], found["ranking (Spearman)"]) == (0.5, 0, -1)
    other = table(tmp_path / "other", [row(0)], (numbers(0, used=(0, 1), ranking=(0, 2, 1)),))
    (found,) = rows_of(analyses.evidence_agreement(first, other))
    assert (found["evidence (Jaccard)"], found["same first place"]) == (1, 1)
    assert found["ranking (Spearman)"] == pytest.approx(0.5)


@pytest.mark.parametrize("offered", analyses.ANALYSES, ids=lambda item: item.name)
def test_a_set_with_nothing_to_show_says_why(offered: analyses.Offered, tmp_path: Path) -> None:
    for rows in ([], [row(0, right=None, error="x", scores={})]):
        found = offered.run(table(tmp_path, rows))
        assert found.name == offered.name and found.note
        assert all(len(cells) == len(found.columns) for cells in found.rows)
        named = {found.x, found.series, found.low, found.high, *found.y} - {""}
        assert named <= set(found.columns)
