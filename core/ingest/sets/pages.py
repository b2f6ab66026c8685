"""Layouts whose questions are about PDFs: MMLongBench-Doc, LongDocURL, PaperTab and FetaTab."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from core.ingest.lines import InputError, clean
from core.ingest.sets.values import Mend, Raw, accepted, asked, items, joined, named, pages, present, short
from core.records import Question
from core.set_record import SetQuestion
from core.settings.limits import LIMITS

_SEPARATOR = re.compile(r"[/\\]")
_PICTURE = re.compile(r"_(\d{1,6})\.(?:png|jpe?g)$")
_UNANSWERABLE = "Not answerable"  # as MMLongBench-Doc and LongDocURL write it


def mmlongbench(raw: Raw, mend: Mend) -> SetQuestion:
    """MMLongBench-Doc's rows, all fields texts; lists in text form; pages from 1. Raises InputError."""
    row = raw.fields
    return SetQuestion(
        id=named(raw, "id", "question_id"),
        place=raw.place,
        question=_question(row, mend, None),
        pdf=pdf_name(row.get("doc_id"), "doc_id"),
        meta=_meta(row, doc_type=short(row.get("doc_type"), "doc_type", LIMITS.title_chars)),
    )


def longdocurl(raw: Raw, mend: Mend) -> SetQuestion:
    """LongDocURL's rows as the hub or as MoLoRAG has them; pages from 1, page pictures from 0. Raises InputError."""
    row = raw.fields
    total = row.get("total_pages")
    total = total if isinstance(total, int) and not isinstance(total, bool) and total > 0 else None
    window = [item for item in items(row.get("start_end_idx")) if isinstance(item, int)]
    pictures = [_PICTURE.search(item) for item in items(row.get("images")) if isinstance(item, str)]
    numbers = [int(match.group(1)) for match in pictures if match]
    if numbers and (min(numbers) == 0 or (window and min(numbers) == window[0] - 1)):
        mend("page pictures count from 0, evidence pages from 1: the latter are taken.")
    source = next((name for name in ("pdf_path", "doc_no", "doc_id") if row.get(name)), "doc_id")
    return SetQuestion(
        id=named(raw, "question_id", "id"),
        place=raw.place,
        question=_question(row, mend, total),
        pdf=pdf_name(row.get(source), source),
        meta=_meta(
            row,
            type=short(row.get("question_type"), "question_type", LIMITS.title_chars),
            task=joined(row.get("task_tag") or row.get("task_type"), "task_tag"),
            pages=str(total or ""),
        ),
    )


def papertab(raw: Raw, mend: Mend) -> SetQuestion:
    """PaperTab or FetaTab, as UDA's table or as MoLoRAG's JSON; no evidence pages are known. Raises InputError."""
    row = raw.fields
    source = "doc_name" if row.get("doc_name") else "doc_id"
    answers = [row[name] for name in ("answer", "answer_1", "answer_2", "answer_3") if row.get(name)]
    kind = short(row.get("answer_format"), "answer_format", LIMITS.title_chars)
    if kind == "Multiple":  # alternatives in text form
        answers = [part for answer in answers for part in items(answer)]
    return SetQuestion(
        id=named(raw, "q_uid", "id"),
        place=raw.place,
        question=Question(text=asked(row), answers=accepted(answers, mend)),
        pdf=pdf_name(row.get(source), source),
        meta=present(answer_format=kind),
    )


def pdf_name(value: object, name: str) -> str:
    """The file name alone, with ``.pdf``; never a path.

    Raises:
        InputError: there is none.
    """
    text = _SEPARATOR.split(short(value, name, LIMITS.question_chars))[-1]
    if not text.strip("."):
        raise InputError(f"'{name}' names no PDF.")
    text = clean(text)[: LIMITS.title_chars]
    return text if text.lower().endswith(".pdf") else f"{text}.pdf"


def _question(row: Mapping[str, Any], mend: Mend, total: int | None) -> Question:
    """With the answer as written, so that the benchmark's own rules can be applied to it."""
    value = row.get("answer")
    answer = str(value) if isinstance(value, list) else short(value, "answer")
    if len(answer) > LIMITS.question_chars:
        raise InputError(f"'answer' has {len(answer):,} characters; at most {LIMITS.question_chars:,} are read.")
    gold = pages(row.get("evidence_pages"), 1, mend, total)
    if not _answerable(row, answer):
        mend("unanswerable: kept, and right only where no answer is given.")
        answer = answer or _UNANSWERABLE
    elif not gold:
        mend("answerable, and no evidence page is known.")
    return Question(text=asked(row), answers=(clean(answer),) if answer else (), gold_pages=gold)


def _answerable(row: Mapping[str, Any], answer: str) -> bool:
    return answer.strip().lower() != _UNANSWERABLE.lower() and (bool(answer) or row.get("answer_format") != "None")


def _meta(row: Mapping[str, Any], **more: str) -> dict[str, str]:
    answer = row.get("answer")
    answerable = isinstance(answer, list) or _answerable(row, short(answer, "answer"))
    return present(
        answer_format=short(row.get("answer_format"), "answer_format", LIMITS.title_chars),
        evidence_sources=joined(row.get("evidence_sources"), "evidence_sources"),
        answerable="yes" if answerable else "no",
        **more,
    )
