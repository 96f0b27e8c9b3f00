"""Which metrics a check measures: cheap ones that tell the same of the same wiki, as far as they apply."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from gitops.errors import UsageError
from gitops.evals.metric import Metric
from gitops.evals.registry import chosen as of_names
from gitops.evals.registry import registry
from gitops.retrieval import running
from gitops.runs import gold
from gitops.runs.context import Context
from gitops.runs.measurements import RETRIEVAL
from gitops.runs.workspace import Workspace

USUAL = ("M1", "M2", "M3", "M5", "M6")
"""M4 is left out: it rests on the usage log of whoever runs the wiki, which no check has."""
OF_RETRIEVAL = ("mrr", "ndcg@10", "recall@10_doc")
"""Of the many metrics of retrieval those that say most: adjusting for all of them would hide what these show."""
GOLDEN = "M3"
"""The metric that needs gold queries."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """The metrics to measure, and whether retrieval is. `is_asked`: somebody named them, so each has to be measured."""

    metrics: Mapping[str, Metric] = field(default_factory=dict)
    retrieval: bool = False
    is_asked: bool = False

    @property
    def is_empty(self) -> bool:
        """Is nothing to be measured?"""
        return not self.metrics and not self.retrieval


def chosen(context: Context, workspace: Workspace, base: str, names: str | None) -> Chosen:
    """The metrics that some names with commas between say; `none`, or what applies at the base where nobody says.

    UsageError for a metric that there is not.
    """
    if names is None:
        return _usual(context, workspace, base)
    wanted = [name.strip() for name in names.split(",") if name.strip()]
    if not wanted:
        raise UsageError("--metric names nothing", f"name some of {', '.join(registry())}, retrieval; or none")
    if [name.lower() for name in wanted] == ["none"]:
        return Chosen()
    others = [name for name in wanted if name.lower() != RETRIEVAL]
    metrics = of_names(",".join(others)) if others else {}
    return Chosen(metrics, len(others) < len(wanted), is_asked=True)


def _usual(context: Context, workspace: Workspace, base: str) -> Chosen:
    tree, layout = context.tree(base), workspace.layout
    known, has_gold = registry(), tree.blob(gold.file_of(layout)) is not None
    wanted = (name for name in USUAL if has_gold or name != GOLDEN)
    return Chosen({name: known[name] for name in wanted}, tree.blob(running.file_of(layout)) is not None)
