"""What stages, marks and formats are called on the page."""

from __future__ import annotations

from core.evaluation.record import LossStage
from core.evaluation.table import Mark

STAGE_TITLES: dict[LossStage, str] = {
    "not_in_input": "not in the input",
    "below_k": "below k in the ranking",
    "not_selected": "chosen by neither agent",
    "pruned": "pruned at the gate",
    "not_quoted": "lost in the snippets",
    "judged_wrong": "arrived, judged wrong",
    "metric": "right text, failed by the metric",
    "not_retrieved": "page not retrieved",
    "labelled_irrelevant": "page screened out",
    "no_clue": "no clue taken",
    "decided_wrong": "arrived, decided wrong",
    "cited_wrong": "cited a wrong page",
    "none": "arrived",
    "unknown": "gold not known",
}
MARK_SIGNS: dict[Mark, str] = {"right": "✓", "wrong": "✗", "lucky": "♣", "error": "!", "unmarked": "–"}
"""The shape of each mark; its colour is never alone."""
MARK_WORDS: dict[Mark, str] = {
    "right": "right",
    "wrong": "wrong",
    "lucky": "right, although gold evidence did not arrive",
    "error": "ended in an error",
    "unmarked": "no accepted answer is known",
}
FORMATS = {
    "lost_in_the_middle": "lost-in-the-middle JSON lines",
    "musique": "MuSiQue",
    "hotpotqa": "HotpotQA",
    "mmlongbench": "MMLongBench-Doc",
    "longdocurl": "LongDocURL",
    "papertab": "PaperTab",
    "fetatab": "FetaTab",
    "ragchecker": "RAGChecker",
    "mapped": "a table whose columns were named",
}


def stage_title(stage: str) -> str:
    """What a stage of loss is called; a name that this version does not know stays as it is."""
    return next((title for name, title in STAGE_TITLES.items() if name == stage), stage)


def group_words(name: str, value: str) -> tuple[str, str]:
    """A group and one of its values for a person: places of documents count from 1 there, from 0 in files."""
    if name == "gold_position" and value.isascii() and value.isdecimal():
        return "place of gold", str(int(value) + 1)
    return name.replace("_", " "), value


def duration(seconds: float) -> str:
    """Seconds in words."""
    if seconds < 90:
        return f"{max(seconds, 1):.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
