"""The README's moving picture says what the recorded sweep holds."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest

from core.records import SweepRecord
from tests.animation import SHOTS, SWEEP, Picture
from ui.lab_numbers import Sweep

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def sweep() -> Sweep:
    return Sweep(SweepRecord.from_json(SWEEP.read_bytes()))


@pytest.mark.parametrize(("name", "moves"), [("curve", True), ("curve-still", False)])
def test_the_shipped_picture_is_what_the_command_makes(sweep: Sweep, name: str, moves: bool) -> None:
    assert (SHOTS / f"{name}.svg").read_text(encoding="utf-8") == Picture(sweep).svg(moves)


def test_each_place_has_its_words_and_every_animation_its_times(sweep: Sweep) -> None:
    root = ET.fromstring(Picture(sweep).svg(True))
    told = [text.text or "" for text in root.iter(f"{SVG}text") if text.get("class") == "told"]
    assert [int(re.findall(r"place (\d+)", text)[0]) for text in told] == [place + 1 for place in sweep.places]
    animations = list(root.iter(f"{SVG}animate"))
    assert animations
    for animation in animations:
        values = animation.get("values", "").split(";")
        times = [float(time) for time in animation.get("keyTimes", "").split(";") if time]
        assert (not times and len(values) == len(sweep.places)) or len(times) == len(values)
        assert times == sorted(times) and (not times or (times[0], times[-1]) == (0, 1))


def test_the_still_picture_does_not_move(sweep: Sweep) -> None:
    assert not list(ET.fromstring(Picture(sweep).svg(False)).iter(f"{SVG}animate"))
