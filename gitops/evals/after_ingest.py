"""Measures what is due after every ingest (M2: alexandria 14), at the tip that the ingest landed on."""

from __future__ import annotations

from gitops.errors import AssayError
from gitops.evals.registry import registry
from gitops.evals.running import Measured, Wanted, measured
from gitops.git import refs
from gitops.runs import evalruns, gates
from gitops.runs.context import Context
from gitops.runs.measurements import Measurement
from gitops.runs.workspace import rooted


def measure(context: Context, root: str, target: str) -> list[Measurement]:
    """Measure and record, unless the policy at the tip says not to; what degrades or closes a gate is told.

    The ingest has landed whatever comes of this, so nothing is raised: what hinders is told too.
    """
    try:
        return _measured(context, root, target)
    except AssayError as error:
        context.warn(f"not measured after this ingest: {error.message}")
        return []


def _measured(context: Context, root: str, target: str) -> list[Measurement]:
    tip = refs.read(context.repository, target)
    if tip is None:
        return []
    workspace = rooted(context.repository, tip, root)
    metrics = {name: metric for name, metric in registry().items() if metric.when == "ingest"}
    if not workspace.config.eval.on_ingest or not metrics:
        return []

    def keep(found: Measured) -> None:
        evalruns.record(context, workspace, found.measurement, target, found.used, found.transcripts)
        _tell(context, found.measurement)

    found = measured(context, workspace, tip, Wanted(metrics), settled=keep)
    return [each.measurement for each in found]


def _tell(context: Context, measurement: Measurement) -> None:
    name, number = measurement.suite, measurement.metrics[measurement.suite]
    if number.value is None or number.status == "healthy":
        return
    blocked = gates.BLOCKS.get((name, number.status), ())
    what = f"and blocks every {' and '.join(blocked)}" if blocked else "and is told in status"
    context.warn(f"{name} is {number.status} ({number.value:.2f}) {what}: git assay eval report --details {name}")
