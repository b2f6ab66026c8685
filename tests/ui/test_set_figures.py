"""The figures of the analyses: what is drawn of hand-made numbers."""

from __future__ import annotations

import json

import pytest

from core.evaluation.analyses import Analysis
from core.evaluation.table import MARKS
from tests.ui.sample import SCRIPT
from ui.figures_set import draw
from ui.figures_set_base import curves
from ui.set_numbers import matrix, stars


def line(**more: object) -> Analysis:
    base = {
        **{"name": "position", "title": "T", "columns": ("system", "place of gold", "share", "low", "high")},
        **{"rows": (("a", 1, 0.5, 0.25, 0.75), ("a", 3, 1.0, 1.0, 1.0), (SCRIPT, 1, None, None, None))},
        **{"drawing": "line", "x": "place of gold", "y": ("share",), "series": "system", "low": "low", "high": "high"},
    }
    return Analysis.model_validate(base | more)


def drawn(analysis: Analysis, dark: bool = False) -> dict[str, list[dict[str, object]]]:
    found: dict[str, list[dict[str, object]]] = json.loads(str(draw(analysis, dark).to_json()))
    return found


def test_a_line_for_each_system_with_its_intervals() -> None:
    (only,) = curves(line(), ("share",))
    assert (only.name, only.xs, only.ys, only.ends) == ("a", (1, 3), (0.5, 1.0), ((0.25, 0.75), (1.0, 1.0)))
    trace = drawn(line())["data"][0]
    assert trace["x"] == [1, 3] and trace["y"] == [0.5, 1.0]
    assert trace["error_y"]["array"] == [0.25, 0.0] and trace["error_y"]["arrayminus"] == [0.25, 0.0]  # type: ignore[index]


def test_names_of_systems_are_escaped() -> None:
    analysis = line(rows=((SCRIPT, 1, 0.5, None, None),))
    assert "<script" not in json.dumps(drawn(analysis)).replace("\\u003c", "<")


def test_named_bars_lie_and_keep_their_order() -> None:
    rows = (("a", "em", 0.2, 0.1, 0.3), ("b", "em", 0.4, 0.4, 0.4), ("a", "f1", 0.6, 0.5, 0.7))
    columns = ("system", "metric", "mean", "low", "high")
    found = drawn(line(name="systems", columns=columns, rows=rows, drawing="bar", x="metric", y=("mean",)))
    first, second = found["data"]
    assert (first["orientation"], first["x"], first["y"]) == ("h", [0.2, 0.6], [0, 1])
    assert (second["x"], second["y"]) == ([0.4], [0])


def test_a_second_unit_has_a_panel_of_its_own() -> None:
    columns = ("tau", "recall", "kept")
    found = drawn(line(name="tau", columns=columns, rows=((0.0, 1.0, 4), (1.0, 0.5, 1)), x="tau", y=("recall",),
                       y2=("kept",), series="", low="", high=""))  # fmt: skip
    assert [trace.get("yaxis") for trace in found["data"]] == [None, "y2"]


def test_a_part_of_the_flow_names_system_stage_and_mark() -> None:
    columns = ("system", "stage", "mark", "answers")
    rows = (("a", "pruned", "wrong", 3), ("b", "none", "right", 5))
    found = drawn(
        line(name="loss", columns=columns, rows=rows, drawing="flow", x="stage", y=("answers",), series="mark")
    )
    right, wrong = found["data"]
    assert (wrong["x"], wrong["customdata"]) == ([3], [[0, 3, MARKS.index("wrong")]])
    assert (right["x"], right["customdata"]) == ([5], [[1, 12, MARKS.index("right")]])


def test_a_map_for_each_layer_with_a_ring_at_this_run() -> None:
    columns = ("alpha", "beta", "gamma", "recall@1", "this run")
    rows = tuple(
        (a, b, g, a * g, (a, b, g) == (1.0, 0.5, 1.0)) for a in (0.0, 1.0) for b in (0.0, 0.5) for g in (0.0, 1.0)
    )
    found = drawn(line(name="weights", columns=columns, rows=rows, drawing="grid", x="alpha", y=("gamma", "recall@1"),
                       series="beta", low="", high=""), dark=True)  # fmt: skip
    assert [trace["type"] for trace in found["data"]] == ["heatmap", "heatmap", "scatter"]
    ring = found["data"][2]
    assert (ring["x"], ring["y"], ring["xaxis"]) == ([1.0], [1.0], "x2")


@pytest.mark.parametrize(("costs", "kind"), [((1.0, 2.0), None), ((1.0, 20.0), "log")])
def test_costs_that_lie_far_apart_get_a_logarithmic_axis(costs: tuple[float, float], kind: str | None) -> None:
    columns = ("system", "seconds", "share right", "low", "high")
    rows = tuple((name, cost, 0.5, 0.4, 0.6) for name, cost in zip("ab", costs, strict=True))
    found = drawn(line(name="worth", columns=columns, rows=rows, x="seconds", y=("share right",)))
    layout: dict[str, dict[str, object]] = found["layout"]  # type: ignore[assignment]
    assert layout["xaxis"].get("type") == kind


def test_nothing_to_draw_says_so() -> None:
    assert not drawn(line(rows=(), note="Why."))["data"]
    assert not drawn(line(drawing="table"))["data"]


@pytest.mark.parametrize(
    ("p", "said"), [(None, ""), (0.2, ""), (0.05, ""), (0.04, "*"), (0.009, "**"), (0.0005, "***")]
)
def test_stars(p: float | None, said: str) -> None:
    assert stars(p) == said


def test_the_matrix_has_a_cell_for_each_system_and_metric() -> None:
    columns = ("system", "metric", "mean", "low", "high", "questions", "difference", "from", "to", "p", "p adjusted")
    rows = (
        ("vanilla", "em", 0.5, 0.4, 0.6, 10, None, None, None, None, None),
        ("duquad", "em", 0.7, 0.6, 0.8, 10, 0.2, 0.1, 0.3, 0.001, 0.002),
        ("duquad", "f1", 0.9, 0.9, 0.9, 10, None, None, None, None, None),
    )
    systems, metrics, cells = matrix(line(name="systems", columns=columns, rows=rows, drawing="table"))
    assert (systems, metrics) == (["vanilla", "duquad"], ["em", "f1"])
    assert cells["duquad", "em"].stars == "**" and cells["duquad", "em"].difference == 0.2
    assert ("vanilla", "f1") not in cells
