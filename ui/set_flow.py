"""The callbacks of the tab "Question set" as plain methods: what is on the page in, what it then shows out."""

from __future__ import annotations

import logging
from collections.abc import Mapping as Query
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from core.backend.protocol import Backend
from core.evaluation.record import Mapping
from core.evaluation.service import SetPlan, SetStatus, UnknownSet
from core.ingest.questions import InputError
from core.ingest.sets.mapped import NeedsMapping
from core.settings.app import AppSettings
from ui.inspect_run import KNOWN, notice
from ui.set_cards import list_html
from ui.set_library import Sets
from ui.set_open import OpenSet
from ui.set_state import Given, SetView
from ui.set_views import Asked, Drawn, ask, choices, draw
from ui.visitor import visitor

ERRORS = (*KNOWN, UnknownSet)
"""Errors whose message was written for the person."""
_log = logging.getLogger(__name__)


class SetPage(NamedTuple):
    """Everything that may change when a set is opened, started or steered."""

    view: SetView
    drawn: Drawn
    running: bool
    """Whether there is something to wait for."""
    notice: str = ""


@dataclass(frozen=True)
class SetFlow:
    """Each method answers one kind of event. Errors that a person can act on become a notice."""

    sets: Sets
    backend: Backend
    own: AppSettings

    # ---- what is opened

    def load(self, query: Query[str, str], dark: bool) -> SetPage:
        """The tab as its address says, else the first set that ships with the page."""
        asked = query if query.get("tab") == "set" else {}
        key = asked.get("set", "") or next(iter(self.sets.shipped), "")
        return self.show(SetView(key, asked.get("analysis", ""), dark=dark))

    def show(self, view: SetView, said: str = "") -> SetPage:
        """A view; one whose set is not there any more shows none, and says why."""
        found, status = None, None
        try:
            if view.key:
                found, status = self.sets.open(view.key), self.sets.status(view.key)
        except (UnknownSet, OSError) as error:
            view, said = replace(view, key=""), notice(error)
        view = replace(view, version=found.version if found else (0, 0))
        own = self.sets.service.list(visitor()) if visitor() else []  # nobody else's are listed
        mine = any(one.set_id == view.key for one in own)
        drawn = draw(view, found, status, mine, list_html(self.sets.shipped, own, view.key))
        return SetPage(view, drawn, status is not None and status.state in ("running", "paused"), said)

    def act(self, view: SetView, what: object, value: object) -> SetPage:
        """A button of the tab was pressed; what makes no sense changes nothing."""
        service = self.sets.service
        steps = {"pause": service.pause, "stop": service.stop, "resume": service.resume}
        try:
            match what, value:
                case "open", str():
                    return self.show(SetView(value, dark=view.dark))
                case "analysis", str():
                    view = replace(view, analysis=value)
                case "retry", _:
                    service.resume(view.key, visitor(), retry_errors=True)
                case ("pause" | "stop" | "resume") as name, _:
                    steps[name](view.key, visitor())
        except ERRORS as error:
            return self.show(view, notice(error))
        return self.show(view)

    def status(self, view: SetView) -> SetStatus | None:
        """How far the open set is; None for a recorded one, or none."""
        with suppress(UnknownSet):
            return self.sets.status(view.key) if view.key else None
        return None

    def found(self, view: SetView) -> OpenSet | None:
        """The results of the open set; None where there is none."""
        with suppress(UnknownSet, OSError):
            return self.sets.open(view.key) if view.key else None
        return None

    # ---- a set of one's own

    def look(self, given: Given) -> tuple[Given, str]:
        """What the given files hold, with a notice where that cannot be said; a table's columns are asked for."""
        given = replace(given, summary=None, columns=None)
        if not given.questions:
            return given, ""
        try:
            summary = self.sets.service.look(Path(given.questions), self._pdfs(given), given.mapping)
        except NeedsMapping as needs:
            return replace(given, columns=needs.columns), ""
        except ERRORS as error:
            return given, notice(error)
        given = replace(given, summary=summary)
        known = [system.name for system, why in choices(given, self._profile(), self.own) if not why]
        chosen = tuple(name for name in given.systems if name in known) or tuple(known[:2])
        return replace(given, systems=chosen), ""

    def asked(self, given: Given) -> Asked:
        """The form as it stands."""
        seconds = None
        if given.summary and given.systems:
            seconds = self.sets.service.estimate(given.summary, given.systems, visitor())
        return ask(given, choices(given, self._profile(), self.own), seconds)

    def toggled(self, given: Given, system: object) -> Given:
        """One system more or less, in the order of the list."""
        wanted = set(given.systems) ^ {str(system)}
        known = [one.name for one, why in choices(given, self._profile(), self.own) if not why]
        return replace(given, systems=tuple(name for name in known if name in wanted))

    def start(self, view: SetView, given: Given) -> SetPage:
        """Hands the set to the service and opens it."""
        try:
            if given.summary is None:
                raise InputError("There is no set to run yet: choose a question file.")
            if not given.systems:
                raise InputError("Choose at least one system.")
            plan = SetPlan(
                name=given.name[:255] or "Question set",
                systems=given.systems,
                mapping=given.mapping,
                limit=given.limit,
                owner=visitor(),
            )
            key = self.sets.service.start(plan, Path(given.questions), self._pdfs(given))
        except NeedsMapping as needs:
            return self.show(view, notice(needs))
        except ERRORS as error:
            return self.show(view, notice(error))
        except OSError:
            return self.show(view, notice("The uploaded files are not here any more: upload them again."))
        return self.show(SetView(key, dark=view.dark))

    def _pdfs(self, given: Given) -> list[Path]:
        return [Path(path) for path in given.pdfs]

    def _profile(self) -> str:
        return self.backend.status().profile


def mapped(values: list[object], gold_from: object, pages_from: object, names: tuple[str, ...]) -> Mapping:
    """The mapping that a person has put together.

    Raises:
        InputError: no column holds the question.
    """
    many = ("answers", "documents", "groups")
    fields = {
        name: tuple(map(str, value))
        if name in many and isinstance(value, list)
        else value or (() if name in many else "")
        for name, value in zip(names, values, strict=True)
    }
    if not fields.get("question"):
        raise InputError("Say which column holds the question.")
    return Mapping.model_validate(fields | {"gold_from": int(bool(gold_from)), "pages_from": int(bool(pages_from))})
