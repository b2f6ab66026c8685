import pytest

from core.records import Agents, Final, Question, Snippet
from core.settings.methods import RunSettings
from tests.ui.checking import Checked
from tests.ui.handmade import entry, handmade, reply
from tests.ui.sample import GOLD, IMAGE, SCRIPT, STAGES, sample
from ui import cards
from ui.cards_pool import marked
from ui.derived import derive


def html_of_all(record, selected):
    derived = derive(record)
    return [
        cards.agents_html(record, selected),
        cards.answer_html(record),
        cards.pool_html(record, derived, selected),
        cards.calls_html(record),
        cards.warnings_html(record),
    ]


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("n", [1, 2, 20])
def test_all_cards_are_sound_html_at_every_stage(n, stage):
    for html in html_of_all(sample(n, stage), 0):
        Checked(html)


def test_hostile_text_is_shown_as_text():
    record = sample()
    agents, _, pool, _, warnings = (Checked(html).text for html in html_of_all(record, None))
    assert IMAGE in agents and SCRIPT in agents
    assert SCRIPT in pool
    assert IMAGE in warnings


@pytest.mark.parametrize("field", ["answer", "reasoning", "raw"])
def test_every_field_of_a_reply_is_escaped(field):
    record = handmade(agents=Agents(local=reply((0,), (0,), **{field: IMAGE})))
    assert IMAGE in Checked(cards.agents_html(record, None)).text


def test_missing_parts_say_so():
    record = sample(3, "start")
    assert [Checked(html).text for html in html_of_all(record, None)] == [
        "The agents have not replied yet.",
        "The final answer has not been written yet.",
        "The candidates have not been scored yet.",
        "No model has been called yet.",
        "",
    ]


def test_one_agent_may_be_ahead():
    record = handmade(agents=Agents(local=reply((0, 1), (1,))))
    assert "The Global Agent has not replied yet." in Checked(cards.agents_html(record, None)).text


def test_agents_refer_to_what_they_chose_and_saw():
    record = handmade(agents=Agents(local=reply((2, 1), (1,)), **{"global": reply((0, 1, 2))}))
    checked = Checked(cards.agents_html(record, 1))
    assert checked.refs() == [(1, True), (2, False), (1, True), (0, False), (1, True), (2, False)]
    assert [card["data-agent"] for card in checked.having("wl-card")] == ["local", "global"]


@pytest.mark.parametrize(
    ("parsed", "words"), [("schema", ""), ("repaired", "tolerant parser"), ("failed", "could not be read")]
)
def test_a_reply_that_was_repaired_says_so(parsed, words):
    record = handmade(agents=Agents(local=reply((0,), parsed=parsed)))
    checked = Checked(cards.agents_html(record, None))
    assert words in checked.text
    assert len(checked.having("wl-notice")) == (parsed != "schema")


@pytest.mark.parametrize(
    ("answer", "golds", "word"), [("Some TEXT.", ("text",), "yes"), ("nothing", ("text",), "no"), ("x", (), "unknown")]
)
def test_the_answer_says_whether_it_holds_gold(answer, golds, word):
    record = handmade(final=Final(answer=answer), question=Question(text="?", answers=golds, gold=(1,)))
    text = Checked(cards.answer_html(record)).text
    assert text.startswith(answer)
    assert f"contains a gold answer: {word}" in text
    assert all(gold in text for gold in golds)


def test_the_way_of_gold_is_one_line():
    text = Checked(cards.answer_html(sample())).text
    assert (
        "place 10 of 20 → attention rank 6 → SFS rank 1 → chosen by Local and Global → DocScore 0.91 → quoted" in text
    )
    steps = Checked(cards.answer_html(sample())).having("wl-step")
    assert [step["class"] for step in steps][-1] == "wl-step is-kept"


def test_lost_gold_is_marked_where_it_was_lost():
    steps = Checked(cards.path_html(sample(), 3)).having("wl-step")
    assert [step["class"] for step in steps] == ["wl-step", "wl-step", "wl-step is-lost", "wl-step is-lost"]


def test_no_gold_no_way():
    record = handmade(final=Final(answer="x"), gold=())
    assert "No gold document is known" in Checked(cards.answer_html(record)).text


def test_pool_tells_score_fate_and_who_selected():
    record = handmade(pool=(entry(1, 0.8, True), entry(0, 0.25, False, selected_by=("global",))))
    checked = Checked(cards.pool_html(record, derive(record), 0))
    assert checked.refs() == [(1, False), (0, True)]
    assert "Local and Global" in checked.text and "DocScore 0.80" in checked.text
    assert [fill["style"] for fill in checked.having("wl-fill")] == ["width:80.0%", "width:25.0%"]
    assert [tick["style"] for tick in checked.having("wl-tick")] == ["left:40.0%"] * 2
    assert [bar["aria-label"] for bar in checked.having("wl-bar")] == ["DocScore 0.80, τ 0.4", "DocScore 0.25, τ 0.4"]
    assert [badge["class"] for badge in checked.having("wl-badge")] == ["wl-badge is-kept", "wl-badge is-lost"]


@pytest.mark.parametrize(("kind", "words"), [("spoken", "spoken by the model"), ("likelihood", "from likelihoods")])
def test_pool_says_how_the_score_was_made(kind, words):
    record = handmade(pool=(entry(1, 0.8, True, kind=kind),))
    assert words in Checked(cards.pool_html(record, derive(record), None)).text


@pytest.mark.parametrize(("fallback", "words"), [("best", "the best-scored one is kept"), ("empty", "none is kept")])
def test_pool_says_when_the_gate_fell_back(fallback, words):
    record = handmade(pool=(entry(1, 0.3, False), entry(0, 0.1, False)))
    text = Checked(cards.pool_html(record, derive(record, RunSettings(fallback=fallback)), None)).text
    assert f"No candidate reaches τ = 0.4; {words}" in text
    assert "No candidate" not in Checked(cards.pool_html(record, derive(record, RunSettings(tau=0.2)), None)).text


def test_an_empty_pool_says_why():
    assert "no candidate" in Checked(cards.pool_html(handmade(pool=()), None, None)).text


def snippet(start, end):
    return Snippet(text="", start=start, end=end)


@pytest.mark.parametrize(
    ("snippets", "html"),
    [
        ((), "&lt;a&gt; b c"),
        ((snippet(0, 3),), "<mark>&lt;a&gt;</mark> b c"),
        ((snippet(6, 7), snippet(4, 5)), "&lt;a&gt; <mark>b</mark> <mark>c</mark>"),
        ((snippet(0, 3), snippet(2, 5)), "<mark>&lt;a&gt;</mark> b c"),
        ((snippet(4, 99), snippet(5, 2), snippet(-3, 2)), "&lt;a&gt; b c"),
    ],
)
def test_snippets_are_marked_where_they_stand(snippets, html):
    assert marked("<a> b c", snippets) == html


def test_quoted_sentences_are_marked_in_the_pool():
    record = sample()
    html = cards.pool_html(record, derive(record), None)
    assert html.count("<mark>") == 2
    assert "<mark>It was recorded by Gayla Peevey" in html


def test_calls_end_in_totals():
    checked = Checked(cards.calls_html(sample()))
    cells = [part for part in checked.parts if part.strip()]
    assert cells[:7] == ["stage", "model", "kind", "sequences", "tokens in", "tokens out", "seconds"]
    assert cells[-6:] == ["total", "4 calls, 2 generating", "25", "7,400", "220", "14.91"]


def test_the_gold_document_is_starred_for_eyes_and_readers():
    html = cards.agents_html(sample(), None)
    assert 'aria-label="Document 10, gold: I Want a Hippopotamus for Christmas"' in html
    assert f'data-document="{GOLD}"' in html
