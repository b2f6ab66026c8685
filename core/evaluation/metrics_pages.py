"""The rules of MMLongBench-Doc and LongDocURL: a mark by the type of the gold answer.

Written from the published rules (MMLongBench-Doc ``eval_score``, LongDocURL ``utils_score_v3``), oddities included, so
that marks can be compared: MMLongBench-Doc takes 8.9 for 8 where whole numbers are asked for, and LongDocURL's
stripping of units eats letters of words. Lists are read as literals and never evaluated.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Sequence
from typing import Any

from rapidfuzz.distance import Levenshtein

from core.settings.evaluation import ANLS_THRESHOLD, FLOAT_TOLERANCE, LITERAL_CHARS, LITERAL_ITEMS

_PARENTHESES = re.compile(r"\s*\([^)]*\)")
_OUTER_QUOTES = re.compile(r"^['\"]|['\"]$")
_PHONE = re.compile(r"\d+(-\d+|\s\d+)?")
_DATE = re.compile(r"\d{4}[-\s]\d{2}([-\s]\d{2})?")
_EMAIL = re.compile(r"[a-zA-Z0-9._%+-]+@[a-zA-Z0-9.-]+\.[a-zA-Z]{2,}")
_UNITS = ("kg", "mm", "m", "meters", "acres", "minutes", "mile", "miles", "million", "thousand", "billion")
_NAMES = {"integer": "int", "string": "str"}


def kind_of(answer_format: str) -> str:
    """``int``, ``float``, ``str``, ``list`` or ``none``, by either data set's name for it; ``str`` for others."""
    name = answer_format.strip().lower()
    name = _NAMES.get(name, name)
    return name if name in ("int", "float", "str", "list", "none") else "str"


def anls(gold: str, prediction: str) -> float:
    """1 − edit distance / longer length; 0 where that is not above the threshold, 1 for two empty texts."""
    longer = max(len(gold), len(prediction))
    similarity = 1 - Levenshtein.distance(gold, prediction) / longer if longer else 1.0
    return similarity if similarity > ANLS_THRESHOLD else 0.0


def literal(value: str) -> list[Any]:
    """A list that was written as text; anything else is a list of that one text."""
    text = value.strip()
    if text.startswith("[") and len(text) <= LITERAL_CHARS:
        try:
            found = ast.literal_eval(text)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            return [value]
        if isinstance(found, list):
            return found[:LITERAL_ITEMS]
    return [value]


def mmlongbench(gold: str | Sequence[str], prediction: str | Sequence[str], answer_format: str) -> float:
    """MMLongBench-Doc's mark in [0, 1].

    Args:
        gold: the gold answer as written; a list is a text such as ``"['a', 'b']"``, or its items.
        prediction: the short answer, in the same way.
        answer_format: Int, Float, Str, List or None.
    """
    kind = kind_of(answer_format)
    if kind == "list":
        return _aligned_lists(_items(gold), _items(prediction))
    wanted, said = _one(gold), _one(prediction)
    if kind == "int":
        return float(_whole(wanted) is not None and _whole(wanted) == _truncated(said))
    if kind == "float":
        return float(_close(_cleaned(wanted), _cleaned(said)))
    return _text(_cleaned(wanted), _cleaned(said))


def longdocurl(gold: str | Sequence[str], prediction: str | Sequence[str], answer_format: str) -> float:
    """LongDocURL's mark in [0, 1]; arguments as ``mmlongbench``, formats Integer, Float, String, List or None."""
    kind = kind_of(answer_format)
    if kind == "list":
        return _greedy_lists(_items(gold), _items(prediction) or [""])
    wanted, said = _without_units(_one(gold)), _without_units(_one(prediction))
    if kind == "int":
        return float(_whole(said) is not None and _whole(wanted) == _whole(said))
    if kind == "float":
        return float(_close(wanted, said))
    return _text(wanted, said)


def _items(value: str | Sequence[str]) -> list[str]:
    """The items of a list as text; those that are records are their values joined, as LongDocURL does."""
    found: Sequence[Any] = literal(value) if isinstance(value, str) else value
    return ["-".join(map(str, item.values())) if isinstance(item, dict) else str(item) for item in found]


def _one(value: str | Sequence[str]) -> str:
    return value if isinstance(value, str) else ", ".join(value)


def _whole(text: str) -> int | None:
    try:
        return int(text)
    except ValueError:
        return None


def _truncated(text: str) -> int | None:
    try:
        return int(float(text))
    except (ValueError, OverflowError):
        return None


def _cleaned(text: str) -> str:
    """Lower case without parentheses, outer quotes, a leading dollar and a trailing percent sign."""
    bare = _OUTER_QUOTES.sub("", _PARENTHESES.sub("", text.lower().strip()).strip()).strip()
    return bare.lstrip("$").strip().rstrip("%").strip()


def _without_units(text: str) -> str:
    """LongDocURL's cleaning: no commas, and the letters of a unit at the end are stripped as a set of letters."""
    bare = text.lower().strip().replace(",", "")
    for unit in _UNITS:
        if bare.endswith(unit):
            bare = bare.rstrip(unit).strip()
    bare = _OUTER_QUOTES.sub("", _PARENTHESES.sub("", bare).strip()).strip()
    return bare.lstrip("$").strip().lstrip("£").strip().rstrip("%").strip()


def _number(text: str) -> float | None:
    try:
        return float(text.strip().rstrip("%").strip())
    except ValueError:
        return None


def _digits(number: float) -> int:
    """Digits behind the point as Python writes the number; 3 where it writes none."""
    written = str(number)
    return len(written.split(".")[-1]) if "." in written else 3


def _close(gold: str, prediction: str) -> bool:
    """Within one percent of the gold number, its hundredth or its hundredfold, or equal after rounding."""
    wanted, said = _number(gold), _number(prediction)
    if wanted is None or said is None or not (math.isfinite(wanted) and math.isfinite(said)):
        return False
    for value in (wanted / 100, wanted, wanted * 100):
        digits = max(min(_digits(said), _digits(value)), 2)
        if math.isclose(value, said, rel_tol=FLOAT_TOLERANCE) or round(said, digits) == round(value, digits):
            return True
    return False


def needs_exact_match(gold: str) -> bool:
    """Whether a cleaned gold answer is an address, a file, a page, a number, a time, a date or an e-mail."""
    return (
        "https://" in gold
        or gold.endswith((".py", "ipynb"))
        or gold.startswith("page")
        or "a.m." in gold
        or "p.m." in gold
        or any(pattern.fullmatch(gold) for pattern in (_PHONE, _DATE, _EMAIL))
    )


def _text(gold: str, prediction: str) -> float:
    return float(gold == prediction) if needs_exact_match(gold) else anls(gold, prediction)


def _strict(gold: str) -> bool:
    try:
        float(gold)
    except ValueError:
        return needs_exact_match(gold)
    return True


def _aligned_lists(gold: list[str], prediction: list[str]) -> float:
    """MMLongBench-Doc: as many items, sorted; all equal where the first is a number or such, else the worst pair."""
    if len(gold) != len(prediction):
        return 0.0
    wanted, said = sorted(map(_cleaned, gold)), sorted(map(_cleaned, prediction))
    if wanted and _strict(wanted[0]):
        return float("-".join(wanted) == "-".join(said))
    return min((anls(a, b) for a, b in zip(wanted, said, strict=True)), default=1.0)


def _greedy_lists(gold: list[str], prediction: list[str]) -> float:
    """LongDocURL: mean over gold of the best match, less for a longer list; in order where numbers or the like."""
    wanted, said = [_without_units(item) for item in gold], [_without_units(item) for item in prediction]
    if not wanted:
        return 0.0
    if _strict(wanted[0]):
        return float("-".join(wanted) == "-".join(said))
    best = sum(max(anls(item, other) for other in said) for item in wanted) / len(wanted)
    return best * math.sqrt(min(1.0, len(wanted) / len(said)))
