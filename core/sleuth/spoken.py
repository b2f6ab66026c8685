"""SLEUTH's agents where the model speaks: clues, labels, difficulty and decision in its own words (SLEUTH §3)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from core.models.page_protocol import PageReader, PageTask, PageView
from core.models.protocol import ModelError, PromptTooLong, Reply
from core.page_text import page_name
from core.records import Clue, Difficulty, Page
from core.settings.pages import PAGES_DECODED_TOGETHER
from core.sleuth import prompts
from core.sleuth.agents import (
    CLUE_SCHEMA,
    DIFFICULTY_SCHEMA,
    SCREENING_SCHEMA,
    SCREENING_SCHEMA_OF_TEXT,
    Clues,
    Screened,
    read_clues,
    read_difficulty,
    read_screening,
)
from core.sleuth.decision import Decision, decision_schema, read_decision
from core.sleuth.state import OF_DECISION, Run, used

_LEVELS = (("0", " 0"), ("1", " 1"))
_LEVEL_OPENER = '{"difficulty_level":'


def page_agents(run: Run) -> Iterator[float]:
    """Clue Discovery and Page Screening of each candidate page; yields the share of pages that is done.

    The two agents of a page share its prefix, and the replies of ``PAGES_DECODED_TOGETHER`` pages are decoded together.
    """
    candidates, reader = run.candidates, run.models.reader()
    for begin in range(0, len(candidates), PAGES_DECODED_TOGETHER):
        yield begin / len(candidates)
        together = candidates[begin : begin + PAGES_DECODED_TOGETHER]
        clues: list[Clue] = []
        changed = []
        found, screened = _asked(run, reader, together)
        for page in together:
            if page.page in found:
                clues += found[page.page][0].clues
                page = _with_clues(run, page, *found[page.page])
            changed.append(_with_label(run, page, *screened[page.page]) if page.page in screened else page)
        run.grow(clues=(*(run.record.clues or ()), *clues) if run.pdf.clue else None)
        run.change(changed)


def _asked(
    run: Run, reader: PageReader, pages: Sequence[Page]
) -> tuple[dict[int, tuple[Clues, Reply]], dict[int, tuple[Screened, Reply]]]:
    """Both agents' replies by page, as they were read; a reply that cannot be read is asked for once more."""
    tasks: dict[tuple[int, str], PageTask] = {}
    for page in pages:
        shared = prompts.shared_parts(run.question, run.views[page.page])
        if run.pdf.clue:
            tasks[page.page, "clue"] = _task((*shared, prompts.CLUE), run.pdf.clue_tokens, CLUE_SCHEMA)
        if run.pdf.screening:
            tasks[page.page, "screening"] = _screening(shared, reader, run.pdf.screening_tokens)
    replies = _complete(run, reader, tasks, "pages")
    failed = {key: task for key, task in tasks.items() if not _readable(run, key, replies[key])}
    if failed:
        repeated = {key: prompts.again(task, replies[key].text) for key, task in failed.items()}
        run.counted["asked_again"] += len(repeated)
        replies |= _complete(run, reader, repeated, "pages again")
    clues = {page: (read_clues(reply, run.layouts[page]), reply) for (page, a), reply in replies.items() if a == "clue"}
    labels = {page: (read_screening(reply), reply) for (page, a), reply in replies.items() if a == "screening"}
    return clues, labels


def _task(parts: tuple[str | PageView, ...], most: int, schema: dict[str, Any]) -> PageTask:
    return PageTask(parts, most, schema, system=prompts.SYSTEM)


def _screening(shared: tuple[str | PageView, ...], reader: PageReader, most: int) -> PageTask:
    # A reader of text sees no pictures, so it judges the page as a whole and is not asked whether there is one.
    if reader.sees == "text":
        return _task((*shared, prompts.SCREENING_OF_TEXT), most, SCREENING_SCHEMA_OF_TEXT)
    return _task((*shared, prompts.SCREENING), most, SCREENING_SCHEMA)


def _complete(
    run: Run, reader: PageReader, tasks: dict[tuple[int, str], PageTask], stage: str
) -> dict[tuple[int, str], Reply]:
    if not tasks:
        return {}
    with run.log.call(stage, reader.name, "generate") as usage:
        replies = reader.complete(list(tasks.values()), run.stop)
        run.counted["page_prefills"] += used(usage, replies)
    return dict(zip(tasks, replies, strict=True))


def _readable(run: Run, key: tuple[int, str], reply: Reply) -> bool:
    page, agent = key
    if agent == "clue":
        return read_clues(reply, run.layouts[page]).parsed != "failed"
    return read_screening(reply).label is not None


def _with_clues(run: Run, page: Page, found: Clues, reply: Reply) -> Page:
    if found.parsed == "failed":
        name = page_name(page.page, page.printed)
        run.warn(f"{name}: the clue reply could not be read, twice; the page has no clues for that reason alone.")
    update = {"summary": found.summary or None, "clue_raw": reply.text, "clue_parsed": found.parsed}
    return page.model_copy(update=update)


def _with_label(run: Run, page: Page, found: Screened, reply: Reply) -> Page:
    """The page with its label; one whose reply cannot be read is kept, since a page that is dropped is lost."""
    update: dict[str, object] = {"rationale": found.rationale, "raw": reply.text, "parsed": found.parsed}
    if found.label is None:
        name = page_name(page.page, page.printed)
        run.warn(f"{name}: the screening reply could not be read, twice; the page is kept.")
        return page.model_copy(update=update | {"label": "R", "kept": True, "kept_by": "unread"})
    kept = found.label in ("CR", "R")
    update |= {"label": found.label, "kept": kept, "kept_by": "label" if kept else ""}
    return page.model_copy(update=update)


def difficulty(run: Run) -> Difficulty:
    """One call over the text evidence; the probability of level 1 is that of its first token."""
    reader = run.models.reader()
    evidence = prompts.evidence_summary(run.candidates, run.record.clues or ())
    task = _task(
        (prompts.difficulty_text(run.question, evidence, run.kept),), run.pdf.difficulty_tokens, DIFFICULTY_SCHEMA
    )
    with run.log.call("difficulty", reader.name, "generate") as usage:
        reply = reader.complete([task], run.stop)[0]
        used(usage, [reply])
    return read_difficulty(reply, _probability(run, reader, task, reply.prompt_tokens))


def _probability(run: Run, reader: PageReader, task: PageTask, prompt_tokens: int) -> float | None:
    if reader.thinks:
        return None  # its first token opens a thought
    with run.log.call("difficulty", reader.name, "score") as usage:
        zero, one = reader.weigh(replace(task, opener=_LEVEL_OPENER), _LEVELS, run.stop)
        usage.prompt_tokens = prompt_tokens  # the same prompt, read again
    return float(1 / (1 + np.exp(np.clip(zero - one, -30, 30))))


def decide(run: Run) -> tuple[Decision, str]:
    """The Core Decision by the Instruct model, or by the Thinking one at level 1; and its raw reply.

    Where the Thinking model cannot be had, or does not end its thought, the Instruct model decides.
    """
    hard = run.record.difficulty is not None and run.record.difficulty.level == 1
    thinking = _thinking(run) if hard else None
    if thinking:
        text = _fitting(run, lambda kept: _decision(run, thinking, kept, run.pdf.thinking_tokens))
        if text.strip() or not thinking.thinks:
            return read_decision(text), text
        run.counted["asked_again"] += 1
        run.warn(
            f"{OF_DECISION}the Thinking model had not ended its thought after {run.pdf.thinking_tokens:,} tokens; the "
            "Instruct model decided in its place."
        )
    reader = run.models.reader()
    text = _fitting(run, lambda kept: _decision(run, reader, kept, run.pdf.decision_tokens))
    return read_decision(text), text


def _thinking(run: Run) -> PageReader | None:
    try:
        return run.models.reader(thinking=True)
    except ModelError as error:
        run.warn(f"{OF_DECISION}the question was taken to be hard, but the Instruct model decides: {error}")
        return None


def _decision(run: Run, reader: PageReader, kept: Sequence[Page], most: int) -> str:
    clues = run.record.clues or ()
    told = run.record.difficulty.instructions if run.record.difficulty else ""
    evidence = prompts.evidence_summary(run.candidates, clues)
    form = prompts.DECISION_FREE_FORM if reader.thinks else prompts.DECISION_FORM
    views = [run.views[page.page] for page in kept]
    parts = prompts.decision_parts(run.question, evidence, len({clue.page for clue in clues}), told, views, form)
    schema = None if reader.thinks else decision_schema([page.page for page in run.candidates])
    task = PageTask(parts, most, schema, system=prompts.SYSTEM)
    with run.log.call("decision", reader.name, "generate") as usage:
        reply = reader.complete([task], run.stop)[0]
        used(usage, [reply])
    return reply.text


def _fitting(run: Run, ask: Callable[[Sequence[Page]], str]) -> str:
    """The reply over all kept pages, or over as many of the best-scored ones as fit the model's window."""
    kept = run.kept
    best = sorted(kept, key=lambda page: (page.rank is None, page.rank))
    for count in range(len(best), -1, -1):
        shown = [page for page in kept if page in best[:count]]
        try:
            text = ask(shown)
        except PromptTooLong:
            if count == 0:
                raise
            continue
        if count < len(best):
            left = ", ".join(page_name(page.page, page.printed) for page in best[count:])
            run.warn(f"{OF_DECISION}not all kept pages fit the model's window; without {left}.")
            run.change([page.model_copy(update={"kept": False, "kept_by": ""}) for page in best[count:]])
        return text
    raise AssertionError("the loop ends with a reply or an error")
