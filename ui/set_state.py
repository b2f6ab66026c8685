"""What one visitor looks at in the tab "Question set": small, frozen, and written in the page's address."""

from __future__ import annotations

from dataclasses import dataclass

from core.evaluation.record import Columns, Mapping, SetSummary


@dataclass(frozen=True, eq=False)
class SetView:
    """``eq=False``: Gradio compares states by hash, and identity is the cheap one."""

    key: str = ""
    """Id of the open set, or the name of one that ships with the page; empty for none."""
    analysis: str = ""
    """Name of the analysis that is shown; empty for the first."""
    version: tuple[int, int] = (0, 0)
    """Of the results that were drawn last."""
    dark: bool = False

    @property
    def address(self) -> dict[str, str]:
        """What stands in the page's address."""
        if not self.key:
            return {}
        return {"set": self.key} | ({"analysis": self.analysis} if self.analysis else {})


@dataclass(frozen=True, eq=False)
class Given:
    """The files that a visitor has given and not started yet."""

    questions: str = ""
    """Path of the uploaded question file; empty for none."""
    name: str = ""
    """Its name, shown and never used as a path."""
    pdfs: tuple[str, ...] = ()
    summary: SetSummary | None = None
    """What the file holds; None before it could be read."""
    columns: Columns | None = None
    """What a table of no known format offers."""
    mapping: Mapping | None = None
    """Which columns are what, once a person has said so."""
    systems: tuple[str, ...] = ("duquad", "vanilla")
    limit: int | None = None
    """Only the first questions."""
