"""What a click or a key does to the view. Values come from the browser: what makes no sense changes nothing."""

from __future__ import annotations

from dataclasses import replace

from core.records import RunRecord
from ui.read_state import OVERLAYS, WHOLE, ReadView, back_of, may_be_put_back


def act(view: ReadView, record: RunRecord | None, what: object, value: object) -> ReadView:
    """The view after one act on ``record``."""
    if record is None:
        return view
    match what:
        case "page" | "clue" | "cite":
            return _choose(view, record, str(what), number(value))
        case "go":
            return _go(view, record, value)
        case "token":
            token = WHOLE if value == "all" else number(value)
            return replace(view, token=None if token == view.token else token)
        case "show":
            shown = next((overlay for overlay in OVERLAYS if overlay == value), None)
            return replace(view, hidden=view.hidden ^ {shown}) if shown else view
        case "text":
            return replace(view, text=not view.text)
        case "first":
            return replace(view, first=not view.first)
        case "back":
            return _put_back(view, record, number(value))
    return view


def number(value: object) -> int | None:
    """An index as the browser sends it: a number, or its digits."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    return int(value) if isinstance(value, str) and value.isdecimal() and len(value) < 7 else None


def _choose(view: ReadView, record: RunRecord, what: str, place: int | None) -> ReadView:
    """Opens a page, or lights a clue or a citation; one that is lit is let go of, and its page stays open."""
    counts = {"page": record.pages, "clue": record.clues, "cite": record.citations}
    if place is None or place not in range(len(counts[what] or ())):
        return view
    bare = replace(view, clue=None, cite=None, chosen=True)
    if what == "page":
        return replace(bare, page=place)
    if (view.clue if what == "clue" else view.cite) == place:
        return bare
    return replace(bare, clue=place) if what == "clue" else replace(bare, cite=place)


def _go(view: ReadView, record: RunRecord, to: object) -> ReadView:
    """The next page, the one before, or none."""
    bare = replace(view, clue=None, cite=None, chosen=True)
    last = len(record.pages or ()) - 1
    if to not in ("next", "previous") or last < 0:
        return replace(bare, page=None)
    if view.page is None:
        return replace(bare, page=0 if to == "next" else last)
    return replace(bare, page=min(max(view.page + (1 if to == "next" else -1), 0), last))


def _put_back(view: ReadView, record: RunRecord, page: int | None) -> ReadView:
    """Marks a dropped page to be kept in the next decision, or unmarks it."""
    if page is None or record.final is None or not may_be_put_back(record, page):
        return view
    back = set(back_of(view, record)) ^ {page}
    return replace(view, back=tuple(sorted(back)))
