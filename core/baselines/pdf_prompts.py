"""What the readers of the systems over PDFs are told, in our own words after what their sources ask for.

The question stands on a line of its own behind ``Question:``, after the pages, so that calls over the same pages
share their beginning.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from core.settings.pages import PDF_PEERS, REPLY_LIMITS


def as_object(**properties: Any) -> dict[str, Any]:
    """The schema of an object with exactly these parts."""
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def a_line() -> dict[str, Any]:
    """The schema of a short text."""
    return {"type": "string", "maxLength": PDF_PEERS.line_chars}


_STEPS = {"type": "array", "items": a_line(), "minItems": 1, "maxItems": PDF_PEERS.steps}


def plain(question: str) -> str:
    """The plain prompt of Direct, Base and MoLoRAG (MoLoRAG's code): answer from the document."""
    return f"Answer the question from the document above.\nQuestion: {question}\n"


def short(question: str) -> str:
    """M3DocRAG's prompt: the question, then that nothing but the answer is wanted."""
    return f"Question: {question}\nWrite the answer and nothing else.\n"


CRITICAL_SCHEMA = as_object(text=a_line(), image=a_line())
SUMMARY_SCHEMA = as_object(Answer={"type": "string", "maxLength": REPLY_LIMITS.answer})


def critical(answered: str) -> str:
    """MDocAgent's critical step, behind the general agent's answer."""
    return (
        f"You answered: {answered}\n\nName what in the pages matters most for this question. Reply with a JSON object: "
        "text (the key point of the pages' text), image (the key point of their pictures)."
    )


def hinted(question: str, what: str, hint: str) -> str:
    """MDocAgent's text agent and image agent: ``what`` they read, and the hint that they are given."""
    told = f"Mind this key point: {hint}\n" if hint else ""
    return f"Answer the question from the {what} of the pages above.\n{told}Question: {question}\n"


def summary(question: str, answers: Sequence[str]) -> str:
    """MDocAgent's summarising agent over the answers of the general, the text and the image agent."""
    named = zip(("general", "text", "image"), answers, strict=True)
    lines = "\n".join(f"The {name} assistant answered: {said}" for name, said in named)
    return (
        f"Three assistants read the same document.\n{lines}\n\nWhere they differ, decide which is best supported, and "
        f"give one final answer.\nQuestion: {question}\nReply with a JSON object: Answer (the final answer).\n"
    )


RATING_SCALE = ("1", "2", "3", "4", "5")


def rating(question: str) -> str:
    """MoLoRAG's rating of one page, behind it."""
    return (
        "How relevant is this page to the question? 1: not at all. 2: hardly. 3: somewhat. 4: mostly. 5: it holds the "
        f"answer.\nQuestion: {question}\nReply with one number from 1 to 5 and nothing else.\n"
    )


SAMPLES_SCHEMA = as_object(task=a_line(), steps=_STEPS)
PLAN_SCHEMA = as_object(steps=_STEPS)
JUDGE_SCHEMA = as_object(plan_wrong={"type": "boolean"}, steps_wrong={"type": "boolean"}, mistake=a_line())
VERDICTS = "A: all is right. B: the plan is wrong. C: the plan is right, but a step was carried out wrongly."


def samples(question: str) -> str:
    """MACT's planning agent, first half: a similar task of its own with a plan."""
    return (
        f"Question: {question}\n\nThink of a similar question about another document, and plan how to answer that one. "
        f"Reply with a JSON object: task (that question), steps (at most {PDF_PEERS.steps} goals, no details).\n"
    )


def plan(question: str, sample: str, mistake: str) -> str:
    """MACT's planning agent, second half; ``mistake`` is what was wrong with the plan before, empty at first."""
    told = f"The plan before was wrong: {mistake}\n\n" if mistake else ""
    return (
        f"A similar task and its plan:\n{sample}\n\n{told}Question: {question}\n\nPlan how to answer it from the pages "
        f"of a document. Reply with a JSON object: steps (at most {PDF_PEERS.steps} goals, no details).\n"
    )


def step(question: str, number: int, steps: Sequence[str], results: Sequence[str], mistake: str) -> str:
    """MACT's execution agent: one step (0-based) with the results of those before."""
    told = f"A mistake was made before, avoid it: {mistake}\n" if mistake else ""
    return (
        f"The question in the end is: {question}\n{process(steps, results)}{told}Carry out step {number + 1} and only "
        f"that, from the pages above.\nQuestion: {steps[number]}\n"
    )


def judge(question: str, steps: Sequence[str], results: Sequence[str]) -> str:
    """MACT's judgment agent: it points at mistakes and corrects none."""
    return (
        f"Question: {question}\n\nA plan and what each step found:\n{process(steps, results)}\nIs the plan wrong? "
        "Was a step carried out wrongly? Reply with a JSON object: plan_wrong, steps_wrong (true or false each), "
        "mistake (what is wrong and where; correct nothing).\n"
    )


def verdict(question: str, steps: Sequence[str], results: Sequence[str]) -> str:
    """The same judgment for a model that is too small to write it: one letter."""
    return (
        f"Question: {question}\n\nA plan and what each step found:\n{process(steps, results)}\n{VERDICTS}\n"
        "Reply with one letter.\n"
    )


def conclude(question: str, steps: Sequence[str], results: Sequence[str], mistaken: Sequence[str]) -> str:
    """MACT's answer agent: the last process, and what earlier ones were faulted for."""
    told = "".join(f"Mistaken before: {segment}\n" for segment in mistaken)
    return (
        f"What each step of a plan found in the document:\n{process(steps, results)}{told}\nAnswer the question from "
        f"this.\nQuestion: {question}\n"
    )


def process(steps: Sequence[str], results: Sequence[str]) -> str:
    """The steps with the results that there are, one a line."""
    found = [f"Step {number}: {goal}" for number, goal in enumerate(steps, start=1)]
    lines = [f"{goal} – {result}" for goal, result in zip(found, results, strict=False)] + found[len(results) :]
    return "".join(f"{said}\n" for said in lines)
