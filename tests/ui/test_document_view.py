import pytest

from core.records import Snippet, TokenWeight
from tests.ui.checking import Checked
from tests.ui.handmade import handmade
from tests.ui.sample import GOLD, SCRIPT, STAGES, sample
from ui.derived import derive
from ui.document_view import LEVELS, document_html, shaded, token_levels


def token(start, end, weight):
    return TokenWeight(start=start, end=end, weight=weight)


def test_levels_are_relative_to_the_strongest():
    tokens = (token(0, 2, 1.0), token(3, 5, 0.5), token(6, 7, 0.0))
    assert token_levels(8, tokens).tolist() == [8, 8, 0, 4, 4, 0, 0, 0]


def test_one_sink_token_does_not_flatten_the_rest():
    tokens = (token(0, 1, 1000.0), *(token(i, i + 1, 1.0) for i in range(1, 100)))
    assert set(token_levels(100, tokens).tolist()) == {LEVELS}


@pytest.mark.parametrize("weights", [(), (0.0,), (float("nan"), float("inf")), (-1.0, 0.0)])
def test_weights_that_say_nothing_shade_nothing(weights):
    tokens = tuple(token(i, i + 1, weight) for i, weight in enumerate(weights))
    assert not token_levels(3, tokens).any()


def test_tokens_outside_the_text_are_cut():
    assert token_levels(3, (token(-5, 1, 1.0), token(2, 99, 1.0), token(50, 60, 1.0))).tolist() == [8, 0, 8]


def test_shades_and_underlines_cross_and_neighbours_merge():
    tokens = (token(0, 1, 1.0), token(1, 2, 1.0), token(3, 4, 0.5))
    html = shaded("a< b", tokens, (Snippet(text="", start=1, end=3),))
    assert html == (
        '<span class="w8">a</span><span class="w8 wl-quoted">&lt;</span>'
        '<span class="wl-quoted"> </span><span class="w4">b</span>'
    )
    assert shaded("", tokens, ()) == ""
    assert shaded("a<b", (), ()) == "a&lt;b"


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("n", [1, 2, 20])
def test_every_document_is_sound_html_and_whole(n, stage):
    record = sample(n, stage)
    for i in range(n):
        checked = Checked(document_html(record, derive(record), i))
        assert checked.having("wl-document")[0]["data-shown"] == str(i)
        assert record.documents[i].text.split()[-1] in checked.text


def test_a_document_shows_its_figures_and_its_way():
    record = sample()
    text = Checked(document_html(record, derive(record), GOLD)).text
    for said in ("I Want a Hippopotamus", "gold", "10 of 20", "6.5 %", "+8.0 points", "quoted", "SFS rank 1"):
        assert said in text


def test_quoted_sentences_are_underlined():
    record = sample()
    assert "wl-quoted" in document_html(record, derive(record), GOLD)
    assert "wl-quoted" not in document_html(record, derive(record), 0)
    everything = record.settings.model_copy(update={"tau": 0.0})
    assert "wl-quoted" in document_html(record, derive(record, everything), 0)


def test_hostile_documents_stay_text():
    record = sample()
    html = document_html(record, derive(record), 3)
    assert SCRIPT in Checked(html).text
    assert "\u202e" not in html and "\x1b" not in html
    assert 'dir="auto"' in html


@pytest.mark.parametrize("document", [None, -1, 20])
def test_no_document_asks_for_one(document):
    record = sample()
    assert "Choose a document" in document_html(record, derive(record), document)


def test_a_document_without_text():
    record = handmade((1.0,), gold=())
    blank = record.model_copy(update={"documents": (record.documents[0].model_copy(update={"text": ""}),)})
    assert "This document has no text." in document_html(blank, derive(blank), 0)
