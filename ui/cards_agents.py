"""The two agents side by side, and the final answer with the way of each gold document."""

from __future__ import annotations

from core.duquad.path import steps
from core.records import AgentReply, RunRecord
from core.text import contains_answer
from ui.markup import NO_AGENTS, doc_ref, empty, escape, is_gold, missing

_VIEWS = {
    "local": ("Local Agent", "reads the best documents by SFS, in that order"),
    "global": ("Global Agent", "reads all documents in their first order"),
}
_CHOSEN = {
    ("spoken", "local"): "Documents it names, most important first",
    ("spoken", "global"): "Documents it names, most important first",
    ("signals", "local"): "Documents taken for it: the best by SFS of those it was shown",
    ("signals", "global"): "Documents taken for it: the sharpest spikes of its attention",
}
_SIGNALS = '<p class="wl-sub">A model this small names numbers by habit, so its choice is read off the signals.</p>'
_PARSED = {
    "repaired": "The reply did not follow the schema; it was read by the tolerant parser.",
    "failed": "The reply could not be read; what stands here is what remained.",
}


def agents_html(record: RunRecord, selected: int | None = None) -> str:
    """Two cards: what each agent answered, chose, thought and was shown, with the raw reply."""
    if record.agents is None:
        return empty(missing(record, *NO_AGENTS))
    replies = {"local": record.agents.local, "global": record.agents.global_}
    cards = "".join(_agent(record, view, reply, selected) for view, reply in replies.items())
    return f'<div class="wl wl-agents">{cards}</div>'


def _agent(record: RunRecord, view: str, reply: AgentReply | None, selected: int | None) -> str:
    name, what = _VIEWS[view]
    head = f'<header><h4>{name}</h4><p class="wl-sub">{what}</p></header>'
    if reply is None:
        return (
            f'<article class="wl-card" data-agent="{view}">{head}{empty(f"The {name} has not replied yet.")}</article>'
        )
    chosen = _refs(record, reply.important_documents, selected, 34) or '<span class="wl-sub">none</span>'
    notice = f'<p class="wl-notice is-{reply.parsed}">{_PARSED[reply.parsed]}</p>' if reply.parsed in _PARSED else ""
    return (
        f'<article class="wl-card" data-agent="{view}">{head}{notice}'
        f'<p class="wl-answer" dir="auto">{escape(reply.answer) or "no answer"}</p>'
        f"<h5>{_CHOSEN[reply.selection, view]}</h5>{_SIGNALS if reply.selection == 'signals' else ''}"
        f'<div class="wl-refs">{chosen}</div>'
        f'<h5>Reasoning</h5><p class="wl-prose" dir="auto">{escape(reply.reasoning) or "none given"}</p>'
        f"<h5>Documents it was shown, in this order</h5>"
        f'<div class="wl-refs is-dense">{_refs(record, reply.documents_shown, selected, 0)}</div>'
        f'<details><summary>Raw reply</summary><pre dir="auto">{escape(reply.raw)}</pre></details></article>'
    )


def _refs(record: RunRecord, documents: tuple[int, ...], selected: int | None, limit: int) -> str:
    return "".join(doc_ref(record, document, selected, limit) for document in documents)


def answer_html(record: RunRecord) -> str:
    """The final answer, whether it holds a gold answer, and each gold document's way through the stages."""
    if record.final is None:
        return empty("The final answer has not been written yet.")
    gold = [i for i in range(len(record.documents)) if is_gold(record, i)]
    ways = "".join(f"<li>{doc_ref(record, i, None, 40)}{path_html(record, i)}</li>" for i in gold)
    told = (
        f'<h5>The way of the gold document{"s" if len(gold) > 1 else ""}</h5><ul class="wl-ways">{ways}</ul>'
        if gold
        else '<p class="wl-sub">No gold document is known for this question, so there is no way to follow.</p>'
    )
    return (
        f'<div class="wl wl-card wl-final"><p class="wl-final-answer" dir="auto">'
        f"{escape(record.final.answer) or 'no answer'}</p>{_verdict(record)}{told}</div>"
    )


def _verdict(record: RunRecord) -> str:
    assert record.final
    right = contains_answer(record.final.answer, record.question.answers)
    word, kind = {True: ("yes", "is-kept"), False: ("no", "is-lost"), None: ("unknown", "is-plain")}[right]
    mark = {"yes": "✓", "no": "✗", "unknown": "?"}[word]
    golds = "".join(f"<li><bdi>{escape(answer)}</bdi></li>" for answer in record.question.answers)
    known = f'<span class="wl-sub">Gold answer</span><ul class="wl-golds">{golds}</ul>' if golds else ""
    return (
        f'<div class="wl-verdict"><span class="wl-badge {kind}"><span aria-hidden="true">{mark}</span> '
        f"contains a gold answer: {word}</span>{known}</div>"
    )


def path_html(record: RunRecord, document: int) -> str:
    """What happened to one document, stage by stage, as a stepper that wraps."""
    arrow = '<span class="wl-arrow"> → </span>'
    said = arrow.join(f'<span class="wl-step{_state(step)}">{escape(step)}</span>' for step in steps(record, document))
    return f'<p class="wl-path">{said}</p>'


def _state(step: str) -> str:
    if step == "quoted":
        return " is-kept"
    return " is-lost" if step in ("pruned", "chosen by neither agent") or "below the cut" in step else ""
