"""The way of a gold document through the stages of a run, as the page tells it. Pure."""

from __future__ import annotations

import numpy as np

from core.duquad.contrast import chosen_attention
from core.records import RunRecord


def attention_ranks(attention: np.ndarray) -> list[int]:
    """Rank of each document by attention, from 1; ties by lower index."""
    order = sorted(range(len(attention)), key=lambda i: (-attention[i], i))
    ranks = [0] * len(order)
    for place, document in enumerate(order, start=1):
        ranks[document] = place
    return ranks


def steps(record: RunRecord, document: int) -> list[str]:
    """What happened to one document, stage by stage; stops at the stage that has not run."""
    said = [f"place {document + 1} of {len(record.documents)}"]
    if record.signals:
        attention = chosen_attention(record.signals.attention, record.settings)
        said.append(f"attention rank {attention_ranks(attention)[document]}")
    if record.ranking:
        place = next(i for i, ranked in enumerate(record.ranking, start=1) if ranked.document == document)
        seen = "" if place <= record.settings.k else f" (below the cut at {record.settings.k})"
        said.append(f"SFS rank {place}{seen}")
    if record.agents:
        replies = {"Local": record.agents.local, "Global": record.agents.global_}
        by = [name for name, reply in replies.items() if reply and document in reply.important_documents]
        said.append(f"chosen by {' and '.join(by)}" if by else "chosen by neither agent")
    entry = next((entry for entry in record.pool or () if entry.document == document), None)
    if entry:
        said.append(f"DocScore {entry.score:.2f}")
        said.append("quoted" if entry.kept else "pruned")
    return said
