"""Time and memory as ratios, measured side by side in one run."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path

import torch
from transformers import DynamicCache

from core.baselines import vanilla
from core.duquad import pipeline
from core.duquad.prompts import agent_prompt
from core.duquad.signals import query_likelihoods, semantic_relevance
from core.models.backbone import CausalBackbone
from core.models.calls import CallLog
from core.models.prompt import lay_out
from core.models.protocol import Prompt, Task
from core.records import Document, Request, RunRecord
from core.settings.methods import RunSettings
from tests.bench.material import embedded_settings, models, never
from tests.bench.table import NotHere, row
from ui.samples import Samples

TOKENS = 3000
REPEATS = 5


def backbone() -> CausalBackbone:
    """The embedded backbone in the machine's own precision."""
    found = models().backbone
    assert isinstance(found, CausalBackbone)
    return found


@cache
def request() -> Request:
    """Twenty documents: the first example that has as many."""
    example = next(item for item in Samples().examples.values() if len(item.documents) == 20)
    return Request(question=example.question, documents=example.documents, settings=RunSettings())


@cache
def long_prompt() -> tuple[Prompt, tuple[int, ...]]:
    """A reading prompt of about 3,000 tokens, and its tokens."""
    documents = list(request().documents)
    while True:
        prompt = agent_prompt(request().question.text, documents, range(len(documents)), embedded_settings())
        ids = lay_out(backbone().tokenizer, prompt).ids
        if len(ids) >= TOKENS:
            return prompt, ids
        documents.append(Document(id="", title="More", text=documents[len(documents) % 20].text))


def bare_prefill() -> None:
    """The same tokens through the same model with the fast kernel and a cache; nothing else."""
    ids = torch.tensor([long_prompt()[1]])
    with torch.inference_mode():
        backbone().model(input_ids=ids, cache=DynamicCache(), use_cache=True, logits_to_keep=1)


def profile() -> None:
    """The attention profile of the same tokens."""
    backbone().read(long_prompt()[0], never)


def full_eager() -> None:
    """The straightforward way: every attention weight of every layer."""
    model = backbone().model
    model.set_attn_implementation("eager")
    try:
        with torch.inference_mode():
            model(input_ids=torch.tensor([long_prompt()[1]]), output_attentions=True, use_cache=False, logits_to_keep=1)
    finally:
        model.set_attn_implementation("sdpa")


def seconds(work: Callable[[], object]) -> float:
    """Wall time of one call."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def ratio(ours: Callable[[], object], theirs: Callable[[], object], repeats: int = REPEATS) -> float:
    """Median over pairs measured one after the other, after one unmeasured pair."""
    seconds(theirs), seconds(ours)
    pairs = [(seconds(theirs), seconds(ours)) for _ in range(repeats)]
    return statistics.median(b / a for a, b in pairs)


def peak_mb(work: Callable[[], object]) -> float:
    """Peak resident memory while the work runs, in MB."""
    gc.collect()
    try:
        Path("/proc/self/clear_refs").write_text("5")  # resets the peak
        work()
        status = Path("/proc/self/status").read_text()
    except OSError:
        raise NotHere("peak memory is read from /proc, which Linux has") from None
    peak = next(line for line in status.splitlines() if line.startswith("VmHWM"))
    return int(peak.split()[1]) / 1024


@row("attention_time", "<= 1.15", "times a bare prefill of the same 3,000 tokens")
def attention_time() -> float:
    """The profile against a bare prefill."""
    return ratio(profile, bare_prefill)


@row("attention_memory", "<= 50", "MB more at its peak than a bare prefill of the same 3,000 tokens")
def attention_memory() -> float:
    """Peak memory of the profile against a bare prefill's."""
    bare_prefill(), profile()
    return statistics.median(peak_mb(profile) - peak_mb(bare_prefill) for _ in range(3))


@row("attention_against_eager", ">= 8", "times faster than one full eager pass with all attentions, 3,000 tokens")
def attention_against_eager() -> float:
    """The profile against the straightforward way; one pass each, the eager one takes a minute."""
    return 1 / ratio(profile, full_eager, repeats=1)


@row("duquad_against_vanilla", "<= 3", "times Vanilla with a reply of the same length, 20 documents (paper: 9.93)")
def duquad_against_vanilla() -> float:
    """Whole DuQUAD against one prefill and one reply as long as DuQUAD's longer agent reply; median of three."""
    run_duquad()  # warm, and how long the agents' replies are
    pairs = [(vanilla_seconds(), seconds(run_duquad)) for _ in range(3)]
    return statistics.median(duquad / plain for plain, duquad in pairs)


def run_duquad() -> RunRecord:
    """DuQUAD over the twenty documents."""
    record = list(pipeline.run(request(), models(), "bench", never))[-1].record
    assert record
    return record


@cache
def reply_tokens() -> int:
    """Tokens of the longer of the two agents' replies."""
    agents = run_duquad().agents
    assert agents and agents.local and agents.global_
    return max(len(backbone().tokenizer(reply.raw)["input_ids"]) for reply in (agents.local, agents.global_))


def vanilla_seconds() -> float:
    """Vanilla with a reply of that length. What it did not write is added at its own pace of decoding."""
    settings = RunSettings(judge_tokens=max(4, reply_tokens()))
    asked = request().model_copy(update={"settings": settings})
    start = time.perf_counter()
    record = list(vanilla.run(asked, models(), "bench", never))[-1].record
    taken = time.perf_counter() - start
    assert record
    return taken + max(0, reply_tokens() - record.calls[0].new_tokens) * token_seconds()


@cache
def token_seconds() -> float:
    """Seconds of one decoding step of one reply after the twenty documents."""
    asked = request()
    prompt = agent_prompt(asked.question.text, asked.documents, range(len(asked.documents)), embedded_settings())
    reading = backbone().read(prompt, never, 64)
    endless = {"type": "string", "minLength": 400, "maxLength": 400}
    start = time.perf_counter()
    reply = backbone().complete([Task(prompt, 40, endless, reading)], never)[0]
    return (time.perf_counter() - start) / reply.new_tokens


@row("signals_against_attention", "<= 2", "times the attention profile alone, 20 documents")
def signals_against_attention() -> float:
    """All three signals against the profile of the same documents."""
    asked, loaded = request(), models()
    prompt = agent_prompt(asked.question.text, asked.documents, range(len(asked.documents)), embedded_settings())

    def signals() -> None:
        log = CallLog()
        loaded.backbone.read(prompt, never)
        query_likelihoods(loaded, asked.question.text, asked.documents, log, never)
        semantic_relevance(loaded, asked.question.text, asked.documents, log, never)

    return ratio(signals, lambda: loaded.backbone.read(prompt, never))
