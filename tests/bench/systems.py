"""What other systems cost beside DuQUAD, measured in one run over the same questions (DuQUAD App. E: calls, latency).

Every call of a system is counted, however many are decoded together; seconds are wall time with that batching. The
paper ran calls one after another, so its latencies are not those of systems that were sped up as DuQUAD was here.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable
from functools import cache

from core.records import RunRecord
from core.systems import SYSTEMS
from tests.bench.material import held_out, models, never
from tests.bench.table import row

ASKED = ("vanilla", "duquad", "main_rag", "tree_of_agents")
QUESTIONS = 3
MIDDLE = 9  # the 10th place


@cache
def ran() -> tuple[dict[str, RunRecord], ...]:
    """Every system on a few questions, one after another within a question; the first question is warmed up."""
    found = []
    for number, request in enumerate(held_out(MIDDLE)[:QUESTIONS]):
        if not number:
            _run("vanilla", request)
        found.append({name: _run(name, request) for name in ASKED})
    return tuple(found)


def _run(name: str, request: object) -> RunRecord:
    *_, last = SYSTEMS[name].load()(request, models(), "bench", never)  # type: ignore[arg-type]
    assert isinstance(last.record, RunRecord)
    return last.record


def calls(record: RunRecord) -> float:
    """Calls of the model, as the papers count them."""
    return float(record.llm_calls)


def tokens(record: RunRecord) -> float:
    """Tokens read and written, scoring passes included."""
    return float(sum(call.prompt_tokens + call.new_tokens for call in record.calls))


def seconds(record: RunRecord) -> float:
    """Wall time of all uses of a model."""
    return sum(call.seconds for call in record.calls)


def ratio(measure: Callable[[RunRecord], float], one: str, other: str) -> float:
    """Median over the questions of ``one``'s over ``other``'s."""
    return statistics.median(measure(runs[one]) / measure(runs[other]) for runs in ran())


@row("calls_main_rag", ">= 10", "times DuQUAD's calls, MAIN-RAG, 20 documents (paper: 10)")
def calls_main_rag() -> float:
    """MAIN-RAG's 2N + 1 calls."""
    return ratio(calls, "main_rag", "duquad")


@row("calls_tree_of_agents", ">= 5.65", "times DuQUAD's calls, Tree of Agents (paper: 5.65)")
def calls_tree_of_agents() -> float:
    """Fifteen calls and the walks."""
    return ratio(calls, "tree_of_agents", "duquad")


@row("seconds_main_rag", ">= 3.29", "times DuQUAD's seconds, MAIN-RAG with its calls decoded together (paper: 3.29)")
def seconds_main_rag() -> float:
    """MAIN-RAG against DuQUAD."""
    return ratio(seconds, "main_rag", "duquad")


@row("seconds_tree_of_agents", ">= 3.88", "times DuQUAD's seconds, Tree of Agents, decoded together (paper: 3.88)")
def seconds_tree_of_agents() -> float:
    """Tree of Agents against DuQUAD."""
    return ratio(seconds, "tree_of_agents", "duquad")


@row("tokens_main_rag", "> 0", "times DuQUAD's tokens, MAIN-RAG")
def tokens_main_rag() -> float:
    """Tokens of MAIN-RAG against DuQUAD."""
    return ratio(tokens, "main_rag", "duquad")


@row("tokens_tree_of_agents", "> 0", "times DuQUAD's tokens, Tree of Agents")
def tokens_tree_of_agents() -> float:
    """Tokens of Tree of Agents against DuQUAD."""
    return ratio(tokens, "tree_of_agents", "duquad")


def _against_vanilla(name: str, measure: Callable[[RunRecord], float], what: str) -> None:
    @row(f"vanilla_{what}_{name}", "> 0", f"times Vanilla's {what}, {SYSTEMS[name].title}")
    def _() -> float:
        return ratio(measure, name, "vanilla")


for _name in ASKED[1:]:
    for _measure in (calls, tokens, seconds):
        _against_vanilla(_name, _measure, _measure.__name__)
