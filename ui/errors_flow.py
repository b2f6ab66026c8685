"""The callbacks of the tab "Errors" as plain methods: what is on the page in, what it then shows out."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from core.evaluation.labels import wrong_answers
from core.evaluation.labels_record import Answer, LabelError, SavedLabel
from core.evaluation.service import UnknownSet
from core.evaluation.table_view import Query, neighbour
from core.records import RecordError, RunRecord
from ui.errors_labels import Form, form_of, history_html, saved, told
from ui.errors_state import NONE, PAGE, ErrorsView, filtered, matching, read_address
from ui.errors_views import Drawn, chooser_html, master, open_rows, panel_head, place_of, run_of, welcome
from ui.inspect_run import notice
from ui.pages_files import Files
from ui.read_acts import act as read_act
from ui.read_acts import number
from ui.set_library import Sets
from ui.set_open import OpenSet
from ui.visitor import visitor

_log = logging.getLogger(__name__)


class ErrorsPage(NamedTuple):
    """Everything that may change when something is opened, filtered or chosen."""

    view: ErrorsView
    drawn: Drawn
    form: Form
    failures: tuple[str, ...]
    """The failure types that the form offers."""
    picture: dict[str, object] | None = None
    """The picture of the open page, for the browser to keep."""
    notice: str = ""


@dataclass(frozen=True)
class ErrorsFlow:
    """Each method answers one kind of event. Errors that a person can act on become a notice."""

    sets: Sets
    files: Files

    # ---- what is opened

    def load(self, query: Mapping[str, str], dark: bool, reviewer: str) -> ErrorsPage:
        """The tab as its address says, else the first set that ships with the page."""
        view = read_address(query if query.get("tab") == "errors" else {"set": query.get("set", "")}, dark)
        return self.show(replace(view, key=view.key or next(iter(self.sets.shipped), "")), reviewer)

    def open(self, key: str, system: str, stage: str, mark: str, view: ErrorsView, reviewer: str) -> ErrorsPage:
        """A set, perhaps only the answers of one part of its flow."""
        query = filtered(filtered(Query(system=system), "stage", stage), "mark", mark)
        return self.show(ErrorsView(key, query, system=system, dark=view.dark), reviewer)

    def show(self, view: ErrorsView, reviewer: str, said: str = "") -> ErrorsPage:
        """A view; one whose set is not there any more shows none, and says why."""
        try:
            found = self.sets.open(view.key) if view.key else None
        except (UnknownSet, OSError) as error:
            found, view, said = None, ErrorsView(dark=view.dark), notice(error)
        chooser = chooser_html(self._choices(found), view.key)
        if found is None:
            return ErrorsPage(view, welcome(chooser, view.dark), Form("", None, "", "", ""), (), notice=said)
        labels = self.sets.labelled(view.key)
        view = self._fitted(view, found)
        run, beside, view, picture = run_of(found, view, self.sets, self.files)
        history, failures = self._history(view, self.answer(found, view))
        left = master(found, view, labels, self.sets, chooser)
        head = panel_head(found, view, labels)
        drawn = Drawn(*left, head, history_html(history), beside, *run)
        form = form_of(view.key, self.answer(found, view), history, reviewer)
        return ErrorsPage(view, drawn, form, failures, picture, said)

    def _choices(self, found: OpenSet | None) -> list[tuple[str, str]]:
        """The sets of the list: examples, the visitor's own, and the open one."""
        choices = dict(self.sets.shipped)
        choices |= {one.set_id: one.name for one in self.sets.service.list(visitor())} if visitor() else {}
        choices |= {found.key: found.name} if found else {}
        return list(choices.items())

    def _fitted(self, view: ErrorsView, found: OpenSet) -> ErrorsView:
        """The view on a page and a question that are there, with a system that answered it."""
        shown = found.select(view.query, self.sets.labelled(view.key))
        if view.question is None or not 0 <= view.question < len(found.table.questions):
            view = self._opened(view, found, int(shown[0])) if len(shown) else view.opened(None)
        names = [row.system for row in open_rows(found, view)]
        wanted = (view.system, view.query.system, *names)
        system = next((name for name in wanted if name in names), "")
        last = max(0, (len(shown) - 1) // PAGE)
        return replace(view, system=system, page=min(max(view.page, 0), last))

    def answer(self, found: OpenSet, view: ErrorsView) -> Answer | None:
        """What a label of the open answer is about."""
        rows = open_rows(found, view)
        return (rows[0].id, view.system) if rows and view.system else None

    def _history(self, view: ErrorsView, answer: Answer | None) -> tuple[tuple[SavedLabel, ...], tuple[str, ...]]:
        """All labels of the open answer, and the failure types of the set."""
        try:
            store = self.sets.existing_labels(view.key)
            if store is None or answer is None:
                return (), self.sets.failure_types(view.key)
            return store.history(answer), store.failure_types()
        except (LabelError, UnknownSet) as error:
            _log.warning("labels cannot be shown: %s", error)
            return (), ()

    # ---- what is chosen

    def act(self, view: ErrorsView, what: object, value: object, reviewer: str) -> ErrorsPage:
        """A button, a box or a key; what makes no sense changes nothing."""
        if not isinstance(what, str) or not isinstance(value, str | int):
            return self.show(view, reviewer)
        text = str(value)
        if what == "set":
            return self.show(ErrorsView(text[:64], dark=view.dark), reviewer)
        try:
            found = self.sets.open(view.key)
        except (UnknownSet, OSError):
            return self.show(view, reviewer)
        return self.show(self._acted(view, found, what, text), reviewer)

    def _acted(self, view: ErrorsView, found: OpenSet, what: str, value: str) -> ErrorsView:
        place = _signed(value)
        match what:
            case "reset":
                return replace(view, query=Query(), page=0)
            case "turn" if place is not None:
                return replace(view, page=view.page + place)
            case "open" if place is not None and 0 <= place < len(found.table.questions):
                return self._opened(view, found, place)
            case "step" if place is not None:
                return self._stepped(view, found, place)
            case "by":
                other = view.system if value == view.other else view.other
                return replace(view, system=value, other=other)
            case "other":
                return replace(view, other="" if value == view.other else value)
            case "document" | "go" | "first" | "second" | "third":
                return self._chosen(view, found, what, value)
            case _ if what.startswith("read:"):
                return self._read(view, found, what.removeprefix("read:"), value)
        query = filtered(view.query, what, value)
        return replace(view, query=query, page=0) if query != view.query else view

    def _opened(self, view: ErrorsView, found: OpenSet, question: int) -> ErrorsView:
        """Another question, at the answer that the filters are about."""
        return view.opened(question, matching(view.query, found.table.questions[question], view.system).system)

    def _stepped(self, view: ErrorsView, found: OpenSet, by: int) -> ErrorsView:
        """The question so many steps further on in what is shown, on its page of the table."""
        shown = found.select(view.query, self.sets.labelled(view.key))
        question = neighbour(shown, view.question, by)
        if question is None or question == view.question:
            return view
        view = self._opened(view, found, question)
        place, _ = place_of(found, view, self.sets.labelled(view.key))
        return replace(view, page=(place or 0) // PAGE)

    def _record(self, view: ErrorsView, found: OpenSet) -> RunRecord | None:
        row = next((row for row in open_rows(found, view) if row.system == view.system), None)
        try:
            return self.sets.record(found, row) if row else None
        except RecordError:
            return None

    def _chosen(self, view: ErrorsView, found: OpenSet, what: str, value: str) -> ErrorsView:
        """A document was chosen: in a table, a figure, or by stepping; over a PDF it stands for its page."""
        record = self._record(view, found)
        if record is None:
            return view
        if record.pages is not None:
            return self._point(view, record, what, value)
        count, at = len(record.documents), view.document
        if what == "go":
            if value not in ("next", "previous") or not count:
                return view.selecting(NONE)
            step = 1 if value == "next" else -1
            start = (0 if step > 0 else count - 1) if at is None or at == NONE else at + step
            return view.selecting(min(max(start, 0), count - 1))
        place = number(value)
        return view.selecting(place) if place is not None and place < count else view

    def _point(self, view: ErrorsView, record: RunRecord, what: str, value: str) -> ErrorsView:
        """A point of a figure over pages; the first figure counts pages, the others candidates."""
        if what == "go":
            return replace(view, read=read_act(view.read, record, "go", value))
        place = number(value)
        if place is not None and what in ("second", "third"):
            place = record.documents[place].page if place < len(record.documents) else None
        return view if place is None else replace(view, read=read_act(view.read, record, "page", place))

    def _read(self, view: ErrorsView, found: OpenSet, what: str, value: str) -> ErrorsView:
        """A page, clue, citation or switch of a run over a PDF; nothing is decided anew from here."""
        record = self._record(view, found)
        return (
            view if record is None or what == "back" else replace(view, read=read_act(view.read, record, what, value))
        )

    # ---- labels

    def save(self, view: ErrorsView, reviewer: str, form: Form) -> tuple[str, str]:
        """Keeps a label of the answer that the form was filled for; returns a notice, and that answer's history."""
        subject = told(form.about)
        if subject is None:
            return notice("There is no answer to label: open one first."), ""
        key, answer = subject
        try:
            found = self.sets.open(key)
            if answer not in {(row.id, row.system) for row in found.table.questions[found.numbers.get(answer[0], 0)]}:
                raise LabelError("This answer is not in the set any more. Nothing was saved.")
            store = self.sets.labels(key)
            label = saved(store, answer, reviewer, form)
            return notice(f"Saved: {label.verdict}, by {label.reviewer}.", "info"), history_html(store.history(answer))
        except (LabelError, UnknownSet, OSError) as error:
            return notice(error), ""

    def following(self, view: ErrorsView, reviewer: str, twice: bool) -> ErrorsPage:
        """The next wrong answer that nobody has labelled, lent to this reviewer for a while."""
        try:
            found = self.sets.open(view.key)
            queue = wrong_answers(found.table, view.query.system)
            chosen = self.sets.labels(view.key).take(reviewer, queue, 2 if twice else 1)
        except (LabelError, UnknownSet, OSError) as error:
            return self.show(view, reviewer, notice(error))
        if chosen is None:
            return self.show(view, reviewer, notice("No wrong answer is left to label, or others hold them.", "info"))
        view = view.opened(found.numbers[chosen[0]], chosen[1])
        place, _ = place_of(found, view, self.sets.labelled(view.key))
        return self.show(replace(view, page=(place or 0) // PAGE if place is not None else view.page), reviewer)


def _signed(text: str) -> int | None:
    """A number with or without a minus sign."""
    place = number(text.removeprefix("-"))
    return None if place is None else -place if text.startswith("-") else place
