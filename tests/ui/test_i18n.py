"""The catalogue of the page's texts in Chinese: whole, without markup, the same holes on both sides."""

from __future__ import annotations

import json
import re

import pytest

from ui.samples import ASSETS
from ui.shell import TABS

TEXT = (ASSETS / "i18n" / "zh.json").read_text(encoding="utf-8")
PAIRS: list[tuple[str, str]] = json.loads(TEXT, object_pairs_hook=list)
HOLE = re.compile(r"\{(\w+)\}")


def test_nothing_stands_twice_and_nothing_is_empty() -> None:
    names = [english for english, _ in PAIRS]
    assert len(names) > 900 and len(set(names)) == len(names)
    assert all(english.strip() == english and english and chinese.strip() for english, chinese in PAIRS)


def test_both_sides_have_the_same_holes() -> None:
    for english, chinese in PAIRS:
        holes = HOLE.findall(english)
        assert len(set(holes)) == len(holes) and set(holes) == set(HOLE.findall(chinese)), english
        assert {hole[0] for hole in holes} <= set("ntlx"), english


def test_a_shape_has_words_of_its_own_between_its_holes() -> None:
    for english, _ in PAIRS:
        assert re.search(r"[^\W\d_]|[★✓✕]", HOLE.sub("", english)) or not HOLE.search(english), english
        assert "}{" not in english


def test_no_side_holds_markup() -> None:
    assert not [pair for pair in PAIRS if re.search(r"<\w|</|&\w+;|\{\{", "".join(pair))]


@pytest.mark.parametrize("name", TABS)
def test_each_tab_has_a_name_in_chinese(name: str) -> None:
    assert re.search(r"[\u4e00-\u9fff]", dict(PAIRS)[name])
