"""The analyses of a set: from recorded answers and signals alone, with no call of a model.

Each is a function of a ``SetTable`` that returns an ``Analysis``: rows to show and export, and how to draw them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from core.evaluation.analyses_answers import (
    by_group,
    by_position,
    compare,
    costs,
    loss_flow,
    set_f1,
    systems_by_metrics,
)
from core.evaluation.analyses_pool import docscore_of_gold, local_and_global, tau_sweep
from core.evaluation.analyses_record import Analysis
from core.evaluation.analyses_signals import attention_by_place, evidence_agreement, recall_against_k, weight_grid
from core.evaluation.table import SetTable
from core.evaluation.table_view import group_values
from core.settings.evaluation import MOST_GROUP_VALUES

__all__ = [
    "ANALYSES",
    "Analysis",
    "Offered",
    "attention_by_place",
    "by_group",
    "by_position",
    "compare",
    "costs",
    "docscore_of_gold",
    "everything",
    "evidence_agreement",
    "groups_of",
    "local_and_global",
    "loss_flow",
    "recall_against_k",
    "set_f1",
    "systems_by_metrics",
    "tau_sweep",
    "weight_grid",
]


@dataclass(frozen=True)
class Offered:
    """One analysis as a page lists it."""

    name: str
    title: str
    run: Callable[[SetTable], Analysis]
    """Over the whole table, with its own defaults."""


ANALYSES: tuple[Offered, ...] = (
    Offered("systems", "Systems and metrics", systems_by_metrics),
    Offered("loss", "Where evidence was lost", loss_flow),
    Offered("position", "Accuracy by the place of gold", by_position),
    Offered("attention", "Attention by place, with and without gold", attention_by_place),
    Offered("recall", "Recall of gold against k", recall_against_k),
    Offered("weights", "Weights of the fusion", weight_grid),
    Offered("tau", "The gate: τ against recall and pool size", tau_sweep),
    Offered("docscore", "DocScore of gold and of the rest", docscore_of_gold),
    Offered("views", "Local and Global Agent, and the Judge", local_and_global),
    Offered("agreement", "Evidence agreement between systems", evidence_agreement),
    Offered("costs", "What it costs", costs),
    Offered("set_f1", "F1 over answerable questions", set_f1),
)


def groups_of(table: SetTable) -> tuple[str, ...]:
    """The groups that answers can be told apart by: more than one value, and not one a question."""
    known = group_values(table)
    return tuple(name for name, values in known.items() if 1 < len(values) <= MOST_GROUP_VALUES)


def everything(table: SetTable) -> Iterator[Analysis]:
    """Every analysis with its defaults, then right answers by each group; those without rows say why."""
    yield from (offered.run(table) for offered in ANALYSES)
    yield from (by_group(table, name) for name in groups_of(table) if name != "gold_position")
