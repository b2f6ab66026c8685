from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from core.evaluation.analyses import ANALYSES
from core.evaluation.analyses_record import Analysis
from core.evaluation.labels import LabelStore
from core.evaluation.labels_record import Label
from core.evaluation.numbers import Numbers
from core.evaluation.report import Heading, cell, report
from core.evaluation.report_figures import curves, figures, upper_end
from core.evaluation.table import SetTable, open_table
from core.settings.evaluation import REPORT_QUESTIONS, REPORT_ROWS
from tests.core.evaluation.handmade import row, write

HOSTILE = "<img src=x onerror=alert(1)><script>alert(2)</script>\"'&\u202e"
ALLOWED = {
    *(
        "html",
        "head",
        "meta",
        "title",
        "style",
        "body",
        "h1",
        "h2",
        "p",
        "dl",
        "div",
        "dt",
        "dd",
        "nav",
        "a",
        "section",
    ),
    *("figure", "figcaption", "span", "i", "svg", "line", "text", "polyline", "circle", "rect", "details"),
    *("summary", "table", "thead", "tbody", "tr", "th", "td", "small"),
}


class _Seen(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str]] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += [(name, value or "") for name, value in attrs]

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def seen(page: bytes) -> _Seen:
    parser = _Seen()
    parser.feed(page.decode())
    return parser


@pytest.fixture
def table(tmp_path: Path) -> SetTable:
    """Ten questions of two systems, every foreign text hostile."""
    meta = {"gold_position": "0", "type": HOSTILE}
    rows = [
        row(i, name, right=(i + len(name)) % 2 == 0, question=HOSTILE, answer=HOSTILE, meta=meta, answers=(HOSTILE,))
        for i in range(10)
        for name in ("duquad", "vanilla")
    ]
    rows.append(row(10, right=None, error=HOSTILE))
    signals = {
        **{"attention": (0.2, 0.8), "contrast": (-0.6, 0.6), "semantic": (0.1, 0.2), "query_nll": (2.0, 1.0)},
        **{"weights": (0.5, 1.0, 0.5), "norm": "zscore", "fuse": "sum_of_softmax", "k": 2},
    }
    pool = {"documents": (0, 1), "scores": (0.2, 0.9), "tau": 0.4, "fallback": "best"}
    lines = tuple(
        Numbers.model_validate(
            {**{"id": f"q{i}", "system": "duquad", "documents": 2, "gold": (i % 2,)}, "signals": signals, "pool": pool}
        )
        for i in range(10)
    )
    return open_table(write(tmp_path / "set", rows, lines))


def page_of(table: SetTable, **fields: object) -> bytes:
    heading = Heading(HOSTILE, ((HOSTILE, HOSTILE),), (HOSTILE,))
    store = LabelStore(table.folder)
    said = {"question": "q0", "system": "duquad", "reviewer": HOSTILE[:60], "verdict": "wrong"}
    store.save(Label.model_validate({**said, "failure": HOSTILE[:60], "corrected": HOSTILE, "note": HOSTILE}))
    return report(heading, table, range(len(table.questions)), store.current())


def test_foreign_text_is_text_and_nothing_is_loaded(table: SetTable) -> None:
    page = page_of(table)
    found = seen(page)
    assert found.tags <= ALLOWED
    assert "script" not in found.tags and "img" not in found.tags
    assert not [name for name, _ in found.attributes if name.startswith("on") or name in ("src", "srcset", "action")]
    assert all(value.startswith("#") for name, value in found.attributes if name == "href")
    assert not re.search(rb"https?://|@import|url\(", page)
    assert ("content", "default-src 'none'; style-src 'unsafe-inline'") in found.attributes
    assert any(HOSTILE[:20] in text for text in found.text) and "\u202e" not in page.decode()


def test_it_shows_the_questions_with_marks_labels_and_errors(table: SetTable) -> None:
    text = " ".join("".join(seen(page_of(table)).text).split())
    assert "11 questions, 21 answers by duquad, vanilla" in text
    assert "wrong" in text and "right" in text and "error" in text and "should be" in text
    assert "line 1" in text and "line 11" in text


def test_every_analysis_that_has_rows_stands_in_it(table: SetTable) -> None:
    page = page_of(table).decode()
    for offered in ANALYSES:
        analysis = offered.run(table)
        assert (f'<section id="{offered.name}">' in page) is bool(analysis.rows)
    assert page.count("<svg") >= 8


def test_long_sets_are_cut_and_say_so(tmp_path: Path) -> None:
    rows = [row(i, right=True) for i in range(REPORT_QUESTIONS + 5)]
    table = open_table(write(tmp_path / "set", rows))
    many = Analysis(name="many", title="Many", columns=("n",), rows=tuple((i,) for i in range(REPORT_ROWS + 1)))
    page = report(Heading("Set"), table, range(len(rows)), analyses=[many]).decode()
    assert "5 more are left out" in page and f"The first {REPORT_ROWS} rows" in page
    assert page.count("<tr>") == 2 + REPORT_ROWS + REPORT_QUESTIONS  # two heads


def test_an_empty_set_is_still_a_page(tmp_path: Path) -> None:
    page = report(Heading("Set"), open_table(tmp_path), [])
    assert b"0 questions, 0 answers" in page and seen(page).tags <= ALLOWED


def curve(**fields: object) -> Analysis:
    base = {"name": "a", "title": "A", "columns": ("s", "x", "y", "low", "high"), "x": "x", "y": ("y",), "series": "s"}
    rows = (("one", 1, 0.2, 0.1, 0.3), ("one", 3, 0.4, 0.3, 0.5), ("two", 1, None, None, None))
    return Analysis.model_validate({**base, "rows": rows, "drawing": "line", "low": "low", "high": "high", **fields})


def test_curves_are_the_rows() -> None:
    (found,) = curves(curve(), ("y",))  # what has no value is no point
    assert found.name == "one" and found.points == ((1, 0.2, 0.1, 0.3), (3, 0.4, 0.3, 0.5))
    by_column = curves(curve(series="", low="", high=""), ("y", "high"))
    assert [item.name for item in by_column] == ["y", "high"]


def test_a_line_stands_where_its_numbers_say() -> None:
    (figure,) = figures(curve())
    # Axis from 0 to 0.5 over 204 units, its foot at 214; x from 54 over 646 units.
    assert 'points="54.0,132.4 700.0,50.8"' in figure.svg
    assert figure.svg.count('class="whisker"') == 2 and figure.legend == (("s0", "one"),)


def test_a_line_joins_neighbouring_places_only() -> None:
    places = [("all", x, 0.5) for x in range(1, 6)] + [("some", 1, 0.2), ("some", 4, 0.3), ("some", 5, 0.4)]
    rows = tuple((*place, None, None) for place in places)
    (figure,) = figures(curve(rows=rows))
    assert figure.svg.count("<polyline") == 2 and figure.svg.count("<circle") == 8
    joined = re.findall(r'<polyline points="([^"]+)" class="line s1"', figure.svg)
    assert [len(points.split()) for points in joined] == [2]


def test_bars_grids_and_flows_are_drawn_and_tables_are_not() -> None:
    (bars,) = figures(curve(drawing="bar"))
    assert bars.svg.count("<rect") == 2 and "one, 1: 0.2" in bars.svg
    cells = tuple((b, a, g, a + g) for b in (0.0, 1.0) for a in (0.0, 0.5) for g in (0.0, 0.5))
    grid = {"columns": ("b", "a", "g", "r"), "rows": cells, "x": "a", "y": ("g", "r"), "series": "b"}
    maps = figures(Analysis.model_validate({"name": "g", "title": "G", "drawing": "grid", **grid}))
    assert len(maps) == 2 and maps[0].svg.count("<rect") == 4 and maps[1].caption.startswith("b 1")
    rows = (("duquad", "pruned", "wrong", 3), ("duquad", "none", "right", 5), ("duquad", "pruned", "lucky", 1))
    flow = {"columns": ("system", "stage", "mark", "answers"), "rows": rows, "x": "stage", "y": ("answers",)}
    (drawn,) = figures(
        Analysis.model_validate({"name": "f", "title": "F", "drawing": "flow", "series": "mark", **flow})
    )
    assert [name for _, name in drawn.legend] == ["right", "wrong", "lucky"] and drawn.svg.count("<rect") == 3
    assert figures(curve(drawing="table")) == [] and figures(curve(rows=())) == []


def test_one_point_and_all_zero_are_drawn() -> None:
    for rows in ((("one", 1, 0.0, 0.0, 0.0),), (("one", 2, 0.7, None, None),)):
        for drawing in ("line", "bar"):
            (figure,) = figures(curve(rows=rows, drawing=drawing))
            assert "nan" not in figure.svg and "inf" not in figure.svg


@pytest.mark.parametrize(
    ("highest", "end"), [(0.2, 0.2), (0.21, 0.25), (0.3, 0.5), (0.9, 1), (7, 10), (0, 1), (101, 200)]
)
def test_an_axis_ends_at_a_round_number(highest: float, end: float) -> None:
    assert upper_end(highest) == pytest.approx(end)


def test_cells_for_readers() -> None:
    assert [cell(value) for value in (None, True, False, 3, "a\nb")] == ["", "yes", "", "3", "a b"]
    assert [cell(value) for value in (0.123456, 0.00001, 0.0)] == ["0.1235", "1.0e-05", "0"]
