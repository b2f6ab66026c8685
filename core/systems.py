"""The list of systems; the only place that knows them all. It names pipelines and imports none: a page may read it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Literal

from core.records import Request, Step
from core.settings.app import AppSettings
from core.settings.profiles import Profile

Pipeline = Callable[[Request, Any, str, Callable[[], None]], Iterator[Step]]
"""(request, models, run id, stop) → steps; the last step carries the finished record. Models and stop are those of
``core.models.protocol``."""

Kind = Literal["documents", "pdf", "sweep", "compare"]


@dataclass(frozen=True)
class System:
    """One way of answering a question."""

    name: str
    title: str
    kind: Kind
    """What it works on; a sweep asks one question at many places, and its run ends with a ``SweepRecord``; a
    comparison asks several systems, and ends with a ``CompareRecord``."""
    source: str
    """Where the method was published."""
    pipeline: str
    """``package.module:function``, imported when it is first used."""
    cost: str = ""
    """Calls of the model for N documents, as a person would count them."""
    role: str = ""
    """The role of a model that it cannot do without and that not every profile has."""

    def load(self) -> Pipeline:
        """The pipeline; imports the method."""
        module, name = self.pipeline.split(":")
        found: Pipeline = getattr(import_module(module), name)
        return found


SYSTEMS: dict[str, System] = {
    system.name: system
    for system in (
        System(
            "duquad",
            "DuQUAD",
            "documents",
            "DuQUAD: Dual-View Multi-Document QA",
            "core.duquad.pipeline:run",
            cost="3 calls and one for each candidate (at most 6)",
        ),
        System(
            "vanilla",
            "Vanilla",
            "documents",
            "all documents in one prompt, one reply",
            "core.baselines.vanilla:run",
            cost="1 call",
        ),
        System(
            "bm25",
            "BM25 reorder",
            "documents",
            "BM25 over the question's own documents; DuQUAD App. A",
            "core.baselines.bm25:run",
            cost="1 call",
        ),
        System(
            "dense",
            "Dense reorder",
            "documents",
            "Qwen3-Embedding, or the profile's embedder; DuQUAD App. A",
            "core.baselines.dense:run",
            cost="1 call, N + 1 embeddings",
        ),
        System(
            "rrf",
            "Hybrid RRF",
            "documents",
            "reciprocal rank fusion of BM25 and dense, k = 60 (Cormack et al., SIGIR 2009)",
            "core.baselines.rrf:run",
            cost="1 call, N + 1 embeddings",
        ),
        System(
            "rrf_rerank",
            "Hybrid RRF + reranker",
            "documents",
            "a cross-encoder over the fused list; DuQUAD App. A",
            "core.baselines.rrf_rerank:run",
            cost="1 call, N + 1 embeddings, N pairs",
            role="reranker",
        ),
        System(
            "fim_reorder",
            "FiM reorder",
            "documents",
            "Found in the Middle (Hsieh et al., Findings of ACL 2024), as U-shaped reordering",
            "core.baselines.fim_reorder:run",
            cost="1 call, N + 1 readings of the prompt",
        ),
        System(
            "fim_attn",
            "FiM attention",
            "documents",
            "Found in the Middle (Hsieh et al., Findings of ACL 2024), attention calibrated while answering",
            "core.baselines.fim_attn:run",
            cost="1 call, N + 1 readings of the prompt",
        ),
        System(
            "longllmlingua",
            "LongLLMLingua",
            "documents",
            "LongLLMLingua (Jiang et al., ACL 2024), compressed by the backbone itself",
            "core.baselines.longllmlingua:run",
            cost="1 call, N likelihoods, 2 passes for 200 tokens",
        ),
        System(
            "main_rag",
            "MAIN-RAG",
            "documents",
            "MAIN-RAG (Chang et al., ACL 2025)",
            "core.baselines.main_rag:run",
            cost="2N + 1 calls",
        ),
        System(
            "tree_of_agents",
            "Tree of Agents",
            "documents",
            "Tree of Agents (arXiv 2509.06436)",
            "core.baselines.tree_of_agents:run",
            cost="15 calls and one for each prefix walked (at most 20)",
        ),
        System(
            "by_semantic",
            "Φsem alone",
            "documents",
            "a single signal of DuQUAD: meaning (the ranking of Dense reorder)",
            "core.baselines.single:by_semantic",
            cost="1 call, N + 1 embeddings",
        ),
        System(
            "by_likelihood",
            "Φppl alone",
            "documents",
            "a single signal of DuQUAD: query likelihood",
            "core.baselines.single:by_likelihood",
            cost="1 call, N + 1 likelihoods",
        ),
        System(
            "by_attention",
            "Attention alone",
            "documents",
            "what DuQUAD's contrast is made of: attention, its bias of place included",
            "core.baselines.single:by_attention",
            cost="1 call, 1 reading of the prompt",
        ),
        System(
            "by_contrast",
            "Φcont alone",
            "documents",
            "a single signal of DuQUAD: attention contrast",
            "core.baselines.single:by_contrast",
            cost="1 call, 1 reading of the prompt",
        ),
        System(
            "sleuth",
            "SLEUTH",
            "pdf",
            "SLEUTH: Resolving Evidence Sparsity (arXiv 2511.22850)",
            "core.sleuth.pipeline:run",
            cost="2K + 2 calls for K candidate pages",
        ),
        System(
            "sleuth_cp",
            "SLEUTH (C+P)",
            "pdf",
            "SLEUTH, Table 3: clues and screening, no difficulty",
            "core.sleuth.pipeline:run_cp",
            cost="2K + 1 calls",
        ),
        System(
            "sleuth_c",
            "SLEUTH (C)",
            "pdf",
            "SLEUTH, Table 3: clues alone, no page as a whole",
            "core.sleuth.pipeline:run_c",
            cost="K + 1 calls",
        ),
        System(
            "pdf_direct",
            "Direct",
            "pdf",
            "the whole document in one prompt, as many pages as fit (MoLoRAG's code, MMLongBench-Doc)",
            "core.baselines.pdf_direct:run",
            cost="1 call",
        ),
        System(
            "pdf_base",
            "Base",
            "pdf",
            "the K best pages in one prompt; SLEUTH, Table 1",
            "core.baselines.pdf_base:run",
            cost="1 call",
        ),
        System(
            "m3docrag",
            "M3DocRAG",
            "pdf",
            "M3DocRAG (Cho et al., arXiv 2411.04952)",
            "core.baselines.pdf_m3docrag:run",
            cost="1 call",
        ),
        System(
            "mdocagent",
            "MDocAgent",
            "pdf",
            "MDocAgent (Han et al., arXiv 2503.13964)",
            "core.baselines.pdf_mdocagent:run",
            cost="5 calls",
        ),
        System(
            "molorag",
            "MoLoRAG",
            "pdf",
            "MoLoRAG (Wu et al., EMNLP 2025, arXiv 2509.07666)",
            "core.baselines.pdf_molorag:run",
            cost="1 call and one for each page visited",
        ),
        System(
            "mact",
            "MACT, untrained",
            "pdf",
            "MACT (arXiv 2508.03404), one untrained reader in all its parts",
            "core.baselines.pdf_mact:run",
            cost="n + 4 calls for n steps (at most 4), more for up to 3 corrections",
        ),
        System(
            "sweep",
            "Position sweep",
            "sweep",
            "one document at every place of the Vanilla prompt",
            "core.duquad.sweep:run",
        ),
        System(
            "compare",
            "Comparison",
            "compare",
            "one question put to two to six systems",
            "core.compare:run",
        ),
        System(
            "length",
            "Length and noise",
            "sweep",
            "one document among more and fewer others of three kinds, in the Vanilla prompt",
            "core.duquad.length:run",
        ),
        System(
            "fix",
            "Four ways to ask",
            "sweep",
            "one question as given, reordered by SFS in two ways, and through DuQUAD",
            "core.duquad.fix:run",
        ),
    )
}


def why_not(system: System, profile: Profile, own: AppSettings) -> str:
    """Why a system cannot run under a profile, with what the environment puts in its place; empty where it can."""
    if system.role == "reranker" and not (profile.reranker or own.reranker):
        return f"The profile {profile.name} has no reranker; name one in W_LENS_RERANKER."
    return ""


def of_kind(kind: Kind) -> tuple[System, ...]:
    """The systems of one kind, in the order in which they are shown."""
    return tuple(system for system in SYSTEMS.values() if system.kind == kind)
