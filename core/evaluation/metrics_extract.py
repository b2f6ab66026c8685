"""The short answer in a long one, by rule.

MMLongBench-Doc and LongDocURL have a language model cut the short answer out of the reply before it is marked. Where
no such model is at hand a rule does it, so marks are comparable between the systems here, and lower than published
ones where replies are long.
"""

from __future__ import annotations

import re

from core.evaluation.metrics_pages import kind_of
from core.settings.evaluation import COMPARED_CHARS, LITERAL_ITEMS

_NUMBER = re.compile(r"(?<![\w.,])[-+]?\$?\d[\d,]*(?:\.\d+)?%?(?!\w)")
_BULLET = re.compile(r"^\s*(?:[-*•]|\d{1,3}[.)])\s+")
_BETWEEN = re.compile(r"\s*;\s*|\s*,\s+(?:and\s+)?|\s+and\s+")
NOT_ANSWERABLE = "Not answerable"
_NO_ANSWER = re.compile(r"\s*(?:no answers? found|not answerable|unanswerable)\s*[.!]*\s*", re.IGNORECASE)


def says_no_answer(reply: str) -> bool:
    """Whether a reply is one of the set phrases for "the document does not say" (SLEUTH, MMLongBench-Doc)."""
    return _NO_ANSWER.fullmatch(reply[:COMPARED_CHARS]) is not None


def short_answer(reply: str, answer_format: str) -> str | list[str]:
    """What is marked: a number out of a sentence that has just one, the items of a list, else the reply itself."""
    text = reply[:COMPARED_CHARS].strip()
    kind = kind_of(answer_format)
    if kind in ("int", "float"):
        found = _NUMBER.findall(text)
        return found[0].replace(",", "") if len(found) == 1 else text
    if kind == "list" and not text.startswith("["):
        return _listed(text)
    return text


def _listed(text: str) -> list[str]:
    """Bulleted lines where there are some, else lines, else what stands between commas, semicolons and "and"."""
    lines = [line for line in text.splitlines() if line.strip()]
    bullets = [_BULLET.sub("", line) for line in lines if _BULLET.match(line)]
    items = bullets or (lines if len(lines) > 1 else _BETWEEN.split(text))
    return [item.strip().rstrip(".") for item in items if item.strip()][:LITERAL_ITEMS]
