"""Measures at the tip that something landed on: after an ingest M2 (alexandria 14), after a mend what it mended."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from gitops.errors import Absent, AssayError
from gitops.evals.metric import Metric
from gitops.evals.registry import registry
from gitops.evals.running import Wanted, kept
from gitops.git import refs
from gitops.runs import gates, latest
from gitops.runs.context import Context
from gitops.runs.measurements import Measurement
from gitops.runs.workspace import Workspace, rooted

Choice = Callable[[Workspace, str], Mapping[str, Metric]]
"""A workspace and its tip → the metrics that are to be measured there."""


def ingested(context: Context, root: str, target: str) -> list[Measurement]:
    """Measure what is due after every ingest, unless the policy at the tip says not to."""

    def due(workspace: Workspace, tip: str) -> Mapping[str, Metric]:
        if not workspace.config.eval.on_ingest:
            return {}
        last = latest.latest(context, workspace.name)
        wanted = {name: metric for name, metric in registry().items() if metric.when == "ingest"}
        # An ingest that is told as landed again brought nothing since this tip was measured.
        return {name: each for name, each in wanted.items() if name not in last or last[name].newest.commit != tip}

    return _measured(context, root, target, due, "after this ingest")


def mended(context: Context, root: str, target: str, metric: str) -> list[Measurement]:
    """Measure one metric anew, which a run was to mend: its gate opens by what is measured, not by the mending."""
    return _measured(context, root, target, lambda workspace, tip: {metric: registry()[metric]}, "again")


def _measured(context: Context, root: str, target: str, choice: Choice, when: str) -> list[Measurement]:
    """Measure and record; what degrades or closes a gate is told.

    What was to land has landed whatever comes of this, so nothing is raised: what hinders is told too.
    """
    try:
        return _at_the_tip(context, root, target, choice)
    except AssayError as error:
        context.warn(f"not measured {when}: {error.message}")
    except Absent as error:
        context.warn(f"not measured {when}: this clone lacks what has to be read: {error}")
    return []


def _at_the_tip(context: Context, root: str, target: str, choice: Choice) -> list[Measurement]:
    tip = refs.read(context.repository, target)
    if tip is None:
        return []
    workspace = rooted(context.repository, tip, root)
    metrics = choice(workspace, tip)
    return kept(context, workspace, tip, Wanted(metrics), target, partial(_tell, context)) if metrics else []


def _tell(context: Context, measurement: Measurement) -> None:
    name, number = measurement.suite, measurement.metrics[measurement.suite]
    if number.value is None or number.status == "healthy":
        return
    blocked = gates.BLOCKS.get((name, number.status), ())
    what = f"and blocks every {' and '.join(blocked)}" if blocked else "and is told in status"
    context.warn(f"{name} is {number.status} ({number.value:.2f}) {what}: git assay eval report --details {name}")
