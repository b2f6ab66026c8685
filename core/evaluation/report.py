"""A set as one HTML file that opens from a disk: no script, no server, no request to anyone.

Foreign text is escaped by the template engine, and its hidden characters are shown. The file's own policy forbids
everything but its own style, so that even a mistake there could load and run nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from jinja2 import Environment, FileSystemLoader
from markupsafe import Markup
from numpy.typing import NDArray

from core.evaluation.analyses import Analysis, everything
from core.evaluation.analyses_record import Cell
from core.evaluation.export import Labels
from core.evaluation.report_figures import figures
from core.evaluation.report_svg import Figure
from core.evaluation.table import SetTable, mark_of
from core.harmless import plain, visible
from core.settings.evaluation import REPORT_CHARS, REPORT_QUESTIONS, REPORT_ROWS

_TEMPLATE = "report.html.jinja"


@dataclass(frozen=True)
class Heading:
    """What stands above a report."""

    name: str
    """Of the set."""
    facts: Sequence[tuple[str, str]] = ()
    """(what, value): profile, models, date ..."""
    notes: Sequence[str] = field(default=())
    """What a reader should know, such as that a set is a stand-in for another."""


@dataclass(frozen=True)
class Part:
    """One analysis with its drawings."""

    analysis: Analysis
    figures: Sequence[Figure]


def report(
    heading: Heading,
    table: SetTable,
    questions: Sequence[int] | NDArray[np.int64],
    labels: Labels | None = None,
    analyses: Iterable[Analysis] | None = None,
) -> bytes:
    """The file, UTF-8.

    Args:
        heading: what stands above.
        table: the set.
        questions: numbers of the questions that are listed, in order, such as the ones that are shown; the first ones
            where there are very many, and the report says so.
        labels: what reviewers said.
        analyses: those to be shown; by default all that have something to show.
    """
    found = everything(table) if analyses is None else analyses
    parts = [Part(analysis, figures(analysis)) for analysis in found if analysis.rows]
    listed = [table.questions[int(number)] for number in questions[:REPORT_QUESTIONS]]
    page = _ENVIRONMENT.get_template(_TEMPLATE).render(
        heading=heading,
        parts=parts,
        systems=table.systems,
        questions=[(rows[0], {row.system: row for row in rows}) for rows in listed],
        left_out=len(questions) - len(listed),
        labels=labels or {},
        counts={"questions": len(table.questions), "answers": len(table.rows), "damaged": table.damaged},
        most_rows=REPORT_ROWS,
    )
    return page.encode(errors="replace")


def cell(value: Cell) -> str:
    """A cell as a reader wants it: three digits, blank for none."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else ""
    if isinstance(value, float):
        return f"{value:.4g}" if abs(value) >= 0.001 or value == 0 else f"{value:.1e}"
    return plain(str(value))


def cut(text: str) -> str:
    """A text for the list of questions, cut where it is very long."""
    return visible(text if len(text) <= REPORT_CHARS else f"{text[:REPORT_CHARS]}…")


def _markup(figure: Figure) -> Markup:
    return Markup(figure.svg)


def _environment() -> Environment:
    environment = Environment(autoescape=True, loader=FileSystemLoader(Path(__file__).parent))
    environment.filters |= {"cell": cell, "cut": cut, "plain": plain, "svg": _markup}
    environment.tests["numeric"] = lambda value: isinstance(value, int | float) and not isinstance(value, bool)
    environment.globals["mark_of"] = mark_of
    return environment


_ENVIRONMENT = _environment()
