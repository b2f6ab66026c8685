"""Pages for tests: a layout by hand, with words in lines from left to right."""

from __future__ import annotations

from core.page_record import Cell, PageLayout, Region, Word

WIDTH, HEIGHT, GAP = 0.02, 0.02, 0.01  # of a character, of a line, between words


def line(text: str, top: float, left: float = 0.1) -> list[Word]:
    """The words of one line, each as wide as it has characters."""
    words = []
    for word in text.split():
        right = left + WIDTH * len(word)
        words.append(Word(text=word, box=(round(left, 4), top, round(right, 4), round(top + HEIGHT, 4))))
        left = right + GAP
    return words


def around(words: list[Word]) -> tuple[float, float, float, float]:
    left, top, right, bottom = zip(*(word.box for word in words), strict=True)
    return min(left), min(top), max(right), max(bottom)


def layout(page: int, *regions: tuple[str, list[str]], printed: str = "", notes: tuple[str, ...] = ()) -> PageLayout:
    """A page of regions (kind, lines); the lines of a table are its rows, with cells apart by bars."""
    words: list[Word] = []
    made: list[Region] = []
    top = 0.1
    for kind, lines in regions:
        own: list[Word] = []
        cells: list[Cell] = []
        for row, text in enumerate(lines):
            left = 0.1
            for column, part in enumerate(text.split("|") if kind == "table" else [text]):
                found = line(part, round(top, 4), left)
                own += found
                left += 0.3
                if kind == "table" and found:
                    cells.append(Cell(row=row, column=column, text=part.strip(), box=around(found)))
            top += 0.03
        made.append(Region.model_validate({
            "kind": kind, "box": around(own) if own else (0.1, round(top, 4), 0.9, round(top + 0.2, 4)),
            "text": "\n".join(lines).replace("|", " "), "cells": tuple(cells),
        }))  # fmt: skip
        words += own
        top += 0.05
    text = "\n\n".join(region.text for region in made)
    return PageLayout(
        page=page, printed=printed, width=595, height=842, pixels=(1190, 1684), words=tuple(words),
        regions=tuple(made), text=text, read_by="text" if words else "none", notes=notes,
    )  # fmt: skip
