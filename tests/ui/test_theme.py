import re

from ui.palette import DARK, LIGHT, css_variables
from ui.theme import css, theme


def test_nothing_comes_from_another_host():
    assert not re.search(r"https?:|@import|url\(", css())
    built = theme()
    assert built._stylesheets == []
    assert "fonts.googleapis" not in built._get_theme_css()


def test_grounds_are_the_palettes():
    built = theme()
    assert (built.body_background_fill, built.body_background_fill_dark) == (LIGHT.surface, DARK.surface)


def test_every_colour_that_the_stylesheet_uses_exists():
    used = set(re.findall(r"var\((--wl-[a-z-]+)\)", css()))
    assert used
    assert used <= set(re.findall(r"(--wl-[a-z-]+):", css_variables()))


def test_braces_close_and_motion_can_be_reduced():
    assert css().count("{") == css().count("}")
    assert "prefers-reduced-motion" in css() and ":focus-visible" in css()
