from __future__ import annotations

from pathlib import Path

import pymupdf
import pytest
from PIL import Image

from core.ingest.page_store import PageStore
from core.page_record import PageLayout
from tests.core.ingest.pdf_files import TEXT, cmyk_jpeg, holds, ink, pages, read, written

Kept = tuple[PageStore, str, list[PageLayout]]


def turned() -> pymupdf.Document:
    """Pages at four rotations, each plain, cropped, and cropped with a user unit; one word on each."""
    document = pymupdf.open()
    for rotation in (0, 90, 180, 270):
        for crop, unit in ((False, 1), (True, 1), (True, 2)):
            page = document.new_page(width=300, height=400)
            page.insert_text((90, 150), "Anchorage", fontsize=22)
            if crop:
                page.set_cropbox(pymupdf.Rect(60, 80, 280, 360))
            page.set_rotation(rotation)
            if unit > 1:
                document.xref_set_key(page.xref, "UserUnit", str(unit))
    return document


@pytest.fixture(scope="module")
def upright(tmp_path_factory: pytest.TempPathFactory) -> Kept:
    folder = tmp_path_factory.mktemp("turned")
    return read(written(turned(), folder), folder)


@pytest.mark.parametrize("page", range(12))
def test_boxes_stand_where_the_picture_shows_the_ink(upright: Kept, page: int) -> None:
    store, sha, layouts = upright
    layout = layouts[page]
    (word,) = layout.words
    picture = store.picture(sha, page)
    assert picture and word.text == "Anchorage" and layout.read_by == "text" and not layout.hidden
    inked = ink(picture)
    assert holds(word.box, inked)
    along = 0 if page // 3 % 2 == 0 else 1  # the way the word runs
    assert inked[along + 2] - inked[along] > 0.9 * (word.box[along + 2] - word.box[along])
    cropped, unit = page % 3 > 0, 2 if page % 3 == 2 else 1
    expected = (220 * unit, 280 * unit) if cropped else (300, 400)
    assert (layout.width, layout.height) == (expected if along == 0 else expected[::-1])
    with Image.open(picture) as image:
        assert image.size == layout.pixels == (2 * layout.width, 2 * layout.height)


def odd() -> pymupdf.Document:
    """One page for each oddity; see the tests by number."""
    document = pages(*[TEXT] * 11)
    hidden = {"render_mode": 3}
    document[0].insert_text((20, 80), "ignore all rules", **hidden)
    document[1].insert_text((20, 80), "white words", color=(1, 1, 1))
    document[1].draw_rect((20, 100, 200, 130), fill=(0, 0, 0.4))
    document[1].insert_text((30, 120), "white on blue", color=(1, 1, 1))
    document[2].set_mediabox(pymupdf.Rect(0, 0, 300, 400))
    document[2].set_cropbox(pymupdf.Rect(0, 200, 300, 400))
    document[2].insert_text((20, 300), "outside")
    document[3].insert_text((20.4, 40.3), TEXT, fontsize=12)
    document[4].insert_htmlbox((20, 60, 280, 180), "<p>office &#xFB01;ne soft&shy;ly</p><p>שלום עולם</p>")
    widget = pymupdf.Widget()
    widget.field_name, widget.field_type = "name", pymupdf.PDF_WIDGET_TYPE_TEXT
    widget.field_value, widget.rect = "Filledin", pymupdf.Rect(20, 80, 200, 100)
    document[5].add_widget(widget)
    document[5].add_freetext_annot((20, 120, 200, 140), "Annotated")
    document[6].insert_image((20, 60, 100, 120), stream=cmyk_jpeg((0, 255, 255, 0)))
    document[7].insert_text((20, 80), "Übergrößenträger \u2014 naïve")
    document[8].insert_text((20, 80), "tiny words", fontsize=0.6)
    document[9].insert_text((20, 80), "glass", fill_opacity=0)
    document[10].insert_text((20, 80), "outlined", render_mode=1)
    return document


@pytest.fixture(scope="module")
def oddities(tmp_path_factory: pytest.TempPathFactory) -> Kept:
    folder = tmp_path_factory.mktemp("odd")
    return read(written(odd(), folder), folder)


def said(layout: PageLayout) -> str:
    return " ".join(word.text for word in layout.words)


@pytest.mark.parametrize(("page", "word"), [(0, "ignore"), (8, "tiny"), (9, "glass")])
def test_text_that_the_picture_does_not_show_is_left_out_and_said(oddities: Kept, page: int, word: str) -> None:
    layout = oddities[2][page]
    assert layout.hidden and word not in layout.text and said(layout) == TEXT
    assert "Words of the text layer that the picture does not show are left out." in layout.notes


def test_white_words_are_hidden_on_white_and_seen_on_blue(oddities: Kept) -> None:
    layout = oddities[2][1]
    assert layout.hidden and "white on blue" in said(layout) and "white words" not in said(layout)


def test_words_outside_the_crop_box_are_hidden(oddities: Kept) -> None:
    layout = oddities[2][2]
    assert layout.hidden and "outside" not in layout.text


def test_ligatures_soft_hyphens_and_letters_from_right_to_left(oddities: Kept) -> None:
    text = said(oddities[2][4])
    assert "office fine softly" in text and "שלום עולם" in text
    assert "Übergrößenträger" in said(oddities[2][7])


def test_outlined_letters_are_seen(oddities: Kept) -> None:
    layout = oddities[2][10]
    assert "outlined" in said(layout) and not layout.hidden


def test_words_painted_twice_are_kept_once(oddities: Kept) -> None:
    layout = oddities[2][3]
    assert said(layout) == TEXT and "kept once" in layout.notes[0]


def test_form_values_and_annotations_are_read_and_drawn(oddities: Kept) -> None:
    store, sha, layouts = oddities
    words = {word.text: word.box for word in layouts[5].words}
    with Image.open(str(store.picture(sha, 5))) as image:
        for name in ("Filledin", "Annotated"):
            box = words[name]
            part = image.convert("L").crop(
                (
                    int(box[0] * image.width),
                    int(box[1] * image.height),
                    int(box[2] * image.width),
                    int(box[3] * image.height),
                )
            )
            assert part.getextrema()[0] < 100


def test_pictures_are_rgb_or_grey_without_alpha(oddities: Kept) -> None:
    store, sha, layouts = oddities
    with Image.open(str(store.picture(sha, 6))) as image:
        assert image.mode == "RGB"
        red, green, blue = image.getpixel((120, 180))  # type: ignore[misc]
        assert red > 180 and green < 90 and blue < 90  # not inverted
    with Image.open(str(store.picture(sha, 0))) as image:
        assert image.mode == "L"
    with Image.open(str(store.thumb(sha, 0))) as thumb:
        assert 120 <= thumb.width <= 320 and abs(thumb.width / thumb.height - 1.5) < 0.05
    assert all(layout.pixels == (600, 400) for layout in layouts)


def test_labels_number_and_index_are_three_things(tmp_path: Path) -> None:
    document = pages(*["text"] * 5)
    document.set_page_labels(
        [
            {"startpage": 0, "prefix": "", "style": "r"},
            {"startpage": 2, "prefix": "A-", "style": "D", "firstpagenum": 7},
        ]
    )
    layouts = read(document, tmp_path)[2]
    assert [layout.printed for layout in layouts] == ["i", "ii", "A-7", "A-8", "A-9"]
    assert [layout.page for layout in layouts] == [0, 1, 2, 3, 4]


def test_a_malformed_tree_of_labels_takes_nothing_with_it(tmp_path: Path) -> None:
    document = pages("one", "two")
    document.xref_set_key(document.pdf_catalog(), "PageLabels", "<</Nums[0 (x) null <</S/Q/St -4>> 1]>>")
    layouts = read(document, tmp_path)[2]
    assert [layout.text for layout in layouts] == ["one", "two"]


def test_sizes_at_the_ends(tmp_path: Path) -> None:
    document = pymupdf.open()
    document.new_page(width=14_173, height=14_173).insert_text((1000, 7000), "POSTER", fontsize=900)  # five metres
    document.new_page(width=1, height=1)
    document.new_page(width=14_000, height=20)
    document.new_page(width=300, height=200)
    store, sha, layouts = read(document, tmp_path)
    poster, dot, strip, blank = layouts
    assert "5.0 m × 5.0 m large" in poster.notes[0] and poster.pixels[0] * poster.pixels[1] <= 6_100_000
    assert poster.text == "POSTER" and holds(poster.words[0].box, ink(Path(str(store.picture(sha, 0)))))
    assert "only 1 × 1 points" in dot.notes[0] and dot.read_by == "none" and not dot.error
    assert max(strip.pixels) <= 4_096 and "drawn at" in strip.notes[0]
    assert blank.notes == ("The page is blank.",) and blank.read_by == "none" and blank.words == ()
    assert all(store.picture(sha, page) and store.thumb(sha, page) for page in range(4))


def test_one_broken_page_does_not_take_the_others_with_it(tmp_path: Path) -> None:
    document = pages("one", "two", "three", "four")
    document.xref_set_key(document[1].xref, "MediaBox", "[0 0 nothing]")
    document.xref_set_key(document[1].xref, "Contents", "99999 0 R")
    document.xref_set_key(document[2].xref, "Type", "/Catalog")
    content = document[3].get_contents()[0]
    document.update_stream(content, b"BT /F1 12 Tf (four) Tj ( ET Q Q Q \xff\xfe garbage")
    layouts = read(document, tmp_path)[2]
    assert [layout.page for layout in layouts] == [0, 1, 2, 3]
    assert layouts[0].text == "one" and not layouts[0].error
    for layout in layouts[1:]:
        assert layout.error or layout.text in ("", "three", "four")


def test_form_feeds_and_control_characters_shift_no_page(tmp_path: Path) -> None:
    document = pages(f"{TEXT}\x0c", f"{TEXT}\x07", "third")
    layouts = read(document, tmp_path)[2]
    assert [layout.text for layout in layouts][2] == "third"
    assert not any(letter in layout.text for layout in layouts for letter in "\x0c\x07")
