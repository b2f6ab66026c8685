import json
import re

import pytest

from core.settings.methods import RunSettings
from tests.ui.handmade import entry, handmade
from tests.ui.sample import GOLD, IMAGE, STAGES, sample
from ui import figures
from ui.derived import derive
from ui.figures_base import safe
from ui.palette import DARK, LIGHT

DRAWN = (figures.curve, figures.ranking, figures.pool)
SAID = (figures.summary_curve, figures.summary_ranking, figures.summary_pool)


def trace(figure, name):
    return next(trace for trace in figure.data if trace.name == name)


def strings(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from strings(item)


def first(customdata):
    return [int(item[0]) for item in customdata]


def test_curve_holds_share_trend_and_contrast():
    record = handmade((1.0, 2.0, 1.0))
    fig = figures.curve(record, derive(record), None, False)
    assert list(trace(fig, "attention share").x) == [1, 2, 3]
    assert list(trace(fig, "attention share").y) == [25, 50, 25]
    assert list(trace(fig, "trend of the place").y) == [25, 25, 25]
    assert trace(fig, "trend of the place").fill == "tozeroy"
    assert list(trace(fig, "contrast").y) == [-25, 50, -25]
    assert list(trace(fig, "contrast").marker.color) == [LIGHT.dip, LIGHT.contrast, LIGHT.dip]
    assert [list(trace(fig, "above the trend").x), list(trace(fig, "above the trend").y)] == [
        [2, 2, None],
        [25, 50, None],
    ]


def test_curve_marks_gold_by_shape_and_word():
    record = handmade((1.0, 2.0, 1.0), gold=(1, 2))
    gold = trace(figures.curve(record, derive(record), None, False), "gold")
    assert (list(gold.x), list(gold.text), gold.marker.symbol) == ([2, 3], ["gold", "gold"], "star")
    none = handmade((1.0, 2.0, 1.0), gold=())
    assert "gold" not in [part.name for part in figures.curve(none, derive(none), None, False).data]


def test_curve_panels_share_one_axis():
    record = handmade()
    layout = figures.curve(record, derive(record), None, False).layout
    assert layout.yaxis.domain[0] > layout.yaxis2.domain[1]
    assert {part.xaxis for part in figures.curve(record, derive(record), None, False).data} <= {None, "x"}


def test_curve_hover_says_name_share_rank_contrast():
    record = handmade((1.0, 2.0, 1.0))
    said = trace(figures.curve(record, derive(record), None, False), "attention share").hovertext[1]
    assert said == "<b>2 · ★ \u2068Title 1\u2069</b><br>attention 50.0 % · rank 1<br>contrast +50.0 points"


@pytest.mark.parametrize("selected", [None, 0, 2, 99, -1])
def test_selection_is_a_band_and_a_ring(selected):
    record = handmade()
    fig = figures.curve(record, derive(record), selected, False)
    rings = [list(part.x) for part in fig.data if part.name == "selected"]
    if selected in (0, 2):
        assert rings == [[selected + 1]]
        assert [(shape.x0, shape.x1) for shape in fig.layout.shapes] == [(selected + 0.5, selected + 1.5)]
    else:
        assert rings == [] and fig.layout.shapes == ()


def test_ranking_stacks_the_parts_in_order_of_sfs():
    record = handmade(settings=RunSettings(alpha=1, beta=1, gamma=0, k=2))
    derived = derive(record)
    fig = figures.ranking(record, derived, 2, False)
    for part in ("semantic", "inference", "contrast"):
        bars = trace(fig, part)
        assert list(bars.x) == [getattr(row.parts, part) for row in derived.ranking]
        assert first(bars.customdata) == [2, 1, 0]
        assert list(bars.marker.opacity) == [1, 1, 0.4]
    places = trace(fig, "place")
    assert [text.strip() for text in places.text] == ["3 → 1", "2 → 2", "1 → 3"]
    assert list(places.x) == pytest.approx([row.score for row in derived.ranking])
    assert places.hovertext[0].startswith("<b>3 · \u2068Title 2\u2069</b><br>SFS ")


def test_ranking_cuts_after_k_in_a_gap_of_its_own():
    record = handmade((1.0, 2.0, 1.0, 1.0))
    fig = figures.ranking(record, derive(record, RunSettings(k=2)), None, False)
    (cut,) = fig.layout.shapes
    rows = list(trace(fig, "place").y)
    assert rows[1] < cut.y0 == cut.y1 < rows[2]
    assert rows[2] - rows[1] == 2
    uncut = figures.ranking(record, derive(record, RunSettings(k=4)), None, False)
    assert uncut.layout.shapes == ()
    assert list(trace(uncut, "place").y) == [0, 1, 2, 3]


def test_pool_draws_each_score_against_tau():
    record = handmade(pool=(entry(1, 0.8, True), entry(0, 0.2, False)))
    fig = figures.pool(record, derive(record, RunSettings(tau=0.5)), None, False)
    heads = trace(fig, "DocScore")
    assert list(heads.x) == [0.8, 0.2]
    assert list(heads.marker.symbol) == ["circle", "x-thin"]
    assert list(heads.marker.color) == [LIGHT.kept, LIGHT.pruned]
    assert first(heads.customdata) == [1, 0]
    assert [text.strip() for text in trace(fig, "score").text] == ["0.80 kept", "0.20 pruned"]
    assert [shape.x0 for shape in fig.layout.shapes if shape.type == "line"] == [0.5]
    assert "τ = 0.5" in " ".join(note.text for note in fig.layout.annotations)


def test_pool_follows_a_moved_tau():
    record = handmade(pool=(entry(1, 0.8, True), entry(0, 0.2, False)))
    fig = figures.pool(record, derive(record, RunSettings(tau=0.1)), None, True)
    assert list(trace(fig, "DocScore").marker.color) == [DARK.kept, DARK.kept]


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("n", [1, 2, 20, 200])
@pytest.mark.parametrize("draw", DRAWN)
def test_all_sizes_in_both_themes(draw, n, dark):
    record = sample(n)
    fig = draw(record, derive(record), 0, dark)
    assert fig.layout.height >= 100
    assert fig.layout.paper_bgcolor == fig.layout.plot_bgcolor == "rgba(0,0,0,0)"
    assert fig.layout.font.color == (DARK if dark else LIGHT).ink
    for part in fig.data:
        assert len(part.customdata) == len(part.x)
        assert all(0 <= index < n for index in first(part.customdata))
    json.loads(fig.to_json())


@pytest.mark.parametrize("draw", DRAWN)
def test_hostile_titles_stay_text(draw):
    record = sample()
    texts = list(strings(json.loads(draw(record, derive(record), 3, False).to_json())))
    joined = "\n".join(texts)
    assert set(re.findall(r"</?([a-z]+)", joined)) <= {"b", "br", "span"}
    assert not re.search(r"[\x00-\x09\x0b-\x1f\u202a-\u202e]", joined)
    assert "$" not in joined
    if draw is not figures.pool:
        assert "&lt;img src=x" in joined


def test_safe_text_for_plotly():
    assert safe(IMAGE) == '\u2068&lt;img src=x onerror="window.pwned=1"&gt;\u2069'
    assert safe("$a$ %{y}") == "\u2068&#36;a&#36; %{y}\u2069"
    assert len(safe("x" * 500)) == 62


@pytest.mark.parametrize(
    ("draw", "say", "stage", "words"),
    [
        (figures.curve, figures.summary_curve, "start", "The model has not read the documents yet."),
        (figures.ranking, figures.summary_ranking, "start", "The model has not read the documents yet."),
        (figures.pool, figures.summary_pool, "start", "The candidates have not been scored yet."),
        (figures.pool, figures.summary_pool, "agents", "The candidates have not been scored yet."),
    ],
)
def test_a_part_that_is_missing_says_so(draw, say, stage, words):
    record = sample(3, stage)
    fig = draw(record, derive(record), None, False)
    assert [note.text for note in fig.layout.annotations] == [words]
    assert say(record, derive(record)) == words


def test_a_system_without_signals_is_not_waited_for():
    record = sample(3).model_copy(update={"signals": None, "ranking": None, "agents": None, "pool": None})
    assert figures.summary_curve(record, None) == "This system does not measure attention."
    assert figures.pool(record, None, None, False).layout.annotations[0].text == "This system scores no candidates."


def test_an_empty_pool_says_why():
    record = handmade(pool=())
    assert "no candidate" in figures.pool(record, derive(record), None, False).layout.annotations[0].text
    assert figures.summary_pool(record, derive(record)) == "No agent named a document, so there is no candidate."


def test_the_curve_in_a_sentence():
    record = handmade((5.0, 1.0, 2.0, 1.0, 3.0), gold=(2,))
    assert figures.summary_curve(record, derive(record)) == (
        "Document 1 draws the most attention (41.7 %); the two ends draw 33.3 % on average, the documents between "
        "them 11.1 %; document 1 stands out most from its neighbours (+33.3 points); gold document 3 draws 16.7 %, "
        "rank 3 of 5."
    )


def test_the_ranking_in_a_sentence():
    record = handmade((1.0, 2.0, 1.0), gold=(0, 1))
    assert figures.summary_ranking(record, derive(record)) == (
        "The Local Agent reads documents 2, 3, best first; gold document 1 moves from place 1 to 3, below the cut "
        "at 2; gold document 2 moves from place 2 to 1, inside the cut."
    )


def test_the_pool_in_a_sentence():
    record = handmade(pool=(entry(2, 0.8, True), entry(1, 0.2, False)))
    assert figures.summary_pool(record, derive(record)) == (
        "1 of 2 candidates kept at τ = 0.4: document 3; gold document 2 is pruned."
    )


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("n", [1, 2, 20])
@pytest.mark.parametrize("say", SAID)
def test_every_summary_is_one_sentence(say, n, stage):
    record = sample(n, stage)
    said = say(record, derive(record))
    assert (said.endswith(".") and said[0].isupper()) or said[0].isdigit()
    assert not re.search(r"\. [A-Z]", said) and "\n" not in said


def test_gold_named_only_by_the_documents_counts():
    record = sample().model_copy(update={"question": sample().question.model_copy(update={"gold": ()})})
    assert list(trace(figures.curve(record, derive(record), None, False), "gold").x) == [GOLD + 1]
