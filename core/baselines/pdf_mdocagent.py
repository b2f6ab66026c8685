"""MDocAgent: five agents, of which one reads text alone and one images alone.

Source: MDocAgent (Han et al., arXiv 2503.13964). (1) The general agent answers from texts and images of the K best
pages; (2) asked on in the same conversation, it names the key point of the texts and that of the images; (3) the text
agent answers from the texts with its hint, (4) the image agent from the images with its own; (5) the summarising agent
makes one answer of the three. 5 calls, whatever K is.

Our choices: the summarising agent is given the question, as the paper means and its code forgets; texts and images are
those of the same K pages, found once (its code searches texts and images apart); one reader plays all agents, and reads
a page's text in place of its picture where text is asked for; the text and the image agent are decoded together. A
reader of text is shown the texts once, and its image agent reads the same texts as its text agent. A hint that cannot
be read is empty, and a summary that is no object is the answer as it stands; both as in its code.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from core.baselines import pdf_prompts as prompts
from core.baselines.pdf_reading import (
    Parts,
    answer_task,
    as_parts,
    asked,
    by_rank,
    finished,
    fitting,
    going_on,
    opened,
    shown,
)
from core.models.page_protocol import PageTask, PageView
from core.models.profile import Models
from core.models.protocol import Reply, Stop
from core.models.reply import read_object
from core.records import Request, Step
from core.settings.pages import PDF_PEERS
from core.sleuth.agents import line
from core.sleuth.state import Run


def run(request: Request, models: Models, run_id: str, stop: Stop) -> Iterator[Step]:
    """Runs one request. Raises InputError, ModelError, Cancelled."""
    under_way, _ = yield from opened(request, models, run_id, stop)
    views: Sequence[PageView] = by_rank(under_way)
    yield going_on(under_way, "general", 0.0, "The general agent reads")
    general, views = fitting(under_way, views, lambda fit: _general(under_way, fit))
    yield going_on(under_way, "critical", 0.3, "The general agent names the key points")
    hints, views = fitting(under_way, views, lambda fit: _hints(under_way, fit, general))
    yield going_on(under_way, "agents", 0.5, "The text agent and the image agent read")
    (by_text, by_image), views = fitting(under_way, views, lambda fit: _specialists(under_way, fit, hints))
    yield going_on(under_way, "summary", 0.9, "Putting three answers together")
    said = prompts.summary(under_way.question, (general, by_text, by_image))
    (reply,) = asked(under_way, "summary", [PageTask((said,), PDF_PEERS.answer_tokens, prompts.SUMMARY_SCHEMA)])
    shown(under_way, views)
    yield finished(under_way, _summed_up(reply), reply.text)


def as_text_alone(views: Sequence[PageView]) -> list[PageView]:
    """The pages without their pictures: a reader is then shown their text."""
    return [replace(view, picture=None) for view in views]


def _both(run: Run, views: Sequence[PageView]) -> Parts:
    """Texts, then images; a reader of text is shown the texts alone."""
    texts = as_parts(as_text_alone(views))
    return texts if run.models.reader().sees == "text" else (*texts, *as_parts(views))


def _general(run: Run, views: Sequence[PageView]) -> str:
    parts = (*_both(run, views), prompts.plain(run.question))
    (reply,) = asked(run, "general", [answer_task(run, parts, PDF_PEERS.answer_tokens)])
    return reply.text.strip()


def _hints(run: Run, views: Sequence[PageView], general: str) -> tuple[str, str]:
    """The key points of the texts and of the images."""
    parts = (*_both(run, views), prompts.plain(run.question), prompts.critical(general))
    (reply,) = asked(run, "critical", [PageTask(parts, PDF_PEERS.answer_tokens, prompts.CRITICAL_SCHEMA)])
    found = read_object(reply.text)[0] or {}
    return line(found.get("text"), PDF_PEERS.line_chars), line(found.get("image"), PDF_PEERS.line_chars)


def _specialists(run: Run, views: Sequence[PageView], hints: tuple[str, str]) -> tuple[str, str]:
    """The answers of the text agent and of the image agent."""
    tasks = [
        answer_task(run, (*as_parts(seen), prompts.hinted(run.question, what, hint)), PDF_PEERS.answer_tokens)
        for seen, what, hint in zip((as_text_alone(views), views), ("text", "images"), hints, strict=True)
    ]
    text, image = asked(run, "agents", tasks)
    return text.text.strip(), image.text.strip()


def _summed_up(reply: Reply) -> str:
    said = (read_object(reply.text)[0] or {}).get("Answer")
    return line(said, len(reply.text)) or reply.text
