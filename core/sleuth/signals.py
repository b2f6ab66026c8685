"""SLEUTH's agents where the model is too small to speak: labels, clues and difficulty read off what can be measured.

Labels come from how likely each page makes the question, clues are the page's own sentences and table rows that are
closest to the question, and the level follows from the question's words. The answer is the backbone's own. All of
this is our choice; the paper has no such kind.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from core.duquad.prompts import EVIDENCE_INSTRUCTION, likelihood_pair
from core.models.profile import Models
from core.models.protocol import Piece, Prompt, Task
from core.page_text import has_visual, page_name, region_names, region_text, shortened
from core.records import Clue, Difficulty, Document, Page, PageLayout
from core.settings.pages import READER_PAGE_TOKENS, SIGNAL_AGENTS
from core.settings.profiles import PROFILES
from core.sleuth.citations import best, telling
from core.sleuth.decision import Decision, Row
from core.sleuth.passages import Passage, passages, running
from core.sleuth.placing import place
from core.sleuth.prompts import NO_ANSWER
from core.sleuth.state import OF_DECISION, Run, used
from core.text import words

EMPTY = -1  # stands for no page at all among the likelihoods
_TINY = 1e-6  # nats; keeps the logarithms finite
_HARD = re.compile(
    r"\b(how many|how much (?:more|less)|total|sum|average|difference|increased?|decreased?|growth|compared?|than|"
    r"percent(?:age)?|ratio|most|least|highest|lowest|largest|smallest|longest|shortest|both|each|every|list|trend)\b",
    re.IGNORECASE,
)


def page_agents(run: Run) -> Iterator[float]:
    """Reads each candidate page once, for the question's likelihood, and finds its clues; yields the share done."""
    candidates = run.candidates
    for place_, page in enumerate(candidates):
        yield place_ / len(candidates)
        if run.pdf.screening:
            _measure(run, page)
        if run.pdf.clue:
            run.grow(clues=(*(run.record.clues or ()), *_clues(run, run.views[page.page].layout)))
    if run.pdf.screening:
        run.change(_labelled(page, run.nll, run.views[page.page].layout) for page in candidates)


def cut(document: Document, models: Models) -> Document:
    """The page as far as one likelihood reads it."""
    text = shortened(document.text, READER_PAGE_TOKENS, models.backbone.count_tokens)
    return document.model_copy(update={"text": text})


def _measure(run: Run, page: Page) -> None:
    document = next(document for document in run.record.documents if document.page == page.page)
    pairs = [likelihood_pair(run.question, cut(document, run.models))]
    pairs += [likelihood_pair(run.question, None)] if EMPTY not in run.nll else []
    with run.log.call("pages", run.models.backbone.name, "score") as usage:
        scored = run.models.backbone.likelihoods(pairs, run.stop)
        usage.prompt_tokens, usage.sequences = scored.tokens, len(pairs)
    run.counted["page_prefills"] += 1
    run.nll |= dict(zip((page.page, EMPTY), map(float, scored.values), strict=False))


def _labelled(page: Page, nll: dict[int, float], layout: PageLayout) -> Page:
    """The page with the label that its likelihood gives it."""
    rival = min((value for number, value in nll.items() if number not in (page.page, EMPTY)), default=nll[EMPTY])
    own = max(nll[page.page], _TINY)
    lift = float(np.log(max(nll[EMPTY], _TINY) / own))
    lead = float(np.log(max(min(rival, nll[EMPTY]), _TINY) / own))
    label = "IR"
    if not layout.text.strip():
        label = "none"
    elif lift >= SIGNAL_AGENTS.lift_of_related and lead >= SIGNAL_AGENTS.lead_of_related:
        label = "CR" if lead >= SIGNAL_AGENTS.lead_of_complete else "R"
    kept = label in ("CR", "R")
    rationale = (
        f"With this page in front the question costs {nll[page.page]:.2f} nats a token; with none {nll[EMPTY]:.2f}, "
        f"with the best other candidate {rival:.2f}."
    )
    if not has_visual(layout):
        rationale += " The page has no table or figure; its text was judged."
    update = {"label": label, "label_kind": "signals", "rationale": rationale}
    return page.model_copy(update=update | {"kept": kept, "kept_by": "label" if kept else ""})


def _clues(run: Run, layout: PageLayout) -> list[Clue]:
    """The passages of a page that are closest to the question, best first."""
    heads = running(run.layouts.values())
    candidates = [passage for passage in passages(layout) if passage.content not in heads]
    if not candidates:
        return []
    with run.log.call("clues", run.models.embedder.name, "embed") as usage:
        texts = [passage.scored for passage in candidates]
        cosines, usage.prompt_tokens = run.models.embedder.similarities(run.question, texts, run.stop)
        usage.sequences = len(texts) + 1
    order = np.argsort(-cosines, kind="stable")[: SIGNAL_AGENTS.clues]
    near = [i for i in order if cosines[i] >= SIGNAL_AGENTS.close_enough]
    return [_clue(run.question, layout, candidates[i], float(cosines[i])) for i in near]


def _clue(question: str, layout: PageLayout, passage: Passage, cosine: float) -> Clue:
    found = place(passage.content, layout, passage.region)
    shared = sorted(words(passage.scored) & telling(question))
    rationale = f"Close to the question in meaning (cosine {cosine:.2f})"
    rationale += f"; shares the words {', '.join(shared)}." if shared else "; shares no telling word."
    confidence = "high" if cosine >= SIGNAL_AGENTS.sure else "medium" if cosine >= SIGNAL_AGENTS.likely else "low"
    return Clue.model_validate(
        {
            "page": layout.page,
            "region": passage.region,
            "content": passage.content,
            "rationale": rationale,
            "kind": passage.kind,
            "confidence": confidence,
            "boxes": found.boxes,
            "placed": found.placed,
        }
    )


def difficulty(run: Run) -> Difficulty:
    """Level 1 where the question's words ask for a count, a sum or a comparison."""
    asked = _HARD.search(run.question)
    if asked is None:
        return Difficulty(level=0, kind="rule")
    pages = ", ".join(page_name(page.page).lower() for page in run.kept)
    told = f"The question asks for “{asked[0].lower()}”: put together what stands on {pages or 'the pages'}."
    return Difficulty(level=1, kind="rule", instructions=told)


def decide(run: Run) -> tuple[Decision, str]:
    """The backbone's own answer, in one line, from the best pages' passages, or from all clues where none was kept.

    Where screening kept no page there is no answer: a model of this size answers whatever it is shown.
    """
    if run.pdf.screening and not run.kept:
        run.warn(f"{OF_DECISION}no page makes the question likely enough: taken as “no answer”, no model was asked.")
        return Decision(NO_ANSWER, (), "schema"), ""
    pieces = [Piece(f"{EVIDENCE_INSTRUCTION}\n\n")]
    for page in _read_by_decision(run):
        name = f"{page_name(page.page, page.printed)}: "
        if text := _evidence(run, page):
            pieces += [Piece(name + text, document=page.page, body=len(name)), Piece("\n")]
    told = f"\n{run.record.difficulty.instructions}" if run.record.difficulty else ""
    pieces += [Piece(f"{told.rstrip()}\nQuestion: "), Piece(run.question, question=True)]
    task = Task(Prompt(tuple(pieces), PROFILES[run.models.profile].answer_opener), run.record.settings.judge_tokens)
    with run.log.call("decision", run.models.backbone.name, "generate") as usage:
        reply = run.models.backbone.complete([task], run.stop)[0]
        used(usage, [reply])
    answer = reply.text.strip()
    rows = _rows(run, answer)
    return (Decision(answer, rows, "schema") if rows else _quoted(run, answer)), reply.text


def _quoted(run: Run, answer: str) -> Decision:
    """The closest clue in place of an answer that nothing backs; the answer itself where there is no clue."""
    order = ("high", "medium", "low")
    clues = _clues_read(run)
    if not clues:
        return Decision(answer, (), "schema")
    clue = min(clues, key=lambda clue: order.index(clue.confidence))
    run.warn(f"{OF_DECISION}nothing that was read backs the model's answer ({answer}); the closest clue is quoted.")
    return Decision(clue.content, (Row(clue.page, clue.content, clue.kind),), "repaired")


def _clues_read(run: Run) -> list[Clue]:
    found = [clue for page in _read_by_decision(run) for clue in run.clues_of(page)]
    # A caption says what a table or figure is about, which is close to a question and answers none.
    return [clue for clue in found if not clue.region.startswith("Caption")] or found


def _read_by_decision(run: Run) -> list[Page]:
    """The pages that are completely relevant or were put back by hand; else those that were kept; else all.

    The other pages' clues are left out, though the paper takes them in: with them 2 of 11 NQ questions over five
    pages of three passages were right, without them 5.
    """
    chosen = [page for page in run.kept if page.label == "CR" or page.kept_by == "hand"]
    return chosen or run.kept or run.candidates


def _rows(run: Run, answer: str) -> tuple[Row, ...]:
    """What of that which was read agrees with the answer: passages of kept pages, else clues."""
    read: list[tuple[int, str, str]] = []  # page, words, kind
    for page in _read_by_decision(run):
        if page.kept:
            found = passages(run.views[page.page].layout)
            read += [(page.page, passage.content, passage.kind) for passage in found]
        else:
            read += [(clue.page, clue.content, clue.kind) for clue in run.clues_of(page)]
    agreeing = best([text for _, text, _ in read], run.question, answer)
    return tuple(Row(*read[i]) for i in agreeing[: SIGNAL_AGENTS.cited])


def _evidence(run: Run, page: Page) -> str:
    """Evidence in one line: of a kept page the regions around its clues, of another one its clues alone."""
    layout, clues = run.views[page.page].layout, run.clues_of(page)
    if not page.kept:
        return " ".join(clue.content for clue in clues)
    regions = dict(zip(region_names(layout), layout.regions, strict=True))
    texts = dict.fromkeys(region_text(regions[clue.region]) for clue in clues if clue.region in regions)
    whole = " ".join(texts) or layout.text
    return " ".join(whole.split())[: SIGNAL_AGENTS.kept_chars]
