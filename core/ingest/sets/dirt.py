"""What was left out or mended, counted by reason; a bounded number of places is kept."""

from __future__ import annotations

from collections.abc import Iterator

from core.set_record import Dirt, Skipped

PLACES = 50  # kept for one reason; more are counted only
REASONS = 200  # kept; what comes after is counted under one reason
_MORE = "other reasons, of which there are too many to list."


class DirtLog:
    """Filled while a set is read."""

    def __init__(self) -> None:
        self._counts: dict[tuple[str, bool], int] = {}
        self._places: dict[tuple[str, bool], list[str]] = {}
        self.left_out = 0
        """Rows."""
        self.mended = 0
        """Rows; one with two kinds of dirt counts once."""

    def leave_out(self, skipped: Skipped) -> None:
        """A row that is not in the set."""
        self.left_out += 1
        self._note(skipped.place, skipped.reason, False)

    def mend(self, place: str, reasons: set[str]) -> None:
        """A row that is in the set all the same."""
        self.mended += bool(reasons)
        for reason in sorted(reasons):
            self._note(place, reason, True)

    def dirt(self) -> tuple[Dirt, ...]:
        """By reason, left out before mended, the most frequent first."""
        order = sorted(self._counts, key=lambda key: (key[1], -self._counts[key], key[0]))
        return tuple(
            Dirt(reason=key[0], kept=key[1], rows=self._counts[key], places=tuple(self._places[key])) for key in order
        )

    def skipped(self) -> tuple[Skipped, ...]:
        """One entry a place, as far as places are kept."""
        return tuple(self._each())

    def _each(self) -> Iterator[Skipped]:
        for entry in self.dirt():
            for place in entry.places:
                yield Skipped(place=place, reason=entry.reason, kept=entry.kept)

    def _note(self, place: str, reason: str, kept: bool) -> None:
        key = (reason, kept)
        if key not in self._counts and len(self._counts) >= REASONS:
            key = (_MORE, kept)
        self._counts[key] = self._counts.get(key, 0) + 1
        places = self._places.setdefault(key, [])
        if len(places) < PLACES:
            places.append(place)
