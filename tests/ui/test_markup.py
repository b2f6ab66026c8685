import pytest

from tests.ui.checking import Checked
from tests.ui.sample import GOLD, IMAGE, OVERRIDE, sample
from ui.markup import doc_ref, escape, missing, plain, short, title


@pytest.mark.parametrize(
    ("text", "markup"),
    [
        ("a < b & 'c'", "a &lt; b &amp; &#x27;c&#x27;"),
        ("two\nlines\tand\r\nmore", "two\nlines\tand\nmore"),
        ("\x1b[31m", '<span class="wl-ctrl">␛</span>[31m'),
        ("\x7f\x85", '<span class="wl-ctrl">␡</span><span class="wl-ctrl">⟨U+0085⟩</span>'),
        ("a\u202eb<", 'a<span class="wl-ctrl">⟨U+202E⟩</span>b&lt;'),
        ("", ""),
        ("می‌خواهم 👩‍🚀", "می‌خواهم 👩‍🚀"),
    ],
)
def test_escape_shows_what_would_act(text, markup):
    assert escape(text) == markup


def test_plain_is_one_line_without_hidden_characters():
    assert plain(" a\n b\x00\u2066c ") == "a b␀⟨U+2066⟩c"


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("short", "short"),
        ("exactly ten", "exactly ten"),
        ("one three four", "one three…"),
        ("x" * 30, "x" * 10 + "…"),
    ],
)
def test_short_cuts_at_words_where_it_can(text, cut):
    assert short(text, 11) == cut
    assert len(cut) <= 11


def test_a_document_without_title_is_called_by_its_text():
    record = sample()
    assert title(record, 13).startswith("It was released")
    empty = record.model_copy(
        update={"documents": (record.documents[0].model_copy(update={"title": " ", "text": ""}),)}
    )
    assert title(empty, 0) == "untitled"


def test_doc_ref_is_a_button_with_index_state_and_full_name():
    record = sample()
    checked = Checked(doc_ref(record, GOLD, GOLD, None))
    (_, attrs), *_ = checked.seen
    assert checked.refs() == [(GOLD, True)]
    assert attrs["type"] == "button"
    assert attrs["aria-label"] == "Document 10, gold: I Want a Hippopotamus for Christmas"
    assert checked.text == "10★I Want a Hippopotamus for Christmas"
    assert Checked(doc_ref(record, 0, GOLD)).text == "1"


def test_doc_ref_of_hostile_titles():
    record = sample()
    assert IMAGE in Checked(doc_ref(record, 3, None, None)).text
    assert OVERRIDE[0] not in doc_ref(record, 11, None, None)


def test_missing_tells_still_to_come_from_never():
    assert missing(sample(3, "agents"), "yet", "never") == "yet"
    assert missing(sample(3, "final"), "yet", "never") == "never"
