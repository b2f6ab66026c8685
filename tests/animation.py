"""The README's moving picture: gold walks through a recorded sweep. ``python -m tests.animation`` writes it.

``assets/shots/curve.svg`` moves, ``curve-still.svg`` is for readers who asked for less motion. Both follow the light
or dark theme of the page that shows them.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from html import escape

from core.records import SweepRecord
from tests.browser.conftest import ROOT
from ui.lab_numbers import Sweep
from ui.palette import DARK, LIGHT, Palette

SWEEP = ROOT / "assets" / "sweeps" / "first-tour-de-france.json"
SHOTS = ROOT / "assets" / "shots"
WIDTH, HEIGHT = 760, 230
LEFT, RIGHT, TOP, BOTTOM = 46, 20, 48, 44  # around the curve
SECONDS = 0.7  # of each place
MOVE = 0.45  # share of a place's time in which the curve moves on

Shares = Sequence[Sequence[float]]
"""Attention share in prompt order: [place of gold][place]."""


def main() -> int:
    """Writes both pictures."""
    sweep = Sweep(SweepRecord.from_json(SWEEP.read_bytes()))
    picture = Picture(sweep)
    for name, moves in (("curve", True), ("curve-still", False)):
        path = SHOTS / f"{name}.svg"
        path.write_text(picture.svg(moves), encoding="utf-8")
        print(path.relative_to(ROOT))
    return 0


def shares(sweep: Sweep) -> Shares:
    """How attention, the mean of all heads, is shared out over the documents, for each place of gold."""
    attention = sweep.readings.grid.mean(axis=(1, 2))
    return (attention / attention.sum(axis=-1, keepdims=True)).tolist()  # type: ignore[no-any-return]


class Picture:
    """One sweep as a picture."""

    def __init__(self, sweep: Sweep) -> None:
        self._rows = shares(sweep)
        self._places = sweep.places
        self._top = 1.05 * max(map(max, self._rows))
        self._question = sweep.record.question.text

    def svg(self, moves: bool) -> str:
        """The picture, moving or standing where gold is in the middle."""
        still = len(self._rows) // 2
        rows = range(len(self._rows)) if moves else [still]
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
            f'aria-label="Attention over documents while the gold document moves through all places">'
            f"<style>{_style(LIGHT)}@media (prefers-color-scheme: dark) {{{_style(DARK)}}}</style>"
            f'<rect class="ground" width="{WIDTH}" height="{HEIGHT}" rx="14"/>'
            f'<text class="question" x="{LEFT}" y="29">{escape(self._question)}</text>'
            f"{self._axes()}{self._area(rows)}{self._line(rows)}{self._gold(rows)}{self._words(rows)}</svg>\n"
        )

    def _x(self, place: int) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * place / (len(self._rows[0]) - 1)

    def _y(self, share: float) -> float:
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * share / self._top

    def _axes(self) -> str:
        floor, count = HEIGHT - BOTTOM, len(self._rows[0])
        marks = "".join(
            f'<text class="muted" x="{self._x(place):.1f}" y="{floor + 17}" text-anchor="middle">{place + 1}</text>'
            for place in range(count)
        )
        return (
            f'<line class="axis" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{floor}" y2="{floor}"/>{marks}'
            f'<text class="muted" x="{LEFT}" y="{HEIGHT - 8}">'
            "place in the prompt · mean of all heads, embedded model</text>"
            f'<text class="muted" transform="translate(20 {floor}) rotate(-90)">attention share</text>'
        )

    def _points(self, row: int) -> list[str]:
        return [f"{self._x(place):.1f},{self._y(share):.1f}" for place, share in enumerate(self._rows[row])]

    def _line(self, rows: Sequence[int]) -> str:
        paths = ["M" + " L".join(self._points(row)) for row in rows]
        return f'<path class="line" d="{paths[0]}">{_walk("d", paths)}</path>'

    def _area(self, rows: Sequence[int]) -> str:
        floor = HEIGHT - BOTTOM
        ends = f"L{WIDTH - RIGHT},{floor} L{LEFT},{floor} Z"
        paths = [f"M{' L'.join(self._points(row))} {ends}" for row in rows]
        return f'<path class="area" d="{paths[0]}">{_walk("d", paths)}</path>'

    def _gold(self, rows: Sequence[int]) -> str:
        xs = [f"{self._x(self._places[row]):.1f}" for row in rows]
        ys = [f"{self._y(self._rows[row][self._places[row]]):.1f}" for row in rows]
        floor = HEIGHT - BOTTOM
        return (
            f'<line class="stem" x1="{xs[0]}" x2="{xs[0]}" y1="{floor}" y2="{ys[0]}">'
            f"{_walk('x1', xs)}{_walk('x2', xs)}{_walk('y2', ys)}</line>"
            f'<circle class="gold" r="6" cx="{xs[0]}" cy="{ys[0]}">{_walk("cx", xs)}{_walk("cy", ys)}</circle>'
        )

    def _words(self, rows: Sequence[int]) -> str:
        return "".join(self._word(number, row, len(rows)) for number, row in enumerate(rows))

    def _word(self, number: int, row: int, count: int) -> str:
        place = self._places[row]
        rank = 1 + sum(share > self._rows[row][place] for share in self._rows[row])
        told = f"gold at place {place + 1} of {len(self._rows[row])}: rank {rank} by attention"
        shown = "".join(";1" if other == number else ";0" for other in range(count))[1:]
        turns = "" if count == 1 else _animate("opacity", shown, count, 'calcMode="discrete"')
        hidden = ' opacity="0"' if number else ""
        return (
            f'<text class="told" x="{WIDTH - RIGHT}" y="{HEIGHT - 8}" text-anchor="end"{hidden}>{escape(told)}{turns}'
            "</text>"
        )


def _walk(attribute: str, values: Sequence[str]) -> str:
    """An animation that rests at each value and then moves on to the next; none for a single value."""
    if len(values) == 1:
        return ""
    count = len(values)
    times, held = [], []
    for number, value in enumerate(values):
        times += [number / count, (number + 1 - MOVE) / count]
        held += [value, value]
    times.append(1.0)
    held.append(values[0])
    key_times = ";".join(f"{time:.4f}" for time in times)
    return _animate(attribute, ";".join(held), count, f'keyTimes="{key_times}"')


def _animate(attribute: str, values: str, count: int, how: str) -> str:
    return (
        f'<animate attributeName="{attribute}" dur="{count * SECONDS:g}s" repeatCount="indefinite" {how} '
        f'values="{values}"/>'
    )


def _style(colours: Palette) -> str:
    return (
        f".ground{{fill:{colours.surface};stroke:{colours.line}}}"
        f".axis{{stroke:{colours.line}}}"
        f"text{{font:12px system-ui,sans-serif;fill:{colours.ink}}}.question{{font-size:15px;font-weight:600}}"
        f".muted{{fill:{colours.muted}}}.told{{fill:{colours.gold_ink};font-weight:600}}"
        f".line{{fill:none;stroke:{colours.attention};stroke-width:2.6;stroke-linejoin:round}}"
        f".area{{fill:{colours.trend_fill}}}"
        f".stem{{stroke:{colours.gold};stroke-width:1.5;stroke-dasharray:3 3}}"
        f".gold{{fill:{colours.gold};stroke:{colours.surface};stroke-width:2}}"
    )


if __name__ == "__main__":
    sys.exit(main())
