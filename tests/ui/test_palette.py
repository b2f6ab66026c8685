"""Colours can be read and told apart, also by colour-blind eyes."""

import itertools
import re

import numpy as np
import pytest

from ui.palette import DARK, LIGHT, css_variables, palette

THEMES = [LIGHT, DARK]
INKS = ("ink", "muted", "accent", "attention", "gold_ink", "contrast_ink", "kept_ink", "pruned", "warning")
MET = [("semantic", "inference", "contrast"), ("kept", "pruned"), ("contrast", "dip"), ("attention", "gold", "trend")]
# Machado, Oliveira and Fernandes (2009), severity 1.0, on linear RGB
EYES = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": ((0.152, 1.053, -0.205), (0.115, 0.786, 0.099), (-0.004, -0.048, 1.052)),
    "deutan": ((0.367, 0.861, -0.228), (0.280, 0.673, 0.047), (-0.012, 0.043, 0.969)),
    "tritan": ((1.256, -0.077, -0.179), (-0.078, 0.931, 0.148), (0.005, 0.691, 0.304)),
}


def linear(colour):
    values = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def contrast_ratio(one, other):
    bright, faint = sorted((float(linear(c) @ [0.2126, 0.7152, 0.0722]) for c in (one, other)), reverse=True)
    return (bright + 0.05) / (faint + 0.05)


def lab(rgb):
    xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]) @ rgb.clip(0, 1)
    f = np.cbrt(xyz / [0.9505, 1.0, 1.089])
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("colours", THEMES)
@pytest.mark.parametrize("ink", INKS)
def test_text_reaches_aa_on_page_and_card(colours, ink):
    for ground in (colours.surface, colours.raised):
        assert contrast_ratio(getattr(colours, ink), ground) >= 4.5


@pytest.mark.parametrize("colours", THEMES)
def test_text_stays_legible_on_the_strongest_token(colours):
    assert contrast_ratio(colours.ink, colours.token) >= 4.5


@pytest.mark.parametrize("colours", THEMES)
@pytest.mark.parametrize("mark", ["attention", "gold", "semantic", "inference", "contrast", "kept", "pruned"])
def test_marks_stand_out_from_the_ground(colours, mark):
    assert contrast_ratio(getattr(colours, mark), colours.surface) >= 2.1


@pytest.mark.parametrize("colours", THEMES)
@pytest.mark.parametrize("eye", EYES)
@pytest.mark.parametrize("group", MET)
def test_colours_that_meet_are_told_apart(colours, eye, group):
    seen = [lab(np.array(EYES[eye]) @ linear(getattr(colours, name))) for name in group]
    assert min(np.linalg.norm(a - b) for a, b in itertools.combinations(seen, 2)) > 15


def test_both_themes_become_variables():
    light, dark = css_variables().split(".dark")
    assert re.findall(r"--wl-[a-z-]+", light) == re.findall(r"--wl-[a-z-]+", dark)
    assert f"--wl-gold-ink: {LIGHT.gold_ink};" in light and f"--wl-gold-ink: {DARK.gold_ink};" in dark
    assert palette(True) is DARK and palette(False) is LIGHT
