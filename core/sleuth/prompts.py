"""Every prompt of SLEUTH, in our own words after what the paper says they ask for (App. F).

Pages go by their 1-based number everywhere in a prompt. What both page agents are told stands first, so that the
page is read once for the two.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.models.page_protocol import PageTask, PageView
from core.page_text import page_name
from core.records import Clue, Page

NO_ANSWER = "No answers found!"  # SLEUTH App. F: what the deciding agent says when the evidence holds no answer
NO_EVIDENCE = "no relevant evidence"
SYSTEM = "You read pages of a long document. You report only what stands on them, with exact words and numbers."

CLUE = (
    "You gather evidence like a detective. Find every fact on this page that may help to answer the question, in its "
    "text, tables, charts and figures. Quote words and numbers exactly as they stand, say where they stand, and why "
    "they matter. Note how figures belong together. If nothing on the page helps, say so and why; add nothing from "
    "elsewhere.\n"
    "Reply with a JSON object: has_relevant_evidence (true or false); evidence_items, a list of objects with "
    "evidence_type (text, chart, table or figure), content (the exact words or values), location (where on the page), "
    "relevance (why it matters), confidence (high, medium or low); key_insights (what follows from them together); "
    "page_summary (one sentence)."
)
SCREENING = (
    "You judge whether the picture of this page is needed. First: does it show a chart, figure, table, diagram or "
    "infographic? Then: is that relevant to the question? Completely Relevant: it holds what is needed. Relevant: it "
    "may hold related information, or you are not sure. Irrelevant: it clearly has nothing to do with the question.\n"
    "Reply with a JSON object: has_chart (true or false), relevance (one of the three), reasoning (one or two "
    "sentences)."
)
SCREENING_OF_TEXT = (
    "You judge whether this page is needed in full. Completely Relevant: it holds what is needed. Relevant: it may "
    "hold related information, or you are not sure. Irrelevant: it clearly has nothing to do with the question.\n"
    "Reply with a JSON object: relevance (one of the three), reasoning (one or two sentences)."
)
DIFFICULTY = (
    "How hard is this question, given the evidence below? Level 0: the answer can be looked up or copied. Level 1: "
    "facts of several pages have to be put together, numbers computed, trends compared, or several steps inferred.\n"
    "Also write instructions for the assistant who will answer: which pages, tables and values to use, and what to do "
    "with them, step by step.\n"
    "Reply with a JSON object: difficulty_level (0 or 1), instruction_set (the instructions)."
)
NEUTRAL_INSTRUCTIONS = "Answer from the evidence alone."
DECISION = (
    "Answer the question from the evidence of the document below, and from nothing else. Give the shortest answer "
    "that is complete: a number, a name, a phrase, or a short list. Put facts of several pages together where that is "
    "needed, count with care, and do the calculations. Say which page the information comes from in the citations. "
    f'If the evidence does not hold the answer, say exactly "{NO_ANSWER}"'
)
DECISION_FORM = (
    "Reply with a JSON object: answer; citations, a list of objects with page (its number), evidence (the words or "
    "values on that page that the answer rests on, exactly as they stand), source (text, table, chart, figure or page "
    "image)."
)
DECISION_FREE_FORM = (
    "Write the answer. After it, write the citations as a JSON array between ```json and ```: objects with Page (its "
    "number), Evidence (the words or values on that page that the answer rests on, exactly as they stand), Source "
    "(text, table, chart, figure or page image)."
)


def shared_parts(question: str, view: PageView) -> tuple[str | PageView, ...]:
    """What both page agents are shown first: the page under its number, and the question."""
    name = page_name(view.layout.page, view.layout.printed)
    return (f"{name} of the document:\n", view, f"\n\nQuestion: {question}\n\n")


def again(task: PageTask, text: str) -> PageTask:
    """The task once more, with the reply that could not be read and what was wrong with it."""
    note = f"\n\nYour last reply could not be read as the JSON object that was asked for: {text[:200]!r}. Reply again."
    return PageTask((*task.parts, note), task.max_new_tokens, task.schema, task.opener, task.system)


def evidence_summary(pages: Sequence[Page], clues: Sequence[Clue]) -> str:
    """The evidence of all candidate pages, in page order: summary, insight, and a line for each clue.

    Not public in its wording. Page order is our choice: a reader of the record finds it again.
    """
    blocks = []
    for page in pages:
        own = [clue for clue in clues if clue.page == page.page]
        name = page_name(page.page, page.printed)
        if not own:
            blocks.append(f"{name}: {NO_EVIDENCE}.")
            continue
        lines = [name]
        lines += [f"Summary: {page.summary}"] if page.summary else []
        lines += [f"Insights: {own[0].insight}"] if own[0].insight else []
        blocks.append("\n".join([*lines, *(_line(clue) for clue in own)]))
    return "\n\n".join(blocks)


def _line(clue: Clue) -> str:
    place = f", {clue.region}" if clue.region else ""
    reason = f" ({clue.rationale})" if clue.rationale else ""
    return f"- [{clue.kind}, {clue.confidence} confidence{place}] {clue.content}{reason}"


def difficulty_text(question: str, evidence: str, kept: Sequence[Page]) -> str:
    """What the Difficulty agent reads: text evidence, and which pages were kept. It is shown no image (our choice)."""
    names = ", ".join(page_name(page.page, page.printed) for page in kept) or "none"
    return f"{DIFFICULTY}\n\nQuestion: {question}\n\nPages kept as a whole: {names}\n\nEvidence:\n{evidence}"


def decision_parts(
    question: str, evidence: str, with_evidence: int, instructions: str, views: Sequence[PageView], form: str
) -> tuple[str | PageView, ...]:
    """What the Core Decision reads; with no page kept this is the paper's text-only template.

    Args:
        question: what is asked.
        evidence: from ``evidence_summary``.
        with_evidence: how many pages it has clues of.
        instructions: the Difficulty agent's; may be empty.
        views: the kept pages in page order, each shown behind its number.
        form: what the reply must look like.
    """
    pages = "page" if with_evidence == 1 else "pages"
    parts: list[str | PageView] = [f"{DECISION}\n\nEvidence from {with_evidence} {pages}:\n{evidence}\n\n"]
    for number, view in enumerate(views, start=1):
        name = page_name(view.layout.page, view.layout.printed)
        parts += [f"Page image {number} = {name}:\n", view, "\n"]
    told = f"Instructions: {instructions}\n\n" if instructions else ""
    parts.append(f"{told}Question: {question}\n\n{form}")
    return tuple(parts)
